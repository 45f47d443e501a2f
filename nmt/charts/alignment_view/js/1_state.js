// What one view knows. A view shows panels side by side, one alignment each, and has one focus for all of them: the
// cell or the words under the pointer, else the cell of the keyboard, else what is pinned.
//
// These files are joined in the order of their numbers (nmt/charts/alignment_view/__init__.py). Words enter the page
// as textContent, never as HTML. mount() may be called any number of times on the same element.

const views = new WeakMap(); // element -> view

function mount(element, data, onPin) {
  const view = views.get(element) ?? create(element);
  view.onPin = onPin;
  const received = JSON.stringify({ ...data, pin: null });
  if (view.received !== received) {
    view.received = received;
    adopt(view, data);
  }
  const pinned = JSON.stringify(data.pin);
  if (view.receivedPin !== pinned) { // nothing is built anew for it, so that the keyboard stays where it is
    view.receivedPin = pinned;
    view.pinned = focusOf(view, data.pin);
    show(view);
  }
  return () => {
    view.observer.disconnect();
    views.delete(element);
  };
}

function create(element) {
  const find = (selector) => element.querySelector(selector);
  const view = {
    root: find(".view"),
    place: find(".panels"),
    spoken: find(".spoken"),
    legend: find(".legend"),
    data: null,
    panels: [],
    received: "", // the data as text, to tell new data from the same sent again
    receivedPin: "",
    zoom: 1,
    pointed: null, // the focus under the pointer
    current: null, // the cell of the keyboard: { panel, i, j }
    pinned: null, // the focus that stays
    onPin: null, // told of a new pin, or null
    observer: null,
  };
  view.observer = new ResizeObserver(() => fit(view));
  view.observer.observe(view.place);
  find(".closer").onclick = () => rescale(view, 1.25);
  find(".farther").onclick = () => rescale(view, 0.8);
  view.root.onkeydown = (event) => {
    if (event.key === "Escape" && view.pinned) {
      pin(view, null);
    }
  };
  views.set(element, view);
  return view;
}

function adopt(view, data) {
  const scrolled = view.panels.map((panel) => [panel.scroll?.scrollLeft ?? 0, panel.scroll?.scrollTop ?? 0]);
  view.data = data;
  view.pointed = null;
  view.current = null;
  view.panels = data.panels.map((given, number) => buildPanel(view, given, number));
  view.place.replaceChildren(...view.panels.map((panel) => panel.element));
  view.pinned = focusOf(view, data.pin);
  view.receivedPin = JSON.stringify(data.pin);
  buildLegend(view);
  fit(view);
  view.panels.forEach((panel, number) => {
    if (panel.scroll && scrolled[number]) {
      [panel.scroll.scrollLeft, panel.scroll.scrollTop] = scrolled[number];
    }
  });
}

function buildPanel(view, given, number) {
  const panel = {
    ...given,
    number,
    element: make("section", "panel"),
    readout: make("p", "readout"),
    sourceKey: given.source.join("\u0000"),
    targetKey: given.target.join("\u0000"),
    columnSide: view.data.transpose ? "target" : "source",
    rowSide: view.data.transpose ? "source" : "target",
    labels: { source: [], target: [] }, // every element that shows a word, by word: [[element, …], …]
    lines: [], // of the word links: { i, j, element }
  };
  panel.labels.source = given.source.map(() => []);
  panel.labels.target = given.target.map(() => []);
  panel.element.setAttribute("aria-label", `${given.title}: ${given.values}`);
  // One place for each part, so that the same parts of all panels stand at the same height.
  const parts = [make("header", "heading"), panel.readout, make("div", "part"), make("div", "part"), make("p", "note")];
  const [heading, , matrix, links, note] = parts;
  if (view.data.heading) {
    const title = make("div", "title-line");
    title.append(make("strong", "title", given.title), make("span", "kind", given.kind));
    heading.append(title, make("p", "target-text", given.text));
  }
  if (given.note) {
    note.append(make("span", "", given.note));
  }
  if (view.data.show !== "links") {
    matrix.append(buildMatrix(view, panel));
  }
  if (view.data.show !== "matrix") {
    links.append(buildLinks(view, panel));
  }
  panel.element.append(...parts);
  return panel;
}

// Sizes depend on the width of the place, so they are set once all is in it, and whenever the width changes.
function fit(view) {
  if (!view.data || view.place.clientWidth === 0) {
    return;
  }
  for (const panel of view.panels) {
    fitMatrix(view, panel);
    fitLinks(view, panel);
  }
  show(view);
}

function rescale(view, factor) {
  view.zoom = Math.min(4, Math.max(0.4, view.zoom * factor));
  fit(view);
}

// ------------------------------------------------------------------------------------------------ focus

// A focus: { panel, source: [j, …], target: [i, …] }. One word of each side is a cell; words of one side alone are words.
function focusOf(view, pin) {
  const panel = pin && view.panels[pin.panel];
  if (!panel) {
    return null;
  }
  const inside = (side) => (pin[side] ?? []).filter((k) => Number.isInteger(k) && k >= 0 && k < panel[side].length);
  const focus = { panel: pin.panel, source: inside("source"), target: inside("target") };
  return focus.source.length + focus.target.length ? focus : null;
}

function isCell(focus) {
  return focus.source.length === 1 && focus.target.length === 1;
}

function point(view, focus) {
  if (JSON.stringify(focus) !== JSON.stringify(view.pointed)) {
    view.pointed = focus;
    show(view);
  }
}

function pin(view, focus) {
  view.pinned = JSON.stringify(focus) === JSON.stringify(view.pinned) ? null : focus;
  show(view);
  view.onPin?.(view.pinned);
}

// A click on a word adds it to the words pinned on its side, or takes it out.
function pinWord(view, panel, side, k) {
  const other = side === "source" ? "target" : "source";
  const before = view.pinned;
  const goesOn = before && before.panel === panel.number && before[side].length && !before[other].length;
  const words = goesOn ? before[side] : [];
  const after = words.includes(k) ? words.filter((word) => word !== k) : [...words, k].sort((a, b) => a - b);
  pin(view, after.length ? { panel: panel.number, [other]: [], [side]: after } : null);
}

// What the focus means in a panel that may have other words: the sides that it has in common.
function focusIn(view, panel) {
  const focus = view.pointed ?? (view.current && cellFocus(view.current)) ?? view.pinned;
  if (!focus) {
    return null;
  }
  const own = view.panels[focus.panel];
  const source = own.sourceKey === panel.sourceKey ? focus.source : [];
  const target = own.targetKey === panel.targetKey ? focus.target : [];
  return source.length + target.length ? { panel: panel.number, source, target } : null;
}

function cellFocus({ panel, i, j }) {
  return { panel, source: [j], target: [i] };
}

// ------------------------------------------------------------------------------------------------ showing

// By how much each word of the other side belongs to the focus: for a cell its one weight, for words their sums.
function partners(panel, focus) {
  const sums = { source: panel.source.map(() => 0), target: panel.target.map(() => 0) };
  if (isCell(focus)) {
    return sums;
  }
  for (const i of focus.target) {
    panel.weights[i].forEach((weight, j) => (sums.source[j] += weight));
  }
  for (const j of focus.source) {
    panel.weights.forEach((row, i) => (sums.target[i] += row[j]));
  }
  return sums;
}

function show(view) {
  for (const panel of view.panels) {
    const focus = focusIn(view, panel);
    const sums = focus && partners(panel, focus);
    for (const side of ["source", "target"]) {
      panel.labels[side].forEach((elements, k) => {
        const share = sums ? Math.min(1, Math.abs(sums[side][k])) : 0;
        for (const element of elements) {
          element.classList.toggle("lit", Boolean(focus?.[side].includes(k)));
          element.classList.toggle("partner", share >= 0.05);
          element.style.setProperty("--share", share.toFixed(3));
          const box = element.querySelector(".box");
          if (box) {
            box.textContent = share >= 0.05 ? decimals(sums[side][k], 2) : "";
          }
        }
      });
    }
    showInMatrix(view, panel, focus);
    showInLinks(panel, focus);
    read(view, panel, focus, sums);
  }
}

function make(tag, name, text) {
  const element = document.createElement(tag);
  element.className = name;
  if (text !== undefined) {
    element.dir = "auto";
    element.textContent = text;
  }
  return element;
}

function decimals(value, digits) {
  return value.toFixed(digits).replace("-", "−");
}
