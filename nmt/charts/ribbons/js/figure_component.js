// The small Figure 2 as a component of Streamlit (st.components.v2).

import { buildFigure } from "./small_figure.js";

/** Called by Streamlit at first and with every change of the data or the theme. */
export default function figureComponent({ data, parentElement }) {
  const place = parentElement.querySelector(".figure");
  place.classList.toggle("large", Boolean(data.large));
  place.replaceChildren(buildFigure(data));
}
