// Texts of the ribbons; a text with values is a function of them.

export const NOTHING = "nothing";
export const LOG_P = (value) => `log p ${value}`;
