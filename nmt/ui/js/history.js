// Lets a window keep one entry of its history for each step of the reader, and the one address hold what the program writes and
// what a view in the browser writes (`window.jointlyAddress`: the names of its parameters, and their values in a new
// address).
(() => {
  if (window.jointlyHistory) {
    return; // once in a window's life
  }
  window.jointlyHistory = true;
  const [push, replace] = [history.pushState.bind(history), history.replaceState.bind(history)];
  let acted = false; // whether the reader has done anything since the last entry
  let leaving = false; // whether the reader has followed a link to another page, which is not yet open
  let here = new URL(location.href); // where the window was before it travelled
  const act = () => { [acted, leaving] = [true, false]; };
  const follow = (event) => {
    const link = event.composedPath().find((element) => element instanceof HTMLAnchorElement);
    const elsewhere = link && (link.pathname !== location.pathname || link.dataset.testid === "stPageLink-NavLink");
    leaving = Boolean(elsewhere) && link.origin === location.origin;
  };
  const withoutViews = (address) => {
    const rest = new URL(address);
    (window.jointlyAddress?.names ?? []).forEach((name) => rest.searchParams.delete(name));
    rest.searchParams.sort();
    return rest.pathname + rest.searchParams;
  };
  const travel = (event) => {
    [acted, leaving] = [false, false];
    window.jointlyLeft = null; // what a view had when it went: now the address says it
    const now = new URL(location.href);
    const { drafted = () => false } = window.jointlyAddress ?? {}; // whether a sentence is shown that no entry has
    const ofView = window.jointlyAddress && !drafted() && withoutViews(now) === withoutViews(here) && now.search !== here.search;
    here = now;
    if (window.jointlyAddress) {
      window.dispatchEvent(new CustomEvent("jointly-travel", { detail: { ofView } }));
    }
    if (ofView) {
      event.stopImmediatePropagation(); // the program has nothing to do with it
    }
  };
  window.addEventListener("pointerdown", act, true);
  window.addEventListener("keydown", act, true);
  window.addEventListener("click", follow, true);
  window.addEventListener("popstate", travel, true);
  // Streamlit puts what a button opens at the end of the page. From the button, Tab goes on there.
  window.addEventListener("keydown", ({ key, shiftKey, target }) => {
    if (key === "Tab" && !shiftKey && target.matches?.("[data-testid=stPopoverButton][aria-expanded=true]")) {
      Object.assign(document.querySelector("[data-testid=stPopoverBody]"), { tabIndex: -1 }).focus();
    }
  }, true);
  // A server that was restarted knows no part of the page that runs alone, so all of the page runs again.
  let lost = false;
  new MutationObserver(() => {
    const { testConnectionState: state } = document.querySelector("[data-testid=stApp]")?.dataset ?? {};
    if (lost && state === "CONNECTED") {
      window.dispatchEvent(new PopStateEvent("popstate"));
    }
    lost = state !== "CONNECTED";
  }).observe(document.body, { subtree: true, attributeFilter: ["data-test-connection-state"] });
  // Fields replace the address, so that one act is one entry there, too; a view says that a change of it is none.
  history.replaceState = (state, unused, address) => (unused === "quietly" ? replace : history.pushState)(state, "", address);
  history.pushState = (state, unused, address) => {
    const next = new URL(address ?? location.href, location.href);
    const samePage = next.pathname === location.pathname;
    if (samePage && leaving) {
      return; // parameters of the page that comes, or none: they are in its own address, too
    }
    const { names = [], values = () => ({}) } = (samePage && window.jointlyAddress) || {};
    names.forEach((name) => next.searchParams.delete(name));
    Object.entries(values(next)).forEach(([name, value]) => next.searchParams.set(name, value));
    if (acted && !(samePage && next.search === location.search)) {
      push(state, unused, names.length ? next : address);
      acted = false; // whatever else this act writes is of the same entry
    } else {
      replace(state, unused, names.length ? next : address);
    }
    here = new URL(location.href);
    if (!samePage) {
      [acted, leaving] = [false, false];
    }
  };
})();
