// The view of matrices alone, as a component of Streamlit is called. Its host in the program is nmt/instrument.

import { AlignmentView } from "../../../nmt/charts/alignment_view/js/view.js";
import { mountView } from "../../../nmt/charts/js/elements.js";

/** Show data; the result ends the view. */
export default function component({ data, parentElement, setTriggerValue }) {
  const onMove = ({ panel, i, from, to }) => setTriggerValue("move", { panel, i, from, to });
  return mountView(AlignmentView, parentElement, data, { onPin: (pin) => setTriggerValue("pin", { pin }), onMove });
}
