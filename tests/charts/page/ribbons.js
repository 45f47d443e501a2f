// The ribbons alone, as a component of Streamlit is called. Their host in the program is nmt/instrument.

import { mountView } from "../../../nmt/charts/js/elements.js";
import { RibbonView } from "../../../nmt/charts/ribbons/js/ribbon_view.js";

/** Show data; the result ends the view. */
export default function component({ data, parentElement, setTriggerValue }) {
  return mountView(RibbonView, parentElement, data, {
    onWord: (word) => setTriggerValue("word", { word }),
    onMove: ({ panel, i, from, to }) => setTriggerValue("move", { panel, i, from, to }),
    onUndo: () => setTriggerValue("undo", {}),
    onNumber: (number) => setTriggerValue("number", number),
  });
}
