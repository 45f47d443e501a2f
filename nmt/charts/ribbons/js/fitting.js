// Sizes that depend on the room: of the words, and of the ribbons between them.

import { shape } from "../../js/elements.js";
import {
  centred, crossingRing, fontSizeThatFits, goesDown, pathBetween, ribbonHeight, ribbonPath, ribbons, splitInTwo,
  transposedRing,
} from "./geometry.js";

const FONT = { largest: 17, large: 26, smallest: 10, down: 15 };
const GAP = 0.12; // between words, as in view.css; times the size of the type
const BETWEEN_BANDS = 10;
const SIDES = ["source", "target"];

/** Choose the direction of the two lines, their size, and in a presentation whether they go on in a second band. */
export function fitWords(system, room, large) {
  const { inner } = system;
  const largest = large ? FONT.large : FONT.largest;
  setSize(system, largest);
  if (!system.svg) {
    return; // words without ribbons go on in the next line
  }
  inner.classList.remove("down");
  leaveBands(system);
  const widest = Math.max(...Object.values(system.words).map((words) => lineWidth(words)));
  system.down = goesDown(widest, room);
  inner.classList.toggle("down", system.down);
  if (large && !system.down && widest > room) {
    const widths = (side) => system.words[side].map((word) => word.getBoundingClientRect().width + GAP * largest);
    system.bands = splitInTwo(system.weights, widths("source"), widths("target"), room);
  }
  const longest = system.bands?.width ?? widest;
  setSize(system, system.down ? FONT.down : fontSizeThatFits(longest, room, largest, FONT.smallest));
  if (system.bands) {
    placeInBands(system, room);
  }
}

/** Give words without ribbons the size of those with ribbons, so that a slide is read in one size. */
export function matchSizes(systems) {
  const sizes = systems.filter((system) => system.svg && !system.down).map((system) => system.size);
  for (const system of systems.filter(({ svg }) => !svg)) {
    setSize(system, Math.min(system.size, ...sizes));
  }
}

function setSize(system, size) {
  system.size = size;
  system.inner.style.fontSize = `${size}px`;
}

function leaveBands(system) {
  system.bands = null;
  system.inner.classList.remove("banded");
  system.inner.style.removeProperty("height");
  for (const word of SIDES.flatMap((side) => system.words[side])) {
    word.style.removeProperty("left");
    word.style.removeProperty("top");
  }
}

/** Put every word where its band has it. */
function placeInBands(system, room) {
  const { bands, inner, words } = system;
  const line = words.source[0].offsetHeight;
  const across = Math.round(ribbonHeight(true, window.innerHeight) / 2.4);
  const second = 2 * line + across + BETWEEN_BANDS;
  inner.classList.add("banded");
  inner.style.height = `${second + 2 * line + across}px`;
  for (const side of SIDES) {
    const top = side === "source" ? 0 : line + across;
    [[0, bands[side]], [bands[side], words[side].length]].forEach(([from, to], band) => {
      const some = words[side].slice(from, to);
      const widths = some.map((word) => word.getBoundingClientRect().width);
      const places = centred(widths, GAP * system.size, room, system[`${side}_rtl`]);
      some.forEach((word, k) => {
        word.style.left = `${places[k]}px`;
        word.style.top = `${top + band * second}px`;
      });
    });
  }
}

function lineWidth(words) {
  const boxes = words.map((word) => word.getBoundingClientRect());
  return Math.max(...boxes.map((box) => box.right)) - Math.min(...boxes.map((box) => box.left));
}

/** Fade the end of a line that goes on beyond the edge. */
export function showWhetherCut({ scroll }) {
  scroll.classList.toggle("cut", scroll.scrollLeft + scroll.clientWidth < scroll.scrollWidth - 1);
}

/** Draw the ribbons between the words where they are now. */
export function drawRibbons(system, large) {
  if (!system.svg) {
    return;
  }
  const { down, inner, svg } = system;
  if (system.bands) {
    drawInBands(system);
    return;
  }
  svg.setAttribute("width", 0); // else it would keep the room that it had, and the words their places in it
  const boxes = (side) => system.words[side].map((word) => down
    ? { left: word.offsetTop, width: word.offsetHeight }
    : { left: word.offsetLeft, width: word.offsetWidth });
  const [source, target] = [boxes("source"), boxes("target")];
  const [width, height] = down
    ? [Math.max(0, inner.clientWidth - lineWidth(system.words.source) - lineWidth(system.words.target)), inner.clientHeight]
    : [inner.scrollWidth, ribbonHeight(large, window.innerHeight)];
  const across = down ? width : height; // from the source words to the target words
  svg.setAttribute("width", width);
  svg.setAttribute("height", height);
  svg.setAttribute("viewBox", `0 0 ${width} ${height}`);
  system.shapes = ribbons(system.weights, source, target).map(({ i, j, weight, from, to }) => {
    return ribbon(system, { i, j, weight }, ribbonPath(from, to, across, down));
  });
  const marks = [];
  if (system.crossing) {
    const some = (side) => system.crossing[side].map((k) => (side === "source" ? source : target)[k]);
    const ring = crossingRing(some("source"), some("target"), across);
    marks.push(ellipse(down ? transposedRing(ring) : ring));
  }
  svg.replaceChildren(...system.shapes.map(({ element }) => element), ...marks);
}

/** Draw behind the words of both bands; a ribbon from one band to the other passes under the words between them. */
function drawInBands(system) {
  const { inner, svg, words } = system;
  const [width, height] = [inner.clientWidth, inner.clientHeight];
  svg.setAttribute("width", width);
  svg.setAttribute("height", height);
  svg.setAttribute("viewBox", `0 0 ${width} ${height}`);
  const boxes = (side) => words[side].map((word) => ({
    left: word.offsetLeft, width: word.offsetWidth, top: word.offsetTop, bottom: word.offsetTop + word.offsetHeight,
  }));
  const [source, target] = [boxes("source"), boxes("target")];
  system.shapes = ribbons(system.weights, source, target).map(({ i, j, weight, from, to }) => {
    const down = source[j].top < target[i].top;
    const [start, end] = down ? [source[j].bottom, target[i].top] : [source[j].top, target[i].bottom];
    return ribbon(system, { i, j, weight }, pathBetween(from, to, start, end));
  });
  const marks = [];
  if (system.crossing) {
    const [from, to] = [system.crossing.source.map((k) => source[k]), system.crossing.target.map((k) => target[k])];
    const [top, bottom] = [from[0].bottom, to[0].top];
    if ([...from, ...to].every((box) => box.top === (box.bottom <= top ? from : to)[0].top) && top < bottom) {
      const ring = crossingRing(from, to, bottom - top);
      marks.push(ellipse({ ...ring, cy: ring.cy + top }));
    }
  }
  svg.replaceChildren(...system.shapes.map(({ element }) => element), ...marks);
}

function ribbon(system, { i, j, weight }, d) {
  const element = shape("path", "ribbon", { d });
  element.style.setProperty("--weight", weight.toFixed(3));
  element.style.setProperty("--after", system.words.target[i].style.getPropertyValue("--after"));
  return { i, j, element };
}

function ellipse({ cx, cy, rx, ry }) {
  const [x, y, a, b] = [cx, cy, rx, ry].map((value) => value.toFixed(1));
  return shape("ellipse", "ring", { cx: x, cy: y, rx: a, ry: b });
}
