// The view of all steps: one drawing at a time, words and buttons to move by, and the details of the part that is looked
// at.

import { onPage } from "../../js/colour_scale.js";
import { button, darkAround, isNew, make, mountView, put, setName, touched } from "../../js/elements.js";
import { Player } from "../../js/player.js";
import { say } from "../../js/texts.js";
import { details } from "./details.js";
import { drawFrame } from "./drawing.js";
import { frameAt, movedFrame, sameMoment, stagesOf } from "./frames.js";

const PAUSE = 1500; // milliseconds that a frame stands while it plays

/** Called by Streamlit at first and with every change of the data or the theme; the result ends the view. */
export default function component({ data, parentElement }) {
  return mountView(StepView, parentElement, data);
}

class StepView extends Player {
  constructor(element) {
    super(element, PAUSE, ".place");
    const { find } = this;
    this.models = find(".models");
    this.stages = find(".stages");
    this.words = find(".words");
    this.sentence = find(".sentence");
    this.about = find(".about-part");
    this.panel = find(".panel");
    this.chosen = 0; // number of the model
    /** @type {string | null} the part that stays; the column under the pointer, and the part under it */
    this.pinned = null;
    this.column = null;
    this.looked = null;
  }

  get model() {
    return this.data.models[this.chosen];
  }

  get frame() {
    return this.model.frames[this.now];
  }

  get count() {
    return this.model.frames.length;
  }

  receive(data) {
    const dark = darkAround(this.place);
    if (!isNew(this, { ...data, dark })) {
      return;
    }
    this.data = onPage(data, dark);
    setName(this.models, this.texts.model);
    setName(this.stages, this.texts.stage);
    setName(this.words, this.texts.translation);
    setName(this.panel, this.texts.explanation);
    this.place.closest(".steps").classList.toggle("large", Boolean(data.large));
    if (isNew(this, data.models.map(({ name, source, target, start }) => [name, source, target, start]), "shown")) {
      this.halt();
      this.chosen = Math.min(this.chosen, data.models.length - 1);
      this.now = this.model.start;
    }
    this.show();
  }

  key(event) {
    if (!event.target.closest(".models, .words")) {
      super.key(event);
    }
  }

  moved(key) {
    return movedFrame(this.model.frames, this.now, key);
  }

  goTo(number) {
    super.goTo(number);
    this.spoken.textContent = this.timer === null ? this.sentence.textContent : "";
  }

  chooseModel(number) {
    const { frame, model } = this;
    this.chosen = number;
    this.now = sameMoment(this.model, frame, model.target[frame.word]);
    if (this.pinned && !this.model.boxes[this.pinned]) {
      this.pinned = null;
    }
    this.stop();
  }

  /** Look at a part, as long as the pointer or the keyboard is there. */
  look(name, column) {
    this.looked = name;
    this.column = column;
    this.showDetails();
    this.place.querySelectorAll(".source-word").forEach((word, j) => word.classList.toggle("lit", j === column));
  }

  /** Keep a part in sight, or let it go. */
  pin(name) {
    this.pinned = this.pinned === name ? null : name;
    this.draw();
    this.showDetails();
  }

  show() {
    this.showModels();
    this.showStages();
    this.showWords();
    this.showMoves();
    this.sentence.textContent = this.frame.text;
    this.draw();
    this.showDetails();
  }

  draw() {
    const width = Math.floor(this.place.clientWidth);
    if (width === 0) {
      return;
    }
    const inside = this.place.getRootNode().activeElement;
    const focused = this.place.contains(inside) ? inside.dataset.part : null;
    this.place.replaceChildren(drawFrame(this, width));
    if (focused) {
      this.place.querySelector(`[data-part="${focused}"]`)?.focus({ preventScroll: true });
    }
  }

  showDetails() {
    const name = this.looked ?? this.pinned;
    const hint = touched() ? this.texts.tap_hint : this.texts.hint;
    this.about.replaceChildren(...(this.model.boxes[name] ? details(this, name, this.column) : [make("p", "hint", hint)]));
  }

  showModels() {
    this.models.hidden = this.data.models.length < 2;
    this.models.replaceChildren(...this.data.models.map(({ kind, name: title }, k) => (
      Object.assign(press("model", kind, k === this.chosen, () => this.chooseModel(k)), { title })
    )));
  }

  showStages() {
    const { frames } = this.model;
    this.stages.replaceChildren(...stagesOf(frames).map((stage) =>
      press("stage", this.texts.stage_names[stage], stage === this.frame.stage, () =>
        this.choose(frameAt(frames, this.frame.word, stage)))));
  }

  showWords() {
    const { target, frames } = this.model;
    const { word: now, stage } = this.frame;
    const focused = this.words.contains(this.words.getRootNode().activeElement);
    this.words.replaceChildren(...target.map((word, i) => {
      const pressable = press("target-word", word, i === now, () => this.choose(frameAt(frames, i, "word")));
      pressable.setAttribute("aria-label", say(this.texts.word, { number: i + 1, word }));
      pressable.classList.toggle("to-come", i > now || (i === now && stage !== "word"));
      return pressable;
    }));
    const current = this.words.children[now];
    this.words.scrollLeft = current.offsetLeft - this.words.clientWidth / 2;
    if (focused) {
      current.focus({ preventScroll: true });
    }
  }
}

function press(classes, text, pressed, action) {
  return put(button(classes, text, action), { "aria-pressed": pressed });
}
