// The matrix of a panel: words on top and at the left, square cells, bars on the axes.

import { scaleOf } from "../../js/colour_scale.js";
import { describe, make, put, topInWindow } from "../../js/elements.js";
import { say } from "../../js/texts.js";
import { cellFocus, sameFocus } from "./focus.js";
import {
  MANY_COLUMNS, NARROW, SMALL_TEXT, TINY_TEXT, cellOfPlace, cellSide, dragFrom, draggedTo, leastRoom,
  movedPlace, placeAt, placeOfCell, scrollToShow, shownOf,
} from "./layout.js";
import { drawCells } from "./matrix_drawing.js";
import { axisLabel } from "./words.js";

const EDGE = 10; // pixels kept free at the right, and before the bars
const ZOOM_KEYS = new Map([["+", 1.25], ["-", 0.8]]);

/** Build the matrix of a panel; its size follows with fitMatrix. */
export function buildMatrix(view, panel) {
  const axis = (name, side, classes) => make(
    "div", name, make("div", `${classes}-title`, make("span", "", panel[`${side}_title`])),
    put(make("div", `${classes}-words`, ...panel[side].map((_, k) => axisLabel(view, panel, side, k))), { "aria-hidden": "true" }), // the canvas speaks
  );
  panel.corner = make("div", "corner");
  panel.canvas = buildCanvas(view, panel);
  panel.bands = make("div", "bands");
  panel.head = axis("head", panel.columnSide, "column");
  const field = make("div", "field", panel.canvas, panel.bands);
  const plane = make("div", "plane", panel.corner, panel.head, axis("side", panel.rowSide, "row"), field);
  if (panel.bars) {
    const [columnBars, rowBars] = [panel.bars[panel.columnSide], panel.bars[panel.rowSide]];
    panel.head.append(buildBars(columnBars, "columns"));
    panel.rowBars = buildBars(rowBars, "rows");
    plane.append(barsTitle(rowBars, "rows"), panel.rowBars);
    panel.corner.append(barsTitle(columnBars, "columns"));
  }
  panel.scroll = make("div", "scroll", plane);
  return panel.scroll;
}

function buildCanvas(view, panel) {
  const canvas = make("canvas", "");
  canvas.tabIndex = 0;
  const about = { title: panel.title, values: panel.values, rows: panel.target.length, columns: panel.source.length };
  put(canvas, { role: "application", "aria-roledescription": view.texts.matrix, "aria-label": say(view.texts.matrix_about, about) });
  canvas.onpointerdown = (event) => {
    view.justDragged = false;
    if (event.button === 0 && event.pointerType !== "touch" && view.grab(dragFrom(panel, cellAt(panel, event)))) {
      canvas.setPointerCapture(event.pointerId);
    }
  };
  canvas.onpointermove = (event) => {
    const cell = cellAt(panel, event);
    canvas.classList.toggle("movable", Boolean(dragFrom(panel, cell)));
    if (view.drag) {
      const box = canvas.getBoundingClientRect();
      const [x, y] = [event.clientX - box.left, event.clientY - box.top];
      view.carry(draggedTo(view.drag, x, y, panel.cell, panel.size, panel.columnSide));
    } else {
      view.point(cell && cellFocus(cell));
    }
  };
  canvas.onpointerup = () => view.drop();
  canvas.onpointercancel = () => view.grab(null);
  canvas.onpointerleave = () => view.point(null);
  canvas.onclick = (event) => {
    const cell = cellAt(panel, event);
    if (cell && !view.justDragged) {
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
  const chooses = event.key === "Enter" || event.key === " ";
  if (ZOOM_KEYS.has(event.key)) {
    view.rescale(ZOOM_KEYS.get(event.key));
  } else if (place) {
    view.goTo(panel, cellOfPlace(panel.columnSide, place));
    reveal(panel, place);
  } else if (!chooses) {
    return;
  }
  const here = cellFocus(place ? view.current : { panel: panel.number, i, j });
  if ((chooses || (place && view.pinned)) && !sameFocus(view.pinned, here)) {
    view.pin(here); // what is pinned goes with the keyboard, and Escape lets it go
  }
  event.preventDefault();
}

/** Scroll as far as needed for a cell to come out from under the words. */
function reveal({ scroll, cell, corner }, { column, row }) {
  scroll.scrollLeft = scrollToShow(scroll.scrollLeft, column, cell, scroll.clientWidth - corner.offsetWidth);
  scroll.scrollTop = scrollToShow(scroll.scrollTop, row, cell, scroll.clientHeight - corner.offsetHeight);
}

/**
 * One bar per word.
 * @param {"columns" | "rows"} axis
 */
function buildBars(bars, axis) {
  const [length, from] = axis === "columns" ? ["height", "bottom"] : ["width", "left"];
  const part = (name, property, value) => {
    const element = make("span", name);
    element.style[property] = `${Math.min(100, (100 * value) / bars.most)}%`;
    return element;
  };
  const places = bars.values.map((value, k) => put(make(
    "span", "bar-place", part("bar-first", length, value), bars.second && part("bar-second", length, bars.second[k]),
  ), { title: bars.texts[k] }));
  const line = bars.line > 0 && part("bar-line", from, bars.line);
  return describe(make("div", `bars ${axis}`, ...places, line), `${bars.title}. ${bars.explained}`);
}

/** @param {"columns" | "rows"} axis */
function barsTitle(bars, axis) {
  return put(make("span", `bars-title ${axis}`, bars.title), { title: bars.explained });
}

/**
 * Choose the size of the cells by the room, and draw them. All panels get one size and equal room for the words, so that
 * they can be compared.
 */
export function fitMatrices(view) {
  const panels = view.panels.filter((panel) => panel.scroll);
  if (!panels.length) {
    return;
  }
  shareWidth(view, panels);
  if (view.data.most_height === "window") {
    const top = Math.min(...panels.map(({ scroll }) => topInWindow(scroll)));
    const least = Math.max(...panels.map(({ corner, size }) => corner.offsetHeight + leastRoom(size.rows))) + EDGE;
    const below = Math.max(...panels.map(({ readout }) => readout.offsetHeight)) + EDGE;
    const height = Math.max(least, window.innerHeight - top - below); // not used if the matrix is far below
    view.place.style.setProperty("--most-height", top > window.innerHeight / 2 ? "42rem" : `${height}px`);
  }
  // Small text leaves more room for the cells. If large text did not fit, it stays small, else the two would alternate.
  let side = sideThatFits(view, panels, "");
  for (const [text, limit] of [["small", SMALL_TEXT], ["small tiny", TINY_TEXT]]) {
    if (side < limit) {
      side = Math.min(limit - 1, sideThatFits(view, panels, text));
    }
  }
  const every = shownOf(side);
  for (const panel of panels) {
    panel.element.style.setProperty("--cell", `${side}px`);
    for (const elements of [panel.labels.source, panel.labels.target]) {
      const kept = Math.min(Math.floor(every / 2), elements.length - 1); // not the first word, which the edge would cut
      elements.forEach((shown, k) => {
        shown.forEach((element) => element.classList.toggle("thinned", k % every !== kept));
      });
    }
  }
  const bar = side * Math.min(...panels.map(({ size }) => size.columns)); // no colour bar is larger than its matrix
  view.frame.style.setProperty("--bar", `${bar}px`);
  shareLabelRoom(view, panels); // the words on top need the size of the cells
  for (const panel of panels) {
    panel.element.style.setProperty("--beside", `${panel.corner.offsetWidth}px`);
    panel.element.style.setProperty("--above", `${panel.corner.offsetHeight}px`);
    if (panel.cell !== side) {
      panel.cell = side;
      drawCells(panel, scaleOf(panel, view.data));
    }
  }
}

/** Put panels of long sentences side by side only if cells can still be told apart, else one below the other. */
function shareWidth(view, panels) {
  const columns = Math.max(...panels.map(({ size }) => size.columns));
  const { style } = view.place;
  style.removeProperty("--narrowest");
  if (columns >= MANY_COLUMNS) {
    sideThatFits(view, panels, "small tiny"); // for the room that words need
    const beside = panels.map(({ element, scroll, corner, rowBars }) => (
      element.offsetWidth - scroll.clientWidth + corner.offsetWidth + (rowBars?.offsetWidth ?? 0)
    ));
    style.setProperty("--narrowest", `${Math.max(...beside) + EDGE + leastRoom(columns)}px`);
  }
}

/** @param {string} text classes of the size of the text */
function sideThatFits(view, panels, text) {
  for (const { element } of panels) {
    element.classList.remove("small", "tiny");
    element.classList.add(...text.split(" ").filter(Boolean));
  }
  shareLabelRoom(view, panels);
  const narrow = window.innerWidth < NARROW;
  return Math.min(...panels.map(({ scroll, corner, rowBars, size }) => {
    const width = scroll.clientWidth - corner.offsetWidth - (rowBars?.offsetWidth ?? 0) - EDGE;
    const height = parseFloat(getComputedStyle(scroll).maxHeight) - corner.offsetHeight - EDGE;
    return cellSide({ width, height }, size, view.zoom, narrow);
  }));
}

/** Give the words of all panels the room that the longest of them need, together with the bars on top. */
function shareLabelRoom(view, panels) {
  const { style } = view.place;
  style.setProperty("--words-beside", "0px");
  style.setProperty("--words-above", "0px");
  const widths = panels.map(({ corner }) => corner.offsetWidth);
  const heights = panels.map(({ head }) => head.offsetHeight);
  style.setProperty("--words-beside", `${Math.max(...widths)}px`);
  style.setProperty("--words-above", `${Math.max(...heights)}px`);
}
