// Keys on the matrix, and on a row of words.

function press(view, panel, event) {
  if (event.altKey) {
    return;
  }
  if (event.key === "+" || event.key === "-") {
    event.preventDefault();
    rescale(view, event.key === "+" ? 1.25 : 0.8);
    return;
  }
  const { i, j } = view.current ?? { i: 0, j: 0 };
  if (event.key === "Enter" || event.key === " ") {
    event.preventDefault();
    pin(view, cellFocus({ panel: panel.number, i, j }));
    return;
  }
  const far = event.ctrlKey || event.metaKey;
  const at = panel.columnSide === "source" ? { column: j, row: i } : { column: i, row: j };
  const right = panel[panel.columnSide].length - 1;
  const bottom = panel[panel.rowSide].length - 1;
  const moves = {
    ArrowUp: { ...at, row: at.row - 1 },
    ArrowDown: { ...at, row: at.row + 1 },
    ArrowLeft: { ...at, column: at.column - 1 },
    ArrowRight: { ...at, column: at.column + 1 },
    Home: { row: far ? 0 : at.row, column: 0 },
    End: { row: far ? bottom : at.row, column: right },
  };
  const move = moves[event.key];
  if (!move) {
    return;
  }
  event.preventDefault();
  const column = Math.min(right, Math.max(0, move.column));
  const row = Math.min(bottom, Math.max(0, move.row));
  view.pointed = null;
  view.current =
    panel.columnSide === "source"
      ? { panel: panel.number, i: row, j: column }
      : { panel: panel.number, i: column, j: row };
  show(view);
  reveal(panel, column, row);
  speak(view);
}

// Scrolls as far as needed for a cell to come out from under the words.
function reveal(panel, column, row) {
  const { scroll, cell, corner } = panel;
  const width = scroll.clientWidth - corner.offsetWidth;
  const height = scroll.clientHeight - corner.offsetHeight;
  scroll.scrollLeft = Math.min(column * cell, Math.max(scroll.scrollLeft, (column + 1) * cell - width + 6));
  scroll.scrollTop = Math.min(row * cell, Math.max(scroll.scrollTop, (row + 1) * cell - height + 6));
}

// One tab stop for a row of words; arrow keys go from word to word, in reading order.
function pressWord(view, panel, row, event) {
  const words = [...row.children];
  const k = words.indexOf(event.target.closest(".word"));
  const back = row.dir === "rtl" ? "ArrowRight" : "ArrowLeft";
  const onwards = row.dir === "rtl" ? "ArrowLeft" : "ArrowRight";
  const moves = {
    [back]: k - 1,
    ArrowUp: k - 1,
    [onwards]: k + 1,
    ArrowDown: k + 1,
    Home: 0,
    End: words.length - 1,
  };
  const next = words[moves[event.key]];
  if (!next || event.altKey) {
    return;
  }
  event.preventDefault();
  words[k].tabIndex = -1;
  next.tabIndex = 0;
  next.focus();
  next.scrollIntoView({ block: "nearest", inline: "nearest" });
}
