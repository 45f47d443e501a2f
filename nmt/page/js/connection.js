// Where the engine works: in a worker made from the script that the page carries, or, where the browser allows no worker
// for a file opened from disk, in the page itself, which then draws between two words.

import { Engine } from "./engine.js";

const PATIENCE = 10_000; // milliseconds until a worker that says nothing is given up

/**
 * Connect to an engine.
 * @param {object} data of the page
 * @param {string[]} weights base64, one per run
 * @param {string} script of the worker
 * @param {(answer: object) => void} receive called with each answer, see engine.js; also with `{id, error}`
 * @returns {Promise<{ask: (request: object) => void, inWorker: boolean}>}
 */
export async function connect(data, weights, script, receive) {
  const worker = await startedWorker(data, weights, script);
  if (worker) {
    worker.onmessage = ({ data: answer }) => receive(answer);
    worker.onerror = ({ message }) => receive({ error: message });
    return { ask: (request) => worker.postMessage(request), inWorker: true };
  }
  const engine = new Engine(data, weights);
  const ask = (request) => engine.answer(request, receive).catch((error) => receive({ id: request.id, error: String(error) }));
  return { ask, inWorker: false };
}

/** A worker that has the data; null if there can be none. */
function startedWorker(data, weights, script) {
  return new Promise((resolve) => {
    let worker = null;
    const end = (found) => {
      clearTimeout(timer);
      if (!found) {
        worker?.terminate();
      }
      resolve(found);
    };
    const timer = setTimeout(() => end(null), PATIENCE);
    try {
      worker = new Worker(URL.createObjectURL(new Blob([script], { type: "text/javascript" })));
      worker.onerror = () => end(null);
      worker.onmessage = () => end(worker);
      worker.postMessage({ data, weights });
    } catch {
      end(null);
    }
  });
}
