// The page: a sentence, the runs that translate it, and what they make of it. All text enters as textContent.

import { make } from "../../charts/js/elements.js";
import { mount } from "../../charts/alignment_view/js/view.js";
import { mountRibbons } from "../../charts/ribbons/js/ribbon_view.js";
import { buildFigure } from "../../charts/small_figure/js/component.js";
import { crossingSentence } from "./crossing.js";
import { Engine } from "./engine.js";
import { alphaPanel, languageName, ribbonSystem } from "./panels.js";
import { pictureOf } from "./picture.js";
import {
  CHOOSE_CHECKPOINT, FAILED, READS, SENTENCE_IN, TOO_LONG, TOO_OLD, TOOK, WORDS, WRITE_SENTENCE, WRITES,
} from "./strings.js";

const find = (selector) => document.querySelector(selector);
const [sentence, status, progress] = ["#sentence", "#status", "#progress"].map(find);
const PATIENCE = 10_000; // milliseconds until a worker that says nothing is given up
const dark = window.matchMedia("(prefers-color-scheme: dark)");

/** Text of an element of the page that carries data; the element is removed, since the data are large. */
function carried(id) {
  const element = document.getElementById(id);
  const { textContent } = element;
  element.remove();
  return textContent;
}

/**
 * Open the page in the language of its reader.
 * @param {(language: string) => {Page: typeof Page}} load this script with the texts of a language
 */
export default async function openPage(load) {
  const languages = JSON.parse(carried("texts"));
  const language = readersLanguage(languages, location.hash, location.search);
  showTexts(language, languages[language].texts);
  if (document.readyState === "loading") { // the rest of the page is long
    await new Promise((resolve) => {
      document.onreadystatechange = resolve;
    });
  }
  const data = JSON.parse(carried("data"));
  const shown = { page: null };
  const weights = data.runs.map((_, k) => carried(`weights-${k}`));
  const engine = connect(data, weights, carried("worker"), (answer) => shown.page.receive(answer));
  const request = { id: 0, text: "", beam: data.beam, runs: [] };
  const { Page: InLanguage } = load(language);
  const page = new InLanguage({ load, languages, language, data, shown, engine, request, found: new Map(), ends: [] });
  dark.onchange = () => shown.page.show();
  window.onhashchange = () => {
    const asked = readersLanguage(languages, location.hash, `?lang=${shown.page.language}`);
    const other = shown.page.readAddress();
    if (asked !== shown.page.language) {
      shown.page.speak(asked);
    }
    return other && shown.page.translate();
  };
  if (!page.readAddress()) {
    sentence.value = page.data.examples[0]?.sentence ?? "";
  }
  page.translate();
}

/** The language that a part of the address asks for, else the first that the browser prefers, else English. */
function readersLanguage(languages, ...parts) {
  const asked = parts.map((part) => new URLSearchParams(part.slice(1)).get("lang"));
  const preferred = navigator.languages.map((code) => code.split("-")[0]);
  return [...asked, ...preferred, "en"].find((code) => Object.hasOwn(languages, code));
}

/** Put the texts of a language into their places. */
function showTexts(language, texts) {
  document.documentElement.lang = language;
  for (const element of document.querySelectorAll("[data-text]")) {
    element.textContent = texts[element.dataset.text];
  }
}

export class Page {
  /**
   * The page in one language.
   * @param {object} given what it shares with those in other languages: data, the engine, the request, what was found (number of
   *   a run -> { translation, seconds }), what the reader chose in the views and what ends these, and which page is shown
   */
  constructor(given) {
    Object.assign(this, given);
    this.data = { ...given.data, ...given.languages[given.language] };
    this.shown.page = this;
    this.build();
  }

  build() {
    const { runs, examples, texts } = this.data;
    showTexts(this.language, texts);
    find("label[for=sentence]").textContent = SENTENCE_IN(languageName(runs[0].source_language));
    for (const element of document.querySelectorAll("#languages button")) {
      element.hidden = element.lang === this.language;
      element.onclick = () => {
        this.speak(element.lang);
        find("#languages button:not([hidden])").focus();
      };
    }
    this.boxes = [...document.querySelectorAll("#runs input")];
    find("#runs-row").hidden = runs.length < 2;
    for (const element of document.querySelectorAll("#examples button")) {
      element.onclick = () => {
        sentence.value = element.title;
        this.translate();
      };
    }
    find("#examples-row").hidden = !examples.length;
    find("#form").onsubmit = (event) => {
      event.preventDefault();
      this.translate();
    };
    sentence.onkeydown = (event) => {
      if (event.key === "Enter" && !event.shiftKey && !event.isComposing) {
        event.preventDefault();
        this.translate();
      }
    };
    find("#runs").onchange = () => this.translate();
    find("#beam").onchange = () => this.translate();
    find("#save").onclick = () => this.save();
  }

  /** Go on in another language with all that is on the screen. */
  speak(language) {
    this.ends.forEach((end) => end());
    const { Page: InLanguage } = this.load(language);
    const page = new InLanguage({ ...this, language });
    page.writeAddress([...new URLSearchParams(location.hash.slice(1))]);
    if (!page.report()) {
      page.translate();
    }
  }

  /** Take over what the address asks for: a sentence, and the runs and the beam unless they are the usual ones. */
  readAddress() {
    const asked = new URLSearchParams(location.hash.slice(1));
    const runs = asked.getAll("run");
    const beam = this.data.beams.find((each) => String(each) === asked.get("beam")) ?? this.data.beam;
    if (!asked.has("s") || location.hash === this.written) {
      return false;
    }
    sentence.value = asked.get("s");
    find("#beam").value = String(beam);
    this.boxes.forEach((box, k) => {
      box.checked = !runs.length || runs.includes(this.data.runs[k].name);
    });
    return true;
  }

  /** Write what the page shows into the address, with the language if the reader would get another one without it. */
  writeAddress(entries) {
    const usual = readersLanguage(this.languages, location.search) === this.language;
    const others = entries.filter(([name]) => name !== "lang");
    this.written = `#${new URLSearchParams(usual ? others : [...others, ["lang", this.language]])}`;
    history.replaceState(null, "", this.written);
  }

  /** Save the sentence with its translations as a picture that is named after its first words. */
  async save() {
    const link = make("a", "");
    link.href = URL.createObjectURL(await pictureOf(find("#ribbons").shadowRoot.querySelector(".systems")));
    link.download = `${this.request.text.split(/[^\p{L}\p{N}]+/u, 6).filter(Boolean).join("-")}.png`;
    link.click();
    URL.revokeObjectURL(link.href);
  }

  /** Ask for the sentence in the field; whatever is not yet answered is given up. */
  translate() {
    const text = sentence.value.replaceAll(/[^\S\ufeff]+/gu, " ").replaceAll(/^ | $/gu, ""); // U+FEFF is no space
    const runs = this.boxes.filter((box) => box.checked).map((box) => Number(box.value));
    const request = { id: this.request.id + 1, text, beam: Number(find("#beam").value), runs };
    this.request = request;
    this.found.clear();
    this.pin = null;
    this.chosen = null;
    document.body.dataset.state = "working";
    if (!text || !runs.length) {
      this.end(text ? CHOOSE_CHECKPOINT : WRITE_SENTENCE);
    } else if (text.length > this.data.most_characters) {
      this.end(TOO_LONG(text.length, this.data.most_characters));
    } else {
      const all = runs.length === this.boxes.length;
      this.writeAddress([
        ["s", text],
        ...(request.beam === this.data.beam ? [] : [["beam", request.beam]]),
        ...(all ? [] : runs.map((run) => ["run", this.data.runs[run].name])),
      ]);
      this.engine.then((ask) => ask(request));
    }
  }

  receive({ id, run, step, longest, translation, seconds, error, old }) {
    if (error || old) {
      this.end(old ? TOO_OLD : FAILED(error));
    } else if (id !== this.request.id) {
      return; // an answer to a former request
    } else if (translation) {
      this.found.set(run, { translation, seconds });
      this.report();
    } else {
      const { name } = this.data.runs[run];
      progress.hidden = false;
      progress.value = (this.found.size + step / longest) / this.request.runs.length;
      status.textContent = step ? WRITES(name, step) : READS(name);
    }
  }

  /** Show what has been found. @returns {boolean} whether that is all that was asked for */
  report() {
    const done = this.found.size > 0 && this.found.size === this.request.runs.length;
    if (done) {
      const took = [...this.found.values()].reduce((sum, { seconds }) => sum + seconds, 0);
      this.end(TOOK(this.request.beam, took.toFixed(1)));
    } else {
      this.show();
    }
    return done;
  }

  /** Say how the work ended, and show what has been found. */
  end(text) {
    status.textContent = text;
    progress.hidden = true;
    document.body.dataset.state = "done";
    this.show();
  }

  /** Draw what has been found so far. */
  show() {
    const shown = this.request.runs.filter((run) => this.found.has(run));
    const given = shown.map((run) => [this.data.runs[run], this.found.get(run).translation, run]);
    find("#results").hidden = !shown.length;
    if (!shown.length) {
      return;
    }
    const colours = this.data.colours[dark.matches ? "dark" : "light"];
    const look = this.data.examples.find((example) => example.sentence === this.request.text)?.look;
    const first = given.findIndex(([, translation]) => translation.alpha);
    const systems = given.map(([run, translation, number], k) => ribbonSystem(run, translation, k === first, colours[number]));
    const remark = look || (systems[0].crossing && crossingSentence(systems[0].crossing, systems[0]));
    systems[0] = { ...systems[0], remarks: remark ? [remark] : [] };
    const ribbons = { animate: false, large: false, chosen: this.chosen, systems };
    const withAlpha = given.filter(([, translation]) => translation.alpha);
    find("#matrices").hidden = !withAlpha.length;
    const panels = withAlpha.map(([run, translation]) => alphaPanel(run, translation));
    this.ends = [
      mountRibbons(find("#ribbons").shadowRoot, ribbons, { onWord: (chosen) => Object.assign(this, { chosen }) }),
      mount(find("#matrices").shadowRoot, { ...this.data.view, panels, pin: this.pin }, (pin) => Object.assign(this, { pin })),
    ];
    this.showFigure(given[0][1].source.words.at(-1), colours);
  }

  /** Mark the length of the sentence on the curves over length, if there are any. */
  showFigure(words, colours) {
    const { figure } = this.data;
    find("#figure").hidden = !figure;
    if (figure) {
      const curves = figure.curves.map((curve) => ({ ...curve, colour: colours[curve.run] }));
      const shown = buildFigure({ ...figure, curves, here: { words, text: WORDS(words) } });
      find("#figure").shadowRoot.querySelector(".figure").replaceChildren(shown);
    }
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
