// The film as a component of Streamlit (st.components.v2). All that is particular to Streamlit stands here.

import { announceStep } from "../../alignment_view/js/step_channel.js";
import { mount } from "./view.js";

/** Called by Streamlit at first and with every change of the data or the theme; the result ends the film. */
export default function streamlitComponent({ data, parentElement, setStateValue }) {
  return mount(parentElement, data, (step) => setStateValue("step", step), (step) => announceStep(data.film, step));
}
