// Movements by the keyboard. Pure functions, no DOM.

/**
 * Number of the word after a key, in reading order; null for a key that moves nothing, and at the ends.
 * @param {number} k
 * @param {string} key
 * @param {number} count
 * @param {boolean} rightToLeft
 */
export function movedWord(k, key, count, rightToLeft) {
  const moves = new Map([
    [rightToLeft ? "ArrowRight" : "ArrowLeft", k - 1],
    ["ArrowUp", k - 1],
    [rightToLeft ? "ArrowLeft" : "ArrowRight", k + 1],
    ["ArrowDown", k + 1],
    ["Home", 0],
    ["End", count - 1],
  ]);
  const next = moves.get(key) ?? -1;
  return next >= 0 && next < count ? next : null;
}
