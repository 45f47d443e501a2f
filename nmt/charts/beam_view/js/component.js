// The tree of a beam search, and the panel of the hypothesis that is looked at.

import { View, button, isNew, label, legendEntry, make, mountView, setName, shape, titled, valueList } from "../../js/elements.js";
import { cut, decimals, share } from "../../js/numbers.js";
import { counted, say } from "../../js/texts.js";
import { edgePath, fatesOf, movedNode, pathTo, treeLayout } from "./tree_layout.js";

/** Called by Streamlit at first and with every change of the data or the theme; the result ends the view. */
export default function component({ data, parentElement, setStateValue, setTriggerValue }) {
  const onNode = (node) => setStateValue("node", node); // the hypothesis that was chosen
  const onBegin = (node) => setTriggerValue("begin", node); // the one from which the search is to go on
  return mountView(BeamView, parentElement, data, { onNode, onBegin });
}

class BeamView extends View {
  constructor(element) {
    super(element, ".place");
    const { find } = this;
    this.legend = find(".legend");
    this.written = find(".written");
    this.following = find(".following");
    this.lookedAt = find(".looked-at");
    this.panel = find(".panel");
    this.place.onkeydown = (event) => this.key(event);
  }

  receive(data) {
    if (!isNew(this, data)) {
      return;
    }
    this.data = data;
    setName(this.panel, this.texts.chosen);
    this.legend.replaceChildren(...legend(data));
    if (isNew(this, data.nodes, "shown")) {
      this.chosen = data.best;
      this.place.scrollLeft = 0;
    }
    this.draw();
  }

  key(event) {
    const modified = event.altKey || event.ctrlKey || event.metaKey;
    const next = modified ? null : movedNode(this.data.nodes, this.chosen, event.key);
    if (next !== null) {
      event.preventDefault();
      this.chosen = next;
      this.draw();
      this.place.querySelector('[tabindex="0"]').focus();
      this.spoken.textContent = this.describe(this.data.nodes[next]);
    } else if (!modified && (event.key === "Enter" || event.key === " ")) {
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
    const svg = shape("svg", "tree", {
      width: layout.width * layout.scale, height: layout.height * layout.scale, viewBox: `0 0 ${layout.width} ${layout.height}`,
      role: "group", "aria-label": this.texts.tree,
    });
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
      "aria-label": this.describe(node), "aria-pressed": k === this.chosen,
    });
    const text = label("", cut(node.parent === null ? this.texts.start : node.token, letters), x + width / 2, y + height / 2 + 4, "middle");
    titled(element, this.describe(node)).append(shape("rect", "frame", { x, y, width, height, rx: 4 }), text);
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
    const { data: { nodes: { [k]: node } }, texts } = this;
    const [nats, fate] = [decimals(node.log_probability, 2), texts.fates[node.fate]];
    const facts = node.parent === null ? say(texts.facts, { nats, fate })
      : say(texts.facts_with_last, { nats, fate, last: decimals(node.token_log_probability, 2) });
    const parts = [
      make("h3", "", counted(texts.length, node.length, { count: node.length })),
      make("p", "text", node.text || texts.nothing_yet),
      make("p", "quiet", facts),
    ];
    if (node.fate !== "finished" && node.parent !== null && k === this.chosen) {
      parts.push(button("begin", texts.begin_here, () => this.onBegin?.(k)));
    }
    this.written.replaceChildren(...parts);
    this.following.replaceChildren(...values(texts.following, node.following, texts.none_following));
    this.lookedAt.replaceChildren(...values(texts.looked_at, node.looked_at, texts.no_weights));
  }

  describe({ text, log_probability: nats, fate }) {
    const { texts } = this;
    return say(texts.node, { text: text || texts.start, nats: decimals(nats, 2), fate: texts.fates[fate] });
  }
}

function values(title, rows, empty) {
  const list = valueList(rows.map(([word, p]) => [word, share(p), p]));
  return [make("h3", "", title), rows.length ? list : make("p", "quiet", empty)];
}

function legend({ beam, nodes, texts }) {
  const count = nodes.length - 1;
  const frame = () => shape("rect", "frame", { x: 2, y: 2, width: 18, height: 8, rx: 3 });
  const drawn = fatesOf(nodes);
  const samples = Object.entries(texts.samples).filter(([fate]) => drawn.has(fate))
    .map(([fate, words]) => legendEntry(words, 22, 12, shape("g", fate, {}, frame())));
  const pruned = drawn.has("pruned") ? [make("span", "", make("s", "", texts.sample_word), texts.pruned)] : [];
  const subword = nodes.some(({ token }) => token.startsWith("·")) ? [make("span", "", texts.subword)] : [];
  return [make("span", "", say(texts.legend, { beam, count })), ...samples, ...pruned, ...subword];
}
