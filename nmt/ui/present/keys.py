"""The keys of a clicker: a component that tells the page to go on or back."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import streamlit as st

_SCRIPT = """
const KEYS = new Map([["PageDown", 1], ["PageUp", -1], ["ArrowRight", 1], ["ArrowLeft", -1]]);
const TAKEN = "input, textarea, select, [contenteditable=true], [role=application], [role=slider], [role=group] button";

export default function keys({ setTriggerValue }) {
  const pressed = (event) => {
    const target = event.composedPath()[0];
    const arrow = event.key.startsWith("Arrow");
    const taken = target instanceof Element && target.closest(arrow ? TAKEN : "input, textarea");
    if (!KEYS.has(event.key) || taken || event.altKey || event.ctrlKey || event.metaKey) {
      return;
    }
    event.preventDefault();
    setTriggerValue("step", KEYS.get(event.key));
  };
  document.addEventListener("keydown", pressed);
  return () => document.removeEventListener("keydown", pressed);
}
"""


@st.cache_resource(show_spinner=False)
def _component() -> Callable[..., Any]:
    return st.components.v2.component("presentation_keys", html="<span></span>", js=_SCRIPT)


def read_step() -> int:
    """Return 1 if the reader pressed Page Down or the right arrow, -1 for Page Up or the left one, else 0. Arrows count
    only where nothing has the focus that uses them."""
    step = _component()(key="presentation-keys", height=1, on_step_change=lambda: None).step
    return step if step in (1, -1) else 0
