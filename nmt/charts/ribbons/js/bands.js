// A sentence too long for one line, in two bands: the first part of the source words above the first part of the target
// words, and below them the rest of both. Pure functions, no DOM.

/** Where the second band begins. @typedef {{source: number, target: number, width: number}} Split width of the widest part */

/**
 * Split two lines of words so that all four parts fit and as little weight as possible leads from one band to the other;
 * if they cannot fit, so that the widest part is as narrow as possible.
 * @param {number[][]} weights [T_y, T_x]
 * @param {number[]} source widths of the source words, the space between words included
 * @param {number[]} target likewise
 * @param {number} room
 * @returns {Split | null} null if a line has a single word
 */
export function splitInTwo(weights, source, target, room) {
  const before = [sums(source), sums(target)];
  const inside = weightBefore(weights);
  const [rows, columns] = [target.length, source.length];
  let best = null;
  for (let i = 1; i < rows; i += 1) {
    for (let j = 1; j < columns; j += 1) {
      const width = Math.max(...[[before[0], j], [before[1], i]].flatMap(([sum, k]) => [sum[k], sum.at(-1) - sum[k]]));
      const leaving = inside[i][columns] + inside[rows][j] - 2 * inside[i][j];
      const found = { source: j, target: i, width, leaving, fits: width <= room };
      if (best === null || isBetter(found, best)) {
        best = found;
      }
    }
  }
  return best && { source: best.source, target: best.target, width: best.width };
}

function isBetter(found, best) {
  if (found.fits !== best.fits) {
    return found.fits;
  }
  const order = found.fits ? ["leaving", "width"] : ["width", "leaving"];
  const first = order.find((name) => Math.abs(found[name] - best[name]) > 1e-9);
  return first !== undefined && found[first] < best[first];
}

/** Sums of the first k values, for each k from 0. @param {number[]} values */
function sums(values) {
  const found = [0];
  values.forEach((value) => found.push(found.at(-1) + value));
  return found;
}

/** Sums over the first i rows and the first j columns. */
function weightBefore(weights) {
  const found = [Array.from({ length: weights[0].length + 1 }, () => 0)];
  weights.forEach((row, i) => {
    const along = sums(row);
    found.push(along.map((sum, j) => sum + found[i][j]));
  });
  return found;
}

/**
 * Places of words that stand side by side in the middle of the room.
 * @param {number[]} widths of the words
 * @param {number} gap
 * @param {number} room
 * @param {boolean} fromRight whether the line is read from the right
 * @returns {number[]} left edges
 */
export function centred(widths, gap, room, fromRight) {
  const whole = widths.reduce((sum, width) => sum + width, 0) + gap * (widths.length - 1);
  let left = (room - whole) / 2;
  return widths.map((width) => {
    const at = fromRight ? room - left - width : left;
    left += width + gap;
    return at;
  });
}

/**
 * SVG path of a ribbon between words of any two bands: down to the target word, or up if that stands above.
 * @param {{left: number, width: number}} from
 * @param {{left: number, width: number}} to
 * @param {number} start height at which it leaves the source word
 * @param {number} end height at which it meets the target word
 */
export function pathBetween(from, to, start, end) {
  const half = (start + end) / 2;
  const [a, b] = [from.left, from.left + from.width].map((x) => x.toFixed(1));
  const [c, d] = [to.left, to.left + to.width].map((x) => x.toFixed(1));
  return `M ${a} ${start} C ${a} ${half} ${c} ${half} ${c} ${end} H ${d} C ${d} ${half} ${b} ${half} ${b} ${start} Z`;
}
