// The word links of a panel: source words above or at the left, target words below or at the right, and a line for each
// link that the page's threshold leaves, as wide as its weight.

import { lineOfWords, make, put, shape, smoothPath } from "../../js/elements.js";
import { isCell } from "./focus.js";
import { LINKS_HEIGHT, lineWidth } from "./layout.js";
import { wordButton } from "./words.js";

/** Build the links of a panel; the lines follow with fitLinks. */
export function buildLinks(view, panel) {
  panel.svg = shape("svg", "lines", { "aria-hidden": "true" });
  panel.inner = make("div", "links-inner", wordRow(view, panel, "source"), panel.svg, wordRow(view, panel, "target"));
  panel.links = make("div", "links", panel.inner);
  return panel.links;
}

function wordRow(view, panel, side) {
  const words = panel[side].map((_, k) => wordButton(view, panel, side, k));
  return lineOfWords(`words ${side}`, panel[`${side}_title`], panel[`${side}_rtl`], words);
}

/** Choose the direction by the width of the page, and draw the lines. */
export function fitLinks(view, panel) {
  if (!panel.links) {
    return;
  }
  const { layout } = view.data;
  panel.links.classList.toggle("vertical", layout === "vertical");
  if (layout === "auto") {
    panel.links.classList.toggle("vertical", panel.inner.scrollWidth > panel.links.clientWidth + 1);
  }
  drawLines(panel, panel.links.classList.contains("vertical"));
}

function drawLines(panel, vertical) {
  const [source, target] = panel.inner.querySelectorAll(".words");
  const [from, to] = [wordMiddles(source, vertical), wordMiddles(target, vertical)];
  const length = vertical
    ? Math.max(source.offsetHeight, target.offsetHeight)
    : Math.max(source.scrollWidth, target.scrollWidth, panel.inner.clientWidth);
  const [width, height] = vertical ? [LINKS_HEIGHT, length] : [length, LINKS_HEIGHT];
  put(panel.svg, { width, height, viewBox: `0 0 ${width} ${height}` });
  const ends = (i, j) => (vertical ? [[0, from[j]], [LINKS_HEIGHT, to[i]]] : [[from[j], 0], [to[i], LINKS_HEIGHT]]);
  const path = (i, j, classes) => shape("path", classes, { d: smoothPath(...ends(i, j), vertical) });
  panel.lines = panel.links_shown.map(([i, j, weight]) => {
    const kind = panel.is_difference ? " difference" : panel.not_attention ? " stand-in" : "";
    const element = path(i, j, `line${kind}${weight < 0 ? " less" : ""}`);
    const size = Math.min(1, Math.abs(weight));
    element.style.strokeWidth = `${lineWidth(size).toFixed(2)}px`;
    element.style.setProperty("--weight", String(size));
    return { i, j, element };
  });
  panel.svg.replaceChildren(
    ...panel.lines.map((line) => line.element),
    ...panel.possible.map(([i, j]) => path(i, j, "gold possible")),
    ...panel.sure.map(([i, j]) => path(i, j, "gold sure")),
  );
}

function wordMiddles(words, vertical) {
  return [...words.children].map((word) =>
    vertical ? word.offsetTop + word.offsetHeight / 2 : word.offsetLeft + word.offsetWidth / 2,
  );
}

/** Fade all lines but those of the words in focus. */
export function showInLinks(panel, focus) {
  if (!panel.svg) {
    return;
  }
  panel.svg.classList.toggle("focused", Boolean(focus));
  for (const { i, j, element } of panel.lines) {
    const [target, source] = [focus?.target.includes(i), focus?.source.includes(j)];
    element.classList.toggle("lit", Boolean(focus && isCell(focus) ? target && source : target || source));
  }
}
