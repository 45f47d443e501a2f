// What scrolls sideways can be scrolled with the keyboard too.
for (const box of document.querySelectorAll(".table-wrapper, .highlight pre, .math"))
  if (box.scrollWidth > box.clientWidth) box.tabIndex = 0;
// The theme calls the captions of the menu headings, but does not say of which level.
for (const caption of document.querySelectorAll(".caption[role=heading]")) caption.ariaLevel = "2";
// The parameters of a signature are a list, not definitions without terms.
for (const list of document.querySelectorAll(".sig > dl")) {
  list.role = "list";
  for (const parameter of list.children) parameter.role = "listitem";
}
