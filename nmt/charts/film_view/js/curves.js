// The curves of loss and entropy, with a scrubber at the step that is shown.

import { gradient } from "../../js/colour_scale.js";
import { describe, label, make, shape } from "../../js/elements.js";
import { grouped } from "../../js/numbers.js";
import { curvePlaces, linePath } from "./film_layout.js";
import { DEVELOPMENT, ENTROPY, LEAST, MOST, TRAINING, UPDATES } from "./strings.js";

/** Draw the curves, with the place of the scrubber. @returns {{svg: SVGElement, places: object}} */
export function drawCurves(data, now, width) {
  const places = curvePlaces(data, width);
  const svg = shape("svg", "", { width, height: places.height, viewBox: `0 0 ${width} ${places.height}` });
  svg.setAttribute("aria-hidden", "true"); // the scrubber and the table say the same
  for (const [part, anchor] of [[0, "start"], [0.5, "middle"], [1, "end"]]) {
    const update = Math.round(places.last * part);
    const words = part === 0.5 ? UPDATES(grouped(update)) : grouped(update);
    svg.append(label("", words, places.x(update), places.height - 4, anchor));
  }
  for (const share of [0, 0.5, 1]) {
    const y = places.bottom - share * (places.bottom - places.top);
    svg.append(
      shape("line", "grid", { x1: places.left, x2: places.right, y1: y, y2: y }),
      label("", String(Number((share * places.mostLoss).toFixed(2))), places.left - 5, y + 4, "end"),
      label("", String(Number((share * places.mostEntropy).toFixed(2))), places.right + 5, y + 4, "start"),
    );
  }
  const curve = (name, points) => points.length
    && svg.append(shape("path", `line ${name}`, { d: linePath(points) }));
  curve("training", data.training.map(([update, loss]) => [places.x(update), places.loss(loss)]));
  curve("development", data.development.map(([update, loss]) => [places.x(update), places.loss(loss)]));
  curve("entropy", data.steps.map(({ update, entropy }) => [places.x(update), places.entropy(entropy)]));
  for (const { update, entropy } of data.steps) {
    svg.append(shape("circle", "point", { cx: places.x(update), cy: places.entropy(entropy), r: 3 }));
  }
  const x = places.x(data.steps[now].update);
  svg.append(
    shape("line", "now", { x1: x, x2: x, y1: places.top - 4, y2: places.bottom }),
    shape("circle", "knob", { cx: x, cy: places.bottom, r: 6 }),
  );
  return { svg, places };
}

/** What the lines and the colours mean. */
export function curveLegend(data) {
  const parts = [
    data.training.length && sample("training", TRAINING),
    data.development.length && sample("development", DEVELOPMENT),
    sample("entropy", ENTROPY),
  ].filter(Boolean);
  const colours = make("span", "");
  const bar = make("span", "bar");
  bar.style.background = gradient(data.scale);
  colours.append(LEAST, describe(bar, data.scale.description), MOST);
  return [...parts, colours];
}

function sample(name, words) {
  const line = make("span", "");
  const svg = shape("svg", "", { width: 26, height: 8, "aria-hidden": "true" });
  svg.append(shape("path", `line ${name}`, { d: "M 0 4 H 26" }));
  line.append(svg, words);
  return line;
}
