// SentencePiece's segmentation of a word, by byte pair encoding or by a unigram model, as the Python package does it for
// our models: no normalisation, one word at a time. No DOM.

const WORD_START = "\u2581";
const WORD_START_IN_TEXT = "\uf8f0"; // stands for a U+2581 of the text itself, see nmt/data/subwords.py
const UNK_ID = 1;
const UNKNOWN_PENALTY = 10;
const float = Math.fround; // SentencePiece adds scores in single precision

export class SubwordModel {
  /** @param {object} given a vocabulary of docs/formats.md, whose `kind` is bpe or unigram */
  constructor({ kind, pieces, scores, firstByte }) {
    this.kind = kind;
    this.firstByte = firstByte;
    const ids = pieces.map((_, id) => id).filter((id) => id > UNK_ID && !this.isByte(id));
    this.ids = new Map(ids.map((id) => [pieces[id], id]));
    this.scores = scores;
    this.longest = Math.max(...[...this.ids.keys()].map((piece) => [...piece].length));
    this.least = ids.reduce((least, id) => Math.min(least, scores[id]), 0);
    this.known = new Map(); // word -> its pieces
  }

  isByte(id) {
    return this.firstByte !== -1 && id >= this.firstByte && id < this.firstByte + 256;
  }

  /**
   * The subwords of a word: ids, and for each the text that it covers.
   * @param {string} word
   * @returns {{id: number, text: string}[]}
   */
  segment(word) {
    if (!this.known.has(word)) {
      const characters = [...WORD_START + word.replaceAll(WORD_START, WORD_START_IN_TEXT)];
      const pieces = this.kind === "bpe" ? this.merged(characters) : this.mostProbable(characters);
      this.known.set(word, this.withUnknown(pieces));
    }
    return this.known.get(word);
  }

  /** Byte pair encoding: the best merge first, of equal ones the leftmost. */
  merged(characters) {
    const pieces = [...characters];
    for (;;) {
      const scores = pieces.slice(1).map((text, i) => this.scores[this.ids.get(pieces[i] + text)] ?? -Infinity);
      const score = Math.max(...scores);
      if (score === -Infinity) {
        return pieces;
      }
      const best = scores.indexOf(score);
      pieces.splice(best, 2, pieces[best] + pieces[best + 1]);
    }
  }

  /** The segmentation with the largest sum of scores, by dynamic programming from the left. */
  mostProbable(characters) {
    const ends = Array.from({ length: characters.length + 1 }, () => ({ score: 0, from: -1 }));
    const offer = (end, score, from) => {
      if (ends[end].from < 0 || score > ends[end].score) {
        ends[end] = { score, from };
      }
    };
    for (let from = 0; from < characters.length; from += 1) {
      let text = "";
      let alone = false;
      for (let end = from + 1; end <= Math.min(characters.length, from + this.longest); end += 1) {
        text += characters[end - 1];
        const id = this.ids.get(text);
        if (id !== undefined) {
          offer(end, float(float(this.scores[id]) + ends[from].score), from);
          alone ||= end === from + 1;
        }
      }
      if (!alone) {
        offer(from + 1, float(float(this.least - UNKNOWN_PENALTY) + ends[from].score), from);
      }
    }
    const pieces = [];
    for (let end = characters.length; end > 0; end = ends[end].from) {
      pieces.unshift(characters.slice(ends[end].from, end).join(""));
    }
    return pieces;
  }

  /** Ids; text without a subword is spelled in bytes, or is one [UNK] as far as it reaches. */
  withUnknown(pieces) {
    const found = [];
    for (const text of pieces) {
      const id = this.ids.get(text);
      const last = found.at(-1);
      if (id !== undefined) {
        found.push({ id, text });
      } else if (this.firstByte !== -1) {
        for (const byte of new TextEncoder().encode(text)) {
          found.push({ id: this.firstByte + byte, text: `<0x${byte.toString(16).toUpperCase().padStart(2, "0")}>` });
        }
      } else if (last?.id === UNK_ID) {
        last.text += text;
      } else {
        found.push({ id: UNK_ID, text });
      }
    }
    return found;
  }
}

/** The text of a subword as it is shown. @param {string} piece */
export function surface(piece) {
  return piece.replaceAll(WORD_START_IN_TEXT, WORD_START);
}
