// The instrument: a sentence, what systems made of it, and what a reader asks and changes. It draws a record and knows no
// host; what it cannot know it asks. All text enters as textContent.

import { AlignmentView } from "../../charts/alignment_view/js/view.js";
import { control, isNew, make, mountView, put, refill, setName, touched } from "../../charts/js/elements.js";
import { counted, languageName, say } from "../../charts/js/texts.js";
import { Poster, aroundOne } from "../../charts/ribbons/js/poster.js";
import { RibbonView } from "../../charts/ribbons/js/ribbon_view.js";
import { buildFigure } from "../../charts/small_figure/js/component.js";
import { withChange, withoutLast } from "./changes.js";
import { dragged, drawing, leftOut, reordered } from "./drawing.js";
import { fillExplanation, fillWords } from "./explanation.js";
import { fillExport, give } from "./export.js";
import { buildFrame } from "./frame.js";
import { fillGold } from "./gold.js";
import { fillHeads, headsOf } from "./heads.js";
import { NONE } from "./host.js";
import { VIEW, viewSettings } from "./panels.js";
import { offerPicture } from "./picture.js";
import { inUnits, pinIn, pinOf, pinOfWord, wordOf } from "./pins.js";
import { Requests } from "./requests.js";
import { hasPieces, unitsOf } from "./restricted.js";
import { LEFT_OUT, drawnMap, isChanged, mapKey, mapName, sourceWords, systemsOf } from "./systems.js";
import { joined, oneLine, wordNumbers } from "./tokens.js";
import { fillTyped, outcome } from "./typed_changes.js";
import { fillControls, segments } from "./view_controls.js";
import { alphaOf } from "./weights_over_words.js";

const MOST_BESIDE = [19, 26]; // source and target words, end marks included, up to which a matrix stands beside the ribbons
const PAUSE = 300; // milliseconds after the last letter until what is typed is translated, where that is quick
const UNCHANGED = { changes: [], pin: null, seen: "after", effect: false };
const NO_GOLD = { text: "", base: 0, said: "" };

/**
 * Show a record in an empty element, or in one whose own children then stand below the sentence or the ribbons, see docs/instrument.md.
 * @param {Element} element
 * @param {object | null} record docs/formats.md; null: nothing is known yet
 * @param {Partial<import("./host.js").Host>} host
 * @returns {Instrument}
 */
export function mount(element, record, host = {}) {
  return new Instrument(element, record, host);
}

class Instrument {
  constructor(element, record, host) {
    this.host = { ...NONE, ...host };
    this.state = { sentence: record?.source.text ?? "", number: 1, ...UNCHANGED, view: {}, ...this.host.state };
    [this.ends, this.hintClosed, this.byKeys] = [[], false, false]; // whether the keyboard dragged last
    this.said = this.host.said; // of the record without changes
    this.requests = new Requests(
      (request, heard) => this.host.ask({ ...this.state, ...request, typed: this.field.value }, heard),
      (kind, told) => this.receive(kind, told),
    );
    Object.assign(this, buildFrame(element, this.host));
    this.listen();
    const { typed = this.state.sentence, ...state } = this.state;
    [this.state, this.field.value] = [state, typed];
    this.rest(this.said);
    this.show(record, this.host.plain);
    if (!this.host.texts) {
      const english = fetch(new URL("../english.json", import.meta.url)).then((file) => file.json());
      english.then((texts) => this.update({ texts: this.host.texts ?? texts }));
    }
    if (record && state.changes.length && this.host.ask && !this.host.plain) {
      this.requests.ask("change");
    }
  }

  listen() {
    const ofText = typeof this.host.field === "number";
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
    this.heads.ontoggle = () => this.draw();
  }

  /** End the views and the requests. @returns {object} the state, with which it can be mounted again */
  end() {
    this.requests.drop();
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
    this.requests.drop();
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
    this.requests.ask("translate", { entered });
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
    if (this.requests.asked === "translate") {
      this.draw(); // the translations come first, then what the changes make of them
    } else if (changes.length) {
      this.requests.ask("change");
    } else {
      this.requests.drop(); // an answer on its way is about changes that are gone
      this.rest(this.said);
      this.show(this.plain);
    }
  }

  /** Change one thing more, unless that is nothing, or what is shown is a sentence before the one that is being translated. */
  make(...made) {
    if (this.requests.asked === "translate" && this.record?.source.text !== this.state.sentence) {
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
      this.requests.ask("change");
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
    this.requests.rest();
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
    const { systems, panels: maps } = drawing(record, this.plain, state, { ...this.host, changes, touch: touched() });
    const known = systemsOf(before ? this.plain : record);
    const { pieces } = { ...VIEW, ...state.view };
    const next = this.following();
    const handle = ask && next.length ? { number: state.number, most: next.length + 1, next: next[state.number - 1] ?? "" } : null;
    const move = (system, drag, ofPieces = false) => this.make(dragged(system, drag, ofPieces));
    const chosen = wordOf(state.pin, systems, known, pieces);
    const data = { animate: Boolean(host.animate) && state.number === 1, closed: this.hintClosed, large, chosen, handle, systems, texts };
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
    this.offerWords(known, changes, around, chosen?.side === "source" && systems[chosen.system].reorderable ? { ...systems[chosen.system], ...chosen } : null);
    if (around) {
      this.ends.push(mountView(Poster, this.views.poster, { systems: poster, texts }));
    } else if (parts !== "matrices") {
      shownIn("ribbons", RibbonView, this.views.ribbons, data, {
        onWord: (word, { twice, moved }) => {
          this.choose({ pin: word && pinOfWord(word, known, pieces) }, moved);
          if (twice && !this.words.hidden) {
            this.words.querySelector("input").focus();
          }
        },
        onPoint: (word) => light("matrices", word && pinIn(pinOfWord(word, known, pieces), panels)),
        onMove: (drag, byKeys) => {
          this.byKeys = byKeys;
          move(known[drag.panel], inUnits(known[drag.panel], drag, pieces), pieces);
        },
        onHint: () => {
          this.hintClosed = !this.hintClosed;
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

  /** Offer other words in the place of the word that is pinned, below the words of its system. @param {object | null} read the source word */
  offerWords(known, kinds, around, read) {
    const { host: { texts, explanation }, state: { pin, seen, view }, place } = this;
    const number = known.findIndex(({ name }) => name === pin?.name);
    const ofTarget = number >= 0 && pin.target.length === 1 && kinds.includes("token") && !known[number].forced;
    this.words.hidden = seen !== "after" || !(ofTarget || read);
    if (!this.words.hidden) {
      const { target } = known[number];
      const i = read ? read.k : { ...VIEW, ...view }.pieces ? wordNumbers(target)[pin.target[0]] : pin.target[0];
      const replaced = (text) => reordered({ ...read, source: read.source.with(i, text) }, [...read.source.keys()], [])[0];
      const changeTo = read ? replaced : (text) => ({ kind: "word", row: i + 1, system: pin.name, text });
      const home = around ? place.poster : place.ribbons;
      if (this.words.parentElement !== home) { // else it keeps the keyboard
        home.append(this.words);
      }
      put(this.words, { slot: around ? "" : `words-${number}` });
      const word = (read ? read.source : joined(target))[i] ?? "";
      fillWords(this.words, { explanation, pin, word, number: i + 1, texts, changeTo }, (change) => this.make(change));
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
      this.requests.ask("effect");
    });
    offer(this.around, !poster, texts.around, Boolean(around), () => this.choose({ view: { ...view, around: !around } }));
  }

  /** Offer what the host does, and a picture of the ribbons, named after the first words of the sentence. */
  offerPicture() {
    const { host: { texts, link, parts, offers, onOffer, sections }, record, state: { section = sections[0] } } = this;
    refill(this.offers, ...offers.map(({ kind, text }) => control(kind, text, () => onOffer(kind))));
    this.copied.hidden = !link || parts === "matrices" || section !== "export";
    this.picture.hidden = !link || parts === "matrices" || !this.copied.hidden;
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
    const { host: { texts, forms, about }, state: { take, view, seen }, taken, requests: { asked } } = this;
    const ribbons = ["after", "before"].includes(seen) ? known.filter((system) => (drawnMap(system, view?.map)?.kind ?? LEFT_OUT) !== LEFT_OUT) : [];
    const [names, movable] = [ribbons, ribbons.filter(({ name }) => about[name]?.movable)].map((some) => some.map(({ name }) => name));
    fillExport(this.away, { chosen: take, panels, ribbons: names, movable, forms, taken, working: asked === "export", texts }, (part) => {
      this.taken = null;
      this.choose({ take: { ...this.state.take, ...part } });
    }, (wanted) => {
      this.taken = null;
      this.note({ wanted: { ...wanted, seen, view: { ...VIEW, ...view } } });
      this.requests.ask("export");
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
      this.requests.ask("gold");
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
