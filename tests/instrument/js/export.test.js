import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { beforeEach, test } from "node:test";

import { send } from "../../charts/page/acts.js";
import { Element, document, pass } from "../../charts/page/page.js";
import { TAKE, takeFrom } from "../../../nmt/instrument/js/export.js";
import { mount } from "../../../nmt/instrument/js/instrument.js";
import { unusual } from "../../../nmt/instrument/js/view_controls.js";

const TEXTS = JSON.parse(readFileSync("nmt/instrument/english.json", "utf-8"));
const WORDING = TEXTS.export;
const WEIGHTS = [[0.6, 0.3, 0.1], [0, 0.8, 0.2]];
const FORMS = { PDF: "figure", HTML: "page", Table: "table", CSV: "weights", Pharaoh: "links", "Figure 3": "paper" };
const system = (name, kind) => ({
  name, kind: "mine", text: "x y", source: { tokens: ["a", "b", "</s>"] }, target: { tokens: ["x", "y"] },
  maps: kind ? [{ kind, weights: WEIGHTS }] : [],
});
const texts = (elements) => [...elements].map(({ textContent }) => textContent);

let saved;
beforeEach(() => {
  saved = [];
  URL.createObjectURL = (blob) => `blob:${saved.push({ blob }) - 1}`;
  URL.revokeObjectURL = () => {};
  const create = document.createElement.bind(document);
  document.createElement = (tag) => Object.assign(create(tag), tag === "a" && {
    click() {
      saved.at(-1).name = this.download;
    },
  });
});

/** An instrument that shows the section, with what it asked. */
function opened({ systems = [system("one", "alpha")], ...host } = {}) {
  const [element, asked] = [new Element("div"), []];
  const instrument = mount(element, { format: 1, source: { text: "a b" }, systems }, {
    ask: (request, answer) => void asked.push({ ...request, answer }), texts: TEXTS, sections: ["explain", "export"], forms: FORMS,
    about: { one: { movable: true } }, ...host, state: { section: "export", ...host.state },
  });
  const root = element.shadowRoot.querySelector("#export");
  const find = (selector) => root.querySelector(selector);
  const options = (name) => texts(root.querySelectorAll(`[data-control="${name}"] option`));
  const choose = (name, value) => {
    const field = find(`[data-control="${name}"]`);
    field.value = value;
    field.onchange();
  };
  return { asked, find, root, options, choose, instrument, save: () => send("click", find(".go"), {}) };
}

test("what is drawn can be taken away, each in the formats that hold it", () => {
  const view = opened({ systems: [system("one", "alpha"), system("two"), system("three", "leave-one-out"), system("four", "alpha")], difference: true });
  assert.deepEqual(view.options("panel"), ["one", "three", "four", "four − one", "one: ribbons", "four: ribbons", WORDING.everything]);
  const kinds = {
    one: ["PDF", "HTML", "Table", "CSV", "Pharaoh", WORDING.paper], three: ["PDF", "HTML", "Table", "CSV", "Pharaoh"], difference: ["PDF", "HTML", "Table"],
    "ribbons:one": ["PDF"], "*": ["PDF", "HTML", "Table"], four: ["PDF", "HTML", "Table", "CSV", "Pharaoh"],
  };
  for (const [panel, expected] of Object.entries(kinds)) {
    view.choose("panel", panel);
    assert.deepEqual(view.options("format"), expected, panel);
  }
  assert.deepEqual(view.asked, []);
});

test("a host is asked for what is seen, as it is seen", () => {
  const view = opened({ systems: [system("one", "alpha"), system("two", "alpha")], difference: true, state: { view: { end: false } } });
  view.save();
  const [{ kind, wanted }] = view.asked;
  assert.equal(kind, "export");
  assert.deepEqual([wanted.format, wanted.maps, wanted.ribbons, wanted.seen, wanted.view.end], ["PDF", ["one"], [], "after", false]);
  view.choose("panel", "*");
  view.save();
  assert.deepEqual([view.asked[1].wanted.maps, view.asked[1].wanted.ribbons], [["one", "two", "difference"], ["one", "two"]]);
  assert.deepEqual(view.asked[1].wanted.compared, ["one", "two"]);
});

test("of links the rule, the number of the first word and the order are chosen", () => {
  const view = opened({ state: { take: { format: "Pharaoh", share: 0.5 } } });
  send("click", view.find('[data-control="rule-mass"]'), {});
  send("click", view.find('[data-control="base-1"]'), {});
  send("click", view.find('[data-control="direction-target-source"]'), {});
  view.save();
  const { rule, base, direction, share } = view.asked[0].wanted;
  assert.deepEqual([rule, base, direction, share], ["mass", 1, "target-source", 0.5]);
});

test("a file is given once, with what is said of it until another is chosen", async () => {
  const view = opened();
  const status = view.find("[role=status]"); // stays, else it is not read aloud
  view.save();
  assert.equal(status.textContent, WORDING.working);
  view.asked[0].answer({ taken: { name: "a.pdf", type: "text/plain", data: btoa("né"), notes: ["Cite it."], codes: [["To draw:", "import nmt"]] }, done: true });
  assert.deepEqual(saved.map(({ name }) => name), ["a.pdf"]);
  assert.deepEqual([...new Uint8Array(await saved[0].blob.arrayBuffer())], [0x6e, 0xe9]);
  assert.equal(status.textContent, "Saved: a.pdf Cite it.");
  assert.equal(view.find("[role=status]"), status);
  assert.equal(view.find("pre").textContent, "import nmt");
  view.instrument.choose({ pin: null });
  assert.equal(saved.length, 1);
  send("click", view.find(".link"), {});
  assert.equal(saved.length, 2);
  view.choose("format", "CSV");
  assert.equal(view.find("[role=status]").textContent, "");
  assert.equal(view.find("pre"), null);
});

test("why there is no file is said, and that nobody answered", () => {
  const view = opened();
  view.save();
  view.asked[0].answer({ taken: { notes: ["Too large."] }, done: true });
  assert.equal(view.find("[role=status]").textContent.trim(), "Too large.");
  assert.deepEqual(saved, []);
  view.save();
  [30_000, 30_000].forEach(pass);
  assert.equal(view.asked.length, 3);
  assert.deepEqual(view.asked[2].wanted, view.asked[1].wanted);
  assert.equal(view.find("[role=status]").textContent, "");
});

test("without a map all can still be saved as a page, and a table is shown before it is saved", () => {
  const view = opened({ systems: [system("one")] });
  assert.equal(view.find(".row").children[0].textContent, WORDING.nothing);
  assert.deepEqual(view.options("format"), ["HTML"]);
  const table = opened({ state: { take: { format: "Table" } } });
  const [head, ...rows] = [...table.root.querySelectorAll("tr")].map((row) => texts(row.children));
  assert.deepEqual(head, ["", "1 a", "2 b", "3 </s>"]);
  assert.deepEqual(rows, [["1 x", "0.600", "0.300", "0.100"], ["2 y", "0.000", "0.800", "0.200"]]);
});

test("an address says what is chosen, and nonsense in it is left out", () => {
  const get = (asked) => (name) => asked[name] ?? null;
  const chosen = { panel: "ribbons:one", format: "SVG", rule: "mass", share: 0.5, base: "1", direction: "target-source" };
  assert.deepEqual(takeFrom(get(unusual(TAKE, chosen, "take-"))), chosen);
  assert.deepEqual(unusual(TAKE, TAKE, "take-"), {});
  assert.deepEqual(takeFrom(get({ "take-share": "0.01", "take-base": "7", "take-rule": "x", "take-direction": "" })), {});
  const view = opened({ state: { take: { panel: "gone", format: "gone" } } });
  view.save();
  assert.deepEqual([view.asked[0].wanted.maps, view.asked[0].wanted.format], [["one"], "PDF"]);
});
