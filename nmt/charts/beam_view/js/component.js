// The tree of a beam search, and the panel of the hypothesis that is looked at.

import {
  button, isNew, label, legendEntry, make, makeSvg, mountView, setName, shape, titled, valueList,
} from "../../js/elements.js";
import { cut, decimals, share } from "../../js/numbers.js";
import {
  BEGIN_HERE, CHOSEN, FACTS, FACTS_WITH_LAST, FATES, FOLLOWING, LEGEND, LENGTH, LOOKED_AT, NODE, NONE_FOLLOWING,
  NOTHING_YET, NO_WEIGHTS, PRUNED, SAMPLES, SAMPLE_WORD, START, TREE,
} from "./strings.js";
import { edgePath, movedNode, pathTo, treeLayout } from "./tree_layout.js";

/** Called by Streamlit at first and with every change of the data or the theme; the result ends the view. */
export default function component({ data, parentElement, setStateValue, setTriggerValue }) {
  const onNode = (node) => setStateValue("node", node); // the hypothesis that was chosen
  const onBegin = (node) => setTriggerValue("begin", node); // the one from which the search is to go on
  return mountView(BeamView, parentElement, data, { onNode, onBegin });
}

class BeamView {
  constructor(element) {
    const find = (selector) => element.querySelector(selector);
    this.place = find(".place");
    this.legend = find(".legend");
    this.written = find(".written");
    this.following = find(".following");
    this.lookedAt = find(".looked-at");
    this.spoken = find(".spoken");
    setName(find(".panel"), CHOSEN);
    this.observer = new ResizeObserver(() => this.draw());
    this.observer.observe(this.place);
    this.place.onkeydown = (event) => this.key(event);
  }

  end() {
    this.observer.disconnect();
  }

  receive(data) {
    if (!isNew(this, data)) {
      return;
    }
    this.data = data;
    this.chosen = data.best;
    this.legend.replaceChildren(...legend(data));
    this.draw();
    this.place.scrollLeft = 0;
  }

  key(event) {
    if (event.altKey || event.ctrlKey || event.metaKey) {
      return;
    }
    const next = movedNode(this.data.nodes, this.chosen, event.key);
    if (next !== null) {
      event.preventDefault();
      this.chosen = next;
      this.draw();
      this.place.querySelector('[tabindex="0"]').focus();
      this.spoken.textContent = describe(this.data.nodes[next]);
    } else if (event.key === "Enter" || event.key === " ") {
      event.preventDefault();
      this.onNode?.(this.chosen);
    }
  }

  draw() {
    const width = Math.floor(this.place.clientWidth);
    if (width === 0) {
      return;
    }
    const { nodes, best } = this.data;
    const layout = treeLayout(nodes, width);
    const { width: wide, height } = layout;
    const svg = shape("svg", "tree", { width: wide, height, role: "group", "aria-label": TREE });
    const winners = new Set(pathTo(nodes, best));
    const path = new Set(pathTo(nodes, this.chosen));
    nodes.forEach(({ parent }, k) => {
      if (parent !== null) {
        const marks = `${winners.has(k) ? " best" : ""}${path.has(k) ? " path" : ""}`;
        svg.append(shape("path", `edge${marks}`, { d: edgePath(layout.boxes[parent], layout.boxes[k]) }));
      }
    });
    nodes.forEach((node, k) => svg.append(this.node(node, k, layout, winners.has(k))));
    this.place.replaceChildren(svg);
    this.showPanel(this.chosen);
  }

  node(node, k, layout, wins) {
    const { x, y, width, height, letters } = layout.boxes[k];
    const element = shape("g", `node ${node.fate}${wins ? " best" : ""}`, {
      role: "button", tabindex: k === this.chosen ? 0 : -1,
      "aria-label": describe(node), "aria-pressed": k === this.chosen,
    });
    const text = label("", cut(node.parent === null ? START : node.token, letters), x + width / 2, y + height / 2 + 4, "middle");
    titled(element, describe(node)).append(shape("rect", "frame", { x, y, width, height, rx: 4 }), text);
    element.onpointerenter = () => this.showPanel(k);
    element.onpointerleave = () => this.showPanel(this.chosen);
    element.onclick = () => {
      this.chosen = k;
      this.draw();
      this.onNode?.(k);
    };
    return element;
  }

  showPanel(k) {
    const node = this.data.nodes[k];
    const [nats, fate] = [decimals(node.log_probability, 2), FATES[node.fate]];
    const facts = node.parent === null ? FACTS(nats, fate)
      : FACTS_WITH_LAST(nats, decimals(node.token_log_probability, 2), fate);
    const parts = [
      make("h3", "", LENGTH(node.length)),
      make("p", "text", node.text || NOTHING_YET),
      make("p", "quiet", facts),
    ];
    if (node.fate !== "finished" && node.parent !== null && k === this.chosen) {
      parts.push(button("begin", BEGIN_HERE, () => this.onBegin?.(k)));
    }
    this.written.replaceChildren(...parts);
    this.following.replaceChildren(...values(FOLLOWING, node.following, NONE_FOLLOWING));
    this.lookedAt.replaceChildren(...values(LOOKED_AT, node.looked_at, NO_WEIGHTS));
  }
}

function describe(node) {
  return NODE(node.text || START, decimals(node.log_probability, 2), FATES[node.fate]);
}

function values(title, rows, empty) {
  const list = valueList(rows.map(([word, p]) => [word, share(p), p]));
  return [make("h3", "", title), rows.length ? list : make("p", "quiet", empty)];
}

function legend({ beam, nodes }) {
  const count = nodes.length - 1;
  const samples = Object.entries(SAMPLES).map(([fate, words]) => {
    const group = makeSvg("g", fate);
    group.append(shape("rect", "frame", { x: 2, y: 2, width: 18, height: 8, rx: 3 }));
    return legendEntry(words, 22, 12, group);
  });
  const pruned = make("span", "");
  const text = make("s", "", SAMPLE_WORD);
  pruned.append(text, PRUNED);
  return [make("span", "", LEGEND(beam, count)), ...samples, pruned];
}
