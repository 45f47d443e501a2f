// Sizes that depend on the room: of the words, and of the ribbons between them.

import { makeSvg } from "../../alignment_view/js/elements.js";
import {
  crossingRing, fontSizeThatFits, goesDown, ribbonHeight, ribbonPath, ribbons, transposedRing,
} from "./geometry.js";

const FONT = { largest: 17, large: 26, smallest: 10, down: 15 };

/** Choose the direction of the two lines, and the size of their words. */
export function fitWords(system, room, large) {
  const { inner } = system;
  const largest = large ? FONT.large : FONT.largest;
  inner.style.fontSize = `${largest}px`;
  if (!system.svg) {
    return; // words without ribbons go on in the next line
  }
  inner.classList.remove("down");
  const widest = Math.max(...Object.values(system.words).map((words) => lineWidth(words)));
  system.down = goesDown(widest, room);
  inner.classList.toggle("down", system.down);
  const size = system.down ? FONT.down : fontSizeThatFits(widest, room, largest, FONT.smallest);
  inner.style.fontSize = `${size}px`;
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
    const element = makeSvg("path", "ribbon");
    element.setAttribute("d", ribbonPath(from, to, across, down));
    element.style.setProperty("--weight", weight.toFixed(3));
    element.style.setProperty("--after", system.words.target[i].style.getPropertyValue("--after"));
    return { i, j, element };
  });
  const marks = [];
  if (system.crossing) {
    const mark = makeSvg("ellipse", "ring");
    const some = (side) => system.crossing[side].map((k) => (side === "source" ? source : target)[k]);
    const ring = crossingRing(some("source"), some("target"), across);
    for (const [name, value] of Object.entries(down ? transposedRing(ring) : ring)) {
      mark.setAttribute(name, value.toFixed(1));
    }
    marks.push(mark);
  }
  svg.replaceChildren(...system.shapes.map((shape) => shape.element), ...marks);
}
