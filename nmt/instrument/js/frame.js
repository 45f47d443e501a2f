// The elements of an instrument, without listeners. Views, and what a reader may choose, fill them.

import { button, make, put } from "../../charts/js/elements.js";

const STYLES = { // by the name of a view: where its style lies beside this module, if the host brings none
  instrument: "../instrument.css", ribbons: "../../charts/ribbons/view.css", alignment_view: "../../charts/alignment_view/view.css",
  small_figure: "../../charts/small_figure/view.css",
};

/** Build them in `element`, whose own children then stand below the sentence. @param {Element} element @param {import("./host.js").Host} host */
export function buildFrame(element, host) {
  const { compact, field: most } = host;
  const ofText = typeof most === "number";
  const label = put(make("label", compact ? "spoken" : "", ""), { for: "sentence" });
  const field = named("textarea", "sentence");
  const [rows, wrap] = ofText ? [4, "soft"] : compact ? [1, "off"] : [2, "soft"];
  Object.assign(field, { rows, wrap, dir: "auto", spellcheck: false, autocomplete: "off", ...(ofText && { maxLength: most }) });
  const go = Object.assign(button("go", ""), { type: "submit", title: ofText ? "Ctrl+Enter" : "" });
  const form = named("form", "form", label, make("div", "row", field, go));
  form.className = compact ? "compact" : "";
  const progress = put(named("progress", "progress"), { "aria-labelledby": "status" });
  Object.assign(progress, { max: 1, value: 0, hidden: true });
  const status = put(named("p", "status"), { role: "status" });
  const work = make("div", "work", progress, status);

  const title = Object.assign(named("h2", "translations"), { className: "spoken" });
  const below = Object.assign(make("slot", ""), { name: "below" });
  const place = divisions("ribbons", "poster", "matrices", "figure");
  const { seen, words, copy: picture, copied, offers, controls, view, sections, export: away, ...others } = divisions(
    "seen", "words", "copy", "copied", "offers", "controls", "view", "sections", "explained", "typed", "outcomes", "gold", "curves", "export",
  );
  const [effect, around] = [button("switch", ""), button("switch", "")];
  put(controls, { popover: "auto" });
  view.append(button("switch", ""), controls);
  view.firstChild.popoverTargetElement = controls; // which the browser closes by Escape and a click beside it
  const maps = named("select", "maps");
  const heads = named("details", "heads", make("summary", ""), make("p", "said"));
  place.shown = named("div", "shown", named("div", "tools", view, maps), place.matrices, heads);
  const closer = named("div", "closer", ...Object.values(others), copied, away);
  const acts = named("div", "acts", around, effect, offers, picture, ...(host.field ? [] : [work]));
  const drawn = named("div", "picture", place.ribbons, place.poster, acts, seen, below);
  const results = named("section", "results", title, drawn, place.shown, ...(host.sections.length > 0 ? [sections, closer] : []), place.figure);
  put(results, { "aria-labelledby": "translations" });
  place.ribbons.append(words); // in the slot below the words of the system that is pinned

  const zoom = put(make("div", "zoom", button("farther", "−"), button("closer", "+")), { role: "group" });
  const shadow = (parent, style, ...inside) => dressed(parent.attachShadow({ mode: "open" }), style, host, inside);
  const views = {
    ribbons: shadow(place.ribbons, "ribbons", make("div", "ribbon-view", live(), make("div", "systems"))),
    poster: shadow(place.poster, "ribbons", make("div", "ribbon-view", live(), make("div", "systems"), make("slot", ""))),
    matrices: shadow(place.matrices, "alignment_view", make("div", "view", live(), make("div", "toolbar", make("div", "legend"), zoom), make("div", "panels"))),
    figure: shadow(place.figure, "small_figure", make("div", "figure")),
    curves: shadow(others.curves, "small_figure", make("div", "figure")),
  };
  const root = element.shadowRoot ?? element.attachShadow({ mode: "open" });
  root.replaceChildren();
  dressed(root, "instrument", host, [form, ...(host.field ? [work] : []), make("slot", ""), ...(host.parts === "none" ? [] : [results])]);
  return {
    ...others, around, away, controls, copied, effect, field, form, go, heads, label, maps, offers, picture, place, progress, results, seen,
    sections, status, title, view, views, words,
  };
}

function named(tag, id, ...inside) {
  return Object.assign(make(tag, "", ...inside), { id });
}

/** @returns {Record<string, HTMLElement>} a division for each id */
function divisions(...ids) {
  return Object.fromEntries(ids.map((id) => [id, named("div", id)]));
}

function live() {
  return put(make("p", "spoken"), { "aria-live": "polite" });
}

/** Fill a shadow tree, and give it the style of a view. */
function dressed(root, name, { styles }, inside) {
  if (styles) { // of a constructed sheet a policy has no checksum
    const sheet = new CSSStyleSheet();
    sheet.replaceSync(styles[name]);
    root.adoptedStyleSheets = [sheet];
  } else {
    root.append(Object.assign(make("link", ""), { rel: "stylesheet", href: new URL(STYLES[name], import.meta.url).href }));
  }
  root.append(...inside);
  return root;
}
