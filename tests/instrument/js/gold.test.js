import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";

import { send } from "../../charts/page/acts.js";
import { Element } from "../../charts/page/page.js";
import { ratesOf } from "../../../nmt/instrument/js/gold.js";
import { mount } from "../../../nmt/instrument/js/instrument.js";

const TEXTS = JSON.parse(readFileSync("nmt/instrument/english.json", "utf-8"));
const [SOURCE, TARGET] = [["a", "b", "c"], ["x", "y"]];
const WEIGHTS = [[0.6, 0.3, 0, 0.1], [0, 0, 0.8, 0.2], [0, 0, 0, 1]];
const GOLD = { source: SOURCE, target: TARGET, sure: [[0, 0]], possible: [[1, 0]] };
const system = (name, maps = [{ kind: "alpha", weights: WEIGHTS }]) => ({
  name, kind: "mine", text: "x y", source: { tokens: [...SOURCE, "</s>"] }, target: { tokens: [...TARGET, "</s>"] }, maps,
});
const near = (found, expected) => found.forEach((value, k) => assert.ok(Math.abs(value - expected[k]) < 1e-9, `${found}`));

/** An instrument that shows the section, with what it asked. */
function opened(gold = GOLD, state = {}) {
  const [element, asked] = [new Element("div"), []];
  const record = { format: 1, source: { text: "a b c" }, systems: [system("one"), system("two", []), system("three")], ...(gold && { gold }) };
  const instrument = mount(element, record, {
    ask: (request) => void asked.push(request), texts: TEXTS, sections: ["explain", "gold"], state: { section: "gold", ...state },
  });
  const find = (selector) => element.shadowRoot.querySelector(selector);
  return { asked, find, instrument, rows: () => [...element.shadowRoot.querySelectorAll("#gold tr")].map((row) => row.children.map(({ textContent }) => textContent)) };
}

test("rates by hand: sure a-x, possible b-x too", () => {
  // At 0.2 all three links of x and y, at 0.5 a-x and c-y, at 0.7 c-y alone, at 0.9 none.
  const rates = ratesOf(system("one"), WEIGHTS, GOLD, [0.2, 0.5, 0.7, 0.9]);
  near(rates.map(({ precision }) => precision), [2 / 3, 1 / 2, 0, 0]);
  near(rates.map(({ recall }) => recall), [1, 1, 0, 0]);
  near(rates.map(({ aer }) => aer), [1 / 4, 1 / 3, 1, 1]);
  assert.deepEqual(rates.map(({ links }) => links), [3, 2, 1, 0]);
});

test("there are none of other words, and none without a sure link", () => {
  assert.deepEqual(ratesOf(system("one"), WEIGHTS, { ...GOLD, target: ["x"] }, [0.2]), []);
  assert.deepEqual(ratesOf(system("one"), WEIGHTS, { ...GOLD, sure: [] }, [0.2]), []);
  const view = opened({ ...GOLD, sure: [] });
  assert.equal(view.find("#gold [role=status]").textContent, TEXTS.gold.no_sure);
  assert.deepEqual(view.rows(), []);
});

test("every map is measured at the chosen weight and at its best, and follows the weight without a question", () => {
  const view = opened();
  assert.deepEqual(view.rows(), [TEXTS.gold.columns, ...["one", "three"].map((name) => [name, "3", "66.7", "100.0", "25.0", "25.0", "0.01"])]);
  view.instrument.choose({ view: { least: 0.5 } });
  assert.deepEqual(view.rows()[1], ["one", "2", "50.0", "100.0", "33.3", "25.0", "0.01"]);
  assert.equal(view.find("#curves").shadowRoot.querySelectorAll("path").length, 2);
  assert.deepEqual(view.asked, []);
});

test("what is typed is asked for with the number of the first word, and stays while that changes", () => {
  const view = opened(null);
  const input = view.find("#typed-gold");
  input.value = "1-1";
  send("change", input, {});
  assert.deepEqual([view.asked[0].kind, view.asked[0].gold], ["gold", { text: "1-1", base: 0, said: "" }]);
  send("click", view.find('[data-control="base-1"]'), {});
  assert.deepEqual(view.asked[1].gold, { text: "1-1", base: 1, said: "" });
  view.instrument.choose({ gold: { text: "1-1", base: 1, said: "why not" } });
  assert.equal(view.find("#gold [role=status]").textContent, "why not");
});

test("a file is asked for as text; one that is none, or too large, is refused at once", async () => {
  const view = opened(null);
  const give = async (bytes) => {
    const input = view.find("#typed-file");
    input.files = [new Blob([bytes])];
    await input.onchange();
    return view.find("#gold [role=status]").textContent;
  };
  assert.equal(await give("0-0 1p1\n"), "");
  assert.equal(view.asked[0].gold.file, "0-0 1p1\n");
  assert.equal(await give(new Uint8Array([0xff, 0xfe])), TEXTS.gold.no_text);
  assert.equal(await give("0-0\n".padEnd(1_000_001)), TEXTS.gold.too_large);
  assert.equal(view.asked.length, 1);
});
