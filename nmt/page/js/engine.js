// The runs of a page at work: loads the weights of a run when it is first asked for, and translates with pauses, so that a
// newer request can take the place of an older one. The same in a worker and, where a browser allows none, in the page
// itself. No DOM.

import { bytesOf } from "./safetensors.js";
import { Translator } from "./translator.js";

/**
 * A request and its answers.
 * @typedef {object} Request
 * @property {number} id of two requests the newer one has the larger number
 * @property {string} text
 * @property {number} beam
 * @property {number[]} runs numbers of the runs, in the order in which they are wanted
 * @property {object[]} changes what the reader changed
 */

export class Engine {
  /** @param {object} data of the page (nmt/page/payload.py) @param {string[]} weights base64, one per run */
  constructor(data, weights) {
    this.data = data;
    this.weights = weights;
    this.translators = [];
    this.newest = 0;
  }

  /**
   * Translate with each run in turn; ends early once there is a newer request.
   * @param {Request} request
   * @param {(answer: object) => void} tell called with `{id, run, step, longest}` and with `{id, run, system, seconds}`, a system of a record;
   *   with `{id, old: true}` in a browser without WebAssembly's SIMD
   */
  async answer({ id, text, beam, runs, changes }, tell) {
    this.newest = id;
    for (const run of runs) {
      let [steps, began] = [null, 0];
      let found = { value: { step: 0, longest: 1 }, done: false };
      while (!found.done) {
        tell({ id, run, ...found.value });
        await pause();
        if (this.newest !== id) {
          return;
        }
        if (!steps) {
          const translator = this.translator(run);
          if (!translator) {
            tell({ id, old: true });
            return;
          }
          steps = translator.translate(text, beam, changes);
          began = performance.now();
        }
        found = steps.next();
      }
      tell({ id, run, system: found.value, seconds: (performance.now() - began) / 1000 });
    }
  }

  /** The translator of a run, whose weights are decoded once; null in a browser without WebAssembly's SIMD. */
  translator(run) {
    if (!this.translators[run]) {
      try {
        this.module ??= new WebAssembly.Module(bytesOf(this.data.engine));
      } catch {
        return null;
      }
      this.translators[run] = new Translator(this.data.runs[run], this.data, bytesOf(this.weights[run]), this.module);
      this.weights[run] = "";
    }
    return this.translators[run];
  }
}

/** Let waiting messages and drawing come first. A timer would wait for milliseconds. */
function pause() {
  return new Promise((resolve) => {
    const { port1, port2 } = new MessageChannel();
    port1.onmessage = () => {
      port1.close();
      resolve();
    };
    port2.postMessage(null);
  });
}
