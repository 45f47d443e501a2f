// Texts of the film; a text with values is a function of them.

export const STEPS = "Snapshots of the training";
export const EARLIER = "Earlier";
export const LATER = "Later";
export const PICTURES = "Alpha after each number of updates";
export const AFTER = (updates) => `After ${updates} updates`;
export const NOTHING_WRITTEN = "(nothing: the model ended the sentence at once)";
export const SCRUBBER = "Updates made";
export const PLACE = (updates, bits) => `${updates} updates, entropy of alpha ${bits} bits`;

export const UPDATES = (updates) => `${updates} updates`;
export const TRAINING = "training loss, nats per token (left axis)";
export const DEVELOPMENT = "loss on other sentences";
export const ENTROPY = "entropy of alpha, bits (right axis)";
export const LEAST = "α = 0";
export const MOST = "1, square-root scale";
