// One source sentence in the middle, and above and below it what it becomes in several languages. Whoever looks at a word sees
// in all of them where it went. In a narrow window the lines go on and have no ribbons, only the light.

import { View, button, isNew, lineOfWords, make, put, shape, shareOf, whileLookedAt } from "../../js/elements.js";
import { decimals, strongest } from "../../js/numbers.js";
import { gapOf } from "./fitting.js";
import { fontSizeThatFits, lineBegins, ribbonPath, ribbons } from "./geometry.js";

const FONT = { largest: 20, smallest: 12 };
const LEAST_NAMED = 0.2;

/** The systems that can stand around one line: three or more with weights, each in another language, that read the same words. */
export function aroundOne(systems) {
  const drawn = systems.filter(({ weights }) => weights);
  const read = new Set(drawn.map(({ source }) => source.join("\n")));
  const languages = new Set(drawn.map(({ language }) => language));
  return drawn.length > 2 && read.size === 1 && languages.size === drawn.length ? drawn : null;
}

/** It shows systems of the ribbons that read the same words and have weights, in the frame of the ribbons. */
export class Poster extends View {
  constructor(element) {
    super(element, ".systems");
    this.looked = null; // as show() has it
  }

  receive(data) {
    if (isNew(this, data)) {
      this.build(data);
    }
  }

  build({ systems, texts }) {
    [this.texts, this.looked] = [texts, null];
    this.spoken.textContent = "";
    const [{ source, source_title: title, source_rtl: rightToLeft, source_close: close }] = systems;
    this.svg = shape("svg", "ribbons", { "aria-hidden": "true" });
    this.source = { line: this.lineOf({ words: source, title, rightToLeft, close, of: null }, "source") };
    this.around = systems.map((system) => ({
      ...system, line: this.lineOf({
        words: system.target, title: system.target_title, rightToLeft: system.target_rtl, close: system.target_close, of: system,
      }, "target"),
    }));
    const above = Math.ceil(this.around.length / 2);
    this.readout = make("p", "readout", "");
    const lines = [...this.around.slice(0, above), this.source, ...this.around.slice(above)].map(({ line }) => line.element);
    this.inner = make("div", "poster", this.svg, ...lines);
    const notes = systems.flatMap(({ title: name, notes: said }) => said.map((note) => make("p", "note", `${name}: ${note}`)));
    this.place.replaceChildren(this.inner, this.readout, ...notes);
    this.draw();
  }

  lineOf({ words, title, rightToLeft, close, of }, side) {
    const buttons = words.map((text, k) => {
      const light = this.lightOf(of, words.length, k);
      const word = button(close[k] ? "word close" : "word", text, () => this.show({ word, light })); // for a finger, which cannot hover
      whileLookedAt(word, (begins) => this.show(begins ? { word, light } : null), () => {
        this.spoken.textContent = this.sentenceOn(text, light);
      });
      return word;
    });
    const line = lineOfWords(`line ${side}`, title, rightToLeft, buttons, lineBegins(words, close));
    const element = make("section", "around", make("span", "kind", title.replace(/^.*:\s*/u, "")), line);
    if (of) {
      element.style.setProperty("--system", of.colour);
    }
    return { element, words: buttons };
  }

  /** How much of each source word a word is about, from 0 to 1. @param {object | null} of the system whose word it is */
  lightOf(of, count, k) {
    return of ? of.weights[k] : Array.from({ length: count }, (_, j) => (j === k ? 1 : 0));
  }

  /** Shares of a system's words in the light on the source. */
  shares({ weights }, light) {
    return weights.map((row) => Math.min(1, row.reduce((sum, weight, j) => sum + weight * light[j], 0)));
  }

  /** Light what belongs to a word in all languages. @param {{word: Element, light: number[]} | null} looked */
  show(looked) {
    this.looked = looked;
    this.inner.classList.toggle("focused", Boolean(looked));
    const share = ({ words }, shares) => words.forEach((word, k) => {
      word.classList.toggle("lit", word === looked?.word);
      shareOf(word, looked ? shares[k] : 0);
    });
    share(this.source.line, looked?.light ?? []);
    for (const system of this.around) {
      share(system.line, looked ? this.shares(system, looked.light) : []);
      for (const { j, element } of system.shapes ?? []) {
        element.classList.toggle("lit", (looked?.light[j] ?? 0) >= LEAST_NAMED);
      }
    }
    this.readout.textContent = looked ? this.sentenceOn(looked.word.textContent, looked.light) : this.texts.poster_hint;
  }

  sentenceOn(word, light) {
    const named = this.around.map((system) => {
      const partners = strongest(this.shares(system, light), 2, LEAST_NAMED).map(({ k, value }) => `${system.target[k]} ${decimals(value, 2)}`);
      return `${system.target_title.replace(/^.*:\s*/u, "")}: ${partners.join(", ") || this.texts.nowhere}`;
    });
    return [word, ...named].join(" · ");
  }

  /** Set the size of the words, and draw the ribbons if every sentence fits into one line. */
  draw() {
    const room = this.place.clientWidth;
    if (!room || !this.inner) {
      return;
    }
    const lines = [this.source.line, ...this.around.map(({ line }) => line)];
    this.inner.classList.remove("wrapped");
    this.inner.style.removeProperty("--gap");
    this.inner.style.fontSize = `${FONT.largest}px`;
    const widths = lines.map(({ words }) => words.reduce((sum, word) => sum + word.getBoundingClientRect().width, 0));
    const widest = 1.08 * Math.max(...widths); // with what is between the words
    const size = fontSizeThatFits(widest, room, FONT.largest, 1);
    this.inner.classList.toggle("wrapped", size < FONT.smallest);
    this.inner.style.fontSize = `${Math.max(size, size < FONT.smallest ? 17 : 0)}px`;
    if (size >= FONT.smallest) {
      this.inner.style.setProperty("--gap", gapOf(lines.map(({ words }) => words), size, room));
    }
    this.svg.replaceChildren();
    for (const system of this.around) {
      system.shapes = size < FONT.smallest ? [] : this.ribbonsOf(system);
    }
    this.show(this.looked); // the read-out may have changed the height, which calls this function
  }

  ribbonsOf({ weights, line, colour }) {
    const frame = this.inner.getBoundingClientRect();
    const boxes = ({ words }) => words.map((word) => {
      const { left, width, top, bottom } = word.getBoundingClientRect();
      return { left: left - frame.left, width, top: top - frame.top, bottom: bottom - frame.top };
    });
    const [source, target] = [boxes(this.source.line), boxes(line)];
    const up = target[0] && target[0].top < source[0]?.top;
    put(this.svg, { width: frame.width, height: frame.height });
    const shapes = ribbons(weights, source, target).map(({ i, j, weight, from, to }) => {
      const ends = up ? [source[j].top, target[i].bottom] : [source[j].bottom, target[i].top];
      const element = shape("path", "ribbon", { d: ribbonPath(from, to, ...ends) });
      element.style.setProperty("--weight", String(weight));
      element.style.setProperty("--system", colour);
      return { i, j, element };
    });
    this.svg.append(...shapes.map(({ element }) => element));
    return shapes;
  }
}
