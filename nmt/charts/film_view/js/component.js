// The film: a row of small matrices, and curves under it that are its scrubber.

import { gradient, onPage, pixels } from "../../js/colour_scale.js";
import { linePath } from "../../js/curves.js";
import {
  button, darkAround, describe, isNew, label, legendEntry, make, mountView, pixelCanvas, put, setName, shape,
} from "../../js/elements.js";
import { grouped } from "../../js/numbers.js";
import { Player } from "../../js/player.js";
import { announceStep } from "../../js/step_channel.js";
import { say } from "../../js/texts.js";
import { curvePlaces, filmCell, filmColumns, movedStep, nearestStep } from "./film_layout.js";

const PAUSE = 900; // milliseconds that a step stands while the film plays
const SETTLING = 400; // milliseconds without a move after which the page is told of the step
const PICTURE_HEIGHT = 128;
const PADDING = 10;

/** Called by Streamlit at first and with every change of the data or the theme; the result ends the film. */
export default function component({ data, parentElement, setStateValue }) {
  const onStep = (step) => setStateValue("step", step); // the step on which the reader, or the film, has come to rest
  const onShow = (step) => announceStep(data.film, step); // every step that is shown, also while the film plays
  return mountView(Film, parentElement, data, { onStep, onShow });
}

class Film extends Player {
  constructor(element) {
    super(element, PAUSE, ".curves");
    const { find } = this;
    this.caption = find(".caption");
    this.text = find(".text");
    this.strip = find(".strip");
    this.scrubber = find(".scrubber");
    this.legend = find(".legend");
    this.settling = null;
  }

  end() {
    clearTimeout(this.settling);
    super.end();
  }

  get count() {
    return this.data.steps.length;
  }

  receive(data) {
    if (!isNew(this, { ...data, start: null, dark: darkAround(this.place) })) {
      return;
    }
    this.data = onPage(data, darkAround(this.place));
    setName(this.strip, this.texts.pictures);
    setName(this.scrubber, this.texts.scrubber);
    this.legend.replaceChildren(...curveLegend(this.data));
    const renewed = isNew(this, data.steps, "shown"); // not only in other words or colours
    if (renewed) {
      this.now = data.start ?? 0;
      this.halt();
    }
    this.draw();
    if (renewed && data.start === null && !matchMedia("(prefers-reduced-motion: reduce)").matches) {
      this.play();
    }
  }

  moved(key) {
    return movedStep(this.now, key, this.count);
  }

  /** Draw, and tell the page of the step once it stays. */
  show() {
    this.draw();
    clearTimeout(this.settling);
    this.settling = setTimeout(() => {
      if (this.timer === null) {
        this.onStep?.(this.now);
      }
    }, SETTLING);
  }

  draw() {
    const width = Math.floor(this.place.clientWidth);
    if (width === 0) {
      return;
    }
    const step = this.data.steps[this.now];
    this.text.textContent = step.text || this.texts.nothing_written;
    this.text.dir = "auto";
    this.showMoves();
    this.drawStrip(width);
    this.caption.textContent = this.strip.children[this.now].getAttribute("aria-label");
    this.drawScrubber(width);
    this.onShow?.(this.now);
  }

  drawStrip(width) {
    const { steps, scale } = this.data;
    this.strip.style.setProperty("--columns", filmColumns(steps.length, width));
    if (this.drawn !== this.received) {
      this.drawn = this.received;
      this.strip.replaceChildren(...steps.map((step, k) => this.picture(step, k, scale)));
    }
    const room = this.strip.firstChild.clientWidth - PADDING;
    const height = Math.min(PICTURE_HEIGHT, room); // a picture is never taller than wide
    const cell = filmCell(steps, room, height);
    [...this.strip.children].forEach((element, k) => {
      const { weights } = steps[k];
      element.setAttribute("aria-pressed", String(k === this.now));
      element.firstChild.style.width = `${cell * weights[0].length}px`;
      element.firstChild.style.height = `${Math.min(height, cell * weights.length)}px`;
    });
  }

  picture({ update, weights }, k, scale) {
    const element = button("picture", "", () => this.choose(k));
    const updates = grouped(update);
    setName(element, say(update === this.data.used ? this.texts.after_used : this.texts.after, { updates }));
    element.append(pixelCanvas(pixels(() => scale, weights), weights[0].length, weights.length), make("span", "", updates));
    return element;
  }

  /** The curves; a slider for keyboard and screen readers, a place to click and drag for the pointer. */
  drawScrubber(width) {
    const { data: { steps }, scrubber } = this;
    const { svg, places } = drawCurves(this.data, this.now, width);
    const { update, entropy } = steps[this.now];
    put(scrubber, {
      "aria-valuemin": 0, "aria-valuemax": steps.length - 1, "aria-valuenow": this.now,
      "aria-valuetext": say(this.texts.place, { updates: grouped(update), bits: entropy.toFixed(2) }),
    });
    const follow = (event) => {
      const number = nearestStep(steps, places, event.clientX - scrubber.getBoundingClientRect().left);
      if (number !== this.now || this.timer !== null) {
        this.choose(number);
      }
    };
    scrubber.onpointerdown = follow;
    scrubber.onpointermove = (event) => event.buttons && follow(event);
    scrubber.replaceChildren(svg);
  }
}

/** Draw the curves, with the place of the scrubber. @returns {{svg: SVGElement, places: object}} */
function drawCurves(data, now, width) {
  const places = curvePlaces(data, width);
  const viewBox = `0 0 ${width} ${places.height}`;
  const svg = shape("svg", "", { width, height: places.height, viewBox, "aria-hidden": "true" }); // the scrubber speaks
  for (const [part, anchor] of [[0, "start"], [0.5, "middle"], [1, "end"]]) {
    const update = Math.round(places.last * part);
    const words = part === 0.5 ? say(data.texts.updates, { updates: grouped(update) }) : grouped(update);
    svg.append(label("", words, places.x(update), places.height - 4, anchor));
  }
  for (const share of [0, 0.5, 1]) {
    const y = places.bottom - share * (places.bottom - places.top);
    svg.append(
      shape("line", "grid", { x1: places.left, x2: places.right, y1: y, y2: y }),
      label("", String(share * places.mostLoss), places.left - 5, y + 4, "end"),
      label("", String(share * places.mostEntropy), places.right + 5, y + 4, "start"),
    );
  }
  const curve = (name, points) => points.length
    && svg.append(shape("path", `line ${name}`, { d: linePath(points) }));
  for (const name of ["training", "development"]) {
    curve(name, data[name].map(([update, loss]) => [places.x(update), places.loss(loss)]));
  }
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
function curveLegend({ texts, ...data }) {
  const words = { training: texts.training, development: texts.development, entropy: texts.entropy };
  const names = [...["training", "development"].filter((name) => data[name].length), "entropy"];
  const samples = names.map((name) => legendEntry(words[name], 26, 8, shape("path", `line ${name}`, { d: "M 0 4 H 26" })));
  const colours = make("span", "");
  const bar = make("span", "bar");
  bar.style.background = gradient(data.scale);
  colours.append("α = 0", describe(bar, data.scale.description), texts.most);
  return [...samples, colours];
}
