"""The script that keeps one entry of the window's history for each step of the reader."""

from typing import Any

from tests.charts.node import ROOT, evaluate

WINDOW = """given.cases.map((steps) => {
  const listeners = new Map();
  const entries = [new URL("https://here/look?s=1")];
  class HTMLAnchorElement {
    constructor(address, testid) {
      Object.assign(this, { dataset: { testid } });
      const { origin, pathname } = new URL(address, entries.at(-1));
      Object.assign(this, { origin, pathname });
    }
  }
  const go = (address) => new URL(address ?? entries.at(-1), entries.at(-1));
  const history = {
    pushState: (state, unused, address) => entries.push(go(address)),
    replaceState: (state, unused, address) => entries.splice(-1, 1, go(address)),
  };
  const window = {
    addEventListener: (name, action, first) => listeners.set(name, [...(listeners.get(name) ?? []), first && action]),
  };
  const location = new Proxy({}, { get: (_, name) => entries.at(-1)[name] });
  const told = [];
  window.dispatchEvent = ({ type, detail }) => told.push(detail ? `${type} ${detail.ofView}` : type);
  const [dataset, observers] = [{}, []];
  const names = {
    window, history, location, HTMLAnchorElement, document: { querySelector: () => ({ dataset }) },
    MutationObserver: class {
      constructor(act) { observers.push(act); }
      observe() {}
    },
    PopStateEvent: class { constructor(type) { this.type = type; } },
  };
  const run = new Function(...Object.keys(names), given.script);
  run(...Object.values(names));
  run(...Object.values(names));
  for (const [name, ...rest] of steps) {
    if (name === "push" || name === "replace") {
      history[`${name}State`](null, rest[1] ?? "", rest[0]);
    } else if (name === "view") {
      const values = () => rest[0];
      window.jointlyAddress = rest[0] && { names: ["pin", "show"], values, drafted: () => Boolean(rest[1]) };
    } else if (name === "connection") {
      [dataset.testConnectionState] = rest;
      observers.forEach((act) => act());
    } else if (name === "travel") {
      entries.push(go(rest[0]));
      const event = { stopImmediatePropagation: () => told.push("kept from the program") };
      listeners.get("popstate").forEach((action) => action(event));
    } else {
      const path = rest.length ? [{}, new HTMLAnchorElement(...rest)] : [{}];
      listeners.get(name).forEach((action) => action({ composedPath: () => path }));
    }
  }
  const heard = [...listeners.values()].flat().length;
  return { entries: entries.map((each) => each.href.replace("https://here", "")), heard, told };
})"""
ACT, LEAVE, OTHER = ["pointerdown"], ["click", "/length"], ["push", "?s=2"]


CASES: dict[str, tuple[list[Any], list[str]]] = {
    "a page that writes its address by itself makes no entry": ([OTHER], ["/look?s=2"]),
    "a choice makes one": ([ACT, OTHER], ["/look?s=1", "/look?s=2"]),
    "whatever else it writes is of the same entry": (
        [ACT, OTHER, ["push", "?s=2&b=1"]],
        ["/look?s=1", "/look?s=2&b=1"],
    ),
    "the next one makes another": ([ACT, OTHER, ACT, ["push", "?s=3"]], ["/look?s=1", "/look?s=2", "/look?s=3"]),
    "so does a field, which replaces the address": (
        [ACT, ["replace", "?s=2"], ["replace", "?s=2&b=1"]],
        ["/look?s=1", "/look?s=2&b=1"],
    ),
    "a view that says so makes none": ([ACT, ["replace", "?s=2", "quietly"], ["push", "?s=2"]], ["/look?s=2"]),
    "so does one by a key": ([["keydown"], OTHER], ["/look?s=1", "/look?s=2"]),
    "the same address makes none": ([ACT, ["push", "?s=1#there"]], ["/look?s=1#there"]),
    "nor does none": ([ACT, ["push"], OTHER], ["/look?s=1", "/look?s=2"]),
    "a page makes one, and none for what it writes when it opens": (
        [ACT, ["push", "/length?s=1"], ["push", "/length?b=1"]],
        ["/look?s=1", "/length?b=1"],
    ),
    "a page that was left writes nothing": (
        [ACT, LEAVE, OTHER, ["push", "/length"], ["push", "?b=1"], ACT, ["push", "?b=2"]],
        ["/look?s=1", "/length?b=1", "/length?b=2"],
    ),
    "unless the reader goes on there": ([ACT, LEAVE, ACT, OTHER], ["/look?s=1", "/look?s=2"]),
    "by a click, too": ([ACT, LEAVE, ["click"], OTHER], ["/look?s=1", "/look?s=2"]),
    "a way back is no choice, and leaves nothing": ([ACT, LEAVE, ["popstate"], OTHER], ["/look?s=2"]),
    "a link to elsewhere": ([ACT, ["click", "https://other/"], OTHER], ["/look?s=1", "/look?s=2"]),
    "a link within the page": ([ACT, ["click", "/look?x=1"], OTHER], ["/look?s=1", "/look?s=2"]),
    "a link to the page anew": ([ACT, ["click", "/look", "stPageLink-NavLink"], OTHER], ["/look?s=1"]),
}


def test_each_step_of_the_reader_is_one_entry() -> None:
    script = (ROOT / "nmt" / "ui" / "js" / "history.js").read_text("utf-8")
    given = {"script": script, "cases": [steps for steps, _ in CASES.values()]}
    found = evaluate(ROOT / "nmt/charts/js/numbers.js", WINDOW, given)
    for (name, (_, expected)), ours in zip(CASES.items(), found, strict=True):
        assert ours == {"entries": expected, "heard": 5, "told": []}, name


PINNED, FREE = ["view", {"pin": "a.1."}], ["view", {}]
OF_VIEW, OF_BOTH, KEPT = "jointly-travel true", "jointly-travel false", "kept from the program"
VIEWS: dict[str, tuple[list[Any], list[str], list[str]]] = {
    "what the program writes keeps what the view has": (
        [ACT, PINNED, OTHER, ACT, ["push", "?s=3&show=links"]],
        ["/look?s=1", "/look?s=2&pin=a.1.", "/look?s=3&pin=a.1."],
        [],
    ),
    "and not what it had": ([ACT, FREE, ["push", "?s=1&pin=a.1."]], ["/look?s=1"], []),
    "nor anything on another page": ([ACT, PINNED, ["push", "/length?s=1"]], ["/look?s=1", "/length?s=1"], []),
    "a view that is gone writes nothing": ([PINNED, ["view", None], ACT, OTHER], ["/look?s=1", "/look?s=2"], []),
    "on the way to another pin the program has nothing to do": (
        [FREE, ["travel", "?s=1&pin=a.2."], ["travel", "?s=1"]],
        ["/look?s=1", "/look?s=1&pin=a.2.", "/look?s=1"],
        [OF_VIEW, KEPT, OF_VIEW, KEPT],
    ),
    "while a sentence is shown that no entry has, it has everything to do": (
        [["view", {}, True], ["travel", "?s=1&pin=a.2."]],
        ["/look?s=1", "/look?s=1&pin=a.2."],
        [OF_BOTH],
    ),
    "on the way to another sentence it has, and the view hears of it first": (
        [FREE, ["travel", "?s=2&pin=a.2."]],
        ["/look?s=1", "/look?s=2&pin=a.2."],
        [OF_BOTH],
    ),
    "once a server is there again the program runs, and not before": (
        [["connection", state] for state in ("CONNECTED", "CONNECTED", "PINGING_SERVER", "CONNECTING", "CONNECTED")],
        ["/look?s=1"],
        ["popstate"],
    ),
    "without a view the program does all": ([["travel", "?s=1&pin=a.2."]], ["/look?s=1", "/look?s=1&pin=a.2."], []),
}


def test_one_address_has_what_the_program_and_a_view_write() -> None:
    script = (ROOT / "nmt" / "ui" / "js" / "history.js").read_text("utf-8")
    given = {"script": script, "cases": [steps for steps, _, _ in VIEWS.values()]}
    found = evaluate(ROOT / "nmt/charts/js/numbers.js", WINDOW, given)
    for (name, (_, entries, told)), ours in zip(VIEWS.items(), found, strict=True):
        assert ours == {"entries": entries, "heard": 5, "told": told}, name
