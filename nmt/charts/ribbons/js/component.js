// The view as a component of Streamlit (st.components.v2). All that is particular to Streamlit stands here.

import { mountRibbons } from "./ribbon_view.js";

/** Called by Streamlit at first and with every change of the data or the theme; the result ends the view. */
export default function component({ data, parentElement, setTriggerValue }) {
  return mountRibbons(parentElement, data, {
    onWord: (word) => setTriggerValue("word", { word }),
    onMove: ({ panel, i, from, to }) => setTriggerValue("move", { panel, i, from, to }),
    onUndo: (system = null) => setTriggerValue("undo", { system }),
    onNumber: (number) => setTriggerValue("number", number),
  });
}
