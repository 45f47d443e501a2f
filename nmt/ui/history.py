"""History of the browser: one step for each step of the reader.

Streamlit adds an entry for every parameter that a page writes into its address, even if the page only rewrites an
earlier choice, and one more entry when a page with parameters is left. The Back button would then have to be pressed
several times to leave a page. Here such entries replace the current one.
"""

from __future__ import annotations

import streamlit as st

_SCRIPT = """<script>
(() => {
  if (window.jointlyHistory) {
    return; // once in a window's life
  }
  window.jointlyHistory = true;
  const push = history.pushState.bind(history);
  let acted = false; // whether the reader has done anything since this page was opened
  let leaving = false; // whether the reader has followed a link to another page, which is not yet open
  const act = () => { [acted, leaving] = [true, false]; };
  const follow = (event) => {
    const link = event.composedPath().find((element) => element instanceof HTMLAnchorElement);
    const elsewhere = link && (link.pathname !== location.pathname || link.dataset.testid === "stPageLink-NavLink");
    leaving = Boolean(elsewhere) && link.origin === location.origin;
  };
  window.addEventListener("pointerdown", act, true);
  window.addEventListener("keydown", act, true);
  window.addEventListener("click", follow, true);
  window.addEventListener("popstate", () => { [acted, leaving] = [false, false]; }, true);
  history.pushState = (state, unused, address) => {
    const next = new URL(address ?? location.href, location.href);
    const samePage = next.pathname === location.pathname;
    if (samePage && leaving) {
      return; // parameters of the page that comes, or none: they are in its own address, too
    }
    if (acted && !(samePage && next.search === location.search)) {
      push(state, unused, address);
    } else {
      history.replaceState(state, unused, address);
    }
    if (!samePage) {
      [acted, leaving] = [false, false];
    }
  };
})();
</script>"""


def tidy_history() -> None:
    """Let the window keep one entry for each step of the reader."""
    with st.container(key="history"):
        st.html(_SCRIPT, unsafe_allow_javascript=True)
