// Bars beside the words of an axis of the matrix, such as coverage and entropy.

import { describe, make } from "./elements.js";

/**
 * One bar per word.
 * @param {"columns" | "rows"} axis
 */
export function buildBars(bars, axis) {
  const length = axis === "columns" ? "height" : "width";
  const element = describe(make("div", `bars ${axis}`), bars.spoken);
  bars.values.forEach((value, k) => {
    const place = make("span", "bar-place");
    place.title = bars.texts[k];
    place.append(bar("bar-first", value));
    if (bars.second) {
      place.append(bar("bar-second", bars.second[k]));
    }
    element.append(place);
  });
  if (bars.line) {
    const line = make("span", "bar-line");
    line.style[axis === "columns" ? "bottom" : "left"] = `${(100 * bars.line) / bars.most}%`;
    element.append(line);
  }
  return element;

  function bar(name, value) {
    const part = make("span", name);
    part.style[length] = `${Math.min(100, (100 * value) / bars.most)}%`;
    return part;
  }
}

/** @param {"columns" | "rows"} axis */
export function barsTitle(bars, axis) {
  const element = make("span", `bars-title ${axis}`, bars.title);
  element.title = bars.explained;
  return element;
}
