// Movements by the keyboard. Pure functions, no DOM.

/**
 * Place in the matrix after a key, kept within the matrix; null for a key that moves nothing.
 * @param {{column: number, row: number}} place
 * @param {string} key name of the key, as in KeyboardEvent.key
 * @param {boolean} far whether Ctrl or Cmd is held: Home and End then reach the corners
 * @param {{columns: number, rows: number}} size
 */
export function movedPlace(place, key, far, { columns, rows }) {
  const [right, bottom] = [columns - 1, rows - 1];
  const moves = new Map([
    ["ArrowUp", { ...place, row: place.row - 1 }],
    ["ArrowDown", { ...place, row: place.row + 1 }],
    ["ArrowLeft", { ...place, column: place.column - 1 }],
    ["ArrowRight", { ...place, column: place.column + 1 }],
    ["Home", { row: far ? 0 : place.row, column: 0 }],
    ["End", { row: far ? bottom : place.row, column: right }],
  ]);
  const moved = moves.get(key);
  if (!moved) {
    return null;
  }
  return {
    column: Math.min(right, Math.max(0, moved.column)),
    row: Math.min(bottom, Math.max(0, moved.row)),
  };
}

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
