// A page without a browser, in which the views are drawn and used: elements that know their text, attributes, styles and
// places. Its layout is simple and always the same: a letter is half as wide as the type is large, and what a stylesheet
// would arrange stands one beside or below the other. So what a view draws follows from its code and its data alone.

const LETTERS = { fontBoundingBoxAscent: 12, fontBoundingBoxDescent: 4 };
const LINE = 20; // height of a line of text
const ROOMS = { // [width, height] of what stylesheets size, by class; a missing one follows from the content
  corner: [64, 48], head: [null, 48], rows: [40, null], picture: [110, 150], words: [400, LINE],
};
const SMALLER = ["small", "tiny"]; // classes each of which takes room from the corner of a matrix
const BESIDE = ["line", "words", "models", "stages", "strip", "moves"]; // classes whose children stand side by side
const BELOW = ["down", "vertical"]; // classes in which words stand one below the other

/** The width of the page, and of the window. */
export const page = { width: 800, height: 900, hover: true, still: false, ratio: 1 };

const timers = new Map();
let clock = 0;

/** Let time pass, in milliseconds: all that waits for it happens, in order. */
export function pass(milliseconds) {
  const end = clock + milliseconds;
  for (;;) {
    const due = [...timers.entries()].filter(([, timer]) => timer.at <= end).toSorted(([, a], [, b]) => a.at - b.at)[0];
    if (!due) {
      break;
    }
    const [number, timer] = due;
    clock = timer.at;
    if (timer.every) {
      timer.at += timer.every;
    } else {
      timers.delete(number);
    }
    timer.action();
  }
  clock = end;
}

function later(action, milliseconds, every) {
  const number = later.next = (later.next ?? 0) + 1;
  timers.set(number, { action, at: clock + milliseconds, every });
  return number;
}

class Style {
  setProperty(name, value) {
    this[name] = String(value);
  }

  getPropertyValue(name) {
    return this[name] ?? "";
  }

  removeProperty(name) {
    delete this[name];
  }
}

class Classes {
  constructor(element) {
    this.element = element;
  }

  get all() {
    return (this.element.getAttribute("class") ?? "").split(" ").filter(Boolean);
  }

  set all(names) {
    this.element.setAttribute("class", names.join(" "));
  }

  contains(name) {
    return this.all.includes(name);
  }

  add(...names) {
    this.all = [...new Set([...this.all, ...names])];
  }

  remove(...names) {
    this.all = this.all.filter((name) => !names.includes(name));
  }

  toggle(name, force = !this.contains(name)) {
    this[force ? "add" : "remove"](name);
  }
}

const SIMPLE = /^(?:(.+) )?([\w-]*)((?:[.#][\w-]+)*)((?:\[[^\]]*\])*)(:not\(\[hidden\]\))?(:focus|:focus-visible)?$/;

/** An element of the page. */
export class Element {
  constructor(tag) {
    Object.assign(this, { tag, parentElement: null, nodes: [], attributes: new Map(), style: new Style() });
    Object.assign(this, { classList: new Classes(this), scrollLeft: 0, scrollTop: 0, listeners: new Map() });
    this.dataset = new Proxy({}, {
      get: (_, name) => this.getAttribute(`data-${name}`) ?? undefined,
      set: (_, name, value) => (this.setAttribute(`data-${name}`, value), true),
    });
  }

  get children() {
    return this.nodes.filter((node) => node instanceof Element);
  }

  get firstChild() {
    return this.nodes[0] ?? null;
  }

  get lastChild() {
    return this.nodes.at(-1) ?? null;
  }

  get textContent() {
    return this.nodes.map((node) => (node instanceof Element ? node.textContent : node)).join("");
  }

  set textContent(text) {
    this.replaceChildren(...(String(text) ? [String(text)] : []));
  }

  append(...nodes) {
    for (const node of nodes) {
      if (node instanceof Element) {
        node.remove();
        node.parentElement = this;
      }
      this.nodes.push(node instanceof Element ? node : String(node));
    }
  }

  appendChild(node) {
    this.append(node);
    return node;
  }

  replaceChildren(...nodes) {
    for (const child of this.children) {
      child.parentElement = null;
      if (child.contains(document.activeElement)) {
        document.activeElement = null;
      }
    }
    this.nodes = [];
    this.append(...nodes);
  }

  remove() {
    if (this.parentElement) {
      this.parentElement.nodes = this.parentElement.nodes.filter((node) => node !== this);
      this.parentElement = null;
    }
  }

  setAttribute(name, value) {
    this.attributes.set(name, String(value));
  }

  getAttribute(name) {
    return this.attributes.get(name) ?? null;
  }

  removeAttribute(name) {
    this.attributes.delete(name);
  }

  contains(other) {
    return other === this || this.children.some((child) => child.contains(other));
  }

  matches(selectors) {
    return selectors.split(",").some((selector) => {
      const [, around, tag, names, attributes, seen, focus] = selector.trim().match(SIMPLE);
      const wanted = [...attributes.matchAll(/\[([\w-]+)(?:="?([^"\]]*)"?)?\]/g)];
      return (!tag || tag === this.tag)
        && (names.match(/[.#][^.#]+/g) ?? []).every((name) => (
          name[0] === "#" ? this.getAttribute("id") === name.slice(1) : this.classList.contains(name.slice(1))))
        && wanted.every(([, name, value]) => (value === undefined ? this.attributes.has(name) : this.getAttribute(name) === value))
        && (!seen || !this.attributes.has("hidden"))
        && (!focus || document.activeElement === this)
        && (!around || Boolean(this.parentElement?.closest(around)));
    });
  }

  closest(selectors) {
    return this.matches(selectors) ? this : this.parentElement?.closest(selectors) ?? null;
  }

  querySelectorAll(selectors) {
    return this.children.flatMap((child) => [...(child.matches(selectors) ? [child] : []), ...child.querySelectorAll(selectors)]);
  }

  querySelector(selectors) {
    return this.querySelectorAll(selectors)[0] ?? null;
  }

  getRootNode() {
    return document;
  }

  attachShadow() {
    this.shadowRoot = Object.assign(new Element("shadow"), { host: this });
    return this.shadowRoot;
  }

  addEventListener(name, action, { passive = false } = {}) {
    this.listeners.set(name, passive ? (event) => action({ ...event, preventDefault() {} }) : action);
  }

  focus({ preventScroll = false } = {}) {
    document.activeElement?.onblur?.();
    if (!preventScroll) {
      this.scrollIntoView();
    }
    document.activeElement = this;
    this.onfocus?.();
  }

  setPointerCapture() {}

  scrollIntoView() {
    this.setAttribute("scrolled-to", clock);
  }

  animate(frames, { duration, easing }) {
    this.setAttribute("moves", `${JSON.stringify(frames)} in ${duration} ms, ${easing}`);
  }

  // What the layout makes of it.

  get siblings() {
    return this.parentElement?.children ?? [];
  }

  get size() { // of the type
    return parseFloat(this.style.fontSize) || this.parentElement?.size || 16;
  }

  get inline() {
    return this.nodes.length > 0 && this.nodes.every((node) => !(node instanceof Element) || ["span", "svg"].includes(node.tag));
  }

  room(k) {
    const room = ROOMS[this.classList.all.find((name) => ROOMS[name])]?.[k] ?? null;
    return room && this.classList.contains("corner") ? room - 8 * SMALLER.filter((name) => this.closest(`.${name}`)).length : room;
  }

  get beside() { // whether the children stand side by side
    return this.classList.all.some((name) => BESIDE.includes(name)) && !BELOW.some((name) => this.closest(`.${name}`));
  }

  get offsetWidth() {
    const row = this.beside && this.children.reduce((sum, child) => sum + child.offsetWidth + 0.12 * this.size, 0);
    if (row || this.inline || this.tag === "button") {
      return row || this.room(0) || [...this.textContent].length * 0.5 * this.size + 2;
    }
    return this.room(0) ?? this.clientWidth;
  }

  get clientWidth() {
    const given = this.room(0);
    const place = this.parentElement?.clientWidth ?? page.width;
    return given ?? (this.classList.contains("panel") ? Math.floor(place / this.siblings.length) : place);
  }

  get scrollWidth() {
    return Math.max(this.clientWidth, ...this.querySelectorAll(".line, .words").map((line) => Math.round(line.offsetWidth)));
  }

  get offsetHeight() {
    const heights = this.children.map((child) => child.offsetHeight);
    const whole = this.beside ? Math.max(0, ...heights) : heights.reduce((sum, height) => sum + height, 0);
    return this.room(1) ?? (this.inline ? LINE : whole);
  }

  get clientHeight() {
    return this.offsetHeight;
  }

  get scrollHeight() {
    return this.offsetHeight;
  }

  get offsetLeft() {
    if (this.style.left) {
      return parseFloat(this.style.left);
    }
    const before = this.siblings.slice(0, this.siblings.indexOf(this));
    return this.parentElement?.beside ? before.reduce((sum, each) => sum + each.offsetWidth + 0.12 * this.size, 0) : 0;
  }

  get offsetTop() {
    if (this.style.top) {
      return parseFloat(this.style.top);
    }
    const before = this.siblings.slice(0, this.siblings.indexOf(this));
    return this.parentElement?.beside ? 0 : before.reduce((sum, each) => sum + each.offsetHeight, 0);
  }

  getBoundingClientRect() {
    const around = this.parentElement?.getBoundingClientRect() ?? { left: 8, top: 40 };
    const [left, top] = [around.left + this.offsetLeft, around.top + this.offsetTop];
    return { left, top, width: this.offsetWidth, height: this.offsetHeight, right: left + this.offsetWidth, bottom: top + this.offsetHeight };
  }

  getContext() {
    this.strokes = [];
    return new Proxy({}, {
      get: (set, name) => (name === "measureText" ? () => LETTERS : null) ?? set[name] ?? ((...given) => this.strokes.push(`${name}(${given.map(told).join(", ")})`)),
      set: (set, name, value) => (this.strokes.push(`${name} = ${told(value)}`), true),
    });
  }

  click() {}

  toDataURL() {
    return this.strokes.join("; ");
  }
}

function told(value) {
  if (value instanceof Element) {
    return `[${value.toDataURL()}]`;
  }
  return value?.told ?? JSON.stringify(value);
}

// Properties that are attributes.
for (const [property, name] of [["className", "class"], ["title", "title"], ["dir", "dir"], ["type", "type"], ["tabIndex", "tabindex"],
  ["hidden", "hidden"], ["disabled", "disabled"], ["src", "src"], ["alt", "alt"], ["width", "width"], ["height", "height"],
  ["lang", "lang"], ["value", "value"], ["checked", "checked"], ["id", "id"], ["name", "name"]]) {
  Object.defineProperty(Element.prototype, property, {
    get() {
      return this.getAttribute(name) ?? "";
    },
    set(value) {
      this[value === false || value === "" ? "removeAttribute" : "setAttribute"](name, value);
    },
  });
}

class Path2D {
  constructor(path = "") {
    this.told = path;
  }

  arc(...given) {
    this.told += `arc ${given.join(" ")}`;
  }

  ellipse(...given) {
    this.told += `ellipse ${given.join(" ")}`;
  }

  rect(...given) {
    this.told += `rect ${given.join(" ")}`;
  }
}

class ImageData {
  constructor(colours, width, height) {
    const digits = [...colours].map((part) => part.toString(16).padStart(2, "0"));
    const each = Array.from({ length: width * height }, (_, k) => digits.slice(4 * k, 4 * k + 4).join(""));
    const sum = each.reduce((whole, one) => (31 * whole + parseInt(one, 16)) % 1_000_003, 0);
    this.told = `${width} x ${height}: ${each.length > 40 ? `${each[0]} to ${each.at(-1)}, sum ${sum}` : each.join(" ")}`;
  }
}

class ResizeObserver {
  static all = new Set();

  constructor(action) {
    this.action = action;
  }

  watched = new Set();

  observe(element) {
    this.watched.add(Object.assign(element, { watched: true }));
    ResizeObserver.all.add(this);
  }

  disconnect() {
    this.watched.forEach((element) => Object.assign(element, { watched: false }));
    ResizeObserver.all.delete(this);
  }
}

/** Give the page another size. */
export function resize(width, height = page.height) {
  Object.assign(page, { width, height });
  [...ResizeObserver.all].forEach((observer) => observer.action());
}

class CSSStyleSheet {
  replaceSync() {}
}

const heard = new Map();
export const document = {
  activeElement: null,
  createElement: (tag) => new Element(tag),
  createElementNS: (_, tag) => new Element(tag),
  addEventListener: (name, action) => heard.set(name, [...(heard.get(name) ?? []), action]),
  removeEventListener: (name, action) => heard.set(name, (heard.get(name) ?? []).filter((each) => each !== action)),
  dispatchEvent: (event) => (heard.get(event.type) ?? []).forEach((action) => action(event)),
};

Object.assign(globalThis, {
  document, Path2D, ImageData, ResizeObserver, Element, CSSStyleSheet,
  CustomEvent: class {
    constructor(type, { detail }) {
      Object.assign(this, { type, detail });
    }
  },
  window: {
    get innerWidth() {
      return page.width;
    },
    get innerHeight() {
      return page.height;
    },
    get devicePixelRatio() {
      return page.ratio;
    },
    matchMedia: (query) => globalThis.matchMedia(query),
  },
  matchMedia: (query) => ({ matches: query.includes("reduced-motion") ? page.still : page.hover }),
  getComputedStyle: (element) => ({
    overflowY: "visible",
    maxHeight: element.closest(".panels")?.style["--most-height"]?.replace("42rem", "672px") ?? "none",
  }),
  setTimeout: (action, milliseconds) => later(action, milliseconds, 0),
  setInterval: (action, milliseconds) => later(action, milliseconds, milliseconds),
  clearTimeout: (number) => timers.delete(number),
  clearInterval: (number) => timers.delete(number),
});

const TAG = /<(\/?)(\w+)((?:\s+[\w-]+(?:="[^"]*")?)*)\s*>|([^<]+)/g;

/** The elements of a frame, such as view.html; a template is the shadow tree of the element around it. */
export function framed(html) {
  const root = new Element("body");
  let now = root;
  for (const [, closing, tag, attributes, text] of html.matchAll(TAG)) {
    if (text) {
      now.append(...(text.trim() ? [text.trim()] : []));
    } else if (closing) {
      now = now.parentElement ?? now.host;
    } else if (tag === "template") {
      now.shadowRoot = Object.assign(new Element("shadow"), { host: now });
      now = now.shadowRoot;
    } else {
      const element = now.appendChild(new Element(tag));
      for (const [, name, value] of attributes.matchAll(/([\w-]+)(?:="([^"]*)")?/g)) {
        element.setAttribute(name, value ?? "true");
      }
      now = tag === "input" ? now : element;
    }
  }
  return root;
}

/** A text whose numbers have two decimals. */
export const rounded = (text) => String(text).replaceAll(/-?\d+\.\d+(?:e-?\d+)?/g, (number) => String(Number(Number(number).toFixed(2))));

const READ = ["title", "aria-label", "aria-valuetext"]; // attributes that are read by people

/** What is on the page, a line for each element: tag, classes, attributes, {styles}, "text". What is read stands in quotes. */
export function written(element, depth = 0) {
  const attributes = [...element.attributes].filter(([name, value]) => name !== "class" && !(name === "dir" && value === "auto"))
    .map(([name, value]) => (READ.includes(name) ? `${name}=${JSON.stringify(value)}` : rounded(`${name}=${value}`)));
  const styles = Object.entries(element.style).map(([name, value]) => `${name}: ${value}`);
  const head = [
    [element.tag, ...element.classList.all].join("."),
    ...attributes,
    ...(styles.length ? [rounded(`{${styles.join("; ")}}`)] : []),
    ...(element.strokes && !element.getAttribute("src") ? [rounded(`<${element.toDataURL()}>`)] : []),
    ...(document.activeElement === element ? ["(has the keyboard)"] : []),
    ...(element.watched ? ["(its size is watched)"] : []),
    ...(element.scrollLeft || element.scrollTop ? [`(scrolled by ${element.scrollLeft}, ${element.scrollTop})`] : []),
  ];
  const pieces = element.nodes.filter((node) => !(node instanceof Element));
  const alone = pieces.length === element.nodes.length;
  const line = "  ".repeat(depth) + [...head, ...(alone && pieces.length ? [JSON.stringify(pieces.join(""))] : [])].join(" ");
  const inside = [...(element.shadowRoot ? [element.shadowRoot] : []), ...(alone ? [] : element.nodes)].flatMap((node) => (
    node instanceof Element ? written(node, depth + 1) : [`${"  ".repeat(depth + 1)}${JSON.stringify(node)}`]
  ));
  return [line, ...inside];
}
