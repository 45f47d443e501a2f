// Opens a page that translates without a browser, does what a reader and a worker do, and writes down what is on the page at
// first and which lines of it each action makes. Called by tests/page/test_sessions.py.
//
//     node session.js < {"script", "body", "carried", "worker", "languages", "address", "loading", "actions"}

import { stdin } from "node:process";
import { text } from "node:stream/consumers";

import { act, all, said } from "../charts/page/acts.js";
import { document, Element, framed, page, pass, rounded } from "../charts/page/page.js";

const given = JSON.parse(await text(stdin));
const html = new Element("html");
const body = framed(given.body);
html.append(body);
const carried = new Map(Object.entries(given.carried).map(([id, textContent]) => [id, { textContent, remove: () => carried.delete(id) }]));
html.querySelector("#beam").value = html.querySelector("option[selected]").textContent;

const nameOf = (element) => [element.tag, ...element.classList.all].join(".");

/** The texts within an element. */
function texts(element) {
  return element.nodes.flatMap((node) => (node instanceof Element ? texts(node) : [{ data: node, parentElement: element }]));
}

Object.assign(document, {
  body,
  documentElement: html,
  readyState: given.loading ? "loading" : "complete",
  querySelector: (selector) => html.querySelector(selector),
  querySelectorAll: (selector) => html.querySelectorAll(selector),
  getElementById: (id) => carried.get(id),
  createTreeWalker(element) {
    const left = texts(element);
    return {
      nextNode() {
        this.currentNode = left.shift();
        return Boolean(this.currentNode);
      },
    };
  },
  createRange: () => ({
    setStart(node, start) {
      Object.assign(this, { node: node.parentElement, start });
    },
    setEnd(_, end) {
      this.end = end;
    },
    getBoundingClientRect() {
      const { left, top, height } = this.node.getBoundingClientRect();
      const [from, to] = [this.start, this.end].map((k) => left + 0.5 * this.node.size * k);
      return { left: from, right: to, top, height };
    },
  }),
});
Object.assign(Element.prototype, {
  click() {
    said.push(`  saves ${this.download}`, ...this.href.split("; ").map((stroke) => `    ${rounded(stroke)}`));
  },
  toBlob(resolve) {
    resolve({ told: this.toDataURL() });
  },
});

const dark = { matches: false };
const [usual, computed] = [globalThis.matchMedia, globalThis.getComputedStyle];
let worker = null;
class Worker {
  constructor() {
    worker = this;
  }

  postMessage({ data, weights, ...request }) {
    said.push(data ? `  gives the worker ${Object.keys(data)} and ${weights}` : `  asks the worker: ${JSON.stringify(request)}`);
  }

  terminate() {
    said.push("  ends the worker");
  }
}
Object.assign(globalThis, {
  location: { hash: given.address, search: given.search, protocol: "file:" },
  history: Object.fromEntries([["replaceState", "address"], ["pushState", "new entry"]].map(([name, what]) => [name, (state, title, address) => {
    said.push(`  ${what}: ${address}`);
    location.hash = address;
  }])),
  matchMedia: (query) => (query.includes("dark") ? dark : usual(query)),
  getComputedStyle: (element) => ({
    ...computed(element), getPropertyValue: (name) => `${name} of ${nameOf(element)}`, fill: `colour of ${nameOf(element)}`, fillOpacity: "0.5", backgroundColor: `background of ${nameOf(element)}`,
    color: `ink of ${nameOf(element)}`, font: `type of ${nameOf(element)}`, direction: element.closest("[dir=rtl]") ? "rtl" : "ltr",
  }),
  NodeFilter: { SHOW_TEXT: 4 },
  ...(given.worker ? { Worker } : {}),
});
Object.defineProperty(globalThis, "navigator", { value: { languages: given.languages } });
Object.assign(URL, { createObjectURL: ({ told }) => told, revokeObjectURL: () => {} });
page.width = 700;

/** Wait for what the page does between two events. */
async function settled() {
  for (let k = 0; k < 20; k += 1) {
    await new Promise((resolve) => { // oxlint-disable-line no-await-in-loop -- one after the other
      setImmediate(resolve); // oxlint-disable-line no-undef -- of node
    });
  }
}

await import(`data:text/javascript;base64,${given.script}`);
await act(html, given.actions, {
  pass: (milliseconds) => pass(milliseconds),
  loaded: () => document.onreadystatechange(),
  answer: (data) => worker.onmessage({ data }),
  fail: (message) => worker.onerror({ message }),
  fill: (selector, value, k = 0) => Object.assign(all(html, selector)[k], { value }),
  tick: (k, checked) => Object.assign(html.querySelectorAll("#runs input")[k], { checked }),
  dark: (matches) => {
    dark.matches = matches;
    dark.onchange();
  },
  address: (hash) => {
    location.hash = hash;
    window.onhashchange();
  },
}, settled);
