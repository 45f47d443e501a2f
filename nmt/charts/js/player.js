// A view of steps, one at a time: the reader goes through them by buttons and keys, or they play.

import { View, setName } from "./elements.js";

/** A view has the steps (`count`, and which one a key leads to, `moved`) and shows the one of number `now` (`show`). */
export class Player extends View {
  /**
   * @param {Element} element with the buttons of view.html
   * @param {number} pause milliseconds that a step stands while they play
   * @param {string} place selector of what is drawn again when its width changes
   */
  constructor(element, pause, place) {
    super(element, place);
    this.pause = pause;
    this.timer = null;
    this.playButton = this.find(".play");
    this.buttons = { back: this.find(".back"), forward: this.find(".forward") };
    this.buttons.back.onclick = () => this.choose(this.now - 1);
    this.buttons.forward.onclick = () => this.choose(this.now + 1);
    this.playButton.onclick = () => (this.timer === null ? this.play() : this.stop());
    this.find(".view").onkeydown = (event) => this.key(event);
  }

  end() {
    this.halt();
    super.end();
  }

  key(event) {
    const next = event.altKey || event.ctrlKey || event.metaKey ? null : this.moved(event.key);
    if (next !== null) {
      event.preventDefault();
      this.choose(next);
    }
  }

  /** The reader chose a step. */
  choose(number) {
    this.halt();
    this.goTo(number);
  }

  goTo(number) {
    this.now = Math.min(this.count - 1, number); // a single step has no next step
    this.show();
  }

  play() {
    if (this.now === this.count - 1) {
      this.now = 0;
    }
    this.timer = setInterval(() => {
      if (this.now + 1 >= this.count - 1) {
        this.halt();
      }
      this.goTo(this.now + 1);
    }, this.pause);
    this.show();
  }

  stop() {
    this.halt();
    this.show();
  }

  halt() {
    clearInterval(this.timer);
    this.timer = null;
  }

  showMoves() {
    setName(this.find(".moves"), this.texts.steps);
    setName(this.buttons.back, this.texts.back, "←");
    setName(this.buttons.forward, this.texts.forward, "→");
    this.playButton.textContent = this.timer === null ? this.texts.play : this.texts.stop;
    this.playButton.setAttribute("aria-pressed", String(this.timer !== null));
    this.buttons.back.disabled = this.now === 0;
    this.buttons.forward.disabled = this.now === this.count - 1;
  }
}
