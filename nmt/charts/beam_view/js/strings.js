// Texts of the tree; a text with values is a function of them.

export const TREE = "Tree of the hypotheses; arrow keys move, Enter shows the weights";
export const CHOSEN = "The hypothesis chosen";
export const START = "start";
export const NODE = (text, nats, fate) => `${text}: log p ${nats} nats, ${fate}`;
/** What became of a hypothesis. */
export const FATES = {
  continued: "kept, and continued",
  finished: "finished",
  pruned: "pruned: others were more probable",
  open: "kept when the search stopped: it could not win any more",
};

export const LENGTH = (count) => `Hypothesis of ${count} ${count === 1 ? "token" : "tokens"}`;
export const NOTHING_YET = "(nothing yet)";
export const FACTS = (nats, fate) => `log p = ${nats} nats; ${fate}`;
export const FACTS_WITH_LAST = (nats, last, fate) => `log p = ${nats} nats, of which ${last} for the last word; ${fate}`;
export const BEGIN_HERE = "Continue from here";
export const FOLLOWING = "Most probable next words";
export const NONE_FOLLOWING = "the search did not go on from it";
export const LOOKED_AT = "Weights of the last word";
export const NO_WEIGHTS = "no weights";

export const LEGEND = (beam, count) =>
  `Beam ${beam}, ${count} hypotheses; in each column, the most probable ones are on top`;
export const SAMPLES = { continued: "kept", finished: "finished", open: "kept at the end" };
export const SAMPLE_WORD = "word";
export const PRUNED = "pruned";
