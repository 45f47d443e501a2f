// Sizes that depend on the room: of the words, and of the ribbons between them.

import { heightOnScreen, put, shape } from "../../js/elements.js";
import {
  bandsOfWords, centred, crossingRing, fontSizeThatFits, goesDown, lineBegins, ribbonHeights, ribbonPath, ribbons,
} from "./geometry.js";

const FONT = { largest: 17, readable: 13, smallest: 10, down: 15, most: 8 }; // most: of bands
const LECTURE = { largest: 0.08, readable: 0.042, low: 0.09, high: 0.36, step: 0.95, most: 2, smallest: 20 }; // in heights of the window; low, high: ribbons
const GAP = { least: 0.12, most: 1.4, few: 4 }; // between words, as in view.css, and between few words; times the size of the type
const CALM = 0.6; // of the room: a line of few words that is as wide needs no more
const CLOSER = 0.5; // for a word without a space before it in the text
const BETWEEN_BANDS = 10;
const DOT = 6; // from a source word to the handle of its ribbon
const SIDES = ["source", "target"];

/** Fit systems into the width of their place. In a lecture words grow until they fill the screen, and ribbons take what is left. */
export function fitSystems(place, systems, large) {
  const [room, tall] = [place.clientWidth, window.innerHeight];
  const fit = (sizes) => {
    systems.forEach((system) => fitWords(system, room, sizes));
    matchSizes(systems, room);
  };
  if (!large) {
    fit({ ...FONT, ...ribbonHeights(tall, systems.filter(({ svg }) => svg).length || 1) });
    return;
  }
  const [high, low] = [heightOnScreen(place), LECTURE.low * tall];
  const fitAt = (largest, across) => fit({ ...LECTURE, largest, readable: Math.min(largest, LECTURE.readable * tall), lines: across, bands: across });
  let size = LECTURE.largest * tall;
  for (fitAt(size, low); place.offsetHeight > high && size > LECTURE.smallest; fitAt(size, low)) {
    size *= LECTURE.step;
  }
  const spaces = systems.reduce((sum, { svg, bands }) => sum + (svg ? bands?.starts.length ?? 1 : 0), 0);
  fitAt(size, Math.floor(Math.max(low, Math.min(LECTURE.high * tall, low + (high - place.offsetHeight) / spaces))));
}

/** Choose the direction of the two lines, their size, and whether they go on in further bands. */
function fitWords(system, room, { largest, readable, most, lines, bands }) {
  const { inner } = system;
  setSize(system, largest);
  inner.style.removeProperty("--gap");
  if (!system.svg) {
    return; // words without ribbons go on in the next line
  }
  inner.classList.remove("down");
  leaveBands(system);
  const widthNow = () => Math.max(...Object.values(system.words).map((words) => lineWidth(words)));
  const widest = widthNow();
  system.down = goesDown(widest, room);
  inner.classList.toggle("down", system.down);
  const roomThere = (room * largest) / readable; // what fits into the room in small type
  if (!system.down && widest > roomThere) {
    const widths = (side) => system.words[side].map((word) => word.getBoundingClientRect().width + GAP.least * largest);
    const begins = (side) => lineBegins(system[side], system[`${side}_close`]);
    const ofBoth = (what) => ({ source: what("source"), target: what("target") });
    system.bands = bandsOfWords(system.weights, ofBoth(widths), ofBoth(begins), roomThere, most);
  }
  const longest = system.bands?.width ?? widest;
  setSize(system, system.down ? FONT.down : fontSizeThatFits(longest, room, largest, FONT.smallest));
  system.across = system.bands ? bands : lines;
  put(system.svg, { width: 0, height: system.down ? 0 : system.across }); // its former width would keep its room, and the words their places
  if (system.bands) {
    placeInBands(system, room);
  } else if (!system.down) {
    while (system.size > FONT.smallest && widthNow() > room) {
      setSize(system, system.size - 0.1); // letters of other sizes are as wide only to a pixel
    }
    inner.style.setProperty("--gap", gapOf(Object.values(system.words), system.size, room));
  }
}

/** Room between the words of all lines, so that short lines use the width, and the ribbons between them have room. */
export function gapOf(lines, size, room) {
  const wider = (width) => lines.map((words) => {
    const spaces = words.filter((word, k) => k > 0 && !word.classList.contains("close")).length;
    return (width - lineWidth(words)) / (spaces || 1) / size;
  });
  const most = Math.max(GAP.most, Math.min(GAP.few, ...wider(CALM * room)));
  const more = Math.max(0, Math.min(most - GAP.least, ...wider(room)));
  return `${(GAP.least + more) * size}px`;
}

/** Give words without ribbons the size and, if they fit, the gaps of those with ribbons, so that both read as one. */
function matchSizes(systems, room) {
  const others = systems.filter((system) => system.svg);
  const gaps = others.map(({ inner }) => inner.style.getPropertyValue("--gap")).filter(Boolean);
  for (const system of systems.filter(({ svg }) => !svg)) {
    setSize(system, Math.min(system.size, ...others.map(({ size }) => size)));
    if (gaps.length) {
      system.inner.style.setProperty("--gap", `min(${gaps[0]}, ${gapOf([system.words.target], system.size, room)})`);
    }
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
  const { bands: { starts }, across, inner, words } = system;
  const line = inner.querySelector(".word").offsetHeight;
  const each = 2 * line + across + BETWEEN_BANDS;
  inner.classList.add("banded");
  inner.style.height = `${starts.length * each - BETWEEN_BANDS}px`;
  for (const side of SIDES) {
    const top = side === "source" ? 0 : line + across;
    starts.forEach((start, band) => {
      const some = words[side].slice(start[side], starts[band + 1]?.[side]);
      const widths = some.map((word) => word.getBoundingClientRect().width);
      const gaps = some.map((word) => (GAP.least - (word.classList.contains("close") ? CLOSER : 0)) * system.size);
      const places = centred(widths, gaps, room, system[`${side}_rtl`]);
      some.forEach((word, k) => {
        word.style.left = `${places[k]}px`;
        word.style.top = `${top + band * each}px`;
      });
    });
  }
}

function lineWidth(words) {
  const boxes = words.map((word) => word.getBoundingClientRect());
  return Math.max(...boxes.map((box) => box.right)) - Math.min(...boxes.map((box) => box.left));
}

/**
 * Draw the ribbons between the words of a system that has some where they are now. The system then has the shapes, and `drawn`: the boxes of its
 * words, the path of a ribbon between two of them, and the point where a ribbon leaves its source word.
 */
export function drawRibbons(system) {
  const { svg } = system;
  system.drawn = system.bands ? betweenBands(system) : betweenLines(system);
  const { width, height, source, target, path, ring } = system.drawn;
  put(svg, { width, height, viewBox: `0 0 ${width} ${height}` });
  system.shapes = ribbons(system.weights, source, target).map(({ i, j, weight, from, to }) => {
    const element = shape("path", "ribbon", { d: path({ i, j, from, to }) });
    element.style.setProperty("--weight", String(weight));
    element.style.setProperty("--after", system.words.target[i].style.getPropertyValue("--after"));
    return { i, j, weight, from, to, element };
  });
  const mark = system.crossing && ring(...SIDES.map((side) => system.crossing[side].map((k) => system.drawn[side][k])));
  svg.replaceChildren(...system.shapes.map(({ element }) => element), ...(mark ? [shape("ellipse", "ring", mark)] : []));
}

/** Two lines, one above the other or, in a narrow window, side by side. */
function betweenLines({ down, inner, words, across: high }) {
  const boxes = (side) => words[side].map((word) => down
    ? { left: word.offsetTop, width: word.offsetHeight }
    : { left: word.offsetLeft, width: word.offsetWidth });
  const [width, height] = down
    ? [Math.max(0, inner.clientWidth - lineWidth(words.source) - lineWidth(words.target)), inner.clientHeight]
    : [inner.scrollWidth, high];
  const across = down ? width : height; // from the source words to the target words
  return {
    width,
    height,
    source: boxes("source"),
    target: boxes("target"),
    path: ({ from, to }) => ribbonPath(from, to, 0, across, down),
    end: ({ from }) => (down ? [DOT, from.left + from.width / 2] : [from.left + from.width / 2, DOT]),
    ring: (from, to) => crossingRing(from, to, across, down),
  };
}

/** Behind the words of all bands; a ribbon from one band to another passes under the words between them. */
function betweenBands({ inner, words }) {
  const boxes = (side) => words[side].map((word) => ({
    left: word.offsetLeft, width: word.offsetWidth, top: word.offsetTop, bottom: word.offsetTop + word.offsetHeight,
  }));
  const [source, target] = [boxes("source"), boxes("target")];
  const leaves = (i, j) => (source[j].top < target[i].top ? source[j].bottom : source[j].top);
  const meets = (i, j) => (source[j].top < target[i].top ? target[i].top : target[i].bottom);
  return {
    width: inner.clientWidth,
    height: inner.clientHeight,
    source,
    target,
    path: ({ i, j, from, to }) => ribbonPath(from, to, leaves(i, j), meets(i, j)),
    end: ({ i, j, from }) => [from.left + from.width / 2, leaves(i, j) + Math.sign(meets(i, j) - leaves(i, j)) * DOT],
    ring: (from, to) => {
      const [[above], [below]] = [from, to];
      const [top, bottom] = [above.bottom, below.top];
      const inOneBand = [...from, ...to].every((box) => box.top === (box.bottom <= top ? above : below).top);
      const ring = crossingRing(from, to, bottom - top);
      return inOneBand && top < bottom ? { ...ring, cy: ring.cy + top } : null;
    },
  };
}
