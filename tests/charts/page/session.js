// Shows a view on a page without a browser, does what a reader does, and writes down what is drawn at first and which
// lines of it each action makes. Called by tests/charts/test_sessions.py.
//
//     node session.js < {"script", "frame", "data", "page", "actions"}

import { readFileSync } from "node:fs";

import { act, said } from "./acts.js";
import { document, framed, page, pass, resize } from "./page.js";

const given = JSON.parse(readFileSync(0, "utf-8"));
Object.assign(page, given.page);
const { default: component } = await import(given.script);
const root = framed(given.frame);
const tell = (kind) => (name, value) => said.push(`  tells ${kind} ${name}: ${JSON.stringify(value)}`);
const show = (data) => component({
  data, parentElement: root, setTriggerValue: tell("once"), setStateValue: tell("for ever"),
});
let end = show(given.data);
said.length = 0;

await act(root, given.actions, {
  resize: (width, height) => resize(width, height),
  pass: (milliseconds) => pass(milliseconds),
  data: (change) => {
    end = show({ ...given.data, ...change });
  },
  hear: (film, step) => document.dispatchEvent(new CustomEvent("jointly-step", { detail: { film, step } })),
  end: () => end(),
});
