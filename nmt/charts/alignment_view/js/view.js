// A view shows panels side by side, one alignment each, with one focus for all of them: the cell or the words under the
// pointer, else the cell of the keyboard, else what is pinned. It knows nothing of the page around it.

import { onPage } from "../../js/colour_scale.js";
import { View, contentAround, darkAround, isNew, setName } from "../../js/elements.js";
import { cellFocus, checkedFocus, focusInPanel, sameFocus } from "./focus.js";
import { zoomed } from "./layout.js";
import { fitLinks } from "./links.js";
import { fitMatrices } from "./matrix.js";
import { buildPanel, legends, showFocus } from "./panel.js";
import { spokenCell } from "./wording.js";

/** @typedef {import("./focus.js").Focus} Focus */

/** It shows panels and settings, as nmt/instrument/js/panels.js makes them. `onPin` is called with each new pin, `onPoint` with what
 *  is pointed at, `onMove` with the drag of a cell that was dragged elsewhere. */
export class AlignmentView extends View {
  constructor(element) {
    super(element, ".panels");
    const { find } = this;
    [this.frame, this.legend] = [find(".view"), find(".legend")];
    this.panels = [];
    this.zoom = 1;
    /** @type {(Focus | null)[]} the focus under the pointer, and what is pointed at in another view */
    [this.pointed, this.elsewhere] = [null, null];
    /** @type {{panel: number, i: number, j: number} | null} the cell of the keyboard */
    this.current = null;
    /** @type {Focus | null} the focus that stays */
    this.pinned = null;
    /** @type {import("./layout.js").Drag | null} the cell that is being dragged */
    this.drag = null;
    this.justDragged = false; // the click that ends a drag does not count
    this.receivedPin = "";
    this.zooms = { whole: find(".zoom"), closer: find(".closer"), farther: find(".farther") };
    this.zooms.closer.onclick = () => this.rescale(1.25);
    this.zooms.farther.onclick = () => this.rescale(0.8);
    this.frame.onkeydown = (event) => {
      if (event.key === "Escape" && this.drag) {
        this.grab(null);
      } else if (event.key === "Escape" && this.pinned) {
        this.current = this.find("canvas:focus-visible") && this.current; // of the keyboard, not of a click
        this.pin(null);
        this.onPoint?.(this.pointed ?? (this.current && cellFocus(this.current)));
      }
    };
  }

  receive(data) {
    if (isNew(this, { ...data, pin: null, dark: darkAround(this.place) })) {
      this.rebuild(data);
    }
    const pin = JSON.stringify(data.pin);
    if (this.receivedPin !== pin) { // a pin rebuilds nothing, so that the keyboard keeps its place
      this.receivedPin = pin;
      this.pinned = checkedFocus(data.pin, this.panels);
      this.show();
    }
  }

  rebuild(sent) {
    [this.sent, this.dark] = [sent, darkAround(this.place)];
    const data = onPage(sent, this.dark);
    const scrolled = this.panels.map(({ scroll }) => [scroll?.scrollLeft ?? 0, scroll?.scrollTop ?? 0]);
    this.data = data;
    setName(this.zooms.whole, this.texts.zoom);
    setName(this.zooms.closer, this.texts.larger, "+");
    setName(this.zooms.farther, this.texts.smaller, "−");
    this.place.style.setProperty("--most-height", data.most_height === "window" ? "42rem" : data.most_height);
    if (data.most_height === "window") { // what stands above may grow, and then there is less room
      this.observer.observe(contentAround(this.place));
    }
    const { current } = this;
    [this.pointed, this.elsewhere, this.current, this.drag] = [null, null, null, null];
    const scales = legends(data);
    this.apart = scales.length > 1 && data.panels.length > 1; // each panel has the legend of its own map
    this.panels = data.panels.map((given, number) => buildPanel(this, given, number));
    this.place.classList.toggle("framed", data.panels.some((panel) => panel.not_attention));
    this.place.replaceChildren(...this.panels.map((panel) => panel.element));
    this.pinned = checkedFocus(data.pin, this.panels);
    this.receivedPin = JSON.stringify(data.pin);
    this.legend.replaceChildren(...(this.apart ? [] : scales));
    this.draw();
    this.panels.forEach(({ scroll }, number) => {
      if (scroll && scrolled[number]) {
        [scroll.scrollLeft, scroll.scrollTop] = scrolled[number];
      }
    });
    const panel = current && this.panels[current.panel];
    if (panel?.canvas && current.i < panel.target.length && current.j < panel.source.length) { // the matrix had the keyboard
      this.current = current;
      panel.canvas.focus({ preventScroll: true });
    }
  }

  /** Set the sizes, which depend on the width of the page. */
  draw() {
    if (this.place.clientWidth === 0) {
      return;
    }
    if (this.dark !== darkAround(this.place)) { // it was built outside of the page
      this.rebuild(this.sent);
      return;
    }
    fitMatrices(this);
    for (const panel of this.panels) {
      fitLinks(this, panel);
    }
    this.show();
  }

  rescale(factor) {
    this.zoom = zoomed(this.zoom, factor);
    this.draw();
  }

  show() {
    const focus = this.pointed ?? this.elsewhere ?? (this.current && cellFocus(this.current)) ?? this.pinned;
    for (const panel of this.panels) {
      showFocus(this, panel, focusInPanel(focus, this.panels, panel));
    }
  }

  /** @param {Focus | null} focus */
  point(focus) {
    if (!sameFocus(focus, this.pointed)) {
      this.pointed = focus;
      this.show();
      this.onPoint?.(focus);
    }
  }

  /** Light what is pointed at in another view. @param {Focus | null} focus */
  light(focus) {
    this.elsewhere = focus;
    this.show();
  }

  /** Take a cell to drag it, or let it go. @param {import("./layout.js").Drag | null} drag */
  grab(drag) {
    this.drag = drag;
    this.show();
    return drag;
  }

  /** @param {import("./layout.js").Drag} drag */
  carry(drag) {
    this.drag = drag;
    this.justDragged ||= drag.to !== drag.from;
    this.pointed = cellFocus({ panel: drag.panel, i: drag.i, j: drag.to });
    this.show();
  }

  /** Leave the dragged cell where it is now. */
  drop() {
    const { drag } = this;
    this.grab(null);
    if (drag && drag.to !== drag.from) {
      this.onMove?.(drag);
    }
  }

  /** Pin a focus, or remove it where it is pinned already. @param {Focus | null} focus */
  pin(focus) {
    this.pinned = sameFocus(focus, this.pinned) ? null : focus;
    this.show();
    this.onPin?.(this.pinned);
  }

  /** Move the cell of the keyboard. */
  goTo(panel, { i, j }) {
    this.pointed = null;
    this.current = { panel: panel.number, i, j };
    this.show();
    this.onPoint?.(cellFocus(this.current));
    this.spoken.textContent = spokenCell(panel, i, j, this.texts);
  }

  /** Take the keyboard from the matrix. */
  leave() {
    this.current = null;
    this.show();
    this.onPoint?.(null);
  }
}
