// A source sentence, and under it (in a narrow window at its right) the translation of each system. Ribbons of alpha lead
// from the one to the other where a system has alpha; one that has none shows its words alone.

import { View, button, isNew, lineOfWords, make, put, shape, shareOf, touched, whileLookedAt } from "../../js/elements.js";
import { decimals, strongest } from "../../js/numbers.js";
import { say } from "../../js/texts.js";
import { makeMovable, showDrag } from "./dragging.js";
import { drawRibbons, fitSystems } from "./fitting.js";
import { lineBegins, sharedStart, writtenAfter } from "./geometry.js";
import { makeHandle } from "./handle.js";
import { makeReorderable, movedOrder } from "./reordering.js";

const WRITING_SECONDS = 1.8;
const LAST_RIBBON = 700; // milliseconds until the last ribbon and the ring are there, too
const MOST_NAMED = 3;
const LEAST_NAMED = 0.01;
const END = "</s>";
const CROSS = { width: 24, below: 8 }; // pixels of a word's cross, and of its part below the word's upper edge, as in view.css

/** A word of a system; of a cell of the matrix the target word, with the source word `j`. @typedef {{system: number, side: "source" | "target", k: number, j?: number}} Word */
/**
 * What the view tells; each may be missing.
 * @typedef {object} Listeners
 * @property {(word: Word | null, how: {twice: boolean, moved: boolean}) => void} [onWord] a word is chosen; `twice`: a source word, by a double-click; `moved`: by keys beside it
 * @property {(word: Word | null) => void} [onPoint] a word is pointed at
 * @property {(move: import("./dragging.js").Drag, byKeys: boolean) => void} [onMove] a ribbon's end was dragged to another source word
 * @property {() => void} [onUndo] the last change is to be taken back
 * @property {() => void} [onHint] the hint is closed, or opened again
 * @property {(number: number) => void} [onNumber] so many sentences are to be translated as one
 * @property {(order: {system: number, order: number[]}) => void} [onOrder] the source words are to stand in another order
 * @property {(word: {system: number, j: number}) => void} [onBlock] a source word is to be left out, or taken back
 */

/** It shows what nmt/instrument/js/drawing.js makes of a record, and tells `Listeners`. */
export class RibbonView extends View {
  constructor(element) {
    super(element, ".systems");
    this.element = this.find(".ribbon-view");
    this.systems = [];
    this.chosen = null; // as onWord tells it
    [this.pointed, this.elsewhere] = [null, null]; // as show() has them
    /** @type {import("./dragging.js").Drag | null} the ribbon that is being dragged, and the one that waits for its answer */
    this.drag = null;
    this.waiting = null;
    this.byKeys = ""; // selector of the element to focus if the keyboard made the last change
    this.asked = null; // number of sentences that was asked for and has not been drawn yet
    this.timer = null;

    this.element.onkeydown = (event) => {
      if (event.key === "Escape" && this.chosen && !this.drag && !this.waiting) {
        this.choose(this.chosen);
      } else if (this.chosen && this.pointed && !event.altKey && /^Arrow|^Home$|^End$/u.test(event.key) && !isSame(this.chosen, this.pointed)) {
        this.choose(this.pointed, { moved: true }); // what is chosen goes with the keyboard
      }
    };
    this.pressed = (event) => {
      if (event.key === "Escape" && (this.drag || this.waiting)) { // wherever the keyboard is: a pointer drags
        this.waiting = null;
        this.grab(null);
      }
      const asked = event.key === "z" && (event.ctrlKey || event.metaKey) && !event.shiftKey && !event.altKey;
      const inText = event.composedPath()[0].closest?.("input, textarea, [contenteditable=true]");
      if (asked && !inText && this.onUndo) {
        event.preventDefault();
        this.onUndo();
      }
    };
    document.addEventListener("keydown", this.pressed);
  }

  end() {
    super.end();
    clearTimeout(this.timer);
    document.removeEventListener("keydown", this.pressed);
  }

  receive(data) {
    this.waiting = null;
    this.chosen = data.chosen ?? null;
    if (isNew(this, { ...data, chosen: null })) {
      this.rebuild(data);
    } else {
      this.show(this.pointed);
    }
  }

  rebuild(data) {
    const before = this.systems.map(({ source }) => source.join(" "));
    const again = data.systems.every(({ source }, k) => source.join(" ") === before[k]);
    const text = data.systems[0]?.source.join(" ") ?? "";
    const goesOn = before.length > 0 && (text.startsWith(before[0]) || before[0].startsWith(text));
    this.asked = goesOn && this.asked !== data.handle?.number ? this.asked : null;
    const keyboard = this.byKeys || (this.place.querySelector(".handle:focus") && ".handle");
    const focusVisible = Boolean(this.byKeys || this.place.querySelector(":focus-visible"));
    const focused = text === before[0] ? this.words().findIndex((word) => word.matches(":focus")) : -1;
    [this.drag, this.pointed, this.elsewhere, this.closed] = [null, null, null, data.closed];
    this.spoken.textContent = "";
    this.systems = data.systems.map((given, number) => buildSystem(this, given, number));
    if (data.handle && this.onNumber) { // sentences can be added
      this.systems[0].element.firstChild.append(makeHandle(this, data.handle)); // not in the line, which it would take from its middle
    }
    this.place.replaceChildren(...this.systems.map((system) => system.element));
    const still = window.matchMedia("(prefers-reduced-motion: reduce)").matches || !data.animate || again;
    this.element.classList.toggle("writing", !still);
    clearTimeout(this.timer);
    this.timer = setTimeout(() => this.element.classList.remove("writing"), 1000 * WRITING_SECONDS + LAST_RIBBON);
    this.large = this.element.classList.toggle("large", Boolean(data.large));
    this.draw();
    const now = keyboard ? this.place.querySelector(keyboard) : this.words()[focused];
    now?.focus({ preventScroll: true, focusVisible }); // what had the keyboard is gone; a word that was clicked is not lit
    this.byKeys = "";
  }

  words() {
    return [...this.place.querySelectorAll(".word")];
  }

  /** Set the size of the words and draw the ribbons; both depend on the width of the page. */
  draw() {
    if (this.place.clientWidth === 0 || this.place.querySelector(".grip:focus")) {
      return; // a drawing would take the handle away, whose read-out may need a line more
    }
    fitSystems(this.place, this.systems, this.large);
    for (const system of this.systems.filter(({ svg }) => svg)) {
      drawRibbons(system);
      makeMovable(this, system);
    }
    this.show(this.pointed); // the read-out may have changed the height, which calls this function
  }

  /** Light a word while it is pointed at, here and wherever else it stands. @param {Word | null} word */
  point(word) {
    this.show(word);
    this.onPoint?.(word);
  }

  /** Light a word that is pointed at elsewhere. @param {Word | null} word */
  light(word) {
    this.elsewhere = word;
    this.show(this.pointed);
  }

  /** Light the ribbons of the words in focus: what is pointed at, here or elsewhere, else what was chosen. @param {Word | null} pointed */
  show(pointed) {
    this.pointed = pointed;
    const drag = this.drag ?? this.waiting;
    const dragged = drag && { system: drag.panel, side: "target", k: drag.i };
    const focus = dragged ?? pointed ?? this.elsewhere ?? this.chosen;
    for (const system of this.systems) {
      const here = focus && (focus.system === system.number || focus.side === "source") ? focus : null;
      showInSystem(this, system, here);
      if (system.svg) {
        showDrag(this, system);
      }
    }
  }

  /** Take a ribbon's end to drag it, or let it go. @param {import("./dragging.js").Drag | null} drag */
  grab(drag) {
    this.drag = drag;
    this.show(null);
  }

  /** @param {import("./dragging.js").Drag} drag */
  carry(drag) {
    if (drag.to !== this.drag?.to) {
      this.grab(drag);
    }
  }

  /** Leave the end where it is now. */
  drop(byKeys = false) {
    const { drag } = this;
    if (drag && drag.to !== drag.from) {
      this.waiting = drag;
      this.onMove?.(drag, byKeys);
    }
    this.grab(null);
  }

  /** Choose a word; where it is chosen already, and not by a double-click, it is chosen no more. */
  choose(word, { twice = false, moved = false } = {}) {
    this.chosen = isSame(this.chosen, word) && !twice ? null : word;
    this.point(null);
    this.onWord?.(this.chosen, { twice, moved });
  }
}

function buildSystem(view, given, number) {
  const system = { ...given, number, shapes: [], words: {}, readout: make("p", "readout", "") };
  const title = make("div", "system-title", make("strong", "", given.title), make("span", "kind", given.kind));
  system.inner = make("div", given.weights ? "ribbon-inner" : "ribbon-inner wrapped");
  if (given.weights) {
    system.svg = shape("svg", "ribbons");
    system.inner.append(wordLine(view, system, "source"), system.svg);
  }
  if (given.weights && given.reorderable && view.onOrder) {
    makeReorderable(system, (from, to, byKeys) => {
      view.byKeys = byKeys ? `.system:nth-of-type(${number + 1}) .source .word:nth-of-type(${to + 1})` : "";
      view.onOrder({ system: number, order: movedOrder(system.source.length, from, to) });
    });
  }
  system.inner.append(wordLine(view, system, "target"));
  system.element = make(
    "section", "system", title, make("div", "ribbon-scroll", system.inner), formerLine(view, system), aloneLine(system),
    ...given.remarks.map((text) => make("p", "remark", text)),
    make("div", "below", (given.hint || given.weights || given.doubts?.some(Boolean)) && system.readout, Object.assign(make("slot", ""), { name: `words-${number}` })),
    ...given.notes.map((text) => make("p", "note", text)),
  );
  put(system.element, { "aria-label": [given.title, given.text].filter(Boolean).join(": ") }).style.setProperty("--system", given.colour);
  return system;
}

/** The line that stood here before a change. */
function formerLine(view, { former: words, former_text: set, changed, target_rtl: rtl }) {
  if (!words?.length) {
    return null;
  }
  const text = make("span", "former-words", set || words.join(" "));
  text.dir = rtl ? "rtl" : "ltr";
  return make("p", "former", make("span", "", view.texts.before), text, changed && make("span", "changed", changed));
}

/** The words that stand here when the sentences are translated one by one, of which those that are lost fade. */
function aloneLine({ alone, kept, target_rtl: rtl }) {
  if (!kept) {
    return null;
  }
  const words = make("span", "", ...alone.flatMap(([word, lost]) => [make(lost ? "del" : "span", "", word), " "]));
  words.dir = rtl ? "rtl" : "ltr";
  return make("p", "alone", make("span", "kept", kept), alone.length > 0 && words);
}

function wordLine(view, system, side) {
  const kept = system.former?.length ? sharedStart(system.target, system.former) : 0;
  const [now, before] = [system.target, system.former ?? []].map((words) => words.slice(kept).toReversed());
  const changed = system.target.length - sharedStart(now, before); // from this word on, all stand as they did
  system.words[side] = system[side].map((text, k) => {
    const rewritten = side === "target" && kept && k >= kept && k < changed;
    const doubted = side === "target" && system.doubts?.[k] && "doubted";
    const word = button(["word", rewritten && "rewritten", doubted, system[`${side}_close`]?.[k] && "close"].filter(Boolean).join(" "), text);
    const look = (begins) => view.point(begins ? { system: system.number, side, k } : null);
    whileLookedAt(word, look, () => (view.spoken.textContent = sentenceOn(view, system, { side, k })));
    word.onclick = ({ detail } = {}) => view.choose({ system: system.number, side, k }, { twice: side === "source" && detail === 2 });
    if (side === "target") {
      word.style.setProperty("--after", `${writtenAfter(Math.max(0, k - kept), system.target.length - kept, WRITING_SECONDS).toFixed(2)}s`);
    } else if (view.onBlock && system.blocked?.length) {
      offerCross(view, system, word, k);
    }
    return word;
  });
  const begins = system.svg ? undefined : lineBegins(system[side], system[`${side}_close`]);
  return lineOfWords(`line ${side}`, system[`${side}_title`], system[`${side}_rtl`], system.words[side], begins);
}

/** The cross at the upper right of a source word, which leaves it out; the keyboard presses the word itself, a finger first chooses it. */
function offerCross(view, system, word, j) {
  word.classList.add("crossed");
  word.dataset.word = j;
  word.classList.toggle("blocked", system.blocked[j]);
  word.setAttribute("aria-pressed", system.blocked[j]);
  word.title = system.source_hints[j];
  const choose = word.onclick;
  word.onclick = ({ detail, clientX, clientY }) => {
    const { right, top } = word.getBoundingClientRect();
    const chosen = isSame(view.chosen, { system: system.number, side: "source", k: j });
    const crossed = clientX > right - CROSS.width && clientY < top + CROSS.below && (!touched() || chosen);
    if (detail === 0 || crossed) {
      if (chosen) {
        choose(); // no more: its ribbons go
      }
      view.byKeys = detail === 0 ? `.word[data-word="${j}"]` : "";
      view.onBlock({ system: system.number, j });
    } else {
      choose({ detail });
    }
  };
}

function showInSystem(view, system, focus) {
  system.inner.classList.toggle("focused", Boolean(focus && system.weights));
  system.element.classList.toggle("pointed", Boolean(view.pointed ?? view.elsewhere));
  const sums = { source: [], target: [] };
  if (focus && system.weights) {
    const other = focus.side === "target" ? "source" : "target";
    sums[other] = weightsOf(system, focus);
  }
  for (const [side, words] of Object.entries(system.words)) {
    words.forEach((word, k) => {
      word.classList.toggle("lit", Boolean(focus) && focus.side === side && focus.k === k);
      const ofCell = side === "source" && view.chosen?.system === system.number && view.chosen.j === k;
      word.classList.toggle("chosen", ofCell || isSame(view.chosen, { system: system.number, side, k }));
      shareOf(word, sums[side][k] ?? 0);
    });
  }
  for (const { i, j, element } of system.shapes) {
    const lit = Boolean(focus) && (focus.side === "target" ? focus.k === i && (focus.j ?? j) === j : focus.k === j);
    element.classList.toggle("lit", lit);
  }
  system.readout.textContent = focus ? sentenceOn(view, system, focus) : view.closed ? "" : (system.hint ?? "");
  if (!focus && system.hint) {
    const [sign, name] = view.closed ? ["?", view.texts.open_hint] : ["×", view.texts.close_hint];
    system.readout.append(put(button("dismiss", sign, () => view.onHint?.()), { "aria-label": name }));
  }
}

function isSame(chosen, { system, side, k }) {
  return chosen?.system === system && chosen.side === side && chosen.k === k;
}

/** Weights between a word and all words of the other line, and the end mark of the source; of a cell only its own. */
function weightsOf(system, { side, k, j = null }) {
  const weights = side === "target" ? [...system.weights[k], system.end?.[k] ?? 0] : system.weights.map((row) => row[k]);
  return weights.map((weight, other) => (j === null || other === j ? weight : 0));
}

/** @param {Word} focus */
function sentenceOn({ texts }, system, focus) {
  const { side, k } = focus;
  const word = system[side][k];
  const probability = side === "target" && system.log_probability ? say(texts.log_p, { value: decimals(system.log_probability[k], 2) }) : "";
  if (!system.weights) {
    const doubt = side === "target" && system.doubts?.[k];
    return [word, [probability, doubt].filter(Boolean).join("; ")].filter(Boolean).join(": ");
  }
  const other = side === "target" ? [...system.source, END] : system.target;
  const partners = strongest(weightsOf(system, focus), MOST_NAMED, LEAST_NAMED);
  const named = partners.map((partner) => `${other[partner.k]} ${decimals(partner.value, 2)}`).join(", ");
  const arrow = side === "target" ? "←" : "→";
  return [`${word} ${arrow} ${named || texts.nowhere}`, probability].filter(Boolean).join("; ");
}
