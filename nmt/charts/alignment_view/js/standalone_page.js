// The view in a page of its own (standalone.py): the page carries the data, and nothing is told of a pin.

import { mount } from "./view.js";

mount(document.getElementById("view"), JSON.parse(document.getElementById("data").textContent), null);
