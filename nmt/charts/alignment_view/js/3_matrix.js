// The matrix of a panel: words on top and at the left, square cells, bars on the axes.

const SMALLEST = 12; // pixels of a cell's side, before zooming
const LARGEST = 36;
const SMALL_TEXT = 18; // cells below this side get small labels

function buildMatrix(view, panel) {
  panel.scroll = make("div", "scroll");
  const plane = make("div", "plane");
  panel.corner = make("div", "corner");
  const head = make("div", "head");
  const title = make("div", "column-title");
  title.append(make("span", "", panel[`${panel.columnSide}_title`]));
  const columns = make("div", "column-words");
  columns.setAttribute("aria-hidden", "true");
  columns.append(...panel[panel.columnSide].map((word, k) => label(view, panel, panel.columnSide, word, k)));
  head.append(title, columns);
  const side = make("div", "side");
  const rowTitle = make("div", "row-title");
  rowTitle.append(make("span", "", panel[`${panel.rowSide}_title`]));
  const rows = make("div", "row-words");
  rows.setAttribute("aria-hidden", "true");
  rows.append(...panel[panel.rowSide].map((word, k) => label(view, panel, panel.rowSide, word, k)));
  side.append(rowTitle, rows);
  const field = make("div", "field");
  panel.canvas = make("canvas", "");
  panel.canvas.tabIndex = 0;
  panel.canvas.setAttribute("role", "application");
  panel.canvas.setAttribute("aria-roledescription", "alignment matrix");
  panel.canvas.setAttribute(
    "aria-label",
    `${panel.title}, ${panel.values}: ${panel.target.length} target by ${panel.source.length} source words. ` +
      "Arrow keys move from cell to cell, Enter pins.",
  );
  panel.bands = make("div", "bands");
  field.append(panel.canvas, panel.bands);
  plane.append(panel.corner, head, side, field);
  if (panel.bars) {
    head.append(buildBars(panel, panel.bars[panel.columnSide], "columns"));
    const rowBars = buildBars(panel, panel.bars[panel.rowSide], "rows");
    plane.append(barsTitle(panel.bars[panel.rowSide], "rows"), rowBars);
    panel.corner.append(barsTitle(panel.bars[panel.columnSide], "columns"));
  }
  panel.scroll.append(plane);
  panel.canvas.onpointermove = (event) => point(view, cellAt(panel, event));
  panel.canvas.onpointerleave = () => point(view, null);
  panel.canvas.onclick = (event) => {
    const focus = cellAt(panel, event);
    if (focus) {
      view.current = { panel: panel.number, i: focus.target[0], j: focus.source[0] };
      pin(view, focus);
    }
  };
  panel.canvas.onfocus = () => {
    if (panel.canvas.matches(":focus-visible")) {
      view.current ??= { panel: panel.number, i: 0, j: 0 };
      view.current.panel = panel.number;
      show(view);
      speak(view);
    }
  };
  panel.canvas.onblur = () => {
    view.current = null;
    show(view);
  };
  panel.canvas.onkeydown = (event) => press(view, panel, event);
  return panel.scroll;
}

function label(view, panel, side, word, k) {
  const element = make("span", "label", word);
  const mark = panel.marks[side][k];
  if (mark) {
    element.classList.add("marked");
    element.dataset.mark = mark.sign;
    element.title = `${word}: ${mark.text}`;
  }
  element.onpointerenter = () => point(view, wordFocus(panel, side, k));
  element.onpointerleave = () => point(view, null);
  element.onclick = () => pinWord(view, panel, side, k);
  panel.labels[side][k].push(element);
  return element;
}

function wordFocus(panel, side, k) {
  return { panel: panel.number, source: side === "source" ? [k] : [], target: side === "target" ? [k] : [] };
}

// A bar for each word of an axis. ``second`` is the part of it that is drawn in another tone.
function buildBars(panel, bars, axis) {
  const element = make("div", `bars ${axis}`);
  element.setAttribute("role", "img");
  element.setAttribute("aria-label", bars.spoken);
  bars.values.forEach((value, k) => {
    const place = make("span", "bar-place");
    const size = (v) => `${Math.min(100, (100 * v) / bars.most)}%`;
    const first = make("span", "bar-first");
    const property = axis === "columns" ? "height" : "width";
    first.style[property] = size(value);
    place.append(first);
    if (bars.second) {
      const second = make("span", "bar-second");
      second.style[property] = size(bars.second[k]);
      place.append(second);
    }
    place.title = bars.texts[k];
    element.append(place);
  });
  if (bars.line) {
    const line = make("span", "bar-line");
    line.style[axis === "columns" ? "bottom" : "left"] = `${(100 * bars.line) / bars.most}%`;
    element.append(line);
  }
  return element;
}

function barsTitle(bars, axis) {
  const element = make("span", `bars-title ${axis}`, bars.title);
  element.title = bars.explained;
  return element;
}

// Chooses the cells' side so that the matrix fills the width; a long sentence is scrolled instead.
function fitMatrix(view, panel) {
  if (!panel.scroll) {
    return;
  }
  // Small text leaves more room for the cells: it stays small where the large one did not fit, else both would take turns.
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
  draw(view, panel);
}

function sideThatFits(view, panel) {
  const bars = panel.bars ? 78 : 0;
  const free = (panel.scroll.clientWidth - panel.corner.offsetWidth - bars - 6) / panel[panel.columnSide].length;
  return Math.round(Math.max(SMALLEST, Math.min(LARGEST, Math.floor(free))) * view.zoom);
}

// One pixel per cell first, then scaled up without smoothing; gold links as frames on top.
function draw(view, panel) {
  const columns = panel[panel.columnSide].length;
  const rows = panel[panel.rowSide].length;
  const pixels = new ImageData(columns, rows);
  for (let row = 0; row < rows; row += 1) {
    for (let column = 0; column < columns; column += 1) {
      const weight = panel.columnSide === "source" ? panel.weights[row][column] : panel.weights[column][row];
      pixels.data.set([...colour(scaleOf(view, panel), weight), 255], 4 * (row * columns + column));
    }
  }
  const small = new OffscreenCanvas(columns, rows);
  small.getContext("2d").putImageData(pixels, 0, 0);
  const dots = window.devicePixelRatio || 1;
  const { canvas, cell } = panel;
  canvas.width = Math.round(columns * cell * dots);
  canvas.height = Math.round(rows * cell * dots);
  canvas.style.width = `${columns * cell}px`;
  canvas.style.height = `${rows * cell}px`;
  const context = canvas.getContext("2d");
  context.imageSmoothingEnabled = false;
  context.drawImage(small, 0, 0, canvas.width, canvas.height);
  context.scale(dots, dots);
  for (const [kind, links] of [["possible", panel.possible], ["sure", panel.sure]]) {
    for (const [i, j] of links) {
      frame(context, ...(panel.columnSide === "source" ? [j, i] : [i, j]), cell, kind);
    }
  }
}

// Seen on black as on white: a dark and a light line; possible links are dashed.
function frame(context, column, row, cell, kind) {
  const inset = 2.5;
  const box = [column * cell + inset, row * cell + inset, cell - 2 * inset, cell - 2 * inset];
  context.setLineDash([]);
  context.lineWidth = 3;
  context.strokeStyle = "#ffffff";
  context.strokeRect(...box);
  context.lineWidth = 1.5;
  context.strokeStyle = "#d55e00";
  context.setLineDash(kind === "sure" ? [] : [3, 3]);
  context.strokeRect(...box);
}

function cellAt(panel, event) {
  const box = panel.canvas.getBoundingClientRect();
  const column = Math.floor((event.clientX - box.left) / panel.cell);
  const row = Math.floor((event.clientY - box.top) / panel.cell);
  if (row < 0 || column < 0 || row >= panel[panel.rowSide].length || column >= panel[panel.columnSide].length) {
    return null;
  }
  return { panel: panel.number, [panel.columnSide]: [column], [panel.rowSide]: [row] };
}

// Bands over the rows and columns in focus, a frame around a cell.
function showInMatrix(view, panel, focus) {
  if (!panel.bands) {
    return;
  }
  const marks = [];
  if (focus && isCell(focus)) {
    marks.push(band("cell-mark", focus[panel.columnSide][0], focus[panel.rowSide][0], 1, 1));
  } else if (focus) {
    const width = panel[panel.columnSide].length;
    const height = panel[panel.rowSide].length;
    marks.push(...focus[panel.rowSide].map((row) => band("band", 0, row, width, 1)));
    marks.push(...focus[panel.columnSide].map((column) => band("band", column, 0, 1, height)));
  }
  const stays = view.pinned && view.pinned.panel === panel.number && isCell(view.pinned) ? view.pinned : null;
  if (stays) {
    marks.push(band("pin-mark", stays[panel.columnSide][0], stays[panel.rowSide][0], 1, 1));
  }
  panel.bands.replaceChildren(...marks);

  function band(name, column, row, columns, rows) {
    const element = make("span", name);
    const { cell } = panel;
    element.style.cssText =
      `left:${column * cell}px;top:${row * cell}px;width:${columns * cell}px;height:${rows * cell}px`;
    return element;
  }
}
