// Beam search for the most probable output of one sentence, step by step: nmt/search/beam.py in JavaScript, with the same
// order of ties. It knows a model by `start`, `step`, `select` and `words` alone. No DOM.

const [START, END] = [-1, 0];

/**
 * @typedef {object} BeamSettings
 * @property {number} beam hypotheses kept, finished ones included
 * @property {number} lengthPenalty A: outputs are ranked by log p / T_y^A
 * @property {number[]} forbidden ids that no output may contain
 */

/**
 * @typedef {object} Output
 * @property {number[]} ids the end-of-sentence token last
 * @property {number} logProbability nats
 * @property {number} score log p / T_y^A
 * @property {number[]} tokenLogProbabilities
 * @property {Float64Array[] | null} alpha a row of weights for each token
 */

/**
 * Find the best output. Whoever runs the search may stop it between two steps.
 * @param {number[]} ids of the source, the end-of-sentence token last
 * @param {BeamSettings} settings
 * @yields {{step: number, longest: number}} before each step its number, from 1, and the largest possible number of steps
 * @returns {Generator<{step: number, longest: number}, Output, void>}
 */
export function* beamSearch(model, ids, { beam, lengthPenalty, forbidden }) {
  const limit = 2 * (ids.length - 1) + 10;
  const score = (total, length) => total / length ** lengthPenalty;
  let width = beam;
  let best = null; // the finished output with the best score: { step, row, value, total, score }
  let live = [{ total: 0, token: START }];
  const history = []; // for each step: alpha of the rows before it, and the rows after it
  const { source, state: first } = model.start(ids);
  let state = first;
  for (let length = 0; ; length += 1) {
    yield { step: length + 1, longest: limit + 1 };
    const { logProbabilities, alpha, state: after } = model.step(source, state, live.map((row) => row.token));
    const banned = length >= limit ? (id) => id !== END : (id) => forbidden.includes(id);
    const found = bestContinuations(logProbabilities, model.words, live, beam, banned).slice(0, width);
    for (const { row, token, value, total } of found) {
      if (token === END) {
        width -= 1;
        const reached = score(total, length + 1);
        if (!best || reached > best.score) {
          best = { step: length, row, value, total, score: reached };
        }
      }
    }
    live = found.filter(({ token }) => token !== END);
    history.push({ alpha, rows: live });
    const bound = live.length ? score(live[0].total, limit + 1) : -Infinity;
    if (!(bound > (best?.score ?? -Infinity))) {
      return traced(history, best);
    }
    state = model.select(after, live.map(({ row }) => row));
  }
}

/**
 * The continuations with the largest log-probabilities, best first; ties go to the first row, then to the smaller id.
 * @param {Float32Array} logProbabilities [k, words]
 * @param {{total: number}[]} live
 * @param {number} number of continuations to find
 * @param {(id: number) => boolean} banned
 * @returns {{row: number, token: number, value: number, total: number}[]}
 */
export function bestContinuations(logProbabilities, words, live, number, banned) {
  const found = [];
  live.forEach(({ total: before }, row) => {
    for (let token = 0; token < words; token += 1) {
      const value = logProbabilities[row * words + token];
      const total = before + value;
      if ((found.length < number || total > found.at(-1).total) && total > -Infinity && !banned(token)) {
        let place = found.length;
        while (place > 0 && total > found[place - 1].total) {
          place -= 1;
        }
        found.splice(place, 0, { row, token, value, total });
        found.length = Math.min(found.length, number);
      }
    }
  });
  return found;
}

/** The output that an ending finishes, by following the rows back. */
function traced(history, { step, row, value, total, score }) {
  const [ids, values, alpha] = [[END], [value], []];
  let here = row;
  alpha.unshift(history[step].alpha?.[here]);
  for (let i = step - 1; i >= 0; i -= 1) {
    const { token, value: own, row: before } = history[i].rows[here];
    ids.unshift(token);
    values.unshift(own);
    here = before;
    alpha.unshift(history[i].alpha?.[here]);
  }
  return { ids, logProbability: total, score, tokenLogProbabilities: values, alpha: history[0].alpha ? alpha : null };
}
