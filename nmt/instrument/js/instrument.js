// The instrument: a sentence, what systems made of it, and what a reader asks and changes. It draws a record and knows no
// host; what it cannot know it asks. All text enters as textContent.

import { mount as mountMatrices } from "../../charts/alignment_view/js/view.js";
import { button, make, setName } from "../../charts/js/elements.js";
import { counted, languageName, say } from "../../charts/js/texts.js";
import { mountRibbons } from "../../charts/ribbons/js/ribbon_view.js";
import { buildFigure } from "../../charts/small_figure/js/component.js";
import { withChange, withoutLast } from "./changes.js";
import { dragged, drawing, leftOut, mapKey, mapName, sourceWords, systemsOf, viewSettings } from "./drawing.js";

const PATIENCE = 30_000; // milliseconds until a request that nobody answers is asked once more
const STYLES = { // by the name of a view: where its style lies beside this module, if the host brings none
  instrument: "../instrument.css", ribbons: "../../charts/ribbons/view.css", alignment_view: "../../charts/alignment_view/view.css",
  small_figure: "../../charts/small_figure/view.css",
};
const UNCHANGED = { changes: [], pin: null, chosen: null };

/**
 * What a host brings; all may be missing.
 * @typedef {object} Host
 * @property {((request: Request, answer: (told: Answer) => void) => Promise<object> | void) | null} ask called with each question;
 *   answers with a record, at once or in parts. Without it nothing can be typed or changed
 * @property {object} state what the reader chose: sentence, number (of sentences as one), changes, pin, chosen, map; and what
 *   else the host keeps there, such as beam and systems
 * @property {((state: object) => void) | null} onState called with each new state
 * @property {object | null} texts as view_texts in nmt/texts returns them; null: English, which lies beside this module
 * @property {string[]} changes kinds of changes that it answers, see changes.js
 * @property {Said} said what it says of its work at first
 * @property {string | null} language of the sentence, while there is no record
 * @property {string[]} sentences that may follow the sentence, for the handle that adds one
 * @property {object | null} figure a small Figure 2, as buildFigure takes it
 * @property {boolean} large whether in the type of a lecture
 * @property {object} about what it knows of systems, and `remarks` on sentences, see drawing.js
 * @property {Record<string, string>} styles the text of each stylesheet in STYLES
 */
/** @typedef {{kind: "translate" | "change", number: number, sentence: string, changes: object[]}} Request with all of the state */
/** @typedef {string | {text: string}} Said a sentence, or the name of a text with its fields */
/** @typedef {{record?: object, said?: Said, share?: number, done?: boolean}} Answer what it says of the work, and how far it is */
const NONE = {
  ask: null, state: {}, onState: null, texts: null, changes: [], sentences: [], figure: null, large: false, about: {}, remarks: {},
  styles: null, said: "", language: null,
};

/**
 * Show a record in an empty element, or in one whose own children then stand below the sentence (and in the slot "below", below
 * the ribbons).
 * @param {Element} element
 * @param {object | null} record docs/formats.md; null: nothing is known yet
 * @param {Partial<Host>} host
 * @returns {{update: (host: Partial<Host>) => void, translate: (state?: object) => void, end: () => object}} changes what the host
 *   brings, such as the texts; asks for a sentence; ends it, which gives the state with which it can be mounted again
 */
export function mount(element, record, host = {}) {
  const instrument = new Instrument(element, record, host);
  return {
    update: (changed) => instrument.update(changed),
    translate: (state = {}) => instrument.translate(state),
    end: () => instrument.end(),
  };
}

class Instrument {
  constructor(element, record, host) {
    this.host = { ...NONE, ...host };
    this.state = { sentence: record?.source.text ?? "", number: 1, ...UNCHANGED, map: null, ...this.host.state };
    this.number = 0; // of the newest request
    this.ends = [];
    this.said = this.host.said; // of the record without changes
    this.build(element);
    const { typed = this.state.sentence, ...state } = this.state;
    [this.state, this.field.value] = [state, typed];
    this.rest(this.said);
    this.show(record);
    if (!this.host.texts) {
      const english = fetch(new URL("../english.json", import.meta.url)).then((file) => file.json());
      english.then((texts) => this.update({ texts: this.host.texts ?? texts }));
    }
    if (record && state.changes.length && this.host.ask) {
      this.ask("change");
    }
  }

  build(element) {
    const root = element.shadowRoot ?? element.attachShadow({ mode: "open" });
    const named = (tag, id, ...inside) => {
      const made = Object.assign(make(tag, ""), { id });
      made.append(...inside);
      return made;
    };
    this.label = make("label", "", "");
    this.field = named("textarea", "sentence");
    Object.assign(this.field, { rows: 2, spellcheck: false, autocomplete: "off" });
    this.label.setAttribute("for", "sentence");
    this.go = button("go", "");
    this.go.type = "submit";
    const row = make("div", "row");
    row.append(this.field, this.go);
    this.form = named("form", "form", this.label, row);
    [this.progress, this.status] = [named("progress", "progress"), named("p", "status")];
    Object.assign(this.progress, { max: 1, value: 0, hidden: true });
    this.progress.setAttribute("aria-labelledby", "status");
    this.status.setAttribute("role", "status");
    const work = make("div", "work");
    work.append(this.progress, this.status);
    this.title = named("h2", "translations");
    this.title.className = "spoken";
    this.maps = named("select", "maps");
    const below = make("slot", "");
    below.name = "below";
    const [ribbons, matrices, figure] = ["ribbons", "matrices", "figure"].map((id) => named("div", id));
    this.results = named("section", "results", this.title, ribbons, below, this.maps, matrices, figure);
    this.results.setAttribute("aria-labelledby", "translations");
    this.place = { matrices, figure };
    this.views = {
      ribbons: this.shadow(ribbons, "ribbons", frame("div", "ribbon-view", live(), make("div", "systems"))),
      matrices: this.shadow(matrices, "alignment_view", matrixFrame()),
      figure: this.shadow(figure, "small_figure", make("div", "figure")),
    };
    root.replaceChildren();
    this.dress(root, "instrument");
    root.append(this.form, make("slot", ""), work, this.results);
    this.form.onsubmit = (event) => {
      event.preventDefault();
      this.translate({ sentence: oneLine(this.field.value), number: 1 });
    };
    this.field.onkeydown = (event) => {
      if (event.key === "Enter" && !event.shiftKey && !event.isComposing) {
        this.form.onsubmit(event);
      }
    };
    this.maps.onchange = () => {
      this.choose({ map: this.maps.value, pin: null });
      this.draw();
    };
  }

  /** A shadow tree with the style of a view. */
  shadow(element, style, ...inside) {
    const root = element.attachShadow({ mode: "open" });
    this.dress(root, style);
    root.append(...inside);
    return root;
  }

  dress(root, name) {
    if (this.host.styles) { // of a constructed sheet a policy has no checksum
      const sheet = new CSSStyleSheet();
      sheet.replaceSync(this.host.styles[name]);
      root.adoptedStyleSheets = [sheet];
    } else {
      root.append(Object.assign(make("link", ""), { rel: "stylesheet", href: new URL(STYLES[name], import.meta.url).href }));
    }
  }

  /** End the views and the requests. @returns {object} the state, with which it can be mounted again */
  end() {
    this.number += 1;
    clearTimeout(this.timer);
    this.ends.forEach((end) => end());
    return { ...this.state, typed: this.field.value };
  }

  /** @param {Partial<Host>} changed such as other texts: nothing is mounted anew */
  update(changed) {
    this.host = { ...this.host, ...changed };
    this.draw();
  }

  /** Show a record as it is before the reader's changes. */
  show(record) {
    [this.record, this.plain] = [record, record];
    this.draw();
  }

  /** Take over what the reader chose. */
  choose(part) {
    this.state = { ...this.state, ...part };
    this.host.onState?.(this.state);
  }

  /** Ask for a sentence; whatever is not yet answered is given up, and the changes to another one are forgotten. */
  translate(state) {
    this.choose({ ...UNCHANGED, ...state });
    if (this.field.value !== this.state.sentence && oneLine(this.field.value) !== this.state.sentence) {
      this.field.value = this.state.sentence;
    }
    this.ask("translate");
  }

  /** Ask for what is written after the reader's changes. */
  change(changes) {
    this.choose({ changes });
    if (changes.length) {
      this.ask("change");
    } else {
      this.number += 1; // an answer on its way is about changes that are gone
      this.rest(this.said);
      this.show(this.plain);
    }
  }

  ask(kind, again = false) {
    const { ask } = this.host;
    this.number += 1;
    const { number } = this;
    const answer = (told) => number === this.number && this.receive(kind, told);
    const wait = () => {
      clearTimeout(this.timer);
      this.timer = setTimeout(() => (again ? answer({ said: { text: "silent" }, done: true }) : this.ask(kind, true)), PATIENCE);
    };
    wait();
    const heard = (told) => {
      if (number === this.number) {
        wait();
        answer(told);
      }
    };
    Promise.resolve(ask({ ...this.state, kind, number }, heard)).then(
      (record) => record && answer({ record, done: true }),
      (error) => answer({ said: { text: "failed", reason: error.message ?? error }, done: true }),
    );
  }

  /** Take an answer to the newest request, or a part of it. @param {Answer} told */
  receive(kind, { record, said, share, done = false }) {
    if (record && kind === "translate") {
      [this.record, this.plain] = [record, record];
    } else if (record) { // it may have only some of the systems
      const changed = (system) => record.systems.find(({ name }) => name === system.name) ?? system;
      this.record = { ...this.plain, systems: this.plain.systems.map(changed) };
    }
    if (said !== undefined) {
      this.tell(said);
    }
    this.progress.hidden = done || share === undefined;
    this.progress.value = share ?? 0;
    if (done) {
      this.rest(said);
      this.said = kind === "translate" ? said : this.said;
    }
    if (record || done) {
      this.draw();
    }
    if (done && kind === "translate" && this.record?.systems.length && this.state.changes.length) {
      this.ask("change");
    }
  }

  /** Say how the work ended. */
  rest(said = "") {
    clearTimeout(this.timer);
    this.progress.hidden = true;
    this.tell(said);
  }

  /** Say how the work goes. @param {Said} said */
  tell(said) {
    this.told = said;
    this.status.textContent = typeof said === "string" ? said : say(this.host.texts?.[said.text] ?? "", said);
  }

  /** Draw what is known. */
  draw() {
    const { host: { texts, large, ask, ...host }, record, state } = this;
    if (!texts) {
      return;
    }
    const language = languageName(texts, record?.source.language ?? host.language);
    this.tell(this.told);
    this.form.hidden = !ask;
    this.label.textContent = language ? say(texts.sentence_in, { language }) : texts.sentence;
    this.go.textContent = texts.translate;
    this.title.textContent = texts.translations;
    this.results.hidden = !record?.systems.length;
    if (this.results.hidden) {
      return;
    }
    const changes = ask ? host.changes : [];
    const { systems, panels, shown } = drawing(record, this.plain, state, { ...this.host, changes });
    const known = systemsOf(record);
    const next = this.following();
    const handle = ask && next.length ? { number: state.number, most: next.length + 1, next: next[state.number - 1] ?? "" } : null;
    const move = (system, drag) => this.change(withChange(state.changes, dragged(system, drag)));
    const data = { texts, animate: false, large, chosen: state.chosen, handle, systems };
    this.ends = [
      mountRibbons(this.views.ribbons, data, {
        onWord: (chosen) => this.choose({ chosen }),
        onMove: (drag) => move(known[drag.panel], drag),
        onUndo: ask && ((number) => this.change(withoutLast(this.state.changes, known[number] ?? null))),
        onNumber: handle && ((number) => this.add(number)),
        onBlock: changes.includes("blocked") ? (({ system, j }) => {
          this.change(withChange(this.state.changes, leftOut(known[system], j)));
        }) : null,
      }),
      mountMatrices(this.views.matrices, { ...viewSettings(texts, large), texts, panels, pin: state.pin }, (pin) => this.choose({ pin }), (
        changes.includes("weights") ? (drag) => move(shown[drag.panel], drag) : null
      )),
    ];
    this.place.matrices.hidden = !panels.length;
    this.offerMaps(known);
    this.drawFigure(known[0]);
  }

  /** The sentence that others may follow, and these. */
  base() {
    return this.state.number > 1 ? this.state.base : this.state.sentence;
  }

  following() {
    return this.host.sentences.filter((sentence) => sentence !== this.base());
  }

  /** Take so many sentences as one. */
  add(number) {
    const base = this.base();
    this.translate({ sentence: [base, ...this.following()].slice(0, number).join(" "), base, number });
  }

  /** The maps to choose from, where a system has several. */
  offerMaps(systems) {
    const { texts } = this.host;
    const names = new Map(systems.flatMap(({ maps }) => maps.map((map) => [mapKey(map), mapName(map, texts)])));
    this.maps.hidden = !systems.some(({ maps }) => maps.length > 1);
    setName(this.maps, texts.map);
    this.maps.replaceChildren(...[...names].map(([value, name]) => {
      const option = make("option", "", name);
      Object.assign(option, { value, selected: value === this.state.map });
      return option;
    }));
  }

  /** Mark the length of the sentence on the curves over length, if there are any. */
  drawFigure(system) {
    const { figure, texts, large } = this.host;
    this.place.figure.hidden = !figure;
    if (figure) {
      const words = sourceWords(system);
      const text = counted(texts.words, words, { words });
      this.views.figure.querySelector(".figure").replaceChildren(buildFigure({ ...figure, large, here: { words, text } }));
    }
  }
}

/** A text without the ends of its lines; U+FEFF is no space. */
function oneLine(text) {
  return text.replaceAll(/[^\S\ufeff]+/gu, " ").replaceAll(/^ | $/gu, "");
}

function frame(tag, classes, ...inside) {
  const made = make(tag, classes);
  made.append(...inside);
  return made;
}

function live() {
  const spoken = make("p", "spoken");
  spoken.setAttribute("aria-live", "polite");
  return spoken;
}

/** The frame of the view of matrices. */
function matrixFrame() {
  const zoom = frame("div", "zoom", button("farther", "−"), button("closer", "+"));
  zoom.setAttribute("role", "group");
  return frame("div", "view", live(), frame("div", "toolbar", make("div", "legend"), zoom), make("div", "panels"));
}
