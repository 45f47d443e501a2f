// Texts that several views share; a text with values is a function of them.

export const LOG_P = (value) => `log p ${value}`;
export const LOOK_AT = (target, source) => `Make “${target}” look at “${source}”`;
export const PLAY = "Play";
export const STOP = "Stop";
