// The instrument as a widget of a notebook (anywidget). What it asks are messages to Python, and so are the answers. The
// model has the record and what the reader chose, for Python and for other views of the same widget.

import { mount } from "./instrument.js";

export default function widget() {
  return { render };
}

/** Called for each place where the widget is shown; the result ends that. */
function render({ model, el }) {
  const place = document.createElement("div");
  place.className = "jointly drawn";
  el.append(place);
  const nonce = Math.random().toString(36).slice(2); // views of one widget hear all answers
  let [waiting, answer] = ["", null];
  let quiet = false; // while a choice of Python or of another view is taken over
  const instrument = mount(place, model.get("record"), {
    ...model.get("host"),
    state: model.get("state"),
    ask: ({ kind, number, sentence, changes }, heard) => {
      [waiting, answer] = [`${nonce}-${number}`, heard];
      model.send({ id: waiting, kind, sentence, changes });
    },
    onState: (state) => {
      if (!quiet) {
        quiet = true;
        model.set("state", state);
        model.save_changes();
        quiet = false;
      }
    },
  });
  const receive = ({ id, ...told }) => id === waiting && answer(told);
  const chosen = () => {
    if (!quiet) {
      quiet = true;
      const { pin = null, seen = "after", view = {} } = model.get("state");
      instrument.choose({ pin, seen, view });
      quiet = false;
    }
  };
  model.on("msg:custom", receive);
  model.on("change:state", chosen);
  return () => {
    model.off("msg:custom", receive);
    model.off("change:state", chosen);
    instrument.end();
  };
}
