// The matrix of a panel: words on top and at the left, square cells, bars on the axes.

import { barsTitle, buildBars } from "./bars.js";
import { make } from "./elements.js";
import { cellFocus } from "./focus.js";
import { SMALL_TEXT, cellOfPlace, cellSide, placeAt, placeOfCell, scrollToShow } from "./layout.js";
import { drawCells } from "./matrix_drawing.js";
import { movedPlace } from "./navigation.js";
import { axisLabel } from "./words.js";

const BARS_WIDTH = 78; // pixels of the bars beside the rows, with their title
const EDGE = 6; // pixels kept free at the right
const ZOOM_KEYS = new Map([["+", 1.25], ["-", 0.8]]);

/** Build the matrix of a panel; its size follows with fitMatrix. */
export function buildMatrix(view, panel) {
  const plane = make("div", "plane");
  const head = make("div", "head");
  const side = make("div", "side");
  const field = make("div", "field");
  panel.scroll = make("div", "scroll");
  panel.corner = make("div", "corner");
  panel.canvas = buildCanvas(view, panel);
  panel.bands = make("div", "bands");
  head.append(axisTitle(panel, panel.columnSide, "column"), axisWords(view, panel, panel.columnSide, "column"));
  side.append(axisTitle(panel, panel.rowSide, "row"), axisWords(view, panel, panel.rowSide, "row"));
  field.append(panel.canvas, panel.bands);
  plane.append(panel.corner, head, side, field);
  if (panel.bars) {
    const [columnBars, rowBars] = [panel.bars[panel.columnSide], panel.bars[panel.rowSide]];
    head.append(buildBars(columnBars, "columns"));
    plane.append(barsTitle(rowBars, "rows"), buildBars(rowBars, "rows"));
    panel.corner.append(barsTitle(columnBars, "columns"));
  }
  panel.scroll.append(plane);
  return panel.scroll;
}

function axisTitle(panel, side, axis) {
  const title = make("div", `${axis}-title`);
  title.append(make("span", "", panel[`${side}_title`]));
  return title;
}

function axisWords(view, panel, side, axis) {
  const words = make("div", `${axis}-words`);
  words.setAttribute("aria-hidden", "true"); // the canvas speaks
  words.append(...panel[side].map((_, k) => axisLabel(view, panel, side, k)));
  return words;
}

function buildCanvas(view, panel) {
  const canvas = make("canvas", "");
  canvas.tabIndex = 0;
  canvas.setAttribute("role", "application");
  canvas.setAttribute("aria-roledescription", "alignment matrix");
  canvas.setAttribute(
    "aria-label",
    `${panel.title}, ${panel.values}: ${panel.target.length} target by ${panel.source.length} source words. ` +
      "Arrow keys move from cell to cell, Enter pins.",
  );
  canvas.onpointermove = (event) => {
    const cell = cellAt(panel, event);
    view.point(cell && cellFocus(cell));
  };
  canvas.onpointerleave = () => view.point(null);
  canvas.onclick = (event) => {
    const cell = cellAt(panel, event);
    if (cell) {
      view.current = cell;
      view.pin(cellFocus(cell));
    }
  };
  canvas.onfocus = () => {
    if (canvas.matches(":focus-visible")) {
      view.goTo(panel, view.current ?? { i: 0, j: 0 });
    }
  };
  canvas.onblur = () => view.leave();
  canvas.onkeydown = (event) => pressed(view, panel, event);
  return canvas;
}

function cellAt(panel, event) {
  const box = panel.canvas.getBoundingClientRect();
  const place = placeAt(event.clientX - box.left, event.clientY - box.top, panel.cell, panel.size);
  return place && { panel: panel.number, ...cellOfPlace(panel.columnSide, place) };
}

function pressed(view, panel, event) {
  if (event.altKey) {
    return;
  }
  const { i, j } = view.current ?? { i: 0, j: 0 };
  const far = event.ctrlKey || event.metaKey;
  const place = movedPlace(placeOfCell(panel.columnSide, { i, j }), event.key, far, panel.size);
  if (ZOOM_KEYS.has(event.key)) {
    view.rescale(ZOOM_KEYS.get(event.key));
  } else if (event.key === "Enter" || event.key === " ") {
    view.pin(cellFocus({ panel: panel.number, i, j }));
  } else if (place) {
    view.goTo(panel, cellOfPlace(panel.columnSide, place));
    reveal(panel, place);
  } else {
    return;
  }
  event.preventDefault();
}

/** Scroll as far as needed for a cell to come out from under the words. */
function reveal({ scroll, cell, corner }, { column, row }) {
  scroll.scrollLeft = scrollToShow(scroll.scrollLeft, column, cell, scroll.clientWidth - corner.offsetWidth);
  scroll.scrollTop = scrollToShow(scroll.scrollTop, row, cell, scroll.clientHeight - corner.offsetHeight);
}

/** Choose the size of the cells by the width of the page, and draw them. */
export function fitMatrix(view, panel) {
  if (!panel.scroll) {
    return;
  }
  // Small text leaves more room for the cells. It stays small where the large one did not fit, else both would alternate.
  panel.element.classList.remove("small");
  let side = sideThatFits(view, panel);
  if (side < SMALL_TEXT) {
    panel.element.classList.add("small");
    side = Math.min(SMALL_TEXT - 1, sideThatFits(view, panel));
  }
  if (side === panel.cell) {
    return;
  }
  panel.cell = side;
  panel.element.style.setProperty("--cell", `${side}px`);
  panel.element.style.setProperty("--beside", `${panel.corner.offsetWidth}px`);
  panel.element.style.setProperty("--above", `${panel.corner.offsetHeight}px`);
  drawCells(panel, panel.is_difference ? view.data.difference_scale : view.data.scale);
}

function sideThatFits(view, panel) {
  const occupied = panel.corner.offsetWidth + (panel.bars ? BARS_WIDTH : 0) + EDGE;
  return cellSide(panel.scroll.clientWidth - occupied, panel.size.columns, view.zoom);
}
