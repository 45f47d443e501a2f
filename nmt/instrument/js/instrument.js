// The instrument: a sentence, what systems made of it, and what a reader asks and changes. It draws a record and knows no
// host; what it cannot know it asks. All text enters as textContent.

import { AlignmentView } from "../../charts/alignment_view/js/view.js";
import { button, control, isNew, make, mountView, put, refill, setName, touched } from "../../charts/js/elements.js";
import { counted, languageName, say } from "../../charts/js/texts.js";
import { Poster, aroundOne } from "../../charts/ribbons/js/poster.js";
import { RibbonView } from "../../charts/ribbons/js/ribbon_view.js";
import { buildFigure } from "../../charts/small_figure/js/component.js";
import { withChange, withoutLast } from "./changes.js";
import { dragged, drawing, leftOut, reordered } from "./drawing.js";
import { fillExplanation, fillWords } from "./explanation.js";
import { fillExport, give } from "./export.js";
import { fillGold } from "./gold.js";
import { fillHeads, headsOf } from "./heads.js";
import { VIEW, viewSettings } from "./panels.js";
import { offerPicture } from "./picture.js";
import { hasPieces, unitsOf } from "./restricted.js";
import { LEFT_OUT, drawnMap, isChanged, mapKey, mapName, sourceWords, systemsOf } from "./systems.js";
import { joined, oneLine, wordNumbers } from "./tokens.js";
import { fillTyped, outcome } from "./typed_changes.js";
import { fillControls, segments } from "./view_controls.js";
import { alphaOf } from "./weights_over_words.js";

const MOST_BESIDE = [19, 26]; // source and target words, end marks included, up to which a matrix stands beside the ribbons
const PAUSE = 300; // milliseconds after the last letter until what is typed is translated, where that is quick
const PATIENCE = 30_000; // milliseconds until a request that nobody answers is asked once more
const STYLES = { // by the name of a view: where its style lies beside this module, if the host brings none
  instrument: "../instrument.css", ribbons: "../../charts/ribbons/view.css", alignment_view: "../../charts/alignment_view/view.css",
  small_figure: "../../charts/small_figure/view.css",
};
const UNCHANGED = { changes: [], pin: null, seen: "after", effect: false };
const NO_GOLD = { text: "", base: 0, said: "" };

/**
 * What a host brings; all may be missing.
 * @typedef {object} Host
 * @property {((request: Request, answer: (told: Answer) => void) => Promise<object> | void) | null} ask called with each question;
 *   answers with a record, at once or in parts. Without it nothing can be typed or changed
 * @property {object} state what the reader chose: sentence, number (of sentences as one), changes, pin, seen (of the changes),
 *   section, maps (whether other ones of the pinned word are open), view (see panels.js), effect (of words, where there is no alpha), gold (what was asked of gold links, see gold.js), take (see export.js) and wanted (what was asked of it); and what else the host keeps there, such as beam and systems
 * @property {((state: object, moved: boolean) => void) | null} onState called with each new state, and whether only a pin has moved
 * @property {object | null} texts as view_texts in nmt/texts returns them; null: English, which lies beside this module
 * @property {string[]} changes kinds of changes that it answers, see changes.js
 * @property {string[]} sections that a reader can choose from; "length" is drawn by the host
 * @property {Record<string, string>} forms files that it makes, by the name of the format, and what each holds, see export.js
 * @property {import("./explanation.js").Explanation | null} explanation of a pin, which it is told in the state
 * @property {Said} said what it says of its work at first
 * @property {string | null} language of the sentence, while there is no record
 * @property {string[]} sentences that may follow the sentence, for the handle that adds one
 * @property {object | null} figure a small Figure 2, as buildFigure takes it
 * @property {() => boolean | null} quick whether it translates so quickly that a sentence may be translated while it is typed; null: later
 * @property {boolean} large whether in the type of a lecture
 * @property {{kind: string, text: string}[]} offers what the host does with what is shown, if the reader asks `onOffer` for a kind
 * @property {(kind: string) => void} onOffer
 * @property {(() => string) | null} link the address of what is shown, or "", for the corner of a picture of it; null: none is offered
 * @property {Record<string, import("./systems.js").About>} about what it knows of systems, by their names; `remarks` by sentence, what to look at
 * @property {Record<string, string>} styles the text of each stylesheet in STYLES
 * @property {boolean | number} field whether it has a field for the sentence, a number: for a text of so many characters, and `compact`, whether that is one line, named for screen readers alone
 * @property {"both" | "ribbons" | "matrices" | "none"} parts which of them are drawn
 * @property {boolean} controls whether it has those of the view
 * @property {Record<string, object> | null} scales colour scales by name; `difference` and `stand-in` are those of other maps
 * @property {boolean} difference whether the first two systems with alpha are compared
 * @property {object | null} same the record of the translations before a change, as those of the new source
 * @property {boolean} effects whether a host tells what the words of a system without attention depend on
 * @property {((size: {panels: number, beside: boolean}) => void) | null} onDrawn told how many panels of attention
 *   there are, and whether the one there is may stand beside the ribbons
 * @property {boolean} spread whether the page has a place for it there
 * @property {boolean | null} heading whether panels have one; as a rule where there are several
 * @property {string} height of a matrix with its words, in CSS, or "window": down to its lower edge
 */
/**
 * What is pinned: words of one side, or a cell, by their numbers among all words, or tokens where these are shown.
 * @typedef {{name: string, target: number[], source: number[]}} Pin name: of the system, or "difference"
 */
/**
 * With all of the state; `again` if the same was asked before; `typed`: as it stands in the field; `entered`: false while it is being typed.
 * @typedef {{kind: "translate" | "change" | "effect" | "gold" | "export", number: number, sentence: string, changes: object[], again: boolean, typed: string, entered: boolean}} Request
 */
/** @typedef {string | {text: string}} Said a sentence, or the name of a text with its fields */
/** @typedef {{record?: object, taken?: object, said?: Said, share?: number, done?: boolean}} Answer a record or a file, what it says of
 *   the work, and how far that is */
const USED = "jointly-used"; // in the reader's browser: the acts of the hint that have been used
const NONE = {
  ask: null, state: {}, onState: null, texts: null, changes: [], sentences: [], figure: null, large: false, link: null, quick: () => false, offers: [], about: {}, remarks: {},
  styles: null, said: "", language: null, field: true, compact: false, parts: "both", controls: false, scales: null, difference: false, same: null,
  effects: false, height: "", heading: null, onDrawn: null, spread: false, sections: [], explanation: null, forms: {},
};

/**
 * Show a record in an empty element, or in one whose own children then stand below the sentence (and in the slot "below", below
 * the ribbons).
 * @param {Element} element
 * @param {object | null} record docs/formats.md; null: nothing is known yet
 * @param {Partial<Host>} host
 * @returns {Instrument} `update` changes what the host brings, such as the texts; `translate` asks for a sentence; `take` shows a record
 *   that nobody asked for; `choose` takes over a part of a state; `end` ends it, which gives the state with which it can be mounted again
 */
export function mount(element, record, host = {}) {
  return new Instrument(element, record, host);
}

class Instrument {
  constructor(element, record, host) {
    this.host = { ...NONE, ...host };
    this.state = { sentence: record?.source.text ?? "", number: 1, ...UNCHANGED, view: {}, ...this.host.state };
    this.number = 0; // of the newest request
    this.used = remembered();
    [this.ends, this.byKeys] = [[], false]; // whether the keyboard dragged last
    this.said = this.host.said; // of the record without changes
    this.build(element);
    const { typed = this.state.sentence, ...state } = this.state;
    [this.state, this.field.value] = [state, typed];
    this.rest(this.said);
    this.show(record, this.host.plain);
    if (!this.host.texts) {
      const english = fetch(new URL("../english.json", import.meta.url)).then((file) => file.json());
      english.then((texts) => this.update({ texts: this.host.texts ?? texts }));
    }
    if (record && state.changes.length && this.host.ask && !this.host.plain) {
      this.ask("change");
    }
  }

  build(element) {
    const root = element.shadowRoot ?? element.attachShadow({ mode: "open" });
    const named = (tag, id, ...inside) => Object.assign(make(tag, "", ...inside), { id });
    const { compact, field: most } = this.host;
    const ofText = typeof most === "number";
    this.label = put(make("label", compact ? "spoken" : "", ""), { for: "sentence" });
    this.field = named("textarea", "sentence");
    const [rows, wrap] = ofText ? [4, "soft"] : compact ? [1, "off"] : [2, "soft"];
    Object.assign(this.field, { rows, wrap, dir: "auto", spellcheck: false, autocomplete: "off", ...(ofText && { maxLength: most }) });
    this.go = Object.assign(button("go", ""), { type: "submit", title: ofText ? "Ctrl+Enter" : "" });
    this.form = named("form", "form", this.label, make("div", "row", this.field, this.go));
    this.form.className = compact ? "compact" : "";
    this.progress = put(named("progress", "progress"), { "aria-labelledby": "status" });
    Object.assign(this.progress, { max: 1, value: 0, hidden: true });
    this.status = put(named("p", "status"), { role: "status" });
    const work = make("div", "work", this.progress, this.status);
    this.title = Object.assign(named("h2", "translations"), { className: "spoken" });
    this.maps = named("select", "maps");
    const below = Object.assign(make("slot", ""), { name: "below" });
    const [ribbons, poster, matrices, figure] = ["ribbons", "poster", "matrices", "figure"].map((id) => named("div", id));
    [this.seen, this.words] = ["seen", "words"].map((id) => named("div", id));
    [this.effect, this.around] = [button("switch", ""), button("switch", "")];
    [this.picture, this.copied, this.offers] = ["copy", "copied", "offers"].map((id) => named("div", id));
    this.controls = put(named("div", "controls"), { popover: "auto" });
    this.view = named("div", "view", button("switch", ""), this.controls);
    this.view.firstChild.popoverTargetElement = this.controls; // which the browser closes by Escape and a click beside it
    const tools = named("div", "tools", this.view, this.maps);
    this.heads = named("details", "heads", make("summary", ""), make("p", "said"));
    this.heads.ontoggle = () => this.draw();
    const shown = named("div", "shown", tools, matrices, this.heads);
    [this.sections, this.explained, this.typed, this.outcomes, this.gold, this.curves, this.away] = ["sections", "explained", "typed", "outcomes", "gold", "curves", "export"].map((id) => named("div", id));
    const closer = named("div", "closer", this.sections, this.explained, this.typed, this.outcomes, this.gold, this.curves, this.copied, this.away);
    const acts = named("div", "acts", this.around, this.effect, this.offers, this.picture, ...(this.host.field ? [] : [work]));
    const picture = named("div", "picture", ribbons, poster, acts, this.seen, below);
    this.results = named("section", "results", this.title, picture, shown, this.host.sections.length > 0 && closer, figure);
    put(this.results, { "aria-labelledby": "translations" });
    this.place = { ribbons, poster, matrices, figure, shown };
    const zoom = put(make("div", "zoom", button("farther", "−"), button("closer", "+")), { role: "group" });
    ribbons.append(this.words); // in the slot below the words of the system that is pinned
    this.views = {
      ribbons: this.shadow(ribbons, "ribbons", make("div", "ribbon-view", live(), make("div", "systems"))),
      poster: this.shadow(poster, "ribbons", make("div", "ribbon-view", live(), make("div", "systems"), make("slot", ""))),
      matrices: this.shadow(matrices, "alignment_view", make("div", "view", live(), make("div", "toolbar", make("div", "legend"), zoom), make("div", "panels"))),
      figure: this.shadow(figure, "small_figure", make("div", "figure")),
      curves: this.shadow(this.curves, "small_figure", make("div", "figure")),
    };
    root.replaceChildren();
    this.dress(root, "instrument");
    root.append(this.form, ...(this.host.field ? [work] : []), make("slot", ""), ...(this.host.parts === "none" ? [] : [this.results]));
    this.form.onsubmit = (event) => {
      event.preventDefault();
      this.translate({ sentence: oneLine(this.field.value), number: 1 });
    };
    this.field.onkeydown = (event) => {
      event.stopPropagation(); // letters are no commands of the host
      if (event.key === "Enter" && !event.isComposing && (ofText ? event.ctrlKey || event.metaKey : !event.shiftKey)) {
        this.form.onsubmit(event);
      }
    };
    this.field.oninput = () => {
      clearTimeout(this.pause);
      this.pause = setTimeout(() => this.translateTyped(), PAUSE);
    };
    this.maps.onchange = () => this.seeMap(this.maps.value);
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
    clearTimeout(this.pause);
    this.ends.forEach((end) => end());
    return { ...this.state, typed: this.field.value };
  }

  /** @param {Partial<Host>} changed such as other texts: nothing is mounted anew */
  update(changed) {
    this.host = { ...this.host, ...changed };
    this.draw();
  }

  /** Show a record, and what it was before the reader's changes. */
  show(record, plain = null) {
    [this.record, this.plain] = [record, plain ?? record];
    this.draw();
  }

  /** Show what nobody asked for; what was asked for is given up. @param {{record: object | null, plain?: object | null, typed?: string}} known and
   *  host; typed: another text of the field */
  take({ record, plain = null, taken = null, typed = this.field.value, ...host }, state = {}) {
    this.number += 1;
    if (typed !== this.field.value) { // which would end a syllable that is being composed
      this.field.value = typed;
    }
    this.receiveFile(taken);
    this.host = { ...this.host, ...host };
    this.state = { ...this.state, ...state };
    this.rest(host.said);
    this.show(record, plain);
  }

  /** Take over what the reader chose of what is shown, and draw it. */
  choose(part, moved) {
    this.note(part, moved);
    this.draw();
  }

  /** Take over what the reader chose. */
  note(part, moved = false) {
    const acts = [...(part.pin ? ["pin"] : []), ...(part.changes ?? []).map(({ kind }) => kind)];
    this.used = acts.length ? remembered([...this.used, ...acts]) : this.used;
    this.state = { ...this.state, ...part };
    this.host.onState?.(this.state, moved);
  }

  /** Ask for a sentence; whatever is not yet answered is given up, and the changes to another one are forgotten. */
  translate(state = {}, entered = true) {
    clearTimeout(this.pause);
    this.note({ ...UNCHANGED, ...state });
    if (this.field.value !== this.state.sentence && oneLine(this.field.value) !== this.state.sentence) {
      this.field.value = this.state.sentence;
    }
    this.ask("translate", { entered });
  }

  /** Ask for what is in the field after a pause, unless it was entered. */
  translateTyped() {
    const sentence = oneLine(this.field.value);
    const quick = Boolean(sentence) && sentence !== this.state.sentence && this.host.ask && this.host.quick();
    if (quick) {
      this.translate({ sentence, number: 1 }, false);
    } else if (quick === null) {
      this.pause = setTimeout(() => this.translateTyped(), PAUSE);
    }
  }

  /** Ask for what is written after the reader's changes, and show it. */
  change(changes) {
    this.note({ changes, seen: changes.length && this.state.seen !== "before" ? this.state.seen : "after" });
    if (this.asked === "translate") {
      this.draw(); // the translations come first, then what the changes make of them
    } else if (changes.length) {
      this.ask("change");
    } else {
      this.number += 1; // an answer on its way is about changes that are gone
      this.rest(this.said);
      this.show(this.plain);
    }
  }

  /** Change one thing more, unless that is nothing, or what is shown is a sentence before the one that is being translated. */
  make(...made) {
    if (this.asked === "translate" && this.record?.source.text !== this.state.sentence) {
      return;
    }
    const { pieces } = { ...VIEW, ...this.state.view }; // whose rows are of tokens
    const own = made.map((change) => (pieces && change.kind === "weights" ? { ...change, pieces } : change));
    const changes = own.reduce(withChange, this.state.changes);
    if (changes !== this.state.changes) {
      this.change(changes);
    }
  }

  /** Take the last change of some systems back. Without one, take back the sentence that was added last. */
  undo(systems) {
    const { changes, number } = this.state;
    const fewer = withoutLast(changes, systems);
    if (fewer.length < changes.length) {
      this.change(fewer);
    } else if (number > 1) {
      this.add(number - 1);
    }
  }

  ask(kind, { again = false, entered = true } = {}) {
    const { ask } = this.host;
    this.number += 1;
    const { number } = this;
    this.asked = kind;
    clearTimeout(this.timer);
    const answer = (told) => number === this.number && this.receive(kind, told);
    const wait = () => {
      clearTimeout(this.timer);
      this.timer = setTimeout(() => (again ? answer({ said: { text: "silent" }, done: true }) : this.ask(kind, { again: true, entered })), PATIENCE);
    };
    if (entered) { // else the next letter asks again
      wait();
    }
    const heard = (told) => {
      if (number === this.number) {
        if (entered) {
          wait();
        }
        answer(told);
      }
    };
    Promise.resolve(ask({ ...this.state, kind, number, again, entered, typed: this.field.value }, heard)).then(
      (record) => record && answer({ record, done: true }),
      (error) => answer({ said: { text: "failed", reason: error.message ?? error }, done: true }),
    );
  }

  /** Take an answer to the newest request, or a part of it. @param {Answer} told */
  receive(kind, { record, taken, said, share, done = false }) {
    if (record && kind === "translate") {
      [this.record, this.plain] = [record, record];
    } else if (record) { // it may have only some of the systems
      const changed = (system) => record.systems.find(({ name }) => name === system.name) ?? system;
      this.record = { ...this.plain, systems: this.plain.systems.map(changed) };
    }
    if (taken !== undefined) {
      this.receiveFile(taken);
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

  /** Give the reader a file, and keep what is said of it while nothing else is asked for. */
  receiveFile(taken) {
    this.taken = taken;
    if (taken) {
      give(taken);
    }
  }

  /** Say how the work ended. */
  rest(said = "") {
    clearTimeout(this.timer);
    this.asked = null;
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
    const { host: { texts, large, ask, parts, ...host }, record, state } = this;
    if (!texts) {
      return;
    }
    this.tell(this.told);
    const language = languageName(texts, record?.source.language ?? host.language);
    this.form.hidden = !ask || !host.field;
    this.label.textContent = language ? say(texts.sentence_in, { language }) : texts.sentence;
    this.field.placeholder = language ? say(texts.placeholder, { language }) : "";
    this.field.lang = record?.source.language ?? host.language ?? "";
    this.go.textContent = texts.translate;
    this.title.textContent = texts.translations;
    this.results.hidden = !record?.systems.length;
    if (this.results.hidden) {
      return;
    }
    const before = state.seen === "before" && state.changes.length > 0;
    const changes = ask && !before ? host.changes : []; // which are made to what is written after the others
    const { systems, panels: maps } = drawing(record, this.plain, state, { ...this.host, changes, touch: touched(), used: this.used });
    const known = systemsOf(before ? this.plain : record);
    const { pieces } = { ...VIEW, ...state.view };
    const next = this.following();
    const handle = ask && next.length ? { number: state.number, most: next.length + 1, next: next[state.number - 1] ?? "" } : null;
    const move = (system, drag, ofPieces = false) => this.make(dragged(system, drag, ofPieces));
    const data = { animate: Boolean(host.animate) && state.number === 1, large, chosen: wordOf(state.pin, systems, known, pieces), handle, systems, texts };
    const poster = parts !== "matrices" && !state.changes.length && aroundOne(systems);
    const around = poster && { ...VIEW, ...state.view }.around;
    this.place.ribbons.hidden = parts === "matrices" || Boolean(around);
    this.place.poster.hidden = !around;
    this.offerSwitches(poster, around);
    this.place.shown.hidden = parts === "ribbons" || (!maps.length && !host.effects);
    [this.ends, this.lit] = [[], {}];
    const shownIn = (name, ...given) => {
      const end = mountView(...given);
      this.ends.push(end);
      this.lit[name] = end.view;
    };
    const attention = maps.filter((panel) => !panel.not_attention); // other maps, asked for, come first and leave all else in its place
    const panels = [...maps.filter((panel) => panel.not_attention), ...attention];
    const beside = attention.length === 1 && panels.every(({ source, target }) => source.length <= MOST_BESIDE[0] && target.length <= MOST_BESIDE[1]);
    host.onDrawn?.({ panels: attention.length, beside }); // its place has to be there before its size is chosen
    const light = (view, word) => ["after", "before"].includes(state.seen) && this.lit[view]?.light(word); // else the matrix has other words
    this.offerWords(known, changes, around);
    if (around) {
      this.ends.push(mountView(Poster, this.views.poster, { systems: poster, texts }));
    } else if (parts !== "matrices") {
      shownIn("ribbons", RibbonView, this.views.ribbons, data, {
        onWord: (word, moved) => this.choose({ pin: word && pinOfWord(word, known, pieces) }, moved),
        onPoint: (word) => light("matrices", word && pinIn(pinOfWord(word, known, pieces), panels)),
        onMove: (drag, byKeys) => {
          this.byKeys = byKeys;
          move(known[drag.panel], inUnits(known[drag.panel], drag, pieces), pieces);
        },
        onHint: () => {
          this.used = remembered(Object.keys(texts.hints));
          this.draw();
        },
        onUndo: ask && (state.changes.length || state.number > 1) ? () => this.undo(known) : null,
        onNumber: handle && ((number) => this.add(number)),
        onOrder: changes.includes("source") ? (({ system, order }) => this.make(...reordered(systems[system], order, this.state.changes))) : null,
        onBlock: changes.includes("blocked") ? (({ system, j }) => this.make(leftOut(known[system], j))) : null,
      });
    }
    this.place.matrices.hidden = !panels.length;
    this.offerControls(known); // what stands above the matrix is there before its size is chosen
    this.offerMaps(known);
    if (parts !== "ribbons") {
      const settings = viewSettings({ ...this.host, height: host.height || (host.spread && beside ? "window" : "") }, state.view, panels);
      const heading = host.heading ?? (panels.length > 1 || panels.some((panel) => panel.not_attention) || host.field);
      shownIn("matrices", AlignmentView, this.views.matrices, { ...settings, texts, heading, panels, pin: pinIn(state.pin, panels) }, {
        onPin: (focus) => this.choose({ pin: focus && pinOf(focus, panels) }),
        onPoint: (focus) => light("ribbons", focus && wordOf(pinOf(focus, panels), systems, known, pieces)),
        onMove: changes.includes("weights") ? ((drag) => {
          const { from, name } = panels[drag.panel];
          const all = { ...drag, i: from.target[drag.i], from: from.source[drag.from], to: from.source[drag.to] };
          move(known.find((system) => system.name === name), all, pieces);
        }) : null,
      });
    }
    this.offerSides(known);
    this.offerPicture();
    this.offerHeads(known);
    this.offerSections(known, ask ? host.changes : [], systems, maps);
    this.drawFigure(known[0]);
  }

  /** Offer other words in the place of the target word that is pinned, below the words of its system. */
  offerWords(known, kinds, around) {
    const { host: { texts, explanation }, state: { pin, seen, view }, place } = this;
    const number = known.findIndex(({ name }) => name === pin?.name);
    this.words.hidden = number < 0 || pin.target.length !== 1 || seen !== "after" || !kinds.includes("token") || Boolean(known[number].forced);
    if (!this.words.hidden) {
      const { target } = known[number];
      const i = { ...VIEW, ...view }.pieces ? wordNumbers(target)[pin.target[0]] : pin.target[0];
      const home = around ? place.poster : place.ribbons;
      if (this.words.parentElement !== home) { // else it keeps the keyboard
        home.append(this.words);
      }
      put(this.words, { slot: around ? "" : `words-${number}` });
      fillWords(this.words, { explanation, pin, word: joined(target)[i] ?? "", number: i + 1, texts }, (change) => this.make(change));
    }
  }

  /** Offer to take changes back, and to see what is written before and after them, and how it changed. */
  offerSides(systems) {
    const { host: { texts, same, ask, about, parts }, state: { changes, seen, number } } = this;
    this.seen.hidden = !(changes.length || number > 1) || !ask || parts === "matrices";
    if (this.seen.hidden) {
      return;
    }
    const { title, options } = texts.seen;
    const offered = Object.entries(options).filter(([name]) => name !== "same" || same);
    const effect = systems.some((system) => isChanged(about[system.name], changes, system));
    refill(this.seen, put(control("undo", texts.undo, () => this.undo(systems)), { title: texts.undo_key }), ...(changes.length ? [
      control("reset", texts.reset, () => this.change([])),
      segments("seen", { title, options: Object.fromEntries(offered) }, seen, (part) => this.choose(part)),
      !effect && make("span", "said", texts.no_effect),
    ] : []));
    if (this.byKeys) { // the keyboard finds what takes its drag back
      this.seen.firstChild.focus({ preventScroll: true });
      this.byKeys = false;
    }
  }

  /** Offer to see what the words of a system without attention depend on; and several languages around one source, or one below the other. */
  offerSwitches(poster, around) {
    const { host: { texts, effects }, state: { effect, view } } = this;
    const offer = (place, hidden, textContent, pressed, onclick) => Object.assign(put(place, { "aria-pressed": pressed }), { hidden, textContent, onclick });
    offer(this.effect, !effects, texts.effect, effect, () => {
      this.note({ effect: !effect });
      this.ask("effect");
    });
    offer(this.around, !poster, texts.around, Boolean(around), () => this.choose({ view: { ...view, around: !around } }));
  }

  /** Offer what the host does, and a picture of the ribbons, named after the first words of the sentence. */
  offerPicture() {
    const { host: { texts, link, parts, offers, onOffer, sections }, record, state: { section = sections[0] } } = this;
    refill(this.offers, ...offers.map(({ kind, text }) => control(kind, text, () => onOffer(kind))));
    this.picture.hidden = !link || parts === "matrices";
    this.copied.hidden = this.picture.hidden || section !== "export";
    for (const row of [this.picture, this.copied].filter(({ hidden }) => !hidden)) {
      offerPicture(row, texts, {
        drawn: () => (this.place.poster.hidden ? this.views.ribbons : this.views.poster).querySelector(".systems"), link,
        name: () => record.source.text.split(/[^\p{L}\p{N}]+/u, 6).filter(Boolean).join("-"),
      });
    }
  }

  offerControls(systems) {
    const { host: { texts, scales, controls }, state: { view } } = this;
    this.view.hidden = !controls || this.place.matrices.hidden;
    if (controls) {
      this.view.firstChild.textContent = texts.view;
      fillControls(this.controls, { ...VIEW, ...view }, { texts, scales, pieces: systems.some(hasPieces) }, (part) => {
        const others = Object.hasOwn(part, "pieces") ? { pin: null } : {};
        this.choose({ view: { ...this.state.view, ...part }, ...others });
      });
    }
  }

  /** Offer sections to look closer, and draw those that are the instrument's own. */
  offerSections(known, kinds, systems, panels) {
    const { host: { texts, sections }, state: { pin } } = this;
    const section = this.state.section ?? sections[0];
    if (!sections.length) {
      return;
    }
    const { title, options } = texts.sections;
    const offered = Object.fromEntries(sections.map((name) => [name, options[name]]));
    if (isNew(this.sections, [section, title, offered])) {
      refill(this.sections, segments("section", { title, options: offered }, section, (part) => {
        this.choose({ section: part.section === sections[0] ? null : part.section });
      }));
    }
    [this.typed.hidden, this.outcomes.hidden] = Array(2).fill(section !== "what-if");
    [this.explained.hidden, this.gold.hidden, this.curves.hidden] = [section !== "explain", ...Array(2).fill(section !== "gold")];
    this.away.hidden = section !== "export";
    if (section === "explain") {
      const { host: { explanation, styles, scales }, state: { maps: open = false } } = this;
      const [change, see] = [(one) => this.make(one), (part) => this.choose(part)];
      fillExplanation(this.explained, { explanation, pin, open, texts, styles, scales }, { change, see, mount });
    } else if (section === "what-if") {
      this.offerTyped(known, kinds);
    } else if (section === "gold") {
      this.offerGold(known, systems);
    } else if (section === "export") {
      this.offerExport(known, panels);
    }
  }

  /** Offer files of what is drawn. */
  offerExport(known, panels) {
    const { host: { texts, forms, about }, state: { take, view, seen }, taken, asked } = this;
    const ribbons = ["after", "before"].includes(seen) ? known.filter((system) => (drawnMap(system, view?.map)?.kind ?? LEFT_OUT) !== LEFT_OUT) : [];
    const [names, movable] = [ribbons, ribbons.filter(({ name }) => about[name]?.movable)].map((some) => some.map(({ name }) => name));
    fillExport(this.away, { chosen: take, panels, ribbons: names, movable, forms, taken, working: asked === "export", texts }, (part) => {
      this.taken = null;
      this.choose({ take: { ...this.state.take, ...part } });
    }, (wanted) => {
      this.taken = null;
      this.note({ wanted: { ...wanted, seen, view: { ...VIEW, ...view } } });
      this.ask("export");
      this.draw();
    });
  }

  /** Offer to type gold links, and show how far the maps are from them. */
  offerGold(known, drawn) {
    const { host: { texts }, record: { gold = null }, state: { view: chosen, gold: asked = NO_GOLD } } = this;
    const view = { ...VIEW, ...chosen };
    const least = Math.max(view.least, 0.01);
    const maps = known.map((system, k) => ({ name: system.name, colour: drawn[k].colour, system, map: drawnMap(system, view.map) }))
      .filter(({ map }) => map && map.kind !== LEFT_OUT).map(({ map, ...one }) => ({ ...one, weights: map.weights }));
    const now = (part) => {
      const { text, base } = this.state.gold ?? NO_GOLD;
      return { gold: { text, base, said: "", ...part } };
    };
    const figure = fillGold(this.gold, { asked, gold, maps, least, texts }, (part) => {
      this.note(now(part));
      this.ask("gold");
    }, (said) => this.choose(now({ said })));
    this.curves.hidden = !figure;
    this.views.curves.querySelector(".figure").replaceChildren(...(figure ? [buildFigure(figure)] : []));
  }

  /** Offer what can be typed, and show what became of the translations. */
  offerTyped(known, kinds) {
    const { host: { texts, about }, state: { view, pin, changes, seen } } = this;
    const { pieces } = { ...VIEW, ...view };
    const attends = ({ name, ...system }) => alphaOf(system) && !system.forced && (about[name]?.movable ?? true);
    const pinned = pin?.target.length === 1 && seen === "after" && known.find((system) => system.name === pin.name && attends(system));
    const units = pinned && unitsOf(pinned, alphaOf(pinned), pieces);
    const [i] = pin?.target ?? [];
    const row = units && i < units.target.length
      ? { system: pin.name, i, word: units.target[i], source: units.source, weights: units.weights[i] } : null;
    fillTyped(this.typed, { changes, kinds, sentence: this.plain.source.text, row, texts }, (change) => this.make(change));
    const before = systemsOf(this.plain);
    const pairs = systemsOf(this.record).map((system) => [before.find(({ name }) => name === system.name), system]);
    const changed = pairs.filter(([old, system]) => old && !system.forced && isChanged(about[system.name], changes, system));
    this.outcomes.replaceChildren(...changed.map((pair) => outcome(...pair, texts)));
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
    this.maps.replaceChildren(...[...names].map(([value, name]) => (
      Object.assign(make("option", "", name), { value, selected: value === this.state.view?.map })
    )));
  }

  /** Offer small pictures of all heads of each system that has several. They are drawn while they are seen. */
  offerHeads(systems) {
    const { host: { texts }, state, record: { gold = null } } = this;
    const some = systems.filter(headsOf);
    this.heads.hidden = !some.length;
    if (some.length) {
      const [summary, hint, ...places] = this.heads.children;
      [summary.textContent, hint.textContent] = [texts.heads, texts.heads_hint];
      places.slice(some.length).forEach((place) => place.remove());
      this.heads.append(...some.slice(places.length).map(() => make("div", "")));
    }
    for (const [k, system] of this.heads.open ? some.entries() : []) {
      fillHeads(this.heads.children[k + 2], system, { gold, view: { ...VIEW, ...state.view }, texts }, (map) => this.seeMap(map));
    }
  }

  seeMap(map) {
    this.choose({ view: { ...this.state.view, map }, pin: null });
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

/** A pinned word or cell as the ribbons have it; null where they do not. @returns {import("../../charts/ribbons/js/ribbon_view.js").Word | null} */
function wordOf(pin, systems, known, pieces) {
  const system = known.findIndex(({ name }) => name === pin?.name);
  const side = pin?.target.length ? "target" : "source";
  if (system < 0 || pin[side].length !== 1) {
    return null;
  }
  const [k, j] = [side, "source"].map((each) => (pieces ? wordNumbers(known[system][each])[pin[each][0]] : pin[each][0]));
  return k < systems[system][side].length ? { system, side, k, ...(side === "target" && pin.source.length === 1 && { j }) } : null;
}

/** The pin of a word of the ribbons, in pieces of its first. @returns {Pin} */
function pinOfWord({ system, side, k }, known, pieces) {
  const { name, ...sides } = known[system];
  return { name, target: [], source: [], [side]: [pieces ? wordNumbers(sides[side]).indexOf(k) : k] };
}

/** A pin as a view of these panels has it; null where it does not fit. @param {Pin | null} pin @param {object[]} panels */
export function pinIn(pin, panels) {
  const panel = pin ? panels.findIndex(({ name }) => name === pin.name) : -1;
  if (panel < 0) {
    return null;
  }
  const places = (side) => pin[side].map((k) => panels[panel].from[side].indexOf(k));
  const [source, target] = [places("source"), places("target")];
  return [...source, ...target].includes(-1) ? null : { panel, source, target };
}

/** The pin that a focus of these panels means. @returns {Pin} */
function pinOf({ panel, source, target }, panels) {
  const { name, from } = panels[panel];
  return { name, target: target.map((i) => from.target[i]), source: source.map((j) => from.source[j]) };
}

/** A drag between words as one of words or, where these are shown, of tokens. */
function inUnits({ source, target }, drag, pieces) {
  const first = (side, k) => (pieces ? wordNumbers(side).indexOf(k) : k);
  return { ...drag, i: first(target, drag.i), from: first(source, drag.from), to: first(source, drag.to) };
}

function live() {
  return put(make("p", "spoken"), { "aria-live": "polite" });
}

/** The acts that the reader of this browser has used. @param {string[]} more acts that are used now */
function remembered(more = []) {
  try {
    const used = [...new Set([...(localStorage.getItem(USED)?.split(" ") ?? []), ...more])];
    localStorage.setItem(USED, used.join(" "));
    return used;
  } catch { // a browser that keeps nothing
    return more;
  }
}
