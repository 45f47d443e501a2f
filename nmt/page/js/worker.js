// The engine in a worker: the first message brings the data, all others are requests. Errors are told as such.

import { Engine } from "./engine.js";

let engine = null;

self.onmessage = ({ data: message }) => {
  if (message.data) {
    engine = new Engine(message.data, message.weights);
    self.postMessage("ready");
    return;
  }
  engine.answer(message, (answer) => self.postMessage(answer)).catch((error) => self.postMessage({ id: message.id, error: String(error) }));
};
