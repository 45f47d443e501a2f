// The alignment matrix of one sentence pair: source words on top, target words down, 0 black, 1 white.
//
// Streamlit calls the default export again whenever the data or the theme change, and its result once at the end;
// everything here may therefore run any number of times on the same elements. Words enter the page as textContent.

const SMALLEST = 14; // pixels of a cell's side
const LARGEST = 36;
const SMALL_TEXT = 18; // cells below this side get small labels
const HINT = "Point at a cell, or use the arrow keys.";

const views = new WeakMap(); // parentElement -> view

export default function ({ data, parentElement }) {
  const view = views.get(parentElement) ?? create(parentElement);
  const received = JSON.stringify(data);
  if (view.received !== received) {
    view.received = received;
    adopt(view, data);
  }
  return () => {
    view.observer.disconnect();
    views.delete(parentElement);
  };
}

function create(parentElement) {
  const find = (selector) => parentElement.querySelector(selector);
  const view = {
    root: find(".view"),
    readout: find(".readout"),
    spoken: find(".spoken"),
    scroll: find(".scroll"),
    corner: find(".corner"),
    sourceTitle: find(".source-title span"),
    targetTitle: find(".target-title span"),
    sourceWords: find(".source-words"),
    targetWords: find(".target-words"),
    canvas: find("canvas"),
    cursor: find(".cursor"),
    data: null,
    received: "", // the data as text, to tell new data from the same sent again
    side: 0, // pixels of a cell
    pointed: null, // the cell under the pointer
    current: null, // the cell of the keyboard
  };
  view.canvas.onpointermove = (event) => point(view, cellAt(view, event));
  view.canvas.onpointerleave = () => point(view, null);
  view.canvas.onpointerdown = (event) => {
    view.current = cellAt(view, event);
  };
  view.canvas.onfocus = () => {
    view.current ??= { i: 0, j: 0 };
    show(view);
    speak(view);
  };
  view.canvas.onblur = () => {
    view.current = null;
    show(view);
  };
  view.canvas.onkeydown = (event) => press(view, event);
  view.observer = new ResizeObserver(() => fit(view));
  view.observer.observe(view.scroll);
  views.set(parentElement, view);
  return view;
}

// ---------------------------------------------------------------------------------------------- drawing

function adopt(view, data) {
  view.data = data;
  view.pointed = null;
  view.current = null;
  view.side = 0;
  view.sourceTitle.textContent = data.source_title;
  view.targetTitle.textContent = data.target_title;
  view.sourceWords.replaceChildren(...data.source.map(label));
  view.targetWords.replaceChildren(...data.target.map(label));
  view.canvas.setAttribute(
    "aria-label",
    `Alignment weights, ${data.target.length} target by ${data.source.length} source words. ` +
      "Arrow keys move from cell to cell.",
  );
  fit(view);
  show(view);
}

function label(word) {
  const element = document.createElement("span");
  element.className = "label";
  element.dir = "auto";
  element.textContent = word;
  return element;
}

// Chooses the cells' side so that the matrix fills the width; a long sentence is scrolled instead.
function fit(view) {
  if (!view.data || view.scroll.clientWidth === 0) {
    return;
  }
  const beside = view.corner.offsetWidth + 6;
  const free = Math.floor((view.scroll.clientWidth - beside) / view.data.source.length);
  const side = Math.max(SMALLEST, Math.min(LARGEST, free));
  if (side === view.side) {
    return;
  }
  view.side = side;
  view.root.style.setProperty("--cell", `${side}px`);
  view.root.classList.toggle("small", side < SMALL_TEXT);
  view.root.style.setProperty("--beside", `${view.corner.offsetWidth}px`);
  view.root.style.setProperty("--above", `${view.corner.offsetHeight}px`);
  draw(view);
  show(view);
}

// One pixel per cell first, then scaled up without smoothing.
function draw(view) {
  const { source, target, weights } = view.data;
  const pixels = new ImageData(source.length, target.length);
  weights.flat().forEach((alpha, k) => {
    const grey = Math.round(255 * Math.min(1, Math.max(0, alpha)));
    pixels.data.set([grey, grey, grey, 255], 4 * k);
  });
  const small = new OffscreenCanvas(source.length, target.length);
  small.getContext("2d").putImageData(pixels, 0, 0);
  const width = source.length * view.side;
  const height = target.length * view.side;
  const dots = window.devicePixelRatio || 1;
  view.canvas.width = Math.round(width * dots);
  view.canvas.height = Math.round(height * dots);
  view.canvas.style.width = `${width}px`;
  view.canvas.style.height = `${height}px`;
  const context = view.canvas.getContext("2d");
  context.imageSmoothingEnabled = false;
  context.drawImage(small, 0, 0, view.canvas.width, view.canvas.height);
}

// ---------------------------------------------------------------------------------------------- pointing

function cellAt(view, event) {
  const box = view.canvas.getBoundingClientRect();
  const j = Math.floor((event.clientX - box.left) / view.side);
  const i = Math.floor((event.clientY - box.top) / view.side);
  const inside = i >= 0 && j >= 0 && i < view.data.target.length && j < view.data.source.length;
  return inside ? { i, j } : null;
}

function point(view, cell) {
  if (cell?.i === view.pointed?.i && cell?.j === view.pointed?.j) {
    return;
  }
  view.pointed = cell;
  show(view);
}

// Shows the cell under the pointer, else that of the keyboard, else none.
function show(view) {
  const cell = view.pointed ?? view.current;
  for (const element of view.root.querySelectorAll(".lit")) {
    element.classList.remove("lit");
  }
  view.cursor.hidden = !cell;
  if (!cell) {
    view.readout.replaceChildren(part("hint", HINT));
    return;
  }
  view.sourceWords.children[cell.j].classList.add("lit");
  view.targetWords.children[cell.i].classList.add("lit");
  view.cursor.style.transform = `translate(${cell.j * view.side}px, ${cell.i * view.side}px)`;
  view.readout.replaceChildren(
    part("word target", view.data.target[cell.i]),
    " ← ",
    part("word source", view.data.source[cell.j]),
    part("alpha", `α = ${view.data.weights[cell.i][cell.j].toFixed(3)}`),
  );
}

function part(name, text) {
  const element = document.createElement("span");
  element.className = name;
  element.dir = "auto";
  element.textContent = text;
  return element;
}

// ---------------------------------------------------------------------------------------------- keyboard

function press(view, event) {
  const bottom = view.data.target.length - 1;
  const right = view.data.source.length - 1;
  const { i, j } = view.current ?? { i: 0, j: 0 };
  const far = event.ctrlKey || event.metaKey;
  const moves = {
    ArrowUp: { i: i - 1, j },
    ArrowDown: { i: i + 1, j },
    ArrowLeft: { i, j: j - 1 },
    ArrowRight: { i, j: j + 1 },
    Home: { i: far ? 0 : i, j: 0 },
    End: { i: far ? bottom : i, j: right },
  };
  const move = moves[event.key];
  if (!move || event.altKey) {
    return;
  }
  event.preventDefault();
  view.pointed = null;
  view.current = { i: Math.min(bottom, Math.max(0, move.i)), j: Math.min(right, Math.max(0, move.j)) };
  show(view);
  reveal(view);
  speak(view);
}

// Scrolls as far as needed for the current cell to come out from under the words.
function reveal(view) {
  const { i, j } = view.current;
  const { scroll, side, corner } = view;
  const width = scroll.clientWidth - corner.offsetWidth;
  const height = scroll.clientHeight - corner.offsetHeight;
  scroll.scrollLeft = Math.min(j * side, Math.max(scroll.scrollLeft, (j + 1) * side - width + 6));
  scroll.scrollTop = Math.min(i * side, Math.max(scroll.scrollTop, (i + 1) * side - height + 6));
}

function speak(view) {
  const { i, j } = view.current;
  const { source, target, weights } = view.data;
  view.spoken.textContent =
    `Target word ${i + 1} of ${target.length}, ${target[i]}; ` +
    `source word ${j + 1} of ${source.length}, ${source[j]}; alpha ${weights[i][j].toFixed(3)}`;
}
