// Lets a window keep one entry of its history for each step of the reader.
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
