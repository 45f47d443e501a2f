// Elements of the page. Words enter it as textContent, never as HTML.

const SVG = "http://www.w3.org/2000/svg";

/**
 * @param {string} tag
 * @param {string} classes
 * @param {string} [text] shown in the direction of its own letters
 */
export function make(tag, classes, text) {
  const element = document.createElement(tag);
  element.className = classes;
  if (text !== undefined) {
    element.dir = "auto";
    element.textContent = text;
  }
  return element;
}

/** @param {string} tag @param {string} classes */
export function makeSvg(tag, classes) {
  const element = document.createElementNS(SVG, tag);
  element.setAttribute("class", classes);
  return element;
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
  element.setAttribute("role", "img");
  element.setAttribute("aria-label", text);
  return element;
}
