// The instrument as a component of Streamlit. What it asks goes to the server, whose next data are the answer. What a reader
// chose of the view stands in the address, which no run of the server is needed for. Python brings the styles as
// `jointlyStyles`.

import { mountView } from "../../charts/js/elements.js";
import { followSteps } from "../../charts/js/step_channel.js";
import { changeAddress, changeFrom, pinAddress, pinFrom, sortedPin } from "./changes.js";
import { TAKE, takeFrom } from "./export.js";
import { mount } from "./instrument.js";
import { DIFFERENCE, VIEW } from "./panels.js";
import { oneLine } from "./tokens.js";
import { unusual, viewFrom } from "./view_controls.js";

const OWN = ["pin", "see", "do", "maps", ...Object.keys(VIEW), ...Object.keys(TAKE).map((name) => `take-${name}`)]; // parameters of the address that are written here alone

/** Called by Streamlit at first and with every change of the data or the theme; the result ends the instrument. */
export default function component({ data, parentElement, setTriggerValue, setStateValue }) {
  const tell = { ask: setTriggerValue, told: (state) => setStateValue("told", state) };
  return mountView(AppHost, parentElement.querySelector(".instrument"), data, { tell });
}

class AppHost {
  constructor(place) {
    Object.assign(this, { place, data: null, waiting: null, entered: null, number: 0 });
  }

  /** Mount the instrument with the first data of the server. */
  begin(data) {
    const { place } = this;
    this.data = data;
    place.classList.toggle("spread", Boolean(data.spread || data.field));
    place.classList.toggle("large", Boolean(data.large));
    this.nonce = Math.random().toString(36).slice(2);
    const former = data.owns && !data.draft && window.jointlyLeft; // a pin that the server was not told
    const again = former && former.sentence === data.record?.source.text && !(data.gone && parameters(former).pin === data.gone);
    this.state = { ...data.state, ...(again && { pin: shownPin(former.pin, data), seen: former.seen }), ...ofServer(data), take: data.owns ? takeFrom((each) => new URLSearchParams(location.search).get(each)) : {} }; // which knows the sentence
    this.lastTold = JSON.stringify(data.told);
    const listens = data.ask;
    const left = data.field ? window.jointlyField?.() : null; // of a script of another version, or before the reader went elsewhere
    const typed = left && left.kind === typeof data.field && left.before === data.typed ? left.typed : data.typed;
    this.instrument = mount(place, data.record, {
      ...this.known(data), styles: globalThis.jointlyStyles, plain: data.plain, compact: true,
      ask: listens ? (request) => this.ask(request) : null, onState: (state, moved) => this.chose(state, moved), state: { ...this.state, typed },
      onOffer: (kind) => this.ask({ ...this.state, kind }), link: data.owns ? () => linkOf(location.href, this.data) : null,
      quick: () => (this.waiting && this.entered !== null ? null : Boolean(this.data.quick)),
    });
    if (data.field) {
      window.jointlyField = () => ({ kind: typeof data.field, before: this.data.typed, typed: place.shadowRoot.querySelector("#sentence").value });
    }
    if (data.owns) {
      this.travel = ({ detail: { ofView } }) => {
        [this.travelled, this.travelling] = [!ofView, !ofView]; // the data that follow may be of another sentence, whose pin this is
        if (!this.data.draft) {
          this.instrument.choose(addressed(new URLSearchParams(location.search), this.data));
        }
        this.travelling = false;
      };
      const drafted = () => Boolean(this.data.draft);
      window.jointlyAddress = this.address = { names: OWN, values: (next) => this.values(next), drafted };
      window.addEventListener("jointly-travel", this.travel);
    }
    if (again || (data.gone && new URLSearchParams(location.search).get("pin") === data.gone)) { // the page was built anew
      this.write(true);
      this.tellChosen();
    }
    this.stop = data.film ? followSteps(data.film, (k) => data.steps[k] && this.instrument.take({ record: data.steps[k] })) : () => {};
  }

  end() {
    this.stop();
    if (this.travel) {
      window.removeEventListener("jointly-travel", this.travel);
      window.jointlyLeft = this.data.draft ? null : this.state;
      window.jointlyAddress = window.jointlyAddress === this.address ? null : window.jointlyAddress; // of a newer script
    }
    this.instrument.end();
  }

  /** What the instrument is told of all that is no record. */
  known({ field = false, language, about, about_before = null, remarks, sentences, offers = [], difference, effects, large, parts, controls, scales, changes = [], animate, same, height, heading, spread, sections = [], explanation = null, forms = {}, texts }) {
    return {
      texts, forms, scales, about, about_before, remarks, sentences, offers, difference, effects, large, parts: field ? "none" : parts, controls, animate, same, height, heading, spread, changes, sections, explanation,
      field, language, onDrawn: (size) => this.arrange(size),
    };
  }

  /** Take data of the server: the answer to what was asked, or what it shows for another reason. */
  receive(data) {
    if (!this.data) {
      this.begin(data);
      return;
    }
    const other = data.record?.source.text !== this.data.record?.source.text;
    const [before, travelled] = [this.data, this.travelled];
    this.data = data;
    if (this.waiting && data.answers !== this.waiting && !other) {
      return; // an answer to a former request, or none
    }
    const taken = this.owed ? data.taken : null; // a file that was asked for twice is given once
    const another = data.filled > before.filled || ![before.typed, this.entered].includes(data.typed);
    const typed = another ? data.typed : undefined; // else the reader may have typed on
    [this.waiting, this.travelled, this.owed, this.entered] = [null, false, false, null];
    const settled = travelled && before.draft && !data.draft; // the sentence of the address is shown again
    const forgotten = other || settled ? this.addressed() : {};
    const { pin } = { ...this.state, ...forgotten };
    const hidden = data.owns && !data.draft && pin && !shownPin(pin, data);
    const dropped = hidden || (data.gone && parameters(this.state).pin === data.gone) ? { pin: null } : {};
    const state = { ...ofServer(data), ...forgotten, ...dropped };
    this.state = { ...this.state, ...state };
    if (JSON.stringify(data) !== JSON.stringify(before)) {
      this.instrument.take({ record: data.record, plain: data.plain, taken, typed, ...this.known(data) }, state);
    }
    this.write(true);
    this.tellChosen();
  }

  ask({ kind, changes, effect, gold, wanted, again, typed, entered = true }) {
    if (this.data.field && !again) {
      const text = typeof this.data.field === "number" ? typed : typed.trim(); // blank lines are part of a text
      if (entered && this.waiting && text === this.entered) {
        return; // Enter, pressed twice
      }
      this.entered = entered ? text : null;
    }
    this.number += 1;
    const id = `${this.nonce}-${this.number}`;
    this.owed = kind === "export";
    this.waiting = again || !entered ? null : id; // a server that lost the first one may never answer, but show something else
    const shown = this.data.draft && this.data.record ? { sentence: this.data.record.source.text } : {}; // the reader may have typed on
    const asked = {
      change: { changes: (changes ?? []).map(changeAddress) }, effect: { effect },
      translate: this.data.field ? { typed: entered ? this.entered : typed, again, entered } : { number: this.state.number }, gold, export: { wanted },
    }[kind];
    this.tell.ask("ask", { id, kind, ...shown, ...asked });
  }

  /** Keep what the reader chose, in the address and, if it needs that, on the server. */
  chose(state, moved = false) {
    const before = this.state;
    this.state = state;
    if (this.data.draft && this.data.record && !this.travelling) {
      const { number } = this; // whatever is asked for enters the sentence, too
      queueMicrotask(() => number === this.number && this.ask({ kind: "enter" }));
      return;
    }
    if (before.changes.length && !state.changes.length && before.sentence === state.sentence) {
      this.ask({ kind: "change", changes: [] });
    }
    this.write(false, moved);
    if (!this.travelling) { // else the server reads the address, which it would not while it is told something
      this.travelled = false;
      this.tellChosen();
    }
  }

  /** What an address that the program writes has of the view: a sentence that is new in it leaves the pin of the former one. */
  values(next) {
    const [now, then] = [new URL(location.href), next].map((address) => address.searchParams.get("s"));
    const other = ![now, null, this.state.sentence].includes(then); // null: files alone, or a page that just opens
    this.state = other ? { ...this.state, pin: null, seen: "after" } : this.state;
    return parameters(this.state);
  }

  write(quietly = false, moved = false) {
    if (!this.data.owns || this.data.draft) {
      return;
    }
    const [now, chosen] = [new URL(location.href), parameters(this.state)];
    const same = OWN.every((name) => (now.searchParams.get(name) ?? "") === (chosen[name] ?? ""));
    if (!same) {
      const [pins, again] = [(now.searchParams.get("pin") ?? "") !== (chosen.pin ?? ""), quietly || (moved && this.ofPin === now.href)];
      OWN.forEach((name) => now.searchParams.delete(name));
      Object.entries(chosen).forEach(([name, value]) => now.searchParams.set(name, value));
      history[again ? "replaceState" : "pushState"](history.state, again ? "quietly" : "", now);
      this.ofPin = pins ? location.href : this.ofPin; // the entry that a moved pin replaces
    }
  }

  /** What the address says of the view, where it is that of the sentence that is shown. */
  addressed() {
    const [asked, { record, base }] = [new URLSearchParams(location.search), this.data];
    const same = !asked.has("s") || !record || oneLine(asked.get("s")) === (base || record.source.text);
    return same && this.data.owns ? addressed(asked, this.data) : { pin: null, seen: "after" };
  }

  /** Tell the server those parts of the state that what it shows depends on. */
  tellChosen() {
    const { needs } = this.data;
    const told = JSON.stringify(chosenOf(this.state));
    const used = JSON.stringify(this.data.told);
    const part = (text) => JSON.stringify(needs.map((name) => JSON.parse(text)?.[name] ?? null));
    if (needs.length && part(told) !== part(used) && told !== this.lastTold) {
      this.lastTold = told;
      this.tell.told(JSON.parse(told));
    }
  }

  /** Let a short matrix stand beside the ribbons. */
  arrange({ panels, beside }) {
    const page = this.place.getRootNode().host?.closest(".st-key-look-picture");
    if (page) {
      page.dataset.beside = String(beside);
      page.dataset.maps = String(panels > 0);
    }
  }
}

/** A pin; null for that of a checkpoint that is not shown, which may come again while there are changes. */
function shownPin(pin, { record, change }) {
  const names = [DIFFERENCE, ...(record?.systems ?? []).map(({ name }) => name)];
  return names.includes(pin?.name) || change?.length ? pin : null;
}

/** What the server decides of the state. */
function ofServer({ record, change, effect = false, number = 1, base = "", gold, typed = "", draft }) {
  return { sentence: record?.source.text ?? oneLine(draft || typed), number, base, effect, gold: gold ?? undefined, changes: (change ?? []).map(changeFrom).filter(Boolean) };
}

/** What the reader decides. */
function chosenOf({ pin, seen, section, maps = false, view, sentence }) {
  return { pin: pin ? sortedPin(pin) : null, seen, section: section ?? null, maps, view: { ...VIEW, ...view }, sentence };
}

/** The address of what is shown; of a draft, without the parameters of the sentence before. @param {string} here */
export function linkOf(here, { draft, record }) {
  const address = new URL(here);
  address.searchParams.delete("text"); // of "Text or file", which is not shown
  if (draft) {
    draft.forEach((name) => address.searchParams.delete(name));
    address.searchParams.set("s", record.source.text);
  }
  return address.href;
}

/** The same as parameters of the address. */
export function parameters({ pin, seen, section, maps, view, take }) {
  return {
    ...(pin && { pin: pinAddress(pin) }), ...(seen !== "after" && { see: seen }),
    ...(section && { do: section }), ...(maps && { maps: "true" }),
    ...unusual(VIEW, view), ...unusual(TAKE, take, "take-"),
  };
}

/** What an address says of it. */
export function addressed(asked, { texts, sections = [] }) {
  return {
    pin: pinFrom(asked.get("pin")),
    seen: ["before", "change", "same"].includes(asked.get("see")) ? asked.get("see") : "after",
    section: sections.find((section) => section === asked.get("do")) ?? null,
    maps: asked.get("maps") === "true",
    view: viewFrom((each) => asked.get(each), texts),
    take: takeFrom((each) => asked.get(each)),
  };
}
