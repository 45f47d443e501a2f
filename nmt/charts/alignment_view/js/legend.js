// Legends above the panels: colour bars, and sample lines of the word links.

import { gradient, position, scalesOf } from "./colour_scale.js";
import { describe, make } from "./elements.js";
import { lineWidth } from "./layout.js";
import { WIDER_IS_LARGER } from "./strings.js";

const SAMPLES = [0.1, 0.5, 1];

/** Legends for the data of a view, one per scale in use: colour bars, or sample lines where only links are shown. */
export function legends(data) {
  const scales = new Set(data.panels.filter((panel) => panel.source.length).flatMap((panel) => scalesOf(panel, data)));
  return [...scales].map((scale) => (data.show === "links" ? linesLegend(scale, data) : colourBar(scale)));
}

function linesLegend(scale, data) {
  const kinds = new Map([[data.stand_in_scale, " stand-in"], [data.difference_scale, " difference"]]);
  const legend = make("div", `scale widths${kinds.get(scale) ?? ""}`);
  legend.append(make("span", "scale-name", scale.symbol));
  for (const weight of SAMPLES) {
    const line = make("span", "sample");
    line.style.height = `${lineWidth(weight)}px`;
    legend.append(line, make("span", "scale-name", String(weight)));
  }
  return describe(legend, WIDER_IS_LARGER(scale.symbol));
}

/** @param {import("./colour_scale.js").ColourScale} scale */
function colourBar(scale) {
  const legend = make("div", "scale");
  const body = make("span", "scale-body");
  const bar = make("span", "bar");
  bar.style.background = gradient(scale);
  const ticks = make("span", "ticks");
  for (const [value, text] of scale.ticks) {
    const tick = make("span", "tick", text);
    tick.style.left = `${100 * position(scale, value)}%`;
    ticks.append(tick);
  }
  body.append(bar, ticks);
  legend.append(make("span", "scale-name", scale.symbol), body);
  return describe(legend, scale.description);
}
