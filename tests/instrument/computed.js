// What the instrument computes of a record with two systems. Called by test_arithmetic.py.

import { crossing } from "../../nmt/instrument/js/crossing.js";
import { differenceOf } from "../../nmt/instrument/js/differences.js";
import { drawing } from "../../nmt/instrument/js/drawing.js";
import { ratesOf } from "../../nmt/instrument/js/gold.js";
import { linksOf, restricted, unitsOf } from "../../nmt/instrument/js/restricted.js";
import { alphaOf, marks, measures } from "../../nmt/instrument/js/weights_over_words.js";

const LEASTS = [0.011, 0.13, 0.27, 0.33, 0.51, 0.97]; // no weight of a word is one of these, whose last digit would decide

/** @param {{record: object, view: import("../../nmt/instrument/js/panels.js").View}} given */
export function computed({ record, view }, texts) {
  const [first, second] = record.systems.map((system) => restricted(unitsOf(system, alphaOf(system), view.pieces), view));
  const host = { texts, about: {}, remarks: {}, changes: [], difference: true };
  const state = { seen: "after", changes: [], view: { ...view, show: "links" } };
  const { panels: [panel], systems: [ribbons] } = drawing(record, record, state, host);
  return {
    first,
    links: linksOf(first.weights, view.by, view.least),
    measures: measures(first),
    marks: marks(first),
    crossing: crossing(record.systems[0]),
    difference: differenceOf(first, second),
    gold: { sure: panel.sure, possible: panel.possible },
    rates: ratesOf(record.systems[0], alphaOf(record.systems[0]), record.gold, LEASTS),
    drawn: {
      source: panel.source, target: panel.target, links: panel.links_shown.map(([i, j]) => [i, j]), logP: panel.log_probability,
      crossing: ribbons.crossing,
    },
  };
}
