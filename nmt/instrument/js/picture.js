// What the instrument shows as a picture: texts and ribbons are painted again where they stand, on a canvas, with the address of
// the page in the corner. A reader pastes it elsewhere or, where the browser lets no page write pictures, saves it as a file.

import { button, make, put } from "../../charts/js/elements.js";

const SCALE = 2; // pixels of the picture per pixel of the page
const MARGIN = 16;
const DOT = 5.5;
const LINK = { font: "11px system-ui, sans-serif", line: 15 };
const LEFT_OUT = [".spoken", ".handle"]; // what a reader can do is no part of a picture

/**
 * Offer a picture of an element, in a row of its own.
 * @param {Element} row empty, or filled by this function before
 * @param {object} texts
 * @param {{drawn: () => Element, link: () => string, name: () => string}} of the name is that of a file, without its ending
 */
export function offerPicture(row, texts, { drawn, link, name }) {
  if (!row.firstChild) {
    row.append(button("switch copy", ""), put(make("span", "said", ""), { role: "status" }), button("switch save", ""));
  }
  const [copy, said, save] = row.children;
  const tell = (text, copied = false) => {
    said.textContent = text;
    save.hidden = !copied;
  };
  const giveFile = async (picture) => {
    try {
      download(await picture, `${name()}.png`);
      tell(texts.picture.saved);
    } catch {
      tell(texts.picture.failed);
    }
  };
  tell("");
  Object.assign(copy, { textContent: texts.picture.copy, title: texts.picture.copy_help });
  copy.onclick = async () => {
    const picture = pictureOf(drawn(), link());
    if (await isCopied(picture)) {
      tell(texts.picture.copied, true);
      save.onclick = () => giveFile(picture);
    } else {
      await giveFile(picture);
    }
  };
  save.textContent = texts.picture.save;
}

/** Put a picture into the clipboard. Returns false where a page cannot, or may not. @param {Promise<Blob>} picture */
async function isCopied(picture) {
  try { // the promise itself: a browser asks for it within the click
    await navigator.clipboard.write([new ClipboardItem({ "image/png": picture })]);
    return true;
  } catch {
    return false;
  }
}

/** Give the reader a file. @param {Blob} blob */
export function download(blob, name) {
  const link = make("a", "");
  link.href = URL.createObjectURL(blob);
  link.download = name;
  link.click();
  URL.revokeObjectURL(link.href);
}

/**
 * Paint the words and ribbons within an element.
 * @param {Element} element
 * @param {string} link that stands in the corner; "" = none
 * @returns {Promise<Blob>} PNG; rejected where the browser makes none, such as one of too many pixels
 */
export function pictureOf(element, link) {
  const frame = element.getBoundingClientRect();
  const canvas = make("canvas", "");
  const context = canvas.getContext("2d");
  context.font = LINK.font;
  const lines = linesOf(link, frame.width, context);
  canvas.width = SCALE * (frame.width + 2 * MARGIN);
  canvas.height = SCALE * (frame.height + 2 * MARGIN + lines.length * LINK.line);
  context.scale(SCALE, SCALE);
  const colours = getComputedStyle(element);
  context.fillStyle = colours.getPropertyValue("--st-background-color");
  context.fillRect(0, 0, canvas.width, canvas.height);
  context.translate(MARGIN - frame.left, MARGIN - frame.top);
  for (const svg of element.querySelectorAll("svg.ribbons")) {
    const { left, top } = svg.getBoundingClientRect();
    context.translate(left, top);
    svg.querySelectorAll(".ribbon").forEach((ribbon) => {
      const { fill, fillOpacity } = getComputedStyle(ribbon);
      paintShape(context, new Path2D(ribbon.getAttribute("d")), fill, Number(fillOpacity));
    });
    svg.querySelectorAll(".ring").forEach((ring) => paintRing(context, ring));
    context.translate(-left, -top);
  }
  for (const line of element.querySelectorAll(".line")) { // that of a poster hides the ribbons behind it
    fillBox(context, line);
  }
  element.querySelectorAll(".system-title strong").forEach((name) => paintDot(context, name));
  const walker = document.createTreeWalker(element, NodeFilter.SHOW_TEXT);
  while (walker.nextNode()) {
    const { parentElement: around } = walker.currentNode;
    const hint = around.closest(".readout") && !(around.closest(".system") ?? element).querySelector(".focused");
    if (!hint && !LEFT_OUT.some((selector) => around.closest(selector))) {
      paintText(context, walker.currentNode);
    }
  }
  Object.assign(context, { font: LINK.font, fillStyle: colours.color, direction: "ltr", textAlign: "right", globalAlpha: 0.7 });
  lines.forEach((line, k) => context.fillText(line, frame.right, frame.bottom + MARGIN / 2 + (k + 0.5) * LINK.line));
  return new Promise((resolve, reject) => {
    canvas.toBlob((blob) => (blob ? resolve(blob) : reject(new Error("no picture"))));
  });
}

/** A link as lines of a width; it is broken anywhere and never cut, so that it can be typed. */
function linesOf(link, width, context) {
  const lines = [];
  for (const letter of readable(link)) {
    const line = (lines.at(-1) ?? "") + letter;
    if (lines.length && context.measureText(line).width <= width) {
      lines[lines.length - 1] = line;
    } else {
      lines.push(letter);
    }
  }
  return lines;
}

/** An address with the letters of its reader, and still the same address. */
function readable(link) {
  try {
    return decodeURI(link).replaceAll(" ", "+");
  } catch {
    return link;
  }
}

function fillBox(context, element) {
  const box = element.getBoundingClientRect();
  context.fillStyle = getComputedStyle(element).backgroundColor;
  context.fillRect(box.left, box.top, box.width, box.height);
}

/** The dot before the name of a system. */
function paintDot(context, name) {
  const { left, top, height } = name.getBoundingClientRect();
  const circle = new Path2D();
  circle.arc(left + DOT, top + height / 2, DOT, 0, 2 * Math.PI);
  paintShape(context, circle, getComputedStyle(name).getPropertyValue("--system"));
}

function paintShape(context, path, fillStyle, globalAlpha = 1) {
  Object.assign(context, { fillStyle, globalAlpha });
  // oxlint-disable-next-line unicorn/no-array-fill-with-reference-type -- no array: a shape is filled with a colour
  context.fill(path);
  context.globalAlpha = 1;
}

function paintRing(context, ring) {
  const [x, y, across, along] = ["cx", "cy", "rx", "ry"].map((name) => Number(ring.getAttribute(name)));
  const outline = new Path2D();
  outline.ellipse(x, y, across, along, 0, 0, 2 * Math.PI);
  context.strokeStyle = getComputedStyle(ring).stroke;
  context.lineWidth = 1.5;
  context.setLineDash([4, 3]);
  context.stroke(outline);
}

/** Paint a text word by word, since it may take several lines. */
function paintText(context, node) {
  const { color, font, direction, textDecorationLine } = getComputedStyle(node.parentElement);
  fillBox(context, node.parentElement); // of a word that is chosen or attended to
  Object.assign(context, { font, fillStyle: color, direction, textAlign: direction === "rtl" ? "right" : "left" });
  const drawn = { "line-through": 0.5, underline: 1 }[textDecorationLine];
  for (const { index, 0: word } of node.data.matchAll(/\S+/gu)) {
    const range = document.createRange();
    range.setStart(node, index);
    range.setEnd(node, index + word.length);
    const { left, right, top, height } = range.getBoundingClientRect();
    const { fontBoundingBoxAscent: above, fontBoundingBoxDescent: below } = context.measureText(word);
    context.fillText(word, direction === "rtl" ? right : left, top + (height + above - below) / 2);
    if (drawn) {
      context.fillRect(left, top + drawn * height, right - left, 1.5);
    }
  }
}
