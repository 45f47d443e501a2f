// What a reader does on a page without a browser, and which lines of the page each action makes.

import { stdout } from "node:process";

import { document, written } from "./page.js";

/** What the page says to the world around it during an action. */
export const said = [];

/** An event as a browser would send it; x and y are its place within the element. */
function eventOf(name, target, { x, y, ...more }) {
  const { left, top } = x === undefined ? {} : target.getBoundingClientRect();
  const event = {
    type: name, target, button: 0, buttons: 0, pointerType: "mouse", pointerId: 1, key: "", clientX: 0, clientY: 0,
    altKey: false, ctrlKey: false, metaKey: false, shiftKey: false, stopped: false,
    preventDefault: () => said.push("  keeps the browser from acting"),
    composedPath: () => [target],
    ...(x === undefined ? {} : { clientX: left + x, clientY: top + y }),
    ...more,
  };
  event.stopPropagation = () => {
    event.stopped = true;
  };
  return event;
}

/** Send an event to an element, and from it to all around it, as far as events of its kind travel. */
export function send(name, target, more) {
  if (target.disabled) {
    return;
  }
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

/** The elements of a selector; after each " >>> " it goes on in the shadow tree of the first one. */
export function all(root, selector) {
  const [inner, ...outer] = selector.split(" >>> ").toReversed();
  return outer.toReversed().reduce((tree, each) => tree.querySelector(each).shadowRoot, root).querySelectorAll(inner);
}

/**
 * Write what is drawn at first, then do all actions and write which lines of the page each of them makes, or after
 * which earlier action (0 = at first) the page was the same.
 * @param {Element} root
 * @param {[string, ...any][]} actions names of events with the elements that they come to, or of `others`
 * @param {Record<string, (...given: any[]) => void>} others what else may happen
 * @param {() => Promise<void>} [settled] waits until the page has done what it does later
 */
export async function act(root, actions, others, settled = null) {
  const known = {
    focus: (selector, k = 0) => all(root, selector)[k].focus(),
    key: (key, more) => send("keydown", document.activeElement ?? root.children[0], { key, ...more }),
    ...others,
  };
  await settled?.();
  let before = written(root);
  stdout.write(`${[...said, ...before].join("\n")}\n`);
  const states = new Map([[before.join("\n"), 0]]);
  for (const [number, [name, ...rest]] of actions.entries()) {
    said.length = 0;
    if (known[name]) {
      known[name](...rest);
    } else {
      const [selector, k = 0, more = {}] = rest;
      const target = all(root, selector)[k];
      if (!target) {
        throw new Error(`${name}: there is no ${selector} of number ${k}`);
      }
      send(name, target, more);
    }
    await settled?.(); // oxlint-disable-line no-await-in-loop -- one after the other
    const now = written(root);
    const action = [name, ...rest.map((each) => JSON.stringify(each))].join(" ").slice(0, 120);
    const state = now.join("\n");
    const as = states.get(state);
    const lines = as === undefined || state === before.join("\n") ? changed(before, now) : [`  as after ${as}`];
    stdout.write([`\n# ${number + 1} ${action}`, ...said, ...lines].join("\n") + "\n");
    states.set(state, as ?? number + 1);
    before = now;
  }
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
