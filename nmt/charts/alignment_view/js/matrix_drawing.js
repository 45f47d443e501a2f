// Drawing of the cells, of frames around gold links, and of the bands of the focus.

import { colour, pixels } from "../../js/colour_scale.js";
import { make, pixelCanvas } from "../../js/elements.js";
import { isCell } from "./focus.js";
import { placeOfCell, weightsOnPage } from "./layout.js";

const FRAME_INSET = 2.5;

/**
 * Draw one pixel per cell, then enlarge without smoothing; gold links are frames on top, and
 * cells that stand out for another reason have rings.
 * @param {import("../../js/colour_scale.js").ColourScale} scale
 */
export function drawCells(panel, scale) {
  const { canvas, cell, columnSide } = panel;
  const { columns, rows } = panel.size;
  const scaleAt = (row, column) => panel.row_scales?.[columnSide === "source" ? row : column] ?? scale;
  const small = pixelCanvas(pixels(scaleAt, weightsOnPage(panel.weights, columnSide)), columns, rows);
  const dots = window.devicePixelRatio;
  canvas.width = Math.round(columns * cell * dots);
  canvas.height = Math.round(rows * cell * dots);
  canvas.style.width = `${columns * cell}px`;
  canvas.style.height = `${rows * cell}px`;
  const context = canvas.getContext("2d");
  context.imageSmoothingEnabled = false;
  context.drawImage(small, 0, 0, canvas.width, canvas.height);
  context.scale(dots, dots);
  if (panel.grid) {
    context.fillStyle = `rgb(${colour(scale, 0.3).join(" ")})`;
    for (let k = 1; k < Math.max(columns, rows); k += 1) {
      context.fillRect(k * cell - 0.5, 0, 1, k < columns ? rows * cell : 0);
      context.fillRect(0, k * cell - 0.5, k < rows ? columns * cell : 0, 1);
    }
  }

  const side = cell - 2 * FRAME_INSET;
  for (const [links, width, dashes] of [[panel.possible, 1.5, [3, 3]], [panel.sure, 1.5, []], [panel.rings ?? [], 2, []]]) {
    for (const [i, j] of links) {
      const { column, row } = placeOfCell(columnSide, { i, j });
      const path = new Path2D();
      if (links === panel.rings) {
        path.arc((column + 0.5) * cell, (row + 0.5) * cell, side / 2, 0, 2 * Math.PI);
      } else {
        path.rect(column * cell + FRAME_INSET, row * cell + FRAME_INSET, side, side);
      }
      outline(context, width, dashes, path);
    }
  }
}

/** A light and a dark line, visible on black as on white. */
function outline(context, width, dashes, path) {
  for (const [lineWidth, strokeStyle, dash] of [[2 * width, "#ffffff", []], [width, "#d55e00", dashes]]) {
    Object.assign(context, { lineWidth, strokeStyle });
    context.setLineDash(dash);
    context.stroke(path);
  }
}

/** Show bands over the rows and columns in focus, a frame around a cell, and another around a pinned cell. */
export function showInMatrix(view, panel, focus) {
  if (!panel.bands) {
    return;
  }
  const { columns, rows } = panel.size;
  const marks = (panel.hatched_rows ?? []).map((i) => (
    mark("hatched-row", panel.cell, panel.rowSide === "target" ? [0, i, columns, 1] : [i, 0, 1, rows])
  ));
  if (focus && isCell(focus)) {
    marks.push(cellMark("cell-mark", panel, focus));
  } else if (focus) {
    marks.push(...focus[panel.rowSide].map((row) => mark("band", panel.cell, [0, row, columns, 1])));
    marks.push(...focus[panel.columnSide].map((column) => mark("band", panel.cell, [column, 0, 1, rows])));
  }
  if (view.pinned && view.pinned.panel === panel.number && isCell(view.pinned)) {
    marks.push(cellMark("pin-mark", panel, view.pinned));
  }
  if (view.drag?.panel === panel.number) {
    marks.push(cellMark("drag-mark", panel, { source: [view.drag.from], target: [view.drag.i] }));
  }
  panel.bands.replaceChildren(...marks);
}

function cellMark(name, panel, { source: [j], target: [i] }) {
  const { column, row } = placeOfCell(panel.columnSide, { i, j });
  return mark(name, panel.cell, [column, row, 1, 1]);
}

function mark(name, cell, box) {
  const element = make("span", name);
  const [left, top, width, height] = box.map((cells) => `${cells * cell}px`);
  Object.assign(element.style, { left, top, width, height });
  return element;
}
