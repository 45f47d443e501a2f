// Shows a view on a page without a browser, does what a reader does, and writes down what is drawn at first and which
// lines of it each action makes. Called by tests/charts/test_drawings.py.
//
//     node session.js < {"script", "frame", "data", "page", "actions"}

import { readFileSync } from "node:fs";
import { stdout } from "node:process";

import { framed, document, page, pass, resize, written } from "./page.js";

const given = JSON.parse(readFileSync(0, "utf-8"));
Object.assign(page, given.page);
const { default: component } = await import(given.script);
const root = framed(given.frame);
const said = [];
const tell = (kind) => (name, value) => said.push(`  tells ${kind} ${name}: ${JSON.stringify(value)}`);
const show = (data) => component({
  data, parentElement: root, setTriggerValue: tell("once"), setStateValue: tell("for ever"),
});
let end = show(given.data);

/** An event as a browser would send it. */
function eventOf(name, target, more) {
  const event = {
    type: name, target, button: 0, buttons: 0, pointerType: "mouse", pointerId: 1, key: "", clientX: 0, clientY: 0,
    altKey: false, ctrlKey: false, metaKey: false, shiftKey: false, stopped: false,
    preventDefault: () => said.push("  keeps the browser from acting"),
    composedPath: () => [target],
    ...more,
  };
  event.stopPropagation = () => {
    event.stopped = true;
  };
  return event;
}

/** Send an event to an element, and from it to all around it, as far as events of its kind travel. */
function send(name, target, more) {
  const event = eventOf(name, target, more);
  const climbs = !["pointerenter", "pointerleave", "focus", "blur"].includes(name);
  for (let element = target; element && !event.stopped; element = climbs ? element.parentElement : null) {
    element[`on${name}`]?.(event);
    element.listeners.get(name)?.(event);
  }
  if (name === "keydown" && !event.stopped) {
    document.dispatchEvent(event);
  }
}

const ACTIONS = {
  resize: (width, height) => resize(width, height),
  pass: (milliseconds) => pass(milliseconds),
  data: (change) => {
    end = show({ ...given.data, ...change });
  },
  hear: (film, step) => document.dispatchEvent(new CustomEvent("jointly-step", { detail: { film, step } })),
  end: () => end(),
  focus: (selector, k = 0) => root.querySelectorAll(selector)[k].focus(),
  key: (key, more) => send("keydown", document.activeElement ?? root.children[0], { key, ...more }),
};

let before = written(root);
stdout.write(`${before.join("\n")}\n`);
for (const [name, ...rest] of given.actions) {
  said.length = 0;
  if (ACTIONS[name]) {
    ACTIONS[name](...rest);
  } else {
    const [selector, k = 0, more = {}] = rest;
    send(name, root.querySelectorAll(selector)[k], more);
  }
  const now = written(root);
  stdout.write([`\n# ${[name, ...rest.map((each) => JSON.stringify(each))].join(" ")}`, ...said, ...changed(before, now)].join("\n") + "\n");
  before = now;
}

/** The lines that came, in order, and how many went. */
function changed(old, now) {
  const table = old.map(() => new Uint16Array(now.length + 1));
  table.push(new Uint16Array(now.length + 1));
  for (let i = old.length - 1; i >= 0; i -= 1) {
    for (let k = now.length - 1; k >= 0; k -= 1) {
      table[i][k] = old[i] === now[k] ? table[i + 1][k + 1] + 1 : Math.max(table[i + 1][k], table[i][k + 1]);
    }
  }
  const lines = [];
  let [i, k] = [0, 0];
  while (k < now.length) {
    if (i < old.length && old[i] === now[k]) {
      [i, k] = [i + 1, k + 1];
    } else if (i < old.length && table[i + 1][k] >= table[i][k + 1]) {
      i += 1;
    } else {
      lines.push(`+ ${now[k].trim()}`);
      k += 1;
    }
  }
  const gone = old.length - (now.length - lines.length);
  return gone > lines.length ? [...lines, `- ${gone} lines`] : lines;
}
