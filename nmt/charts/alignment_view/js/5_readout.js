// What the focus is, in words and numbers: a line above each panel, and a sentence for those who listen.

const MOST_PARTNERS = 3;
const HINT = "Point at a word or a cell. A click or Enter pins it, several words are summed; arrow keys move from cell to cell.";

function read(view, panel, focus, sums) {
  if (!focus) {
    panel.readout.replaceChildren(make("span", "hint", panel.number === 0 ? HINT : "\u00a0"));
    return;
  }
  const parts = isCell(focus) ? readCell(panel, focus) : readWords(panel, focus, sums);
  panel.readout.replaceChildren(...parts);
}

function readCell(panel, { source: [j], target: [i] }) {
  const parts = [
    make("span", "name target", panel.target[i]),
    " ← ",
    make("span", "name source", panel.source[j]),
    make("span", "number weight", `${panel.letter} = ${decimals(panel.weights[i][j], 3)}`),
  ];
  if (panel.log_probability) {
    parts.push(make("span", "number", `log p ${decimals(panel.log_probability[i], 2)}`));
  }
  return parts;
}

function readWords(panel, focus, sums) {
  const side = focus.target.length ? "target" : "source";
  const other = side === "target" ? "source" : "target";
  const best = sums[other]
    .map((weight, k) => ({ weight, k }))
    .sort((a, b) => Math.abs(b.weight) - Math.abs(a.weight))
    .slice(0, MOST_PARTNERS)
    .filter(({ weight }) => Math.abs(weight) >= 0.005);
  const names = focus[side].map((k) => panel[side][k]).join(" + ");
  const parts = [make("span", "name", names), side === "target" ? " ← " : " → "];
  for (const { weight, k } of best) {
    parts.push(make("span", "name", panel[other][k]), make("span", "number", decimals(weight, 2)));
  }
  if (!best.length) {
    parts.push(make("span", "number", "nothing above 0.005"));
  }
  if (focus[side].length === 1 && panel.said) {
    parts.push(make("span", "more", panel.said[side][focus[side][0]]));
  }
  return parts;
}

function speak(view) {
  const { panel: number, i, j } = view.current;
  const panel = view.panels[number];
  view.spoken.textContent =
    `Target word ${i + 1} of ${panel.target.length}, ${panel.target[i]}; ` +
    `source word ${j + 1} of ${panel.source.length}, ${panel.source[j]}; ` +
    `${panel.spoken_letter} ${panel.weights[i][j].toFixed(3)}`;
}

function speakWord(view, panel, side, k) {
  const focus = wordFocus(panel, side, k);
  const parts = readWords(panel, focus, partners(panel, focus));
  view.spoken.textContent = parts.map((part) => (typeof part === "string" ? part : part.textContent)).join(" ");
}
