// How a film tells a matrix elsewhere on the page which step it shows now, without the server between them.

const EVENT = "jointly-step";

/** The step that each film showed last, by the name of the film; on the page, because each component is a script of its own. */
function latest() {
  globalThis.jointlySteps ??= new Map();
  return globalThis.jointlySteps;
}

/** @param {string} film name of the film @param {number} step number of the step that it shows now */
export function announceStep(film, step) {
  if (latest().get(film) !== step) {
    latest().set(film, step);
    document.dispatchEvent(new CustomEvent(EVENT, { detail: { film, step } }));
  }
}

/** Call a function with the step that a film shows, now and with every other step. @returns {() => void} call it to end that */
export function followSteps(film, show) {
  const heard = ({ detail }) => detail.film === film && show(detail.step);
  document.addEventListener(EVENT, heard);
  if (latest().has(film)) {
    show(latest().get(film));
  }
  return () => document.removeEventListener(EVENT, heard);
}
