// The runs of a page at work: loads the weights of a run when it is first asked for, and translates with pauses, so that a
// newer request can take the place of an older one. The same in a worker and, where a browser allows none, in the page
// itself. No DOM.

import { doubtsOf, mayDoubt } from "./doubts.js";
import { bytesOf } from "./safetensors.js";
import { Translator } from "./translator.js";

export class Engine {
  /** @param {object} data of the page (nmt/page/payload.py) @param {string[]} weights base64, one per run */
  constructor(data, weights) {
    this.data = data;
    this.weights = weights;
    this.translators = [];
    this.newest = 0;
    this.plain = { text: "", systems: new Map() }; // translations without changes of which no doubts are told yet
  }

  /**
   * Translate with each run in turn, then look for doubted words; ends early once there is a newer request.
   * @param {{id: number, text: string, beam: number, runs: number[], changes: object[]}} request the newer one has the larger id;
   *   `runs`: in the order in which they are wanted
   * @param {(answer: object) => void} tell called with `{id, run, step, longest}` and with `{id, run, system, seconds}`, a system of a record;
   *   then with `{id, run, text, judge, doubts}`; with `{id, old: true}` in a browser without WebAssembly's SIMD
   */
  async answer({ id, text, beam, runs, changes }, tell) {
    this.newest = id;
    if (!changes.length) {
      this.plain = { text, systems: new Map() };
    }
    for (const run of runs) {
      tell({ id, run, step: 0, longest: 1 });
      await pause();
      const translator = this.newest === id && this.translator(run);
      if (translator === null) {
        tell({ id, old: true });
      }
      const began = performance.now();
      const system = translator && await this.finish(id, translator.translate(text, beam, changes), (at) => tell({ id, run, ...at }));
      if (!system) {
        return;
      }
      tell({ id, run, system, seconds: (performance.now() - began) / 1000 });
      if (!changes.length) {
        this.plain.systems.set(run, system);
      }
    }
    await this.doubt(id, this.plain, tell);
  }

  /** Do all steps with pauses. @returns {Promise<object | null>} their result; null once there is a newer request */
  async finish(id, steps, tell = () => {}) {
    for (let found = steps.next(); ; found = steps.next()) {
      if (found.done) {
        return found.value;
      }
      tell(found.value);
      await pause();
      if (this.newest !== id) {
        return null;
      }
    }
  }

  /** Tell once of each translation without changes which of its words a run doubts. */
  async doubt(id, { text, systems }, tell) {
    for (const [run, system] of systems) {
      const [judge, own] = [...systems].find(([, other]) => mayDoubt(other, system, this.data.doubts)) ?? [];
      const scores = own && await this.finish(id, this.translators[judge].wordScores(text, system.target));
      if (scores) {
        systems.delete(run);
        tell({ id, run, text, judge, doubts: doubtsOf(scores, system.target, own.target, this.data.doubts) });
      }
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
