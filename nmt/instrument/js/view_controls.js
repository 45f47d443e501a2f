// The controls of a view: what is shown of the maps, and how. Nothing here asks anybody anything.

import { control, group, make, put, refill } from "../../charts/js/elements.js";
import { VIEW } from "./panels.js";

const MAP = /^.{0,80}$/su; // records of other programs name their maps as they like
const SHARE = /^(?:[01]|0?\.[0-9]{1,6})$/u;
const SWITCHES = ["bars", "end", "punctuation", "pieces", "transposed"];

/**
 * Fill an element with the controls.
 * @param {Element} place
 * @param {import("./panels.js").View} view what is chosen
 * @param {{texts: object, scales: object | null, pieces: boolean}} host `pieces`: whether there are words in pieces
 * @param {(part: Partial<import("./panels.js").View>) => void} choose
 */
export function fillControls(place, view, { texts, scales, pieces }, choose) {
  const controls = texts.controls;
  const asChoice = (name, options) => select(name, controls[name].title, options, view[name], choose);
  const names = Object.keys(scales ?? {}).filter((name) => Object.hasOwn(controls.scale.options, name));
  const switches = SWITCHES.filter((name) => name !== "pieces" || pieces).map((name) => (
    pressed(name, controls.switches[name], view[name], () => choose({ [name]: !view[name] }))
  ));
  const links = view.show !== "matrix";
  refill(
    place, segments("show", controls.show, view.show, choose), group(make("div", "switches", ...switches), controls.switches.title),
    view.show !== "links" && names.length > 1 && asChoice("scale", names.map((name) => [name, controls.scale.options[name]])),
    ...(links ? [
      asChoice("layout", Object.entries(controls.layout.options)), segments("by", controls.by, view.by, choose),
      share("least", controls.least.title, 0, view.least, choose),
    ] : []),
  );
}

/** What was chosen as parameters of an address, by names after a prefix: what is other than usual, as texts. */
export function unusual(usual, chosen, prefix = "") {
  const other = Object.entries({ ...usual, ...chosen }).filter(([name, value]) => value !== usual[name]);
  return Object.fromEntries(other.map(([name, value]) => [prefix + name, String(value)]));
}

/** The view that parameters of an address mean; what is no value of them is left out. @param {(name: string) => string | null} get */
export function viewFrom(get, { controls }) {
  const view = {};
  for (const [name, usual] of Object.entries(VIEW)) {
    const value = get(name);
    const options = controls[name]?.options;
    if (typeof usual === "boolean" && ["true", "false"].includes(value)) {
      view[name] = value === "true";
    } else if (typeof usual === "number" && SHARE.test(value)) {
      view[name] = Number(value);
    } else if (name === "map" && value && MAP.test(value)) {
      view.map = value;
    } else if (options && value && Object.hasOwn(options, value)) {
      view[name] = value;
    }
  }
  return view;
}

/** A row of buttons of which one is pressed. */
export function segments(name, { title, options }, value, choose) {
  return group(make("div", "segments", ...Object.entries(options).map(([key, text]) => (
    pressed(`${name}-${key}`, text, key === value, () => choose({ [name]: key }))
  ))), title);
}

function pressed(name, text, on, press) {
  return put(control(name, text, press), { "aria-pressed": on });
}

/** A list of choices under a title. @param {[string, string][]} options names, and what they are called */
export function select(name, title, options, value, choose) {
  const field = put(make("select", "", ...options.map(([key, text]) => (
    Object.assign(make("option", "", text), { value: key, selected: key === value })
  ))), { "data-control": name });
  field.onchange = () => choose({ [name]: field.value });
  return make("label", "choice", make("span", "", title), field);
}

/** A number up to 1, in steps of 0.05. */
export function share(name, title, min, value, choose) {
  const field = Object.assign(put(make("input", ""), { "data-control": name }), { type: "range", min, max: 1, step: 0.05, value });
  field.onchange = () => choose({ [name]: Number(field.value) });
  return make("label", "choice", make("span", "", title), field, make("span", "value", value.toFixed(2)));
}
