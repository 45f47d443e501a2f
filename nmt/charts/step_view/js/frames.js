// Movement through the frames of a drawing. Pure functions, no DOM.

import { within } from "../../js/numbers.js";

/** @typedef {{word: number, stage: string, text: string}} Frame */

/** Stages of a step, in order. */
export const STAGES = ["read", "state", "scores", "weights", "context", "word"];

/** Stages of the frames, each once, in order. @param {Frame[]} frames */
export function stagesOf(frames) {
  return STAGES.filter((stage) => stage !== "read" && frames.some((frame) => frame.stage === stage));
}

/** Number of the frame of a word at a stage; at the next stage where there is no such frame. */
export function frameAt(frames, word, stage) {
  return frames.findIndex((frame) => frame.word === word && STAGES.indexOf(frame.stage) >= STAGES.indexOf(stage));
}

/**
 * The frame after a key, or null for a key that moves nothing: left and right go from frame to frame, up and down from
 * word to word, Home and End to the first and the last frame.
 * @param {Frame[]} frames
 * @param {number} now
 * @param {string} key name of the key, as in KeyboardEvent.key
 */
export function movedFrame(frames, now, key) {
  const last = frames.length - 1;
  const { word, stage } = frames[now];
  const moves = new Map([
    ["ArrowLeft", () => now - 1],
    ["ArrowRight", () => now + 1],
    ["ArrowUp", () => frameAt(frames, word - 1, stage)],
    ["ArrowDown", () => (word < frames[last].word ? frameAt(frames, word + 1, stage) : last)],
    ["Home", () => 0],
    ["End", () => last],
  ]);
  const move = moves.get(key);
  return move ? within(move(), last) : null;
}

/** The frame of another drawing at the same stage of the nearest word with this text, or of the word at this place. */
export function sameMoment({ frames, target }, { word, stage }, text) {
  const near = target.map((_, i) => i).toSorted((one, other) => Math.abs(one - word) - Math.abs(other - word));
  return frameAt(frames, near.find((i) => target[i] === text) ?? near[0], stage);
}

/**
 * What is visible at a frame: of each part whether it is still to come, in work now, or done.
 * @param {Frame} frame
 * @param {boolean} attends
 * @returns {Record<string, "later" | "now" | "done">}
 */
export function progressAt({ stage }, attends) {
  const at = STAGES.indexOf(stage);
  const of = (first) => {
    const place = STAGES.indexOf(first);
    return place > at ? "later" : place === at ? "now" : "done";
  };
  const parts = {
    annotations: of("read"), previous: of("state"), state: of("state"), context: of("context"), readout: of("word"),
    word: of("word"), next: of("word"),
  };
  return attends ? { ...parts, energies: of("scores"), alpha: of("weights") } : parts;
}
