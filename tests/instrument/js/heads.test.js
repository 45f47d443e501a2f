import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";

import { Element, document } from "../../charts/page/page.js";
import { errorRate, headsOf } from "../../../nmt/instrument/js/heads.js";
import { mount } from "../../../nmt/instrument/js/instrument.js";
import { systemsOf } from "../../../nmt/instrument/js/systems.js";

const TEXTS = JSON.parse(readFileSync("nmt/instrument/english.json", "utf-8"));
const SIDE = { tokens: ["a", "b", "</s>"] };
const EYE = [[1, 0, 0], [0, 1, 0], [0, 0, 1]];
const TURNED = [[0, 1, 0], [1, 0, 0], [0, 0, 1]];

/** A record with two layers of two heads, of which head 1 of layer 1 alone keeps the order. */
function recordOf(more = {}, maps = [[TURNED, TURNED], [TURNED, EYE]]) {
  const heads = maps.flatMap((some, layer) => some.map((weights, head) => ({ kind: "head", layer, head, weights })));
  const system = { name: "mine", text: "a b", source: SIDE, target: SIDE, maps: [{ kind: "alpha", weights: EYE }, ...heads] };
  return { format: 1, source: { text: "a b" }, systems: [system], ...more };
}

function mounted(record, host = {}) {
  const [element, states] = [new Element("div"), []];
  const instrument = mount(element, record, { texts: TEXTS, onState: (state) => states.push(state), ...host });
  const find = (...selectors) => selectors.reduce((place, selector) => (place.shadowRoot ?? place).querySelector(selector), element);
  const open = () => {
    find("#heads").open = true;
    find("#heads").ontoggle();
    return find(".heads").querySelectorAll(".small");
  };
  return { find, instrument, open, states, label: () => find("#matrices", ".panel").getAttribute("aria-label") };
}

const pressed = (cells) => cells.filter((each) => each.getAttribute("aria-pressed") === "true").map((each) => each.dataset.map);

test("a system with several heads has a grid, which is drawn once it is open", () => {
  assert.ok(mounted({ ...recordOf(), systems: [{ ...recordOf().systems[0], maps: [{ kind: "alpha", weights: EYE }] }] }).find("#heads").hidden);
  const view = mounted(recordOf());
  assert.deepEqual([Boolean(view.find("#heads").hidden), view.find(".small")], [false, null]);
  const cells = view.open();
  assert.deepEqual(cells.map((each) => each.dataset.map), ["head.0.0", "head.0.1", "head.0", "head.1.0", "head.1.1", "head.1"]);
  assert.equal(cells[4].getAttribute("aria-label"), "weights of a head, layer 1, head 1");
  assert.equal(cells[5].getAttribute("aria-label"), "weights of a head, layer 1, mean of its heads");
  const [layers, heads] = [".layer", ".head"].map((name) => view.find(".heads").querySelectorAll(name).map(({ textContent }) => textContent));
  assert.deepEqual([layers, heads], [["layer 0", "layer 1"], ["head 0", "head 1", "mean"]]);
});

test("pressing a picture shows its map, and pressing it again the usual one", () => {
  const view = mounted(recordOf());
  const before = view.label();
  view.open()[4].onclick();
  assert.equal(view.label(), "mine: weights of a head, layer 1, head 1");
  assert.deepEqual([view.states.at(-1).view.map, pressed(view.find(".heads").querySelectorAll(".small"))], ["head.1.1", ["head.1.1"]]);
  view.find(".heads").querySelectorAll(".small")[4].onclick();
  assert.deepEqual([view.label(), view.states.at(-1).view.map], [before, ""]);
});

test("a picture has the weights that are shown, in shades of one colour", () => {
  const view = mounted(recordOf({}, [[EYE, [[0.5, 0.5, 0], [0, 0.26, 0.74], [0, 0, 1]]]]));
  const paths = (k) => view.find(".heads").querySelectorAll(".small")[k].querySelectorAll("path").map((each) => [each.getAttribute("fill-opacity"), each.getAttribute("d")]);
  view.open();
  assert.deepEqual(paths(0), [["1", "M0 0h1v1h-1zM1 1h1v1h-1zM2 2h1v1h-1z"]]);
  assert.deepEqual(paths(1), [["0.25", "M1 1h1v1h-1z"], ["0.5", "M0 0h1v1h-1zM1 0h1v1h-1z"], ["0.75", "M2 1h1v1h-1z"], ["1", "M2 2h1v1h-1z"]]);
  assert.equal(paths(2).find(([shade]) => shade === "0.75")[1], "M0 0h1v1h-1z"); // the mean of both
  view.instrument.choose({ view: { transposed: true, end: false } });
  assert.deepEqual(paths(1).at(-1), ["1", "M1 1h1v1h-1z"]); // what is left of a row is divided by its sum
  assert.equal(view.find(".heads").querySelector("svg").getAttribute("viewBox"), "0 0 2 2");
});

test("arrow keys move in both directions, one picture is a tab stop, and it keeps the keyboard", () => {
  const view = mounted(recordOf({}, [[EYE, EYE], [EYE, EYE], [EYE]]));
  const cells = () => view.find(".heads").querySelectorAll(".small");
  const press = (key) => view.find(".heads").onkeydown({ key, target: document.activeElement, preventDefault() {} });
  const stops = () => cells().filter((each) => each.getAttribute("tabindex") === "0").map((each) => each.dataset.map);
  view.open();
  assert.deepEqual(stops(), ["head.0.0"]);
  cells()[0].focus();
  const here = (key) => {
    press(key);
    return document.activeElement.dataset.map;
  };
  assert.deepEqual(["ArrowRight", "ArrowDown", "ArrowDown", "ArrowLeft", "ArrowUp", "ArrowLeft"].map(here), ["head.0.1", "head.1.1", "head.1.1", "head.1.0", "head.0.0", "head.0.0"]);
  press("ArrowDown");
  document.activeElement.onclick();
  assert.deepEqual([document.activeElement.dataset.map, document.activeElement === cells()[3], stops()], ["head.1.0", true, ["head.1.0"]]);
});

test("where gold links of the pair are given, each picture says its error rate", () => {
  const gold = { source: ["a", "b"], target: ["a", "b"], sure: [[0, 0]], possible: [[1, 1]] };
  const said = (view) => view.open().map((each) => each.querySelector(".share")?.textContent ?? null);
  assert.deepEqual(said(mounted(recordOf({ gold }))), ["AER 100", "AER 100", "AER 100", "AER 100", "AER 0", "AER 33"]);
  assert.deepEqual(said(mounted(recordOf())), Array(6).fill(null));
  assert.deepEqual(said(mounted(recordOf({ gold: { ...gold, source: ["a", "c"] } }))), Array(6).fill(null)); // of another pair
  assert.deepEqual(said(mounted(recordOf({ gold: { ...gold, sure: [] } }))), Array(6).fill(null));
  assert.match(mounted(recordOf({ gold })).open()[4].getAttribute("aria-label"), /, AER 0$/u);
});

test("a link that is listed as sure and as possible counts once", () => {
  const [system] = systemsOf(recordOf());
  const gold = { source: ["a", "b"], target: ["a", "b"], sure: [[0, 0], [0, 0]], possible: [[0, 0]] };
  assert.equal(errorRate(gold, system, EYE), 1 - 2 / 3);
});

test("one head is no grid, and maps of other kinds are none", () => {
  const heads = (maps) => headsOf(systemsOf({ source: { text: "a b" }, systems: [{ text: "a b", source: SIDE, target: SIDE, maps }] })[0]);
  assert.equal(heads([{ kind: "head", layer: 2, head: 0, weights: EYE }]), null);
  assert.equal(heads([{ kind: "alpha", weights: EYE }, { kind: "links", weights: EYE }]), null);
  assert.equal(heads([{ kind: "head", head: 0, weights: EYE }, { kind: "head", head: 1, weights: EYE }]), null);
});

test("the difference of two maps is called by what it is of", () => {
  const [mine] = recordOf().systems;
  const two = { ...recordOf(), systems: [mine, { ...mine, name: "other" }] };
  const labelOf = (map) => {
    const element = new Element("div");
    mount(element, two, { texts: TEXTS, difference: true, state: { view: { map } } });
    return element.shadowRoot.querySelector("#matrices").shadowRoot.querySelectorAll(".panel").at(-1).getAttribute("aria-label");
  };
  assert.match(labelOf(""), /: difference of alpha$/u);
  assert.match(labelOf("head.0.1"), /: difference that involves the weights of a head, layer 0, head 1$/u);
});
