// The view as a component of Streamlit (st.components.v2). All that is particular to Streamlit stands here.

import { mount } from "./view.js";

/** Called by Streamlit at first and with every change of the data or the theme; the result ends the view. */
export default function streamlitComponent({ data, parentElement, setStateValue, setTriggerValue }) {
  const onMove = ({ panel, i, from, to }) => setTriggerValue("move", { panel, i, from, to });
  return mount(parentElement, data, (pin) => setStateValue("pin", pin), onMove);
}
