// The curves of loss and entropy, with a scrubber at the step that is shown.

import { gradient } from "../../alignment_view/js/colour_scale.js";
import { describe, make, makeSvg } from "../../alignment_view/js/elements.js";
import { curvePlaces, grouped, linePath } from "./film_layout.js";
import { DEVELOPMENT, ENTROPY, LEAST, MOST, TRAINING, UPDATES } from "./strings.js";

/** Draw the curves, with the place of the scrubber. @returns {{svg: SVGElement, places: object}} */
export function drawCurves(data, now, width) {
  const places = curvePlaces(data, width);
  const svg = element("svg", "", { width, height: places.height, viewBox: `0 0 ${width} ${places.height}` });
  svg.setAttribute("aria-hidden", "true"); // the scrubber and the table say the same
  for (const [part, anchor] of [[0, "start"], [0.5, "middle"], [1, "end"]]) {
    const update = Math.round(places.last * part);
    const words = part === 0.5 ? UPDATES(grouped(update)) : grouped(update);
    svg.append(text(words, places.x(update), places.height - 4, anchor));
  }
  for (const share of [0, 0.5, 1]) {
    const y = places.bottom - share * (places.bottom - places.top);
    svg.append(
      element("line", "grid", { x1: places.left, x2: places.right, y1: y, y2: y }),
      text(String(Number((share * places.mostLoss).toFixed(2))), places.left - 5, y + 4, "end"),
      text(String(Number((share * places.mostEntropy).toFixed(2))), places.right + 5, y + 4, "start"),
    );
  }
  const curve = (name, points) => points.length
    && svg.append(element("path", `line ${name}`, { d: linePath(points) }));
  curve("training", data.training.map(([update, loss]) => [places.x(update), places.loss(loss)]));
  curve("development", data.development.map(([update, loss]) => [places.x(update), places.loss(loss)]));
  curve("entropy", data.steps.map(({ update, entropy }) => [places.x(update), places.entropy(entropy)]));
  for (const { update, entropy } of data.steps) {
    svg.append(element("circle", "point", { cx: places.x(update), cy: places.entropy(entropy), r: 3 }));
  }
  const x = places.x(data.steps[now].update);
  svg.append(
    element("line", "now", { x1: x, x2: x, y1: places.top - 4, y2: places.bottom }),
    element("circle", "knob", { cx: x, cy: places.bottom, r: 6 }),
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
  const svg = element("svg", "", { width: 26, height: 8, "aria-hidden": "true" });
  svg.append(element("path", `line ${name}`, { d: "M 0 4 H 26" }));
  line.append(svg, words);
  return line;
}

function element(tag, classes, attributes) {
  const made = makeSvg(tag, classes);
  for (const [name, value] of Object.entries(attributes)) {
    made.setAttribute(name, String(value));
  }
  return made;
}

function text(words, x, y, anchor) {
  const made = element("text", "", { x, y, "text-anchor": anchor });
  made.textContent = words;
  return made;
}
