// The instrument in a page that carries a record and asks nothing: a file, or the frame of a notebook's cell.

import { mount } from "./instrument.js";

const carried = (id) => JSON.parse(document.getElementById(id).textContent);

mount(document.getElementById("instrument"), carried("record"), carried("host"));
document.body.className = "drawn"; // until then the picture behind a frame is seen
