// What is known of the part that is looked at: equation, shape, and its values at this step.

import { make, valueList } from "../../js/elements.js";
import { decimals, share } from "../../js/numbers.js";
import { say } from "../../js/texts.js";
import { picture, pieces } from "./svg.js";
import { unpacked, vectorFacts } from "./vectors.js";

const STRIP = { width: 256, height: 36 };
const LISTED = 4;

/** Elements on a part; `column` is the source word that is looked at, or null for the one with the largest weight. */
export function details(view, name, column) {
  const { model, frame } = view;
  const box = model.boxes[name];
  return [
    make("h3", "details-title", formulaText("symbol", box.symbol), make("span", "", box.title)),
    ...box.equations.map((equation) => formulaText("equation", equation)),
    make("p", "facts", make("span", "", say(view.texts.paper, box)), make("span", "shape", formulaText("", box.shape))),
    make("p", "meaning", formulaText("", box.words)),
    ...values(view, name, column, model.steps[frame.word]),
  ];
}

/** A formula as text with lowered and raised letters. */
export function formulaText(classes, source) {
  const element = make("span", `formula ${classes}`);
  element.append(...pieces(source).map(({ kind, text }) => (
    kind === "plain" ? text : Object.assign(document.createElement(kind), { textContent: text })
  )));
  return element;
}

function values(view, name, column, step) {
  const { model, frame, texts } = view;
  const weights = step.alpha ?? model.source.map((_, j) => Number(j === model.source.length - 1));
  const j = column ?? weights.indexOf(Math.max(...weights));
  switch (name) {
    case "state": case "context": case "next":
      return step[name] ? strip(view, step[name], "") : [];
    case "annotations": {
      const directions = model.annotations[j].length === 2 ? texts.directions : [""];
      return [
        make("p", "about", say(texts.of_word, { word: model.source[j], number: j + 1 })),
        ...model.annotations[j].flatMap((packed, k) => strip(view, packed, directions[k])),
      ];
    }
    case "energies": {
      const low = Math.min(...step.energies);
      const range = Math.max(...step.energies) - low;
      return list(model, step.energies, j, (value) => decimals(value, 2), (value) => (value - low) / range || 0);
    }
    case "alpha": return list(model, step.alpha, j, share, (value) => value);
    case "readout": return [
      valueList(step.top.map(([word, p]) => [word, share(p), p])),
      make("p", "about", texts.maxout),
      ...strip(view, step.maxout, ""),
    ];
    case "word": return [make("p", "about", say(texts.written, {
      word: model.target[frame.word],
      p: share(Math.exp(step.log_probability)),
      nats: decimals(step.log_probability, 2),
      rank: step.rank,
    }))];
    case "previous": return [make("p", "about",
      frame.word > 0 ? say(texts.previous, { word: model.target[frame.word - 1] }) : texts.no_previous)];
    default: return [];
  }
}

function strip(view, packed, title) {
  const image = make("img", "strip");
  image.src = picture(view.data.scale, packed, STRIP.width, STRIP.height);
  const count = unpacked(packed).length;
  const facts = vectorFacts(packed, count, view.texts);
  image.alt = title ? `${title}: ${facts}` : facts;
  return [image, make("p", "about", image.alt)];
}

/** The largest values of a row, and the one that is looked at, with bars as long as `part` says. */
function list(model, row, j, write, part) {
  const chosen = row.map((value, k) => ({ k, value })).toSorted((one, other) => other.value - one.value).slice(0, LISTED);
  if (!chosen.some(({ k }) => k === j)) {
    chosen[LISTED - 1] = { k: j, value: row[j] };
  }
  return [valueList(chosen.map(({ k, value }) => [model.source[k], write(value), part(value)]))];
}
