// The view as a component of Streamlit (st.components.v2). All that is particular to Streamlit stands here.

import { followSteps } from "../../js/step_channel.js";
import { mount } from "./view.js";

/** @type {WeakMap<Element, () => void>} what ends following a film, by the element that shows it */
const followers = new WeakMap();

/** Called by Streamlit at first and with every change of the data or the theme; the result ends the view. */
export default function streamlitComponent({ data, parentElement, setTriggerValue }) {
  const onMove = ({ panel, i, from, to }) => setTriggerValue("move", { panel, i, from, to });
  const show = (shown) => mount(parentElement, shown, (pin) => setTriggerValue("pin", { pin }), onMove);
  followers.get(parentElement)?.();
  const { film, steps, ...rest } = data;
  const end = show(rest);
  const stop = film ? followSteps(film, (k) => steps[k] && show({ ...rest, panels: steps[k] })) : () => {};
  followers.set(parentElement, stop);
  return () => {
    stop();
    end();
  };
}
