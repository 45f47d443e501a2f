// Enter in a field whose text has not changed presses the button that a notice below it offers with that key.
(() => {
  if (window.jointlyEnter) {
    return; // once in a window's life
  }
  window.jointlyEnter = true;
  let changed = false; // whether something was typed since the last Enter, which enters that
  window.addEventListener("input", () => { changed = true; }, true);
  window.addEventListener("keydown", (event) => {
    if (event.key !== "Enter" || event.isComposing || !event.composedPath()[0].matches?.("input")) {
      return;
    }
    const offered = document.querySelector('[class*="st-key-translate-as-"] button[data-testid="stBaseButton-primary"]');
    if (!changed && offered) {
      offered.click();
    }
    changed = false;
  }, true);
})();
