// Shapes of ribbons between two lines of words, in pixels: the source words above the target words, or in a narrow window
// at their left, one below the other; or a sentence too long for one line, in several bands. Pure functions, no DOM.

/** A word's place along its line. @typedef {{left: number, width: number}} Box */

/** Weights below this share are not drawn. */
export const LEAST = 0.04;
const THINNEST = 1;
const HEIGHT = { least: 56, usual: 96, most: 150, share: 0.22, low_window: 640, first_screen: 720 }; // of a window of 720 the usual height leaves nothing
const NARROW = { room: 640, share: 0.75 };

/**
 * Ribbons from the source words above to the target words below. At a target word a ribbon is as wide as its share of the
 * word, so that the ribbons of a word fill it. At a source word the sum of its column decides.
 * @param {number[][]} weights [T_y, T_x], rows sum to at most 1
 * @param {Box[]} source
 * @param {Box[]} target
 * @returns {{i: number, j: number, weight: number, from: Box, to: Box}[]}
 */
export function ribbons(weights, source, target) {
  const sums = source.map((_, j) => weights.reduce((sum, row) => sum + row[j], 0));
  const used = source.map(() => 0);
  const found = [];
  weights.forEach((row, i) => {
    let share = 0;
    row.forEach((weight, j) => {
      const scale = source[j].width / Math.max(1, sums[j]);
      if (weight >= LEAST) {
        found.push({
          i,
          j,
          weight,
          from: { left: source[j].left + used[j] * scale, width: Math.max(THINNEST, weight * scale) },
          to: {
            left: target[i].left + share * target[i].width,
            width: Math.max(THINNEST, weight * target[i].width),
          },
        });
      }
      used[j] += weight;
      share += weight;
    });
  });
  return found;
}

/**
 * SVG path of a ribbon: down to the target word, or up if that stands above.
 * @param {Box} from on the line of the source words
 * @param {Box} to on the line of the target words
 * @param {number} start height at which it leaves the source word
 * @param {number} end height at which it meets the target word
 * @param {boolean} [down] whether the lines go down: what is said of heights is then meant of places from the left
 */
export function ribbonPath(from, to, start, end, down = false) {
  const at = (along, across) => (down ? `${across} ${along}` : `${along} ${across}`);
  const half = (start + end) / 2;
  const [a, b] = [from.left, from.left + from.width].map((x) => x.toFixed(1));
  const [c, d] = [to.left, to.left + to.width].map((x) => x.toFixed(1));
  const [there, back] = [[a, c], [d, b]].map(([x, toX]) => `C ${at(x, half)} ${at(toX, half)} `);
  return `M ${at(a, start)} ${there}${at(c, end)} L ${at(d, end)} ${back}${at(b, start)} Z`;
}

/**
 * Ellipse around the place where the ribbons of some words cross.
 * @param {Box[]} source the source words
 * @param {Box[]} target the target words
 * @param {number} height
 * @param {boolean} [down] whether the lines go down, so that the height is a width
 * @returns {{cx: number, cy: number, rx: number, ry: number}}
 */
export function crossingRing(source, target, height, down = false) {
  const middle = (boxes) => {
    const left = Math.min(...boxes.map((box) => box.left));
    const right = Math.max(...boxes.map((box) => box.left + box.width));
    return (left + right) / 2;
  };
  const reach = (boxes) => Math.max(...boxes.map((box) => box.left)) - Math.min(...boxes.map((box) => box.left));
  const rx = Math.max(16, 0.3 * Math.min(reach(source), reach(target)));
  const [cx, cy, ry] = [(middle(source) + middle(target)) / 2, height / 2, Math.max(14, 0.3 * height)];
  return down ? { cx: cy, cy: cx, rx: ry, ry: rx } : { cx, cy, rx, ry };
}

/**
 * Whether the lines go down: in a narrow window, where the words would else be small or go on beyond its edge.
 * @param {number} width of the longer line at the largest size
 * @param {number} room
 */
export function goesDown(width, room) {
  return room < NARROW.room && room < NARROW.share * width;
}

/**
 * Font size at which a line of words fits, between two bounds.
 * @param {number} width of the line at the largest size
 * @param {number} room
 * @param {number} largest
 * @param {number} smallest
 */
export function fontSizeThatFits(width, room, largest, smallest) {
  return width <= room ? largest : Math.max(smallest, Math.floor((10 * largest * room) / width) / 10);
}

/**
 * Pixels between the two lines of words, and between those of each of several bands.
 * @param {number} windowHeight
 * @param {number} count of systems that share what a high window has more
 */
export function ribbonHeights(windowHeight, count = 1) {
  const high = HEIGHT.usual + Math.max(0, windowHeight - HEIGHT.first_screen) / 3 / count;
  const lines = windowHeight < HEIGHT.low_window ? HEIGHT.least : Math.min(HEIGHT.most, Math.round(high));
  return { lines, bands: Math.round(Math.max(lines, HEIGHT.share * windowHeight) / 2.4) };
}

/** Seconds after which word i of some is written, if writing all takes so long. */
export function writtenAfter(i, words, seconds) {
  return words > 1 ? (i / (words - 1)) * seconds : 0;
}

/** Where a band begins: numbers of its first words. @typedef {{source: number, target: number}} Start */

/**
 * Split two lines of words into bands so that all parts fit, little weight leads from one band to another, and the bands
 * are about equally wide, which counts as much as the weight of three words; if they cannot fit, so that the widest part
 * is as narrow as possible.
 * @param {number[][]} weights [T_y, T_x]
 * @param {number[]} source widths of the source words, the space between words included
 * @param {number[]} target likewise
 * @param {number} room
 * @param {number} count of bands
 * @returns {{starts: Start[], width: number} | null} one start per band, and the width of the widest part; null if a line
 *   has fewer words than there are bands
 */
export function splitInBands(weights, source, target, room, count) {
  if (count === 1) {
    return { starts: [{ source: 0, target: 0 }], width: Math.max(sumsBefore(source).at(-1), sumsBefore(target).at(-1)) };
  }
  const first = firstBand(weights, source, target, room, count);
  const { source: j, target: i } = first ?? {};
  const rest = first
    && splitInBands(weights.slice(i).map((row) => row.slice(j)), source.slice(j), target.slice(i), room, count - 1);
  if (!rest) {
    return null;
  }
  const later = rest.starts.map((start) => ({ source: start.source + j, target: start.target + i }));
  return { starts: [{ source: 0, target: 0 }, ...later], width: Math.max(first.width, rest.width) };
}

/** The end of the first band; the rest has the room of the other bands, of which a twentieth may stay empty. */
function firstBand(weights, source, target, room, count) {
  const before = [sumsBefore(source), sumsBefore(target)];
  const inside = weightBefore(weights);
  const [rows, columns] = [target.length, source.length];
  const others = count === 2 ? 1 : 0.95 * (count - 1);
  let best = null;
  for (let i = 1; i <= rows - count + 1; i += 1) {
    for (let j = 1; j <= columns - count + 1; j += 1) {
      const ends = [[before[0], j], [before[1], i]];
      const width = Math.max(...ends.map(([sum, k]) => sum[k]));
      const widest = Math.max(width, ...ends.map(([sum, k]) => (sum.at(-1) - sum[k]) / others));
      const leaving = inside[i][columns] + inside[rows][j] - 2 * inside[i][j];
      const fits = widest <= room;
      const found = { source: j, target: i, width, fits, cost: fits ? leaving + (3 * widest) / room : widest };
      if (best === null || (found.fits === best.fits ? found.cost < best.cost : found.fits)) {
        best = found;
      }
    }
  }
  return best;
}

/**
 * The fewest bands in which two lines of words fit, up to a number of bands; null if one is enough, or there can be none.
 * @param {number} most
 */
export function bandsThatFit(weights, source, target, room, most) {
  let found = null;
  for (let count = 1; count <= most && !(found?.width <= room); count += 1) {
    found = splitInBands(weights, source, target, room, count) ?? found;
  }
  return found && found.starts.length > 1 ? found : null;
}

/** Letters of texts that have no spaces between words, so that a line may end before any of them; and what opens. */
const MAY_BEGIN = /^[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\p{Ps}\p{Pi}]/u;

/**
 * Numbers of the words at which a line may begin: not at a comma, nor at "accord" in "L'accord".
 * @param {string[]} words
 * @param {boolean[]} [close] whether each stands in its text without a space before it
 */
export function lineBegins(words, close = []) {
  return [...words.keys()].filter((k) => k === 0 || !close[k] || MAY_BEGIN.test(words[k]));
}

/**
 * Bands that begin where a line may begin.
 * @param {number[][]} weights [T_y, T_x]
 * @param {{source: number[], target: number[]}} widths of the words, the space between words included
 * @param {{source: number[], target: number[]}} begins numbers of the words at which a line may begin
 * @param {number} room
 * @param {number} most
 */
export function bandsOfWords(weights, widths, begins, room, most) {
  const [across, down] = [partSums(begins.source), partSums(begins.target)];
  const columns = weights.map(across);
  const merged = begins.target.map(() => []);
  begins.source.forEach((_, j) => down(columns.map((row) => row[j])).forEach((sum, i) => merged[i].push(sum)));
  const found = bandsThatFit(merged, across(widths.source), down(widths.target), room, most);
  const starts = found?.starts.map((start) => ({ source: begins.source[start.source], target: begins.target[start.target] }));
  return found && { ...found, starts };
}

/** A function to the sums of the parts of some values that begin at some numbers. @param {number[]} begins */
function partSums(begins) {
  return (values) => begins.map((begin, k) => values.slice(begin, begins[k + 1]).reduce((sum, value) => sum + value, 0));
}

/** Sums of the first k values, for each k from 0. @param {number[]} values */
function sumsBefore(values) {
  const found = [0];
  values.forEach((value) => found.push(found.at(-1) + value));
  return found;
}

/** Sums over the first i rows and the first j columns. */
function weightBefore(weights) {
  const found = [Array.from({ length: weights[0].length + 1 }, () => 0)];
  weights.forEach((row, i) => {
    const along = sumsBefore(row);
    found.push(along.map((sum, j) => sum + found[i][j]));
  });
  return found;
}

/**
 * Places of words that stand side by side in the middle of the room.
 * @param {number[]} widths of the words
 * @param {number[]} gaps room before each of them; that of the first does not count
 * @param {number} room
 * @param {boolean} fromRight whether the line is read from the right
 * @returns {number[]} left edges
 */
export function centred(widths, gaps, room, fromRight) {
  const whole = widths.reduce((sum, width, k) => sum + width + (k ? gaps[k] : 0), 0);
  let left = (room - whole) / 2;
  return widths.map((width, k) => {
    left += k ? gaps[k] : 0;
    const at = fromRight ? room - left - width : left;
    left += width;
    return at;
  });
}

/** A rectangle on the page. @typedef {{left: number, right: number, top: number, bottom: number}} Rectangle */

/** Number of the rectangle nearest to a point. @param {Rectangle[]} rectangles @param {number} x @param {number} y */
export function nearest(rectangles, x, y) {
  const beyond = (value, low, high) => Math.max(low - value, value - high, 0);
  const distances = rectangles.map(({ left, right, top, bottom }) => (
    Math.hypot(beyond(x, left, right), beyond(y, top, bottom))
  ));
  return distances.indexOf(Math.min(...distances));
}

/** How many words two lines have in common at their beginning. @param {string[]} one @param {string[]} other */
export function sharedStart(one, other) {
  const first = one.findIndex((word, k) => word !== other[k]);
  return first < 0 ? one.length : first;
}
