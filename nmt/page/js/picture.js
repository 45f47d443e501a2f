// What the page shows as a picture: texts and ribbons are painted again where they stand, on a canvas.

const SCALE = 2; // pixels of the picture per pixel of the page
const MARGIN = 16;

/**
 * Paint the words and ribbons within an element.
 * @param {Element} element
 * @returns {Promise<Blob>} PNG
 */
export function pictureOf(element) {
  const frame = element.getBoundingClientRect();
  const canvas = document.createElement("canvas");
  canvas.width = SCALE * (frame.width + 2 * MARGIN);
  canvas.height = SCALE * (frame.height + 2 * MARGIN);
  const context = canvas.getContext("2d");
  context.scale(SCALE, SCALE);
  context.fillStyle = getComputedStyle(document.body).backgroundColor;
  context.fillRect(0, 0, canvas.width, canvas.height);
  context.translate(MARGIN - frame.left, MARGIN - frame.top);
  for (const svg of element.querySelectorAll("svg.ribbons")) {
    const { left, top } = svg.getBoundingClientRect();
    context.translate(left, top);
    svg.querySelectorAll(".ribbon").forEach((ribbon) => paintRibbon(context, ribbon));
    context.translate(-left, -top);
  }
  const walker = document.createTreeWalker(element, NodeFilter.SHOW_TEXT);
  while (walker.nextNode()) {
    paintText(context, walker.currentNode);
  }
  return new Promise((resolve) => {
    canvas.toBlob(resolve);
  });
}

function paintRibbon(context, ribbon) {
  const { fill, fillOpacity } = getComputedStyle(ribbon);
  context.fillStyle = fill;
  context.globalAlpha = Number(fillOpacity);
  // oxlint-disable-next-line unicorn/no-array-fill-with-reference-type -- no array: a shape is filled with a colour
  context.fill(new Path2D(ribbon.getAttribute("d")));
  context.globalAlpha = 1;
}

/** Paint a text word by word, since it may take several lines. */
function paintText(context, node) {
  const { backgroundColor, color, font, direction } = getComputedStyle(node.parentElement);
  const box = node.parentElement.getBoundingClientRect();
  context.fillStyle = backgroundColor; // of a word that is chosen or attended to
  context.fillRect(box.left, box.top, box.width, box.height);
  Object.assign(context, { font, fillStyle: color, direction, textAlign: direction === "rtl" ? "right" : "left" });
  for (const { index, 0: word } of node.data.matchAll(/\S+/gu)) {
    const range = document.createRange();
    range.setStart(node, index);
    range.setEnd(node, index + word.length);
    const { left, right, top, height } = range.getBoundingClientRect();
    const { fontBoundingBoxAscent: above, fontBoundingBoxDescent: below } = context.measureText(word);
    context.fillText(word, direction === "rtl" ? right : left, top + (height + above - below) / 2);
  }
}
