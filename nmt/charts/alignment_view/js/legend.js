// Legends above the panels: colour bars, and sample lines of the word links.

import { gradient, position } from "./colour_scale.js";
import { describe, make } from "./elements.js";
import { lineWidth } from "./layout.js";

const SAMPLES = [0.1, 0.5, 1];

/** Legends for the data of a view: one colour bar per scale in use, or sample lines where only links are shown. */
export function legends({ show, panels, scale, difference_scale: differenceScale }) {
  if (show === "links") {
    return [linesLegend(scale.symbol)];
  }
  const bars = [];
  if (panels.some((panel) => !panel.is_difference)) {
    bars.push(colourBar(scale));
  }
  if (panels.some((panel) => panel.is_difference)) {
    bars.push(colourBar(differenceScale));
  }
  return bars;
}

function linesLegend(symbol) {
  const legend = make("div", "scale widths");
  legend.append(make("span", "scale-name", symbol));
  for (const weight of SAMPLES) {
    const line = make("span", "sample");
    line.style.height = `${lineWidth(weight)}px`;
    legend.append(line, make("span", "scale-name", String(weight)));
  }
  return describe(legend, "The wider a line, the larger its weight.");
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
