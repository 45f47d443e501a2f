// The page as the host of the instrument: its data, its worker, its address, its languages and examples. All text enters as
// textContent.

import { changeAddress, changeFrom, concerns, pinAddress, pinFrom, readAfter } from "../../instrument/js/changes.js";
import { mount } from "../../instrument/js/instrument.js";
import { languageName } from "../../charts/js/texts.js";
import { Engine } from "./engine.js";
import { Languages } from "./language.js";

const find = (selector) => document.querySelector(selector);
const QUICK = 0.6; // seconds of the last sentence up to which the next one is translated while it is typed
const PATIENCE = 10_000; // milliseconds until a worker that says nothing is given up
const dark = window.matchMedia("(prefers-color-scheme: dark)");

/** Text of an element of the page that carries data; the element is removed, since the data are large. */
function carried(id) {
  const element = document.getElementById(id);
  const { textContent } = element;
  element.remove();
  return textContent;
}

/** Open the page in the language of its reader. */
async function openPage() {
  const page = new Page(JSON.parse(carried("texts"))); // which stand before the weights
  if (document.readyState === "loading") { // the rest of the page is long
    await new Promise((resolve) => {
      document.onreadystatechange = resolve;
    });
  }
  page.begin(JSON.parse(carried("data")));
}

/** The language that a part of the address asks for, else the first that the browser prefers, else English. */
function readersLanguage(languages, ...parts) {
  const asked = parts.map((part) => new URLSearchParams(part.slice(1)).get("lang"));
  const preferred = navigator.languages.map((code) => code.split("-")[0]);
  return [...asked, ...preferred, "en"].find((code) => Object.hasOwn(languages, code));
}

class Page {
  /** @param {object} early what stands before the weights: its texts in all languages, and what needs no data */
  constructor(early) {
    Object.assign(this, early, { data: null, engine: null, insisted: new Set() });
    this.work = { number: 0, runs: [], found: new Map(), doubts: new Map(), record: null, said: { text: "unpacking" } }; // what was asked for
    this.boxes = [...document.querySelectorAll("#runs input")];
    this.inLanguage(readersLanguage(this.languages, location.hash, location.search));
    this.build();
    this.instrument = mount(find("#instrument"), null, {
      ...this.known(), ask: (request, answer) => this.ask(request, answer), onState: (state) => this.writeAddress(state),
      said: this.work.said,
      onDrawn: ({ beside }) => Object.assign(find("#instrument").dataset, { beside }),
      quick: () => this.last < QUICK,
      link: () => (location.protocol === "file:" ? "" : location.href), // nobody else can open a file of this device
    });
  }

  /** Put the texts of a language into the page's own places. */
  inLanguage(language) {
    Object.assign(this, { language }, this.languages[language]);
    document.documentElement.lang = language;
    for (const element of document.querySelectorAll("[data-text]")) {
      element.textContent = this.texts[element.dataset.text];
    }
    for (const element of document.querySelectorAll("#languages button")) {
      element.hidden = element.lang === language;
    }
  }

  /** What the instrument is told of the runs, in the colours of the page. */
  known() {
    const { data, source_language: language, styles, texts, examples, figure } = this;
    const colours = data?.colours[dark.matches ? "dark" : "light"] ?? [];
    return {
      language, styles, texts,
      changes: ["weights", "blocked", "source"],
      sentences: examples.map(({ sentence }) => sentence),
      remarks: Object.fromEntries(examples.filter(({ look }) => look).map(({ sentence, look }) => [sentence, look])),
      about: Object.fromEntries((data?.runs ?? []).map(({ name, trained_to }, k) => [name, { trained_to, colour: colours[k], ...this.work.doubts.get(name) }])),
      figure: figure && { ...figure, curves: figure.curves.map((curve) => ({ ...curve, colour: colours[curve.run] })) },
    };
  }

  build() {
    for (const element of document.querySelectorAll("#languages button")) {
      element.onclick = () => {
        this.speak(element.lang);
        find("#languages button:not([hidden])").focus();
      };
    }
    find("#runs-row").hidden = this.boxes.length < 2;
    for (const element of document.querySelectorAll("#examples button")) {
      element.onclick = () => this.instrument.translate({ sentence: element.title, number: 1 });
    }
    find("#examples-row").hidden = !this.examples.length;
    find("#anyway").onclick = () => {
      this.insisted.add(this.work.text);
      this.instrument.translate({ sentence: this.work.text, number: 1, ...this.settings() });
    };
    for (const setting of ["#runs", "#beam"]) {
      find(setting).onchange = () => this.instrument.translate(this.settings());
    }
  }

  /** Start the engine, and translate what the address asks for, or the first example. */
  begin(data) {
    const weights = data.runs.map((_, k) => carried(`weights-${k}`));
    this.data = data;
    this.detector = new Languages(data.language_table, data.scripts);
    this.engine = connect(data, weights, carried("worker"), (answer) => this.receive(answer));
    dark.onchange = () => this.instrument.update(this.known());
    window.onhashchange = () => this.readHash();
    this.instrument.update(this.known());
    this.instrument.translate(this.readAddress() ?? { sentence: this.early ?? this.examples[0]?.sentence ?? "", ...this.settings() });
  }

  /** Go on in another language with all that is on the screen. */
  speak(language) {
    this.inLanguage(language);
    this.instrument.update(this.known());
    if (this.state) {
      this.writeAddress(this.state);
    }
  }

  /** Follow an address that the reader chose. */
  readHash() {
    const asked = readersLanguage(this.languages, location.hash, `?lang=${this.language}`);
    const state = this.readAddress();
    if (asked !== this.language) {
      this.speak(asked);
    }
    if (state) {
      this.instrument.translate(state);
    }
  }

  /** What the address asks for: a sentence with its changes, and the runs and the beam unless they are the usual ones. */
  readAddress() {
    const asked = new URLSearchParams(location.hash.slice(1));
    const runs = asked.getAll("run");
    const beam = this.data.beams.find((each) => String(each) === asked.get("beam")) ?? this.data.beam;
    if (!asked.has("s") || location.hash === this.work.address) {
      return null;
    }
    find("#beam").value = String(beam);
    this.boxes.forEach((box, k) => {
      box.checked = !runs.length || runs.includes(this.data.runs[k].name);
    });
    const changes = asked.getAll("change").map(changeFrom).filter(Boolean);
    this.insisted.add(asked.get("s")); // a link is always translated
    return { sentence: asked.get("s"), number: 1, changes, pin: pinFrom(asked.get("pin")), ...this.settings() };
  }

  /** Write what the page shows into the address, with the language if the reader would get another one without it. After what was
   *  entered, another sentence and each change are entries of the history, to which Back leads. */
  writeAddress(state) {
    const { sentence, changes, pin, beam, systems } = this.state = state;
    const usual = readersLanguage(this.languages, location.search) === this.language;
    if (!this.data || this.fault(sentence, systems)) {
      return;
    }
    this.work.address = `#${new URLSearchParams([
      ["s", sentence],
      ...(beam === this.data.beam ? [] : [["beam", beam]]),
      ...(systems.length === this.boxes.length ? [] : systems.map((name) => ["run", name])),
      ...changes.map((change) => ["change", changeAddress(change)]),
      ...(pin ? [["pin", pinAddress(pin)]] : []),
      ...(usual ? [] : [["lang", this.language]]),
    ])}`;
    const [then, now] = [location.hash, this.work.address].map((each) => new URLSearchParams(each.slice(1)));
    const act = this.work.entered && ["s", "change"].some((name) => then.getAll(name).join() !== now.getAll(name).join());
    history[act ? "pushState" : "replaceState"](null, "", this.work.address);
  }

  /** The beam and the runs that are chosen, as the instrument's state has them. */
  settings() {
    const runs = this.boxes.filter((box) => box.checked).map((box) => this.data.runs[box.value]);
    return { beam: Number(find("#beam").value), systems: runs.map(({ name }) => name) };
  }

  /** Why a sentence cannot be translated; null if it can. */
  fault(sentence, systems) {
    const most = this.data.most_characters;
    if (!sentence || !systems.length) {
      return { text: sentence ? "choose_checkpoint" : "write_sentence" };
    }
    return sentence.length > most ? { text: "too_long", characters: sentence.length, most } : null;
  }

  /** What is said of a sentence in another language than the models read, unless the reader wants it all the same; null of others. */
  misfit(sentence) {
    const other = this.insisted.has(sentence) ? null : this.detector.foreign(sentence, this.source_language);
    if (other === null) {
      return null;
    }
    const [language, expected] = [other.language, this.source_language].map((code) => languageName(this.texts, code));
    const writing = this.texts[`writing-${other.script}`] ?? other.script;
    return { text: language ? "foreign" : writing ? "foreign_writing" : "foreign_to_all", language, writing, expected };
  }

  /** Answer the instrument: have the engine translate, with the changes if some are asked for. */
  ask({ kind, sentence: text, changes, beam, systems, entered }, answer) {
    document.body.dataset.state = "working";
    if (!this.data) {
      this.early = text; // what comes after the weights asks for it
      return;
    }
    const { work, data } = this;
    const changed = kind === "change" ? changes : null;
    const concerned = (name) => work.record.systems.some((system) => system.name === name && changed.some((each) => concerns(each, system)));
    const names = systems.filter((name) => !changed || concerned(name));
    const runs = names.map((name) => data.runs.findIndex((run) => run.name === name));
    const misfit = kind === "translate" && text ? this.misfit(text) : null;
    const fault = this.fault(text, systems) ?? misfit;
    find("#anyway-row").hidden = !fault || fault !== misfit;
    Object.assign(work, { number: work.number + 1, kind, text, beam, answer, runs, entered, changes: changed ?? [], found: new Map() });
    if (!changed) {
      work.record = null;
      this.doubt([]);
    }
    if (fault || !runs.length) {
      this.end({ said: fault || work.said, record: fault ? this.record() : undefined });
    } else {
      const read = readAfter(text, changed ?? []);
      const later = read.changes.filter((change) => change.kind !== "source");
      this.engine.then((give) => give({ id: work.number, text: read.sentence, beam, runs, changes: later }));
    }
  }

  /** Take an answer of the engine. */
  receive({ id, run, step, longest, system, seconds, text, judge, doubts, error, old }) {
    const { work } = this;
    if (error || old) {
      work.record = work.kind === "translate" ? this.record() : work.record;
      this.end({ said: old ? { text: "too_old" } : { text: "failed", reason: error }, record: work.kind === "translate" ? work.record : undefined });
    } else if (id !== work.number) {
      return; // an answer to a former request
    } else if (system) {
      work.found.set(run, { system: { ...system, changes: work.changes }, seconds });
      if (work.found.size < work.runs.length) {
        work.answer({ record: this.record() });
      } else {
        work.record = work.kind === "translate" ? this.record() : work.record;
        this.end({ said: this.took(), record: this.record() });
      }
    } else if (doubts) {
      const [name, by] = [run, judge].map((one) => this.data.runs[one].name);
      this.doubt([...work.doubts, ...(text === work.text ? [[name, { judge: by, doubts }]] : [])]); // else of another source that the reader made
    } else {
      const { name } = this.data.runs[run];
      work.answer({ said: step ? { text: "writes", name, word: step } : { text: "reads", name }, share: (work.found.size + step / longest) / work.runs.length });
    }
  }

  /** Show which words are doubted, by the name of the run that wrote them. */
  doubt(doubts) {
    const former = this.work.doubts;
    this.work.doubts = new Map(doubts);
    if (former.size || doubts.length) {
      this.instrument.update(this.known());
    }
  }

  /** The record of what was found so far. */
  record() {
    const { text, runs, found } = this.work;
    return {
      format: 1,
      source: { text, language: this.source_language },
      systems: runs.filter((run) => found.has(run)).map((run) => found.get(run).system),
    };
  }

  /** How long the engine took for what was found. */
  took() {
    this.last = [...this.work.found.values()].reduce((sum, one) => sum + one.seconds, 0);
    return { text: "took", beam: this.work.beam, seconds: this.last.toFixed(1) };
  }

  /** Say how the work ended. */
  end(told) {
    this.work.said = told.said;
    document.body.dataset.state = "done"; // unless the instrument asks for more
    this.work.answer({ ...told, done: true });
  }
}

/**
 * Connect to an engine: in a worker made from the script that the page carries or, where the browser allows none for a file
 * opened from disk, in the page itself, which then draws between two words.
 * @param {object} data of the page
 * @param {string[]} weights base64, one per run
 * @param {string} script of the worker
 * @param {(answer: object) => void} receive called with each answer, see engine.js; also with `{id, error}`
 * @returns {Promise<(request: object) => void>} what to ask it with
 */
async function connect(data, weights, script, receive) {
  const worker = await startedWorker(data, weights, script);
  document.body.dataset.engine = worker ? "worker" : "page";
  if (worker) {
    worker.onmessage = ({ data: answer }) => receive(answer);
    worker.onerror = ({ message }) => receive({ error: message });
    return (request) => worker.postMessage(request);
  }
  const engine = new Engine(data, weights);
  return (request) => engine.answer(request, receive).catch((error) => receive({ id: request.id, error: String(error) }));
}

/** A worker that has the data; null if there can be none. */
async function startedWorker(data, weights, script) {
  let worker = null;
  try {
    worker = new Worker(URL.createObjectURL(new Blob([script], { type: "text/javascript" })));
    await new Promise((resolve, reject) => {
      setTimeout(reject, PATIENCE);
      worker.onerror = reject;
      worker.onmessage = resolve;
      worker.postMessage({ data, weights });
    });
    return worker;
  } catch {
    worker?.terminate();
    return null;
  }
}

openPage();
