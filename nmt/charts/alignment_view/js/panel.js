// One panel: heading, read-out, matrix and links of one alignment; and the legends above all panels.

import { gradient, position, scaleOf } from "../../js/colour_scale.js";
import { describe, make, put, shareOf, touched } from "../../js/elements.js";
import { decimals } from "../../js/numbers.js";
import { say } from "../../js/texts.js";
import { focusInPanel, partnerWeights } from "./focus.js";
import { lineWidth } from "./layout.js";
import { buildLinks, showInLinks } from "./links.js";
import { buildMatrix } from "./matrix.js";
import { showInMatrix } from "./matrix_drawing.js";
import { readOut, signsInUse } from "./wording.js";

const LEAST_SHARE = 0.05; // smallest share that lights a partner word
const SAMPLES = [0.1, 0.5, 1]; // widths of lines in the legend

/** Build the panel of an alignment; `given` is a panel of panelsOf in nmt/instrument/js/panels.js. */
export function buildPanel(view, given, number) {
  const { transpose, heading: withHeading, show } = view.data;
  const [columnSide, rowSide] = transpose ? ["target", "source"] : ["source", "target"];
  const panel = {
    ...given,
    number,
    columnSide,
    rowSide,
    size: { columns: given[columnSide].length, rows: given[rowSide].length },
    element: make("section", `panel${given.not_attention ? " not-attention" : ""}`),
    readout: make("p", "readout"),
    labels: { source: given.source.map(() => []), target: given.target.map(() => []) }, // elements that show each word
    lines: [], // of the word links: { i, j, element }
  };
  panel.element.setAttribute("aria-label", `${given.title}: ${given.values}`);
  const heading = withHeading ? [
    make("div", "title-line", make("strong", "title", given.title), make("span", "kind", given.kind)),
    make("p", "condition", given.condition),
    make("p", "target-text", given.text),
    make("p", "own-text", given.own_text),
  ] : [];
  const empty = !panel.size.columns || !panel.size.rows; // the note says why nothing is shown
  panel.element.append( // one place for each part, so that the same parts of all panels stand at the same height
    make("header", "heading", ...heading, given.not_attention && make("p", "not-attention-title", given.not_attention),
      view.apart && make("div", "legend", ...legends({ ...view.data, panels: [given] }))),
    panel.readout,
    make("div", "part", show !== "links" && !empty && buildMatrix(view, panel)),
    make("div", "part", show !== "matrix" && !empty && buildLinks(view, panel)),
    make("p", "signs", ...signsInUse(given.signs, show).map((text) => make("span", "sign", text))),
    make("p", "note", given.note && make("span", "", given.note)),
  );
  return panel;
}

/** Show a focus, or none, in all parts of a panel. */
export function showFocus(view, panel, focus) {
  const sums = focus && partnerWeights(panel, focus);
  const pinned = focusInPanel(view.pinned, view.panels, panel);
  for (const side of ["source", "target"]) {
    panel.labels[side].forEach((elements, k) => {
      const lit = Boolean(focus?.[side].includes(k));
      elements.forEach((element) => showShare(element, lit, Boolean(pinned?.[side].includes(k)), sums ? sums[side][k] : 0));
    });
  }
  showInMatrix(view, panel, focus);
  showInLinks(panel, focus);
  const space = put(make("span", "space", hintOf(view, panel)), { "aria-hidden": "true" }); // keeps its room, so that no cell moves under the pointer
  const shown = make("span", "shown");
  shown.append(...readOutElements(view, panel, focus));
  panel.readout.replaceChildren(space, shown);
}

function hintOf(view, panel) {
  const drags = panel.movable && view.onMove && !touched();
  const hint = panel.hint ?? [touched() ? view.texts.cell_tap_hint : view.texts.cell_hint, drags ? view.texts.cell_drag_hint : ""].join(" ").trim();
  return panel.number === 0 ? hint : "\u00a0";
}

function showShare(element, lit, pinned, weight) {
  const share = Math.min(1, Math.abs(weight));
  element.classList.toggle("lit", lit);
  element.classList.toggle("pinned", pinned);
  element.classList.toggle("partner", share >= LEAST_SHARE);
  const box = shareOf(element, share).querySelector(".box");
  if (box) {
    box.textContent = share >= LEAST_SHARE ? decimals(weight, 2) : "";
  }
}

function readOutElements(view, panel, focus) {
  if (view.drag?.panel === panel.number && view.drag.to !== view.drag.from) {
    const goal = { target: panel.target[view.drag.i], source: panel.source[view.drag.to] };
    return [make("strong", "", say(view.texts.look_at, goal))];
  }
  if (!focus) {
    return [make("span", "hint", hintOf(view, panel))];
  }
  return readOut(panel, focus, view.texts).map(({ text, style }) => (style ? make("span", style, text) : text));
}

/** Legends for the data of a view, one per scale in use: colour bars, or sample lines where only links are shown. Links have no weights. */
export function legends(data) {
  const drawn = data.panels.filter((panel) => panel.source.length && panel.map !== "links");
  const scales = new Set(drawn.flatMap((panel) => panel.row_scales ?? [scaleOf(panel, data)])); // rows may be of different maps
  return [...scales].map((scale) => (data.show === "links" ? linesLegend(scale, data) : colourBar(scale)));
}

function linesLegend(scale, data) {
  const kinds = new Map([[data.stand_in_scale, " stand-in"], [data.difference_scale, " difference"]]);
  const legend = make("div", `scale widths${kinds.get(scale) ?? ""}`, make("span", "scale-name", scale.symbol));
  for (const weight of SAMPLES) {
    const line = make("span", "sample");
    line.style.height = `${lineWidth(weight)}px`;
    legend.append(line, make("span", "scale-name", String(weight)));
  }
  return describe(legend, say(data.texts.wider_is_larger, { symbol: scale.symbol }));
}

/** @param {import("../../js/colour_scale.js").ColourScale} scale */
function colourBar(scale) {
  const bar = make("span", "bar");
  bar.style.background = gradient(scale);
  const ticks = make("span", "ticks", ...scale.ticks.map(([value, text]) => {
    const tick = make("span", "tick", text);
    tick.style.left = `${100 * position(scale, value)}%`;
    return tick;
  }));
  const legend = make("div", "scale", make("span", "scale-name", scale.symbol), make("span", "scale-body", bar, ticks));
  return describe(legend, scale.description);
}
