// The colour of a value, and the bar that says which value has which colour. One scale for all panels.

// Where a value lies on the scale, 0 to 1.
function position(scale, value) {
  const within = Math.min(scale.high, Math.max(scale.low, value));
  if (scale.transform === "square root") {
    return Math.sqrt(within / scale.high);
  }
  if (scale.transform === "log") {
    return Math.log(Math.max(within, scale.low) / scale.low) / Math.log(scale.high / scale.low);
  }
  return (within - scale.low) / (scale.high - scale.low);
}

// Red, green and blue, 0 to 255: between the two nearest of the scale's stops, which lie at equal distances.
function colour(scale, value) {
  const at = position(scale, value) * (scale.stops.length - 1);
  const k = Math.min(scale.stops.length - 2, Math.floor(at));
  return scale.stops[k].map((from, channel) => Math.round(from + (at - k) * (scale.stops[k + 1][channel] - from)));
}

function scaleOf(view, panel) {
  return panel.is_difference ? view.data.difference_scale : view.data.scale;
}

function buildLegend(view) {
  if (view.data.show === "links") {
    view.legend.replaceChildren(legendOfLinks(view.data.scale.name));
    return;
  }
  const scales = view.data.panels.some((panel) => !panel.is_difference) ? [view.data.scale] : [];
  if (view.data.panels.some((panel) => panel.is_difference)) {
    scales.push(view.data.difference_scale);
  }
  view.legend.replaceChildren(...scales.map(legendOf));
}

function legendOfLinks(name) {
  const legend = make("div", "scale widths");
  legend.append(make("span", "scale-name", name));
  for (const weight of [0.1, 0.5, 1]) {
    const line = make("span", "sample");
    line.style.height = `${lineWidth(weight)}px`;
    legend.append(line, make("span", "scale-name", String(weight)));
  }
  legend.setAttribute("role", "img");
  legend.setAttribute("aria-label", "The wider a line, the larger its weight.");
  return legend;
}

function legendOf(scale) {
  const legend = make("div", "scale");
  const name = make("span", "scale-name");
  name.textContent = scale.name;
  const bar = make("span", "bar");
  bar.style.background = `linear-gradient(to right, ${scale.stops.map((stop) => `rgb(${stop.join(" ")})`).join(", ")})`;
  const ticks = make("span", "ticks");
  for (const [value, text] of scale.ticks) {
    const tick = make("span", "tick", text);
    tick.style.left = `${100 * position(scale, value)}%`;
    ticks.append(tick);
  }
  const body = make("span", "scale-body");
  body.append(bar, ticks);
  legend.setAttribute("role", "img");
  legend.setAttribute("aria-label", scale.spoken);
  legend.append(name, body);
  return legend;
}
