// A source word that is carried to another place of its line: the words in another order are another sentence, which the model
// translates. A mouse drags at once, a finger after it has rested; Alt with an arrow key moves the word by one.

import { nearest } from "./geometry.js";

const [FAR, REST] = [6, 350]; // pixels after which a mouse drags, milliseconds after which a finger does
const FORWARD = { ArrowRight: 1, ArrowDown: 1, ArrowLeft: -1, ArrowUp: -1 };

/** Numbers of words after one of them was moved. @param {number} count @param {number} from @param {number} to */
export function movedOrder(count, from, to) {
  const order = Array.from({ length: count }, (_, k) => k);
  order.splice(to, 0, ...order.splice(from, 1));
  return order;
}

/**
 * Let the source words of a system change places.
 * @param {object} system of the ribbons
 * @param {(from: number, to: number, byKeys: boolean) => void} move
 */
export function makeReorderable({ words: { source }, source_rtl: rightToLeft }, move) {
  source.forEach((word, j) => new Carried(source, word, j, move, rightToLeft));
}

class Carried {
  constructor(words, word, j, move, rightToLeft) {
    Object.assign(this, { words, word, j, move, began: null, to: null });
    word.classList.add("movable-word");
    word.addEventListener("pointerdown", (event) => event.button === 0 && this.begin(event));
    word.addEventListener("pointermove", (event) => this.carry(event));
    word.addEventListener("pointerup", () => this.end(true));
    word.addEventListener("pointercancel", () => this.end(false));
    word.addEventListener("lostpointercapture", () => this.end(false));
    word.addEventListener("touchmove", (event) => this.to !== null && event.preventDefault(), { passive: false });
    word.addEventListener("click", (event) => { // a click that ends a drag presses nothing
      if (this.carried) {
        this.carried = false;
        event.stopImmediatePropagation();
      }
    }, { capture: true });
    word.addEventListener("keydown", (event) => this.press(event, rightToLeft));
  }

  begin(event) {
    this.began = { x: event.clientX, y: event.clientY, mouse: event.pointerType !== "touch", id: event.pointerId };
    this.carried = false;
    if (this.began.mouse) {
      this.word.setPointerCapture(event.pointerId); // a quick mouse leaves the word at once
    } else {
      this.timer = setTimeout(() => this.take(), REST);
    }
  }

  take() {
    if (this.began) {
      this.word.setPointerCapture(this.began.id);
      this.show(this.j);
    }
  }

  carry({ clientX, clientY }) {
    const far = this.began && Math.hypot(clientX - this.began.x, clientY - this.began.y) > FAR;
    if (this.to === null && far && this.began.mouse) {
      this.take();
    } else if (this.to === null && far) {
      this.end(false); // the finger scrolls
    }
    if (this.to !== null) {
      this.show(nearest(this.words.map((word) => word.getBoundingClientRect()), clientX, clientY));
    }
  }

  show(to) {
    this.to = to;
    this.words.forEach((word, k) => {
      word.classList.toggle("carried", to !== null && k === this.j);
      word.classList.toggle("before", to === k && k < this.j);
      word.classList.toggle("behind", to === k && k > this.j);
    });
  }

  end(dropped) {
    const { j, to } = this;
    clearTimeout(this.timer);
    this.began = null;
    if (to !== null) {
      this.carried = true;
      this.show(null);
      if (dropped && to !== j) {
        this.move(j, to, false);
      }
    }
  }

  press(event, rightToLeft) {
    const step = (FORWARD[event.key] ?? 0) * (rightToLeft && /Left|Right/.test(event.key) ? -1 : 1);
    if (event.key === "Escape" && this.to !== null) {
      event.stopPropagation();
      this.end(false);
    } else if (step && event.altKey && !event.ctrlKey && !event.metaKey) {
      event.preventDefault(); // else the browser would go back
      event.stopPropagation();
      const to = this.j + step;
      if (to >= 0 && to < this.words.length) {
        this.move(this.j, to, true);
      }
    }
  }
}
