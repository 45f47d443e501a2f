// The drawing of one step: source and annotations below, scores and weights above them, ribbons up to the context, and
// on top state, context, readout and the next word.

import { label, shape, smoothPath, titled } from "../../js/elements.js";
import { decimals, share } from "../../js/numbers.js";
import { say } from "../../js/texts.js";
import { progressAt } from "./frames.js";
import { drawingLayout, energyPlace, fitted, ribbonWidth } from "./layout.js";
import { formula, heat, spoken } from "./svg.js";

const INSET = 5;
const WIDEST_BAR = 44;
const TITLE = 20;
const [LETTER, WIDE] = [5.5, 0.6]; // mean width of a small letter, and of a bold one for each pixel of its size
const LARGE = 1.6; // of the type in a presentation

/**
 * Draw a frame.
 * @param {object} view the view: its data, model, frame and the box that is looked at
 * @param {number} width
 * @returns {SVGElement}
 */
export function drawFrame(view, width) {
  const { model, frame } = view;
  const step = model.steps[frame.word];
  const directions = model.annotations[0].length;
  const layout = drawingLayout(width, model.source, model.attends, directions, view.data.large ? LARGE : 1);
  const picture = { view, model, step, layout, scale: view.data.scale, progress: progressAt(frame, model.attends) };
  const svg = shape("svg", "drawing", {
    viewBox: `0 0 ${layout.width} ${layout.height}`, width: layout.width, height: layout.height, role: "group",
    "aria-label": say(view.texts.drawing, { word: model.target[frame.word] }),
  });
  svg.append(arrowHead(), ribbons(picture), arrows(picture));
  svg.append(...topBoxes(picture));
  if (model.attends) {
    svg.append(alphaRow(picture), energyRow(picture));
  }
  svg.append(annotationRow(picture), sourceWords(picture));
  return svg;
}

/** A group that is looked at by pointer, keyboard or click. */
function part(picture, name) {
  const { view, model, progress } = picture;
  const { symbol, title } = model.boxes[name];
  const element = shape("g", `part ${name} ${progress[name]}`, {
    role: "button", tabindex: 0, "data-part": name,
    "aria-label": `${title}, ${spoken(symbol)}`, "aria-pressed": view.pinned === name,
  });
  element.onpointerenter = () => view.look(name, null);
  element.onpointerleave = () => view.look(null, null);
  element.onfocus = () => view.look(name, null);
  element.onblur = () => view.look(null, null);
  element.onclick = () => view.pin(name);
  element.onkeydown = (event) => {
    if (event.key === "Enter" || event.key === " ") {
      event.preventDefault();
      event.stopPropagation();
      view.pin(name);
    }
  };
  return element;
}

function topBox(picture, name, ...content) {
  const element = part(picture, name);
  const { size, boxes: { [name]: box } } = picture.layout;
  const { symbol, title } = picture.model.boxes[name];
  element.append(shape("rect", "frame", { ...box, rx: 5 }), formula("symbol", symbol, box.x + 7, box.y + 14 * size));
  if ((title.length * LETTER + 44) * size < box.width) {
    element.append(label("small name", title, box.x + box.width - 7, box.y + 13 * size, "end"));
  }
  element.append(...content);
  return element;
}

function topBoxes(picture) {
  const { model, step, layout, view } = picture;
  const { boxes, size } = layout;
  const { word } = view.frame;
  const before = word > 0 ? model.target[word - 1] : view.texts.first;
  const inner = (name) => {
    const { x, y, width, height } = boxes[name];
    return { x: x + INSET, y: y + TITLE * size, width: width - 2 * INSET, height: height - TITLE * size - INSET };
  };
  const vector = (name, packed) => topBox(picture, name, ...(packed ? [heat(picture.scale, packed, inner(name))] : [
    label("small", view.texts.last, boxes[name].x + boxes[name].width / 2, boxes[name].y + 34 * size, "middle"),
  ]));
  return [
    topBox(picture, "previous", wordIn(boxes.previous, before, size)),
    vector("state", step.state),
    vector("context", step.context),
    readout(picture),
    topBox(picture, "word", wordIn(boxes.word, model.target[word], size)),
    vector("next", step.next),
  ];
}

function wordIn(box, text, size) {
  const short = fitted(text, (box.width - 12) / size);
  const element = label("written", short, box.x + box.width / 2, box.y + 30 + 12 * size, "middle");
  element.style.setProperty("--fitting", `${(box.width - 8) / (WIDE * [...short].length)}px`);
  return titled(element, text);
}

/** The most probable words with their probabilities; the one that was written stands out. */
function readout(picture) {
  const { model, step, layout, view } = picture;
  const { size, boxes: { readout: box } } = layout;
  const written = step.subword ?? model.target[view.frame.word];
  const lineHeight = Math.min(22 * size, (box.height - TITLE * size - 3) / step.top.length); // one alone fills no box
  const numbers = box.width > 118 ? 36 * size : 0;
  const names = Math.min(96 * size, (box.width - numbers) * 0.55);
  const full = box.width - names - numbers - 16;
  const lines = step.top.flatMap(([word, p], k) => {
    const y = box.y + TITLE * size + k * lineHeight;
    const chosen = word === written ? " chosen" : "";
    const name = label(`candidate${chosen}`, fitted(word, names / size), box.x + 7, y + lineHeight * 0.72);
    titled(name, `${word}: ${share(p)}`);
    const bar = shape("rect", `bar${chosen}`, {
      x: box.x + 9 + names, y: y + 3, width: Math.max(0.5, full * p), height: lineHeight - 6,
    });
    const at = [box.x + box.width - 5, y + lineHeight * 0.72];
    return numbers ? [name, bar, label("small number", share(p), ...at, "end")] : [name, bar];
  });
  return topBox(picture, "readout", ...lines);
}

/** Groups of the rows below: one element that the keyboard reaches, whose columns the pointer tells apart. */
function row(picture, name, { y, height }, drawColumn) {
  const { view, model, layout } = picture;
  const element = part(picture, name);
  const { symbol, row: rowName } = model.boxes[name];
  const middle = y + height / 2 + 4;
  element.append(formula("symbol", symbol, layout.named ? layout.gutter - 42 * layout.size : 2, middle));
  if (layout.named) {
    element.append(label("small name", rowName, 0, middle));
  }
  model.source.forEach((word, j) => {
    const column = titled(shape("g", "column"), word);
    const x = layout.gutter + j * layout.columnWidth;
    column.append(shape("rect", "area", { x, y, width: layout.columnWidth, height }), ...drawColumn(j, x, layout.columnWidth));
    column.onpointerenter = (event) => {
      event.stopPropagation();
      view.look(name, j);
    };
    element.append(column);
  });
  return element;
}

function alphaRow(picture) {
  const { step, layout } = picture;
  const { y, height } = layout.rows.alpha;
  return row(picture, "alpha", layout.rows.alpha, (j, x, width) => {
    const tall = Math.max(0.75, height * step.alpha[j]);
    const wide = Math.min(WIDEST_BAR, width * 0.7);
    const bar = shape("rect", "bar", { x: x + (width - wide) / 2, y: y + height - tall, width: wide, height: tall });
    const inside = tall > height - 12 * layout.size; // there is no room above it
    const text = step.alpha[j] >= 0.1 && width >= 24 ? [
      label(
        `small number ${inside ? "inside" : ""}`, decimals(step.alpha[j], 2), x + width / 2,
        y + height - tall + (inside ? 11 * layout.size : -2), "middle",
      ),
    ] : [];
    return [bar, ...text];
  });
}

function energyRow(picture) {
  const { step, layout } = picture;
  const { y, height } = layout.rows.energies;
  return row(picture, "energies", layout.rows.energies, (j, x, width) => {
    const cell = shape("rect", "energy", { x: x + 1, y, width: width - 2, height });
    cell.style.setProperty("--place", String(energyPlace(step.energies, j)));
    return [cell];
  });
}

function annotationRow(picture) {
  const { model, layout, scale } = picture;
  const element = row(picture, "annotations", layout.rows.annotations, (j, x, width) => {
    const gap = Math.min(2, width * 0.1);
    return layout.cells.map(({ y, height }, direction) =>
      heat(scale, model.annotations[j][direction], { x: x + gap, y, width: width - 2 * gap, height }));
  });
  if (!model.attends) {
    const last = model.source.length - 1;
    [...element.querySelectorAll(".column")].forEach((column, j) => column.classList.toggle("dropped", j !== last));
  }
  const names = model.attends ? ["→", "←"] : ["→"];
  layout.cells.forEach(({ y, height }, k) => element.append(label("small", names[k], layout.gutter - 16 * layout.size, y + height / 2 + 4)));
  return element;
}

function sourceWords(picture) {
  const { model, layout, view } = picture;
  const element = shape("g", "source-words");
  const { y, height } = layout.rows.words;
  model.source.forEach((word, j) => {
    const x = layout.centre(j);
    const room = (layout.upright ? height * 1.25 : layout.columnWidth) / layout.size;
    const below = y + 12 * layout.size;
    const text = label(`source-word${view.column === j ? " lit" : ""}`, fitted(word, room), x, below, layout.upright ? "end" : "middle");
    if (layout.upright) {
      text.setAttribute("transform", `rotate(-50 ${x} ${below})`);
    }
    element.append(titled(text, word));
  });
  return element;
}

function ribbons(picture) {
  const { model, step, layout, progress } = picture;
  const element = shape("g", `ribbons ${progress.context === "later" ? "later" : "done"}`);
  const { x, y, width, height } = layout.boxes.context;
  const [toX, toY] = [x + width / 2, y + height];
  const weights = model.attends ? step.alpha : model.source.map((_, j) => Number(j === model.source.length - 1));
  weights.forEach((weight, j) => {
    if (weight >= 0.004) {
      const path = shape("path", "ribbon", { d: smoothPath([layout.centre(j), layout.ribbons.bottom + 2], [toX, toY]) });
      path.style.strokeWidth = `${ribbonWidth(weight)}px`;
      path.style.opacity = String(0.25 + 0.6 * weight);
      element.append(path);
    }
  });
  return element;
}

function arrows({ model, layout, progress }) {
  const element = shape("g", "arrows");
  const { previous, state, context, readout: out, word, next } = layout.boxes;
  const middle = ({ y, height }) => y + height / 2;
  const right = ({ x, width }) => x + width;
  const add = (d, name) => element.append(shape("path", `arrow ${progress[name]}`, { d, "marker-end": "url(#head)" }));
  const between = (previous.y + previous.height + state.y) / 2;
  add(`M ${right(previous)} ${middle(previous)} H ${out.x - 2}`, "readout");
  add(`M ${right(state) - 12} ${state.y} V ${between} H ${out.x - 2}`, "readout");
  add(`M ${right(context)} ${middle(context)} H ${out.x - 2}`, "readout");
  add(`M ${right(out)} ${middle(word)} H ${word.x - 2}`, "word");
  add(`M ${word.x + word.width / 2} ${word.y + word.height} V ${next.y - 2}`, "next");
  if (model.attends) {
    const { y, height } = layout.rows.energies;
    const x = layout.gutter - 9;
    add(`M ${x} ${state.y + state.height} V ${y + height / 2} H ${layout.gutter}`, "energies");
  }
  return element;
}

function arrowHead() {
  return shape("defs", "", {}, shape("marker", "", {
    id: "head", viewBox: "0 0 8 8", refX: 7, refY: 4, markerWidth: 7, markerHeight: 7, orient: "auto-start-reverse",
  }, shape("path", "arrow-head", { d: "M 0 0 L 8 4 L 0 8 z" })));
}
