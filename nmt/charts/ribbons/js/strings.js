// Texts of the ribbons; a text with values is a function of them.

export const NOTHING = "nothing";
export const RIBBONS = (title) =>
  `Ribbons of ${title}: up and down choose one, left and right move its end to another source word, Enter applies it`;
export const GRIP = (target) => `“${target}” looks at`;
export const SENTENCES = "Sentences translated as one";
export const SENTENCES_AS_ONE = (number) => (number > 1 ? `${number} sentences as one` : "one sentence");
export const ADD = (sentence) => `Add the next sentence: ${sentence}`;
export const BEFORE = "before: ";
export const UNDO = "Undo";
export const UNDO_KEY = "Ctrl+Z";
