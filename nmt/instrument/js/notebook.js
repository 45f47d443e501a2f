// The instrument in the frame of a notebook's cell, which carries a record and asks nothing.

import { mount } from "./instrument.js";

const carried = (id) => JSON.parse(document.getElementById(id).textContent);

mount(document.getElementById("instrument"), carried("record"), { styles: carried("styles"), texts: carried("texts") });
document.body.className = "drawn"; // until then the picture behind the frame is seen
