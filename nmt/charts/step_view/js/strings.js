// Texts of the drawing; a text with values is a function of them. Those of its boxes are in strings.py.

export const MODEL = "Model";
export const STEPS = "Steps";
export const BACK = "Back";
export const FORWARD = "Forward";
export const STAGE = "Stage of the step";
export const STAGE_NAMES = {
  read: "Read", state: "State", scores: "Scores", weights: "Weights", context: "Context", word: "Word",
};
export const TRANSLATION = "Translation, word by word";
export const WORD = (number, word) => `Word ${number}: ${word}`;
export const EXPLANATION = "What to see";
export const HINT =
  "Point at a part for its equation, its shape and its values; a click keeps it. Left and right arrow keys go from " +
  "stage to stage, up and down from word to word.";

export const DRAWING = (word) => `Drawing of the step that writes ${word}`;
export const FIRST = "(none yet)";
export const LAST = "the end";

export const PAPER = (place) => `Paper: ${place}`;
export const OF_WORD = (word, number) => `Of “${word}”, word ${number}:`;
export const DIRECTIONS = ["forwards", "backwards"];
export const MAXOUT = "The layer tᵢ:";
export const WRITTEN = ({ word, p, nats, rank }) =>
  `“${word}”: p = ${p}, log p = ${nats} nats, rank ${rank} among all words.`;
export const PREVIOUS = (word) => `“${word}”`;
export const NO_PREVIOUS = "No word is written yet: the zero vector.";
export const DIRECTION = (name, facts) => `${name}: ${facts}`;
export const VECTOR = ({ count, low, lowUnit, high, highUnit, norm }) =>
  `${count} numbers from ${low} (unit ${lowUnit}) to ${high} (unit ${highUnit}); norm ‖·‖ = ${norm}.`;
