// Shows a view on a page without a browser, does what a reader does, and writes down what is drawn at first and which
// lines of it each action makes. Called by tests/charts/test_sessions.py.
//
//     node session.js < {"script", "frame", "data", "page", "actions"}
//
// With "last" it also writes the whole page as it is at the end.

import { stdin, stdout } from "node:process";
import { text } from "node:stream/consumers";

import { act, said } from "./acts.js";
import { document, framed, page, pass, resize, written } from "./page.js";

const given = JSON.parse(await text(stdin));
Object.assign(page, given.page);
const { default: component } = await import(given.script);
const root = framed(given.frame);
const tell = (kind) => (name, value) => said.push(`  tells ${kind} ${name}: ${JSON.stringify(value)}`);
const show = (data) => component({
  data, parentElement: root, setTriggerValue: tell("once"), setStateValue: tell("for ever"),
});
document.addEventListener("jointly-step", ({ detail }) => said.push(`  tells the page: ${JSON.stringify(detail)}`));
let end = show(given.data);

await act(root, given.actions, {
  resize: (width, height) => resize(width, height),
  pass: (milliseconds) => pass(milliseconds),
  data: (change) => {
    end = show({ ...given.data, ...change });
  },
  hear: (film, step) => document.dispatchEvent(new CustomEvent("jointly-step", { detail: { film, step } })),
  scroll: (selector, top) => Object.assign(root.querySelector(selector), { scrollTop: top }),
  end: () => end(),
});
if (given.last) {
  const focused = document.activeElement?.textContent ?? "nothing";
  stdout.write(`\n# last, with the focus on ${focused}\n${written(root).join("\n")}\n`);
}
