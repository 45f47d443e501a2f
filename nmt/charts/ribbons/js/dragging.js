// A ribbon's end dragged to another source word, by pointer or keys: the model is then made to look there.

import { group, passKeyboard, put, shape } from "../../js/elements.js";
import { LEAST_DRAGGED, strongest, within } from "../../js/numbers.js";
import { say } from "../../js/texts.js";
import { nearest } from "./geometry.js";

const RADII = { touched: 13, dot: 4.5 }; // of the area of a handle that a finger touches, and of its visible dot

/** A ribbon's end on its way, told as a cell of the matrix is. @typedef {{panel: number, i: number, from: number, to: number}} Drag */

/** Let the ends of a system's ribbons be dragged; called after each drawing. */
export function makeMovable(view, system) {
  const { svg, inner } = system;
  inner.classList.toggle("movable", Boolean(system.movable));
  if (!system.movable) {
    svg.setAttribute("aria-hidden", "true");
    return;
  }
  svg.removeAttribute("aria-hidden");
  group(svg, say(view.texts.ribbons, system));
  for (const ribbon of system.shapes) {
    if (ribbon.weight >= LEAST_DRAGGED) {
      ribbon.element.classList.add("bright");
      ribbon.element.onpointerdown = (event) => event.pointerType !== "touch" && take(view, system, ribbon, event);
      ribbon.element.onpointerenter = () => view.point({ system: system.number, side: "target", k: ribbon.i });
      ribbon.element.onpointerleave = () => view.point(null);
    }
  }
  system.grips = system.target.map((_, i) => strongestOf(system, i)).filter(Boolean).map((ribbon, k) => {
    const element = put(grip(view, system, ribbon), { tabindex: k === 0 ? 0 : -1 });
    element.onpointerdown = (event) => take(view, system, ribbon, event);
    element.addEventListener("touchstart", (event) => event.preventDefault(), { passive: false }); // else the page scrolls
    return { ...ribbon, element };
  });
  svg.append(...system.grips.map(({ element }) => element));
  svg.onpointermove = (event) => view.drag && view.carry({ ...view.drag, to: wordAt(system, event) });
  svg.onpointerup = () => view.drop();
  svg.onpointercancel = () => view.grab(null);
}

function strongestOf(system, i) {
  const [best] = strongest(system.weights[i], 1, LEAST_DRAGGED);
  return best && system.shapes.find((ribbon) => ribbon.i === i && ribbon.j === best.k);
}

/** @param {PointerEvent} event */
function take(view, system, { i, j }, event) {
  if (event.button === 0 && !view.waiting) {
    event.preventDefault(); // else the words would be selected
    document.activeElement?.blur(); // Ctrl+Z is then about the ribbon, not about the text that was typed before
    system.svg.setPointerCapture(event.pointerId);
    view.grab({ panel: system.number, i, from: j, to: j });
  }
}

function wordAt(system, { clientX, clientY }) {
  return nearest(system.words.source.map((word) => word.getBoundingClientRect()), clientX, clientY);
}

/** The handle at a ribbon's end, which the keyboard and a finger take. */
function grip(view, system, ribbon) {
  const { i, j } = ribbon;
  const element = shape("g", "grip", {
    role: "slider", "aria-orientation": system.down ? "vertical" : "horizontal", "aria-label": say(view.texts.grip, { target: system.target[i] }),
    "aria-valuemin": 1, "aria-valuemax": system.source.length, "aria-valuenow": j + 1, "aria-valuetext": system.source[j],
  });
  const [cx, cy] = system.drawn.end(ribbon);
  element.append(...Object.entries(RADII).map(([name, r]) => shape("circle", name, { cx, cy, r })));
  element.onfocus = () => view.point({ system: system.number, side: "target", k: i });
  element.onblur = () => (view.drag ? view.grab(null) : view.point(null));
  element.onkeydown = (event) => pressed(view, system, ribbon, event);
  return element;
}

/** Along the source words the keys move the end; across them they go to the next ribbon. */
function pressed(view, system, { i, j }, event) {
  const [up, left] = [["ArrowUp", "ArrowDown"], ["ArrowLeft", "ArrowRight"]];
  const along = system.down ? up : system.source_rtl ? left.toReversed() : left;
  const other = system.down ? left : up;
  const [step, turn] = [along, other].map((keys) => [-1, 1][keys.indexOf(event.key)] ?? 0);
  const now = view.drag?.i === i ? view.drag.to : j;
  if (event.altKey || event.ctrlKey || event.metaKey || view.waiting) {
    return;
  }
  if (step) {
    const to = within(now + step, system.source.length - 1);
    view.carry({ panel: system.number, i, from: j, to });
    view.spoken.textContent = say(view.texts.look_at, { target: system.target[i], source: system.source[to] });
  } else if (turn) {
    const k = system.grips.findIndex((each) => each.i === i);
    passKeyboard(system.grips.map(({ element }) => element), k, within(k + turn, system.grips.length - 1));
  } else if ((event.key === "Enter" || event.key === " ") && view.drag) {
    view.drop(true);
  } else if (event.key === "Escape" && view.drag) {
    view.grab(null);
  } else {
    return;
  }
  event.preventDefault();
  event.stopPropagation();
}

/** Show the ribbon where its end is now, while it is dragged and until the answer is there. */
export function showDrag(view, system) {
  const drag = view.drag ?? view.waiting;
  const here = drag?.panel === system.number && drag.to !== drag.from ? drag : null;
  system.ghost?.remove();
  system.ghost = null;
  system.words.source.forEach((word, j) => word.classList.toggle("aimed", here?.to === j));
  system.words.target.forEach((word, i) => word.classList.toggle("waiting", Boolean(view.waiting && here && i > here.i)));
  for (const { i, j, element } of system.shapes) {
    element.classList.toggle("dragged", here?.i === i && here.from === j);
  }
  if (!here) {
    return;
  }
  const { source, target, path } = system.drawn;
  const { weight, to } = system.shapes.find(({ i, j }) => i === here.i && j === here.from);
  const word = source[here.to];
  const width = weight * word.width;
  const from = { left: word.left + (word.width - width) / 2, width };
  system.ghost = shape("path", "ghost", { d: path({ i: here.i, j: here.to, from, to: to ?? target[here.i] }) });
  system.svg.append(system.ghost);
  system.readout.textContent = say(view.texts.look_at, { target: system.target[here.i], source: system.source[here.to] });
}
