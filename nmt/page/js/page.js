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
  CHOOSE_CHECKPOINT, FAILED, READS, SENTENCE_IN, TOOK, TOO_LONG, WORDS, WRITE_SENTENCE, WRITES,
} from "./strings.js";

const find = (selector) => document.querySelector(selector);
const PATIENCE = 10_000; // milliseconds until a worker that says nothing is given up
const dark = window.matchMedia("(prefers-color-scheme: dark)");

/** Text of an element of the page that carries data; the element is removed, since the data are large. */
function carried(id) {
  const element = document.getElementById(id);
  const { textContent } = element;
  element.remove();
  return textContent;
}

class Page {
  constructor(data) {
    this.data = data;
    this.view = data.view; // settings of the matrices
    this.request = { id: 0, text: "", beam: data.beam, runs: [] };
    this.found = new Map(); // number of a run -> { translation, seconds }
    this.connection = null;
    this.written = ""; // the part of the address that the page itself wrote
    this.sentence = find("#sentence");
    this.status = find("#status");
    this.progress = find("#progress");
    this.build();
  }

  build() {
    const { runs, examples } = this.data;
    find("label[for=sentence]").textContent = SENTENCE_IN(languageName(runs[0].source_language));
    this.boxes = [...document.querySelectorAll("#runs input")];
    find("#runs-row").hidden = runs.length < 2;
    for (const element of document.querySelectorAll("#examples button")) {
      element.onclick = () => {
        this.sentence.value = element.title;
        this.translate();
      };
    }
    find("#examples-row").hidden = !examples.length;
    find("#form").onsubmit = (event) => {
      event.preventDefault();
      this.translate();
    };
    this.sentence.onkeydown = (event) => {
      if (event.key === "Enter" && !event.shiftKey && !event.isComposing) {
        event.preventDefault();
        this.translate();
      }
    };
    find("#runs").onchange = () => this.translate();
    find("#beam").onchange = () => this.translate();
    find("#save").onclick = () => this.save();
    window.onhashchange = () => this.readAddress() && this.translate();
    dark.onchange = () => this.show();
  }

  async start(weights, script) {
    this.connection = await connect(this.data, weights, script, (answer) => this.receive(answer));
    document.body.dataset.engine = this.connection.inWorker ? "worker" : "page";
    if (!this.readAddress()) {
      this.sentence.value = this.data.examples[0]?.sentence ?? "";
    }
    this.translate();
  }

  /** Take over what the address asks for: a sentence, and the runs and the beam unless they are the usual ones. */
  readAddress() {
    const asked = new URLSearchParams(location.hash.slice(1));
    const runs = asked.getAll("run");
    const beam = this.data.beams.find((each) => String(each) === asked.get("beam")) ?? this.data.beam;
    if (!asked.has("s") || location.hash === this.written) {
      return false;
    }
    this.sentence.value = asked.get("s");
    find("#beam").value = String(beam);
    this.boxes.forEach((box, k) => {
      box.checked = !runs.length || runs.includes(this.data.runs[k].name);
    });
    return true;
  }

  writeAddress({ text, beam, runs }) {
    const all = runs.length === this.data.runs.length;
    const given = new URLSearchParams([
      ["s", text],
      ...(beam === this.data.beam ? [] : [["beam", beam]]),
      ...(all ? [] : runs.map((run) => ["run", this.data.runs[run].name])),
    ]);
    this.written = `#${given}`;
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
    const text = this.sentence.value.replaceAll(/[^\S\ufeff]+/gu, " ").replaceAll(/^ | $/gu, ""); // U+FEFF is no space
    const runs = this.boxes.filter((box) => box.checked).map((box) => Number(box.value));
    this.request = { id: this.request.id + 1, text, beam: Number(find("#beam").value), runs };
    this.found.clear();
    document.body.dataset.state = "working";
    if (!text || !runs.length) {
      this.say(text ? CHOOSE_CHECKPOINT : WRITE_SENTENCE);
      this.end();
    } else if (text.length > this.data.most_characters) {
      this.say(TOO_LONG(text.length, this.data.most_characters));
      this.end();
    } else {
      this.writeAddress(this.request);
      this.connection.ask(this.request);
    }
  }

  receive({ id, run, step, longest, translation, seconds, error }) {
    if (error) {
      this.say(FAILED(error));
      this.end();
    } else if (id !== this.request.id) {
      return; // an answer to a former request
    } else if (translation) {
      this.found.set(run, { translation, seconds });
      if (this.found.size === this.request.runs.length) {
        const all = [...this.found.values()].reduce((sum, one) => sum + one.seconds, 0);
        this.say(TOOK(this.request.beam, all.toFixed(1)));
        this.end();
      }
      this.show();
    } else {
      const { name } = this.data.runs[run];
      this.progress.hidden = false;
      this.progress.value = (this.found.size + step / longest) / this.request.runs.length;
      this.say(step ? WRITES(name, step) : READS(name));
    }
  }

  say(text) {
    this.status.textContent = text;
  }

  end() {
    this.progress.hidden = true;
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
    const systems = given.map(([run, translation, number], k) => ribbonSystem(run, translation, k, colours[number]));
    const remarks = look ? [look] : [];
    if (!look && systems[0].crossing) {
      remarks.push(crossingSentence(systems[0].crossing, systems[0]));
    }
    systems[0] = { ...systems[0], remarks };
    mountRibbons(find("#ribbons").shadowRoot, { animate: false, large: false, chosen: null, systems });
    const withAlpha = given.filter(([, translation]) => translation.alpha);
    find("#matrices").hidden = !withAlpha.length;
    const panels = withAlpha.map(([run, translation]) => alphaPanel(run, translation));
    mount(find("#matrices").shadowRoot, { ...this.view, panels }, null);
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
 * @returns {Promise<{ask: (request: object) => void, inWorker: boolean}>}
 */
async function connect(data, weights, script, receive) {
  const worker = await startedWorker(data, weights, script);
  if (worker) {
    worker.onmessage = ({ data: answer }) => receive(answer);
    worker.onerror = ({ message }) => receive({ error: message });
    return { ask: (request) => worker.postMessage(request), inWorker: true };
  }
  const engine = new Engine(data, weights);
  const ask = (request) => engine.answer(request, receive).catch((error) => receive({ id: request.id, error: String(error) }));
  return { ask, inWorker: false };
}

/** A worker that has the data; null if there can be none. */
function startedWorker(data, weights, script) {
  return new Promise((resolve) => {
    let worker = null;
    const end = (found) => {
      clearTimeout(timer);
      if (!found) {
        worker?.terminate();
      }
      resolve(found);
    };
    const timer = setTimeout(() => end(null), PATIENCE);
    try {
      worker = new Worker(URL.createObjectURL(new Blob([script], { type: "text/javascript" })));
      worker.onerror = () => end(null);
      worker.onmessage = () => end(worker);
      worker.postMessage({ data, weights });
    } catch {
      end(null);
    }
  });
}

const page = new Page(JSON.parse(carried("data")));
page.start(page.data.runs.map((_, k) => carried(`weights-${k}`)), carried("worker"));
