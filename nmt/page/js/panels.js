// The data of the two views that the page shares with the app: of the ribbons (nmt/charts/ribbons) and of the matrices
// (nmt/charts/alignment_view), in the words of the app. Pure functions, no DOM.

import { decimals } from "../../charts/js/numbers.js";
import { crossing } from "./crossing.js";
import {
  COVERAGE, COVERAGE_EXPLAINED, COVERAGE_OF, ENTROPY, ENTROPY_EXPLAINED, ENTROPY_OF, HATCHED, HINT, KINDS,
  LOCALE, LONGER, MATRIX_KIND, MATRIX_VALUES, NO_ALPHA, NOTHING, REPLACED, RIBBON_KIND, SOURCE, TARGET, UNKNOWN_WORDS, WORD_SAID,
} from "./strings.js";
import { UNKNOWN } from "./vocabulary.js";
import { marks, measures, overWords, withoutEnd, wordLogProbabilities } from "./weights_over_words.js";

/** @typedef {import("./translator.js").Translation} Translation */

/** Name of a language in that of the page. @param {string} code */
export function languageName(code) {
  return new Intl.DisplayNames([LOCALE], { type: "language" }).of(code);
}

/**
 * One system of the ribbons: a run with its translation.
 * @param {object} run of the page's data
 * @param {Translation} translation
 * @param {boolean} hints whether it says how to look at ribbons
 * @param {string} colour
 */
export function ribbonSystem(run, translation, hints, colour) {
  const { source, target, weights } = withoutEnd(overWords(translation));
  const kind = KINDS[run.architecture];
  return {
    title: run.name,
    kind: RIBBON_KIND(weights ? kind : NO_ALPHA(kind), decimals(translation.logProbability, 2)),
    colour,
    source,
    target,
    text: translation.text,
    weights,
    log_probability: null,
    crossing: weights && !translation.source.unknown.length ? crossing(translation) : null,
    source_title: SOURCE(languageName(run.source_language)),
    target_title: TARGET(languageName(run.target_language)),
    source_rtl: run.panel.source_rtl,
    target_rtl: run.panel.target_rtl,
    remarks: [],
    hint: hints ? HINT : "",
    notes: notes(run, translation),
  };
}

/** What the reader should know of a translation. */
function notes(run, { source, target }) {
  const found = [];
  if (source.unknown.length) {
    found.push(UNKNOWN_WORDS(UNKNOWN, [...new Set(source.unknown)].join(", ")));
  }
  if (run.search.replace_unk && target.tokens.some((token) => token.includes(UNKNOWN))) {
    found.push(REPLACED(UNKNOWN));
  }
  const words = source.words.at(-1);
  if (run.trained_to && words > run.trained_to) {
    found.push(LONGER(words, run.trained_to));
  }
  return found;
}

/**
 * The panel of a translation with alpha, over words, end marks included, with bars and signs.
 * @param {object} run of the page's data; its `panel` has what all panels of the run have in common
 * @param {Translation} translation
 */
export function alphaPanel(run, translation) {
  const words = overWords(translation);
  const { source, target, weights } = words;
  const measured = measures(words);
  const signs = marks(words);
  const logP = wordLogProbabilities(translation.tokenLogProbabilities, translation.target.words);
  return {
    ...run.panel,
    kind: MATRIX_KIND(KINDS[run.architecture], decimals(translation.logProbability, 2)),
    values: MATRIX_VALUES,
    text: translation.text || NOTHING,
    source,
    target,
    weights,
    source_title: SOURCE(languageName(run.source_language)),
    target_title: TARGET(languageName(run.target_language)),
    bars: { source: coverageBars(measured), target: entropyBars(measured, source.length) },
    marks: signs,
    signs: {
      words: [...new Set([...signs.source, ...signs.target].filter(Boolean).map(({ sign, text }) => `${sign} ${text}`))],
      matrix: measured.elsewhere.some((share, i) => share * measured.entropy[i] > 0) ? [HATCHED] : [],
      links: [],
    },
    log_probability: logP,
    said: {
      source: measured.coverage.map((value) => COVERAGE_OF(value.toFixed(2))),
      target: measured.entropy.map((bits, i) => WORD_SAID(decimals(logP[i], 2), bits.toFixed(2))),
    },
  };
}

function coverageBars({ coverage }) {
  return {
    title: COVERAGE,
    explained: COVERAGE_EXPLAINED,
    values: coverage,
    most: Math.max(2, ...coverage),
    second: null,
    line: 1,
    texts: coverage.map((value) => COVERAGE_OF(value.toFixed(2))),
  };
}

function entropyBars({ entropy, elsewhere }, columns) {
  const most = Math.log2(Math.max(2, columns));
  return {
    title: ENTROPY,
    explained: ENTROPY_EXPLAINED(most.toFixed(1)),
    values: entropy,
    most,
    second: entropy.map((bits, i) => bits * elsewhere[i]),
    line: 0,
    texts: entropy.map((bits, i) => ENTROPY_OF(bits.toFixed(2), (100 * elsewhere[i]).toFixed(0))),
  };
}
