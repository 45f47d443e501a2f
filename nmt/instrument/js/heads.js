// All heads of a Transformer as small pictures, a row for each layer. Pressing one shows its weights large.

import { button, group, make, passKeyboard, put, shape, shareOf } from "../../charts/js/elements.js";
import { say } from "../../charts/js/texts.js";
import { agreement } from "./gold.js";
import { restricted, unitsOf } from "./restricted.js";
import { mapKey, mapName } from "./systems.js";
import { overWords, withoutEnd } from "./weights_over_words.js";

const SHADES = 8; // of a small picture: a weight of 0 is not drawn, one of 1 has the colour of the text

/** The maps of heads of a system and the means of its layers, by their names; null if there are not several heads. */
export function headsOf({ maps }) {
  const found = maps.filter(({ kind, layer }) => kind === "head" && Number.isInteger(layer));
  const numbers = (name) => [...new Set(found.map((map) => map[name] ?? null))].toSorted((a, b) => (a ?? Infinity) - (b ?? Infinity));
  const [layers, heads] = [numbers("layer"), numbers("head")];
  return heads.length > 1 ? { layers, heads, maps: new Map(found.map((map) => [mapKey(map), map])) } : null;
}

/**
 * Error rate of a map: each target word is linked to its source word of the largest weight, the end marks left out.
 * @param {number[][]} weights over the tokens
 * @returns {number | null} null where no sure gold link of this pair is given
 */
export function errorRate(gold, system, weights) {
  const drawn = withoutEnd(overWords(system, weights)).weights.map((row) => row.indexOf(Math.max(...row)));
  return agreement(gold, system, drawn.length, ([j, i]) => drawn[i] === j)?.aer ?? null;
}

/**
 * Fill an element with the pictures of a system's heads.
 * @param {HTMLElement} place
 * @param {object} system
 * @param {{gold: object | null, view: import("./panels.js").View, texts: object}} shown
 * @param {(map: string) => void} choose called with the name of a map, or "" for the usual one
 */
export function fillHeads(place, system, { gold, view, texts }, choose) {
  const { layers, heads, maps } = headsOf(system);
  const focused = place.getRootNode().activeElement?.dataset?.map; // which the new pictures go on with
  const cells = layers.map((layer) => heads.map((head) => {
    const map = maps.get(mapKey({ kind: "head", layer, head }));
    return map ? cell(system, map, { gold, view, texts }, choose) : make("span", "");
  }));
  const buttons = cells.flat();
  const stop = buttons.find(({ dataset }) => dataset.map === view.map) ?? buttons.find(({ onclick }) => onclick);
  buttons.forEach((each) => each.setAttribute("tabindex", each === stop ? 0 : -1));
  place.className = "heads";
  place.style.setProperty("--heads", String(heads.length));
  group(place, say(texts.heads_of, { name: system.name }));
  place.replaceChildren(
    make("span", ""), ...heads.map((head) => make("span", "head", head === null ? texts.mean : say(texts.head, { head }))),
    ...layers.flatMap((layer, k) => [make("span", "layer", say(texts.layer, { layer })), ...cells[k]]),
  );
  place.onkeydown = (event) => {
    const k = buttons.indexOf(event.target.closest(".small"));
    const [steps, ends] = [{ ArrowLeft: -1, ArrowRight: 1, ArrowUp: -heads.length, ArrowDown: heads.length }, { Home: 0, End: buttons.length - 1 }];
    const next = ends[event.key] ?? k + steps[event.key];
    if (buttons[next]?.onclick) {
      event.preventDefault();
      passKeyboard(buttons, k, next);
    }
  };
  buttons.find(({ dataset }) => focused && dataset.map === focused)?.focus({ preventScroll: true });
}

/** The picture of one map, which is a button, with its error rate where that is known. */
function cell(system, map, { gold, view, texts }, choose) {
  const [key, rate] = [mapKey(map), errorRate(gold, system, map.weights)];
  const said = rate === null ? "" : say(texts.aer, { aer: (100 * rate).toFixed(0) });
  const made = button("small", undefined, () => choose(view.map === key ? "" : key));
  const label = [mapName(map, texts), said].filter(Boolean).join(", ");
  put(made, { "data-map": key, "aria-pressed": view.map === key, "aria-label": label });
  made.append(picture(restricted(unitsOf(system, map.weights, view.pieces), view).weights, view.transposed));
  if (said) {
    made.append(shareOf(make("span", "share", said), 1 - rate));
  }
  return made;
}

/** Weights as squares in shades of the colour of the text. */
function picture(weights, transposed) {
  const [rows, columns] = [weights.length, weights[0]?.length ?? 0];
  const [width, height] = transposed ? [rows, columns] : [columns, rows];
  const paths = Array.from({ length: SHADES + 1 }, () => "");
  weights.forEach((row, i) => row.forEach((weight, j) => {
    paths[Math.round(Math.min(1, weight) * SHADES)] += `M${transposed ? `${i} ${j}` : `${j} ${i}`}h1v1h-1z`;
  }));
  const drawn = paths.flatMap((d, k) => (d && k ? [shape("path", "", { d, "fill-opacity": k / SHADES })] : []));
  return shape("svg", "", { viewBox: `0 0 ${width} ${height}`, preserveAspectRatio: "none", "aria-hidden": "true" }, ...drawn);
}
