// The word links of a panel: source words above or at the left, target words below or at the right, and a line for each
// link that the page's threshold leaves, as wide as its weight.

const APART = 150; // pixels between the two sides
const SVG = "http://www.w3.org/2000/svg";

function buildLinks(view, panel) {
  panel.links = make("div", "links");
  panel.inner = make("div", "links-inner");
  const sides = ["source", "target"].map((side) => {
    const row = make("div", `words ${side}`);
    row.setAttribute("role", "group");
    row.setAttribute("aria-label", panel[`${side}_title`]);
    row.dir = panel[`${side}_rtl`] ? "rtl" : "ltr";
    row.append(...panel[side].map((word, k) => wordButton(view, panel, side, word, k)));
    row.onkeydown = (event) => pressWord(view, panel, row, event);
    return row;
  });
  panel.svg = document.createElementNS(SVG, "svg");
  panel.svg.classList.add("lines");
  panel.svg.setAttribute("aria-hidden", "true");
  panel.inner.append(sides[0], panel.svg, sides[1]);
  panel.links.append(panel.inner);
  return panel.links;
}

function wordButton(view, panel, side, word, k) {
  const element = make("button", "word");
  element.type = "button";
  element.tabIndex = k === 0 ? 0 : -1;
  const text = make("span", "text", word);
  element.append(text, make("span", "box"));
  const mark = panel.marks[side][k];
  if (mark) {
    element.classList.add("marked");
    text.dataset.mark = mark.sign;
    element.title = mark.text;
  }
  element.onpointerenter = () => point(view, wordFocus(panel, side, k));
  element.onpointerleave = () => point(view, null);
  element.onfocus = () => {
    if (element.matches(":focus-visible")) {
      point(view, wordFocus(panel, side, k));
      speakWord(view, panel, side, k);
    }
  };
  element.onblur = () => point(view, null);
  element.onclick = () => pinWord(view, panel, side, k);
  panel.labels[side][k].push(element);
  return element;
}

function fitLinks(view, panel) {
  if (!panel.links) {
    return;
  }
  const wanted = view.data.layout;
  panel.links.classList.toggle("vertical", wanted === "vertical");
  if (wanted === "auto") {
    panel.links.classList.toggle("vertical", panel.inner.scrollWidth > panel.links.clientWidth + 1);
  }
  drawLinks(panel, panel.links.classList.contains("vertical"));
}

function drawLinks(panel, vertical) {
  const [above, below] = panel.inner.querySelectorAll(".words");
  const middle = (words) =>
    [...words.children].map((word) =>
      vertical ? word.offsetTop + word.offsetHeight / 2 : word.offsetLeft + word.offsetWidth / 2,
    );
  const [from, to] = [middle(above), middle(below)];
  const length = vertical
    ? Math.max(above.offsetHeight, below.offsetHeight)
    : Math.max(above.scrollWidth, below.scrollWidth, panel.inner.clientWidth);
  const [width, height] = vertical ? [APART, length] : [length, APART];
  panel.svg.setAttribute("width", width);
  panel.svg.setAttribute("height", height);
  panel.svg.setAttribute("viewBox", `0 0 ${width} ${height}`);
  const path = (i, j, name) => {
    const element = document.createElementNS(SVG, "path");
    const [a, b] = [from[j], to[i]];
    const half = APART / 2;
    element.setAttribute(
      "d",
      vertical
        ? `M 0 ${a} C ${half} ${a}, ${half} ${b}, ${APART} ${b}`
        : `M ${a} 0 C ${a} ${half}, ${b} ${half}, ${b} ${APART}`,
    );
    element.setAttribute("class", name);
    return element;
  };
  const gold = [
    ...panel.possible.map(([i, j]) => path(i, j, "gold possible")),
    ...panel.sure.map(([i, j]) => path(i, j, "gold sure")),
  ];
  panel.lines = panel.links_shown.map(([i, j, weight]) => {
    const element = path(i, j, `line${panel.is_difference ? " difference" : ""}${weight < 0 ? " less" : ""}`);
    const size = Math.min(1, Math.abs(weight));
    element.style.strokeWidth = `${lineWidth(size).toFixed(2)}px`;
    element.style.setProperty("--weight", size.toFixed(3));
    return { i, j, element };
  });
  panel.svg.replaceChildren(...panel.lines.map((line) => line.element), ...gold);
}

// Of a line of this weight, from 0 to 1, in pixels.
function lineWidth(weight) {
  return 0.75 + 7 * weight;
}

// All lines but those of the words in focus fade.
function showInLinks(panel, focus) {
  if (!panel.svg) {
    return;
  }
  panel.svg.classList.toggle("focused", Boolean(focus));
  for (const { i, j, element } of panel.lines) {
    const lit = focus && (isCell(focus) ? focus.target[0] === i && focus.source[0] === j
      : focus.target.includes(i) || focus.source.includes(j));
    element.classList.toggle("lit", Boolean(lit));
  }
}
