"""The script by which Enter in a field does what a notice below it offers."""

from __future__ import annotations

import json

from tests.charts.node import ROOT, run_node

_SCRIPT = """
const listeners = new Map();
let [offered, clicks] = [null, 0];
const listen = (name, action) => listeners.set(name, [...(listeners.get(name) ?? []), action]);
globalThis.window = { addEventListener: listen };
globalThis.document = { querySelector: () => offered };
const field = { matches: (selector) => selector === "input" };
const send = (name, more = {}) => {
  listeners.get(name).forEach((action) => action({ composedPath: () => [field], ...more }));
};
const enter = (more) => { send("keydown", { key: "Enter", ...more }); return clicks; };
for (let k = 0; k < 2; k += 1) {
  new Function(SCRIPT)();
}
const button = { click: () => { clicks += 1; } };
const counts = [];
counts.push(enter()); // there is no notice
offered = button;
send("input");
counts.push(enter()); // enters what was typed
counts.push(enter()); // does what the notice offers
counts.push(enter({ isComposing: true })); // ends a syllable
counts.push(enter({ composedPath: () => [{ matches: () => false }] })); // elsewhere
send("keydown", { key: "a" });
counts.push(clicks);
process.stdout.write(JSON.stringify({ counts, listeners: [...listeners.values()].map((some) => some.length) }));
"""


def test_enter_does_what_a_notice_offers_once_nothing_new_is_typed() -> None:
    script = (ROOT / "nmt" / "ui" / "js" / "enter.js").read_text("utf-8")
    found = json.loads(run_node("--eval", _SCRIPT.replace("SCRIPT", json.dumps(script), 1)))
    assert found == {"counts": [0, 0, 1, 1, 1, 1], "listeners": [1, 1]}
