// Words of a panel, on the axes of the matrix and between the links: pointing at one focuses it, a click pins it.

import { button, make, whileLookedAt } from "../../js/elements.js";
import { withWordToggled, wordFocus } from "./focus.js";
import { spokenWords } from "./wording.js";

/** Label of a word on an axis of the matrix. */
export function axisLabel(view, panel, side, k) {
  const element = make("span", "label", panel[side][k]);
  showMark(element, element, panel.marks[side][k], `${panel[side][k]}: `);
  respond(view, panel, side, k, element);
  return element;
}

/** Button of a word beside the links. */
export function wordButton(view, panel, side, k) {
  const element = button("word", "");
  const text = make("span", "text", panel[side][k]);
  element.append(text, make("span", "box"));
  showMark(element, text, panel.marks[side][k], "");
  respond(view, panel, side, k, element);
  return element;
}

function showMark(element, text, mark, prefix) {
  if (mark) {
    element.classList.add("marked");
    text.dataset.mark = mark.sign;
    element.title = `${prefix}${mark.text}`;
  }
}

function respond(view, panel, side, k, element) {
  const focus = wordFocus(panel.number, side, k);
  whileLookedAt(element, (begins) => view.point(begins ? focus : null), () => {
    view.spoken.textContent = spokenWords(panel, focus, view.texts);
  });
  element.onclick = () => view.pin(withWordToggled(view.pinned, panel.number, side, k));
  panel.labels[side][k].push(element);
}
