// In which language is a text written? What nmt/data/identification.py says, for a page that has its table of n-grams. No DOM.

const LONGEST = 5;
const LONGEST_WORD = 12;
const [STEPS, LARGEST] = [4, 31]; // steps of the table in a nat, and the largest number of steps
const PREFERRED = ["en", "fr", "de"];
const [PREFERENCE, MARGIN, FEWEST] = [8, 12, 5];
const WORD = /[\p{L}\p{M}]+(?:['’][\p{L}\p{M}]+)*/gu;
const SCRIPTS = ["Latin", "Hangul", "Hiragana", "Katakana", "Han", "Cyrillic", "Arabic", "Thai", "Hebrew", "Greek", "Devanagari",
  "Armenian", "Bengali", "Ethiopic", "Georgian", "Gujarati", "Gurmukhi", "Kannada", "Khmer", "Lao", "Malayalam", "Mongolian", "Myanmar",
  "Sinhala", "Tamil", "Telugu", "Tibetan"].map((name) => [name === "Han" ? "CJK" : name.toUpperCase(), new RegExp(`\\p{Script=${name}}`, "u")]);
const KANA = /[\p{Script=Hiragana}\p{Script=Katakana}ー]/u;
const USUAL = { ja: ["HIRAGANA", "KATAKANA", "CJK"], ko: ["HANGUL", "CJK"] };

export class Languages {
  /**
   * @param {string} table nmt/data/languages.tsv
   * @param {{languages: Record<string, string>, names: Record<string, string>}} scripts the language and the name of a script, of Python
   */
  constructor(table, scripts) {
    this.scripts = scripts;
    const [, codes, ...rows] = table.trimEnd().split("\n");
    this.codes = codes.split(" ");
    this.rows = new Map(rows.map((row) => row.split("\t")));
  }

  /**
   * The language of a text that is not in the expected one: its code, or "" if that is not known, and its script, "" if that is the
   * expected one. null for any other text, and for a language that is not known here.
   * @param {string} given
   * @param {string} expected
   */
  foreign(given, expected) {
    const text = given.normalize("NFKC"); // full-width and bold letters become plain ones
    const scripts = [...text].filter((letter) => /\p{L}/u.test(letter)).map(scriptOf);
    const usual = USUAL[expected] ?? (this.codes.includes(expected) ? ["LATIN"] : []);
    if (!scripts.length || !usual.length) {
      return null;
    }
    const kana = expected !== "ja" && KANA.test(text) && !scripts.includes("HANGUL");
    const others = scripts.filter((script) => !usual.includes(script));
    if (kana || 2 * (scripts.length - others.length) < scripts.length) {
      const most = kana || (KANA.test(text) && others.includes("CJK")) ? "HIRAGANA" : mostOf(others);
      const { languages, names } = this.scripts;
      const language = most === "LATIN" && wordsOf(text).length >= FEWEST ? this.best(text)[0] : languages[most] ?? "";
      return { language, script: names[most] ?? most.slice(0, 1) + most.slice(1).toLowerCase() };
    }
    if (usual[0] !== "LATIN" || wordsOf(text).length < FEWEST) {
      return null;
    }
    const [code, nats, scores] = this.best(text);
    return nats - scores.get(expected) > MARGIN ? { language: code, script: "" } : null;
  }

  /** The language in Latin letters that fits best, its nats, and those of all. */
  best(text) {
    const sums = this.codes.map((code) => (PREFERRED.includes(code) ? PREFERENCE : 0));
    for (const [word, mayBeName] of wordsOf(text)) {
      for (const gram of nGrams(word)) {
        [...(this.rows.get(gram) ?? "")].forEach((step, k) => {
          sums[k] += ((step.charCodeAt(0) - 48 - LARGEST) / STEPS) * (mayBeName ? 0.5 : 1);
        });
      }
    }
    const nats = Math.max(...sums);
    return [this.codes[sums.indexOf(nats)], nats, new Map(this.codes.map((code, k) => [code, sums[k]]))];
  }
}

function scriptOf(letter) {
  return letter === "ー" ? "HIRAGANA" : SCRIPTS.find(([, pattern]) => pattern.test(letter))?.[0] ?? "";
}

/** The most frequent script; of equal ones that which comes first. */
function mostOf(scripts) {
  const counts = new Map();
  scripts.forEach((script) => counts.set(script, (counts.get(script) ?? 0) + 1));
  return [...counts].toSorted(([, one], [, other]) => other - one)[0]?.[0] ?? "";
}

/** The words of a text in lower case, each once, and whether each may be a name: a capital that does not begin the text. */
function wordsOf(text) {
  const found = [...text.matchAll(WORD)].map(([word], k) => [
    word.toLowerCase().replaceAll("’", "'"), k > 0 && /^\p{Lu}/u.test(word),
  ]);
  return [...new Map(found.map((one) => [JSON.stringify(one), one])).values()];
}

/** The n-grams of a word, with marks at its ends, and the word as a whole. */
function nGrams(word) {
  const marked = [...`_${word}_`];
  const found = [];
  for (let n = 1; n <= LONGEST; n += 1) {
    for (let k = 0; k + n <= marked.length; k += 1) {
      found.push(marked.slice(k, k + n).join(""));
    }
  }
  const whole = LONGEST < marked.length && marked.length <= LONGEST_WORD ? [marked.join("")] : [];
  return [...found.filter((gram) => gram !== "_"), ...whole];
}
