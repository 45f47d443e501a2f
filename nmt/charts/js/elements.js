// Elements of the page. Words enter it as textContent, never as HTML.

const SVG = "http://www.w3.org/2000/svg";

/**
 * @param {string} tag
 * @param {string} classes
 * @param {...(Element | string | false | null | undefined)} inside what it holds; if that begins with a text, all is shown in
 *   the direction of its own letters
 */
export function make(tag, classes, ...inside) {
  const element = document.createElement(tag);
  element.className = classes;
  if (typeof inside[0] === "string") {
    element.dir = "auto";
  }
  element.append(...inside.filter(Boolean));
  return element;
}

/** Whether the text around an element is light. */
export function darkAround(element) {
  return Number(getComputedStyle(element).color?.match(/\d+/g)?.[1] ?? 0) > 127;
}

/** Give an element attributes. */
export function put(element, attributes) {
  for (const [name, value] of Object.entries(attributes)) {
    element.setAttribute(name, String(value));
  }
  return element;
}

/** Whether the reader has a finger in place of a pointer. */
export function touched() {
  return !window.matchMedia("(pointer: fine)").matches;
}

/** A button; `action` is called with its events. */
export function button(classes, text, action = null) {
  const element = make("button", classes, text);
  element.type = "button";
  element.onclick = action;
  return element;
}

/** A small button with a name, by which `refill` knows it again. */
export function control(name, text, action) {
  return put(button("switch", text, action), { "data-control": name });
}

/** A list of words with a bar and a number each. @param {[string, string, number][]} lines the last one is the bar, 0 to 1 */
export function valueList(lines) {
  return make("ul", "values", ...lines.map(([word, text, part]) => (
    make("li", "", make("span", "value-word", word), shareOf(make("span", "value-bar"), part), make("span", "value-number", text))
  )));
}

/** Give an element its share, 0 to 1, which its style draws. */
export function shareOf(element, share) {
  element.style.setProperty("--share", String(share));
  return element;
}

/** An entry of a legend: a small drawing, and what it means. */
export function legendEntry(words, width, height, ...drawn) {
  return make("span", "", shape("svg", "", { width, height, "aria-hidden": "true" }, ...drawn), words);
}

/** Give an element the name that screen readers say; with a key also the text that its pointer shows. */
export function setName(element, text, key) {
  element.setAttribute("aria-label", text);
  if (key !== undefined) {
    element.title = `${text} (${key})`;
  }
}

/** Element that screen readers take for one picture. */
export function describe(element, text) {
  return put(element, { role: "img", "aria-label": text });
}

/** Name what belongs together. */
export function group(element, name) {
  return put(element, { role: "group", "aria-label": name });
}

/** An SVG element with attributes, and what it holds. */
export function shape(tag, classes, attributes = {}, ...inside) {
  const element = put(document.createElementNS(SVG, tag), { class: classes, ...attributes });
  element.append(...inside);
  return element;
}

/** Text at a place of an SVG; `anchor` as in SVG. */
export function label(classes, text, x, y, anchor = "start") {
  return shape("text", classes, { x, y, "text-anchor": anchor }, text);
}

/** Text that the pointer shows over an element of an SVG. */
export function titled(element, text) {
  element.append(shape("title", "", {}, text));
  return element;
}

/** SVG path of a smooth line between two points, which leaves and meets them upright, or sideways. */
export function smoothPath([x, y], [toX, toY], sideways = false) {
  const [middleX, middleY] = [(x + toX) / 2, (y + toY) / 2];
  const bends = sideways ? `${middleX} ${y}, ${middleX} ${toY}` : `${x} ${middleY}, ${toX} ${middleY}`;
  return `M ${x} ${y} C ${bends}, ${toX} ${toY}`;
}

/** A canvas of one pixel for each value. @param {Uint8ClampedArray} colours red, green, blue and opacity in turn */
export function pixelCanvas(colours, width, height) {
  const canvas = Object.assign(document.createElement("canvas"), { width, height });
  canvas.getContext("2d").putImageData(new ImageData(colours, width, height), 0, 0);
  return canvas;
}

/** Call `look` while the pointer or the keyboard is on a word, with false when it leaves; `speak` when the keyboard comes. */
export function whileLookedAt(word, look, speak) {
  word.onpointerenter = () => look(true);
  word.onpointerleave = () => look(false);
  word.onblur = () => look(false);
  word.onfocus = () => {
    if (word.matches(":focus-visible")) {
      look(true);
      speak();
    }
  };
}

/**
 * A named line of words, one of them a tab stop, between which the keyboard moves in reading order.
 * @param {number[]} [begins] numbers of the words at which a line that goes on may begin
 */
export function lineOfWords(classes, name, rightToLeft, words, begins = [...words.keys()]) {
  const line = group(make("div", classes, ...begins.map((begin, k) => together(words.slice(begin, begins[k + 1])))), name);
  line.dir = rightToLeft ? "rtl" : "ltr";
  words.forEach((word, k) => {
    word.tabIndex = k === 0 ? 0 : -1;
  });
  line.onkeydown = (event) => {
    const k = words.indexOf(event.target.closest(".word"));
    const next = event.altKey ? null : movedWord(k, event.key, words.length, rightToLeft);
    if (next !== null) {
      event.preventDefault();
      passKeyboard(words, k, next);
      words[next].scrollIntoView({ block: "nearest", inline: "nearest" });
    }
  };
  return line;
}

/** Words between which no line ends. @param {Element[]} words */
function together(words) {
  return words.length === 1 ? words[0] : make("span", "together", ...words);
}

/** Number of the word after a key, in reading order; null for a key that moves nothing, and at the ends. */
export function movedWord(k, key, count, rightToLeft) {
  const [back, onwards] = rightToLeft ? ["ArrowRight", "ArrowLeft"] : ["ArrowLeft", "ArrowRight"];
  const moves = { [back]: k - 1, ArrowUp: k - 1, [onwards]: k + 1, ArrowDown: k + 1, Home: 0, End: count - 1 };
  const next = moves[key];
  return next >= 0 && next < count ? next : null;
}

/** Move the keyboard's focus and the tab stop from one element to another. */
export function passKeyboard(elements, k, next) {
  elements[k].setAttribute("tabindex", -1);
  elements[next].setAttribute("tabindex", 0);
  elements[next].focus();
}

/** Put other elements into a place. A control that had the keyboard, by its `data-control`, has it again. */
export function refill(place, ...inside) {
  const focused = place.getRootNode().activeElement?.dataset?.control;
  place.replaceChildren(...inside.filter(Boolean));
  if (focused) {
    place.querySelector(`[data-control="${focused}"]`)?.focus({ preventScroll: true });
  }
}

/** An element and all around it, also outside of its shadow tree, from within. */
function around(element) {
  const outer = element.parentElement ?? element.getRootNode().host;
  return outer ? [element, ...around(outer)] : [element];
}

/** Distance of an element from the upper edge of the window while the page is not scrolled. */
export function topInWindow(element) {
  const scrolled = around(element.parentElement).reduce((sum, each) => sum + each.scrollTop, 0);
  return element.getBoundingClientRect().top + scrolled;
}

/** The outermost element around an element that is as high as its content: what scrolls, scrolls it. */
export function contentAround(element) {
  const outside = around(element).toReversed();
  return outside.find((each) => /auto|scroll/.test(getComputedStyle(each.parentElement ?? each).overflowY)) ?? outside[0];
}

/** Pixels that an element may be high so that nothing around it scrolls. */
export function heightOnScreen(element) {
  const content = contentAround(element);
  element.style.height = `${window.innerHeight}px`;
  const { scrollHeight, clientHeight } = content.parentElement ?? content;
  element.style.removeProperty("height");
  return window.innerHeight - (scrollHeight - clientHeight) - 1; // all of these are rounded
}

/** Whether data differ from the last data that a view received under a name. */
export function isNew(view, data, name = "received") {
  const before = view[name];
  view[name] = JSON.stringify(data);
  return view[name] !== before;
}

/** A view in an element, which draws itself (`draw`) when its place gets another size. */
export class View {
  /** @param {Element} element @param {string} place selector */
  constructor(element, place) {
    this.find = (selector) => element.querySelector(selector);
    [this.place, this.spoken] = [this.find(place), this.find(".spoken")];
    this.observer = new ResizeObserver(() => this.draw());
    this.observer.observe(this.place);
    this.print = Object.assign(window.matchMedia("print"), { onchange: () => this.draw() }); // on white paper
  }

  end() {
    this.print.onchange = null;
    this.observer.disconnect();
  }
}

/** @type {WeakMap<Element, object>} the view in each element */
const views = new WeakMap();

/**
 * Show data in an element that contains the frame of a view. May be called any number of times on one element.
 * @param {new (element: Element) => View & {receive: (data: object) => void}} Kind
 * @param {Element} element
 * @param {object} data with the texts of the view
 * @param {object} [callbacks] set on the view by their names
 * @returns {(() => void) & {view: View}} call it to end the view
 */
export function mountView(Kind, element, data, callbacks = {}) {
  if (!(views.get(element) instanceof Kind)) { // a script of another version may have been here
    views.set(element, new Kind(element));
  }
  const view = Object.assign(views.get(element), { texts: data.texts }, callbacks);
  view.receive(data);
  return Object.assign(() => {
    view.end();
    views.delete(element);
  }, { view });
}
