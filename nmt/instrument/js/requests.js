// Questions to the host. The newest one counts: answers to older ones are dropped. One that nobody answers is asked once more, and
// then said to be without an answer.

const PATIENCE = 30_000; // milliseconds until a request that nobody answers is asked once more

/** @typedef {import("./host.js").Answer} Answer */
export class Requests {
  /** @param {(request: object, heard: (told: Answer) => void) => Promise<object> | void} send @param {(kind: string, told: Answer) => void}
   *  receive called with each answer, or a part of it */
  constructor(send, receive) {
    [this.send, this.receive] = [send, receive];
    this.number = 0; // of the newest
    this.asked = null; // the kind of the one that is under way
  }

  /** @param {string} kind @param {{again?: boolean, entered?: boolean}} how `entered`: false for a sentence that is being typed, which the next
   *  letter asks for again */
  ask(kind, { again = false, entered = true } = {}) {
    this.drop();
    this.asked = kind;
    const { number } = this;
    const answer = (told) => number === this.number && this.receive(kind, told);
    const wait = () => {
      clearTimeout(this.timer);
      this.timer = entered && setTimeout(() => (again ? answer({ said: { text: "silent" }, done: true }) : this.ask(kind, { again: true })), PATIENCE);
    };
    wait();
    const heard = (told) => {
      if (number === this.number) {
        wait();
        answer(told);
      }
    };
    Promise.resolve(this.send({ kind, number, again, entered }, heard)).then(
      (record) => record && answer({ record, done: true }),
      (error) => answer({ said: { text: "failed", reason: error.message ?? error }, done: true }),
    );
  }

  /** Give up the one that is under way. */
  drop() {
    this.number += 1;
    this.rest();
  }

  /** Wait for no answer. */
  rest() {
    clearTimeout(this.timer);
    this.asked = null;
  }
}
