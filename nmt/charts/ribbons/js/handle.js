// The handle above the end of the sentence: a press adds a sentence, and a pull or a key adds or removes any number.

import { make, put } from "../../js/elements.js";
import { counted, say } from "../../js/texts.js";

const PULL = 60; // pixels of a pull for each sentence
const KEYS = { ArrowRight: 1, ArrowUp: 1, Enter: 1, " ": 1, ArrowLeft: -1, ArrowDown: -1, Home: -Infinity, End: Infinity };

/** @param {{asked: number | null, onNumber: (number: number) => void}} view @param {{number: number, most: number, next: string}} given sentences now, at most */
export function makeHandle(view, { number, most, next }) {
  const attributes = { role: "slider", tabindex: 0, "aria-label": view.texts.sentences, "aria-valuemin": 1, "aria-valuemax": most };
  const handle = put(make("span", "handle", "+"), attributes);
  handle.title = next && say(view.texts.add, { sentence: next });
  let wanted = view.asked ?? number; // a press may come before the number of the press before is drawn
  let began = null; // where a pull began
  const pulled = ({ clientX }) => Math.round((clientX - began) / PULL);
  const show = (by) => {
    const shown = Math.min(most, Math.max(1, wanted + by));
    put(handle, { "aria-valuenow": shown, "aria-valuetext": counted(view.texts.sentences_as_one, shown, { number: shown }) });
    handle.textContent = shown === number ? "+" : `${shown > number ? "+" : "−"}${Math.abs(shown - number)}`;
    handle.dataset.name = shown === number ? view.texts.more : "";
    return shown;
  };
  const add = (by) => {
    const asked = show(by);
    if (asked !== wanted) {
      view.asked = wanted = asked;
      view.onNumber(asked);
    }
  };
  handle.onpointerdown = (event) => {
    began = event.clientX;
    handle.setPointerCapture(event.pointerId);
  };
  handle.onpointermove = (event) => began !== null && show(pulled(event));
  handle.onpointerup = (event) => add(pulled(event) || 1);
  handle.onlostpointercapture = () => {
    began = null;
    show(0);
  };
  handle.onkeydown = (event) => {
    if (event.key in KEYS && !event.altKey && !event.ctrlKey && !event.metaKey) {
      event.preventDefault();
      event.stopPropagation();
      add(KEYS[event.key]);
    }
  };
  show(0);
  return handle;
}
