"""Everyday sentences in five languages that the program itself writes, from patterns with slots in phrasebook.toml.

The project owns the sentences (CC0). A line means the same in all five languages, so any two languages make a corpus.
No random number is involved: the same file gives the same sentences in the same order.
"""

import hashlib
import math
import random
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache, partial
from itertools import chain, islice
from pathlib import Path

from nmt.data.corpora.parallel import WrittenSplit, sentence_key, write_split
from nmt.files import read_toml

_SLOT = re.compile(r"\{(\w+)(?:\.(\w+))?\}")
_OPEN, _CLOSE = "‹", "›"
"""Marks around the word that fills a slot, until the words beside the slot are adapted to that word."""
_VOWELS = {"en": "aeiou", "fr": "aeiouhàâéèêëîïôûœ"}
"""Letters before which an article changes. "*" behind an entry says that the entry is an exception."""
_JOINED = {"de le ": "du", "de les ": "des", "à le ": "au", "à les ": "aux"}
"""French prepositions with the article that follows."""
_APART = re.compile(rf"\b(de|à) {_OPEN}les? ")
_ELIDED = re.compile(rf"\b(d|qu)e {_OPEN}(?=[{_VOWELS['fr']}])(?!huit|onze)", re.IGNORECASE)
_PARTICLES = {
    "은": "는",
    "이": "가",
    "을": "를",
    "과": "와",
    "으로": "로",
    "이에요": "예요",
    "이세요": "세요",
    "이었어요": "였어요",
    "이셨어요": "셨어요",
    "이라고": "라고",
}
"""Korean particles after a final consonant, and after a vowel."""
_PARTICLE = re.compile(rf"(\w){_CLOSE}({'|'.join(_PARTICLES)})(?!\w)")
_READ = str.maketrans("0123456789", "영일이삼사오육칠팔구")
_WIDE = str.maketrans("0123456789", "０１２３４５６７８９")


@dataclass(frozen=True, kw_only=True)
class Phrasebook:
    """The content of phrasebook.toml. The head of that file explains patterns and entries.

    Attributes:
        languages: each pattern has a sentence, and each entry a word, in each of these languages, in this order.
        most: largest number of sentences per pattern, by part or by topic of train. A topic's number takes precedence.
        skipped: identifiers (``identifier``) of sentences that are never written, since a public test set has them.
        forms: text to put before a word, by language, name and gender. A text that begins with "=" replaces the word.
        slots: entries by kind. A text such as "1900..1950" stands for all these numbers.
        parts: patterns by part (train, dev, test) and topic.
    """

    languages: tuple[str, ...]
    most: dict[str, int]
    skipped: tuple[str, ...]
    forms: dict[str, dict[str, dict[str, str]]]
    slots: dict[str, tuple[tuple[str, ...] | str, ...]]
    parts: dict[str, dict[str, tuple[tuple[str, ...], ...]]]


@cache
def phrasebook() -> Phrasebook:
    """The phrasebook of the program."""
    return read_toml(Phrasebook, Path(__file__).with_suffix(".toml"))


def ends_in_consonant(word: str) -> bool:
    """Whether the last syllable of a Korean word has a final consonant. The form of a particle depends on this.

    >>> ends_in_consonant("사과"), ends_in_consonant("책"), ends_in_consonant("85")
    (False, True, False)
    """
    return _final_consonant(word) > 0


def with_particle(word: str, particle: str) -> str:
    """A Korean word with a particle in the right form. ``particle`` is the form that follows a consonant.

    >>> with_particle("사과", "을"), with_particle("책", "을"), with_particle("지하철", "으로")
    ('사과를', '책을', '지하철로')
    """
    after_l = particle == "으로" and _final_consonant(word) == 8
    return word + (particle if ends_in_consonant(word) and not after_l else _PARTICLES[particle])


def _final_consonant(word: str) -> int:
    """Unicode's number of the final consonant of the last syllable. 0 if there is none. A digit is read in Korean."""
    return (ord(word[-1].translate(_READ)) - 0xAC00) % 28


def identifier(english: str) -> str:
    """A short hash of an English sentence. Case, spaces and punctuation do not count."""
    return hashlib.sha256(sentence_key(english).encode()).hexdigest()[:12]


def splits() -> dict[str, list[tuple[str, ...]]]:
    """The lines of train, dev and test. A line has one sentence in every language of ``phrasebook``.

    No English sentence is written twice. Train, dev and test share no sentence in any language.
    """
    book = phrasebook()
    written, held_out = set(book.skipped), set[tuple[int, str]]()
    result: dict[str, list[tuple[str, ...]]] = {}
    for part in ("test", "dev", "train"):
        lines = result[part] = []
        for topic, patterns in book.parts[part].items():
            most = book.most[part] if part != "train" else book.most.get(topic, book.most[part])
            for line in chain.from_iterable(sentences(book, pattern, most) for pattern in patterns):
                name = identifier(line[0])
                if name not in written and held_out.isdisjoint(enumerate(map(sentence_key, line))):
                    written.add(name)
                    lines.append(line)
        held_out |= {key for line in lines for key in enumerate(map(sentence_key, line))}
    return {part: result[part] for part in ("train", "dev", "test")}


def build(folder: Path) -> list[WrittenSplit]:
    """Write the splits, as ``corpus get phrasebook`` does."""
    return [write_split(folder, name, lines, phrasebook().languages) for name, lines in splits().items()]


def sentences(book: Phrasebook, pattern: Sequence[str], most: int | None = None) -> Iterator[tuple[str, ...]]:
    """Yield at most ``most`` sentences of a pattern, spread over all combinations of its entries. None for all.

    The step from one combination to the next and the number of combinations have no common factor, so each combination
    is visited once. Combinations with equal entries in two slots are left out.
    """
    names = list(dict.fromkeys(name for text in pattern for name, _ in _SLOT.findall(text)))
    choices = [_entries(book, name.rstrip("0123456789")) for name in names]
    total = math.prod(map(len, choices))
    step = next(n for n in range(math.ceil(total * 0.618), 2 * total + 1) if math.gcd(n, total) == 1)
    start = int(identifier(pattern[0]), 16)
    filled = (_filled(names, choices, (start + number * step) % total) for number in range(total))
    writers = [_writer(book, *numbered) for numbered in enumerate(pattern)]
    for words in islice((words for words in filled if len({*words.values()}) == len(words)), most):
        yield tuple(write(words) for write in writers)


def _filled(
    names: Sequence[str], choices: Sequence[Sequence[tuple[str, ...]]], place: int
) -> dict[str, tuple[str, ...]]:
    """The entry of each slot in combination number ``place`` of all combinations."""
    words = {}
    for name, entries in zip(names, choices, strict=True):
        place, chosen = divmod(place, len(entries))
        words[name] = entries[chosen]
    return words


def _entries(book: Phrasebook, kind: str) -> list[tuple[str, ...]]:
    entries: list[tuple[str, ...]] = []
    for entry in book.slots[kind]:
        if not isinstance(entry, str):
            entries.append(entry)
        elif entry.startswith("@"):
            entries += _entries(book, entry[1:])
        else:
            first, last = map(int, entry.split(".."))
            entries += [(str(number),) * len(book.languages) for number in range(first, last + 1)]
    return entries


def _writer(book: Phrasebook, number: int, text: str) -> Callable[[Mapping[str, Sequence[str]]], str]:
    """Return a function that fills the slots of a pattern's text in language ``number`` with the entries it gets."""
    language = book.languages[number]
    form = cache(partial(_form, book.forms.get(language, {}), language))
    first, *parts = _SLOT.split(text)
    slots = [*zip(parts[::3], parts[1::3], parts[2::3], strict=True)]

    def write(words: Mapping[str, Sequence[str]]) -> str:
        filled = "".join(
            f"{_OPEN}{form(words[name][number], named or '1')}{_CLOSE}{after}" for name, named, after in slots
        )
        text = _adapted(first + filled, language).replace(_OPEN, "").replace(_CLOSE, "").replace(" .", ".")
        return text[0].upper() + text[1:]

    return write


def _adapted(text: str, language: str) -> str:
    """Adapt the words beside a filled slot to the word in the slot."""
    if language == "fr":
        text = _APART.sub(lambda found: f"{_JOINED[found[0].replace(_OPEN, '')]} ", text)
        return _ELIDED.sub(r"\1'", text)
    if language == "ko":
        return _PARTICLE.sub(lambda found: with_particle(found[1], found[2]), text)
    return text.translate(_WIDE) if language == "ja" else text


def _form(forms: Mapping[str, Mapping[str, str]], language: str, entry: str, form: str) -> str:
    """An entry such as "Apfel/Äpfel|m" in a form. A form is the number of a variant, or a name among ``forms``."""
    variants, _, gender = entry.partition("|")
    unlike_its_letter = gender.endswith("*")
    word, *_ = choices = variants.split("/")
    if form.isdigit():
        return choices[int(form) - 1]
    before, _, before_vowel = forms[form][gender.rstrip("*") or "x"].partition("|")
    if before_vowel and (word[0].lower() in _VOWELS[language]) is not unlike_its_letter:
        before = before_vowel
    if before.startswith("="):
        return before[1:]
    return before + word if before.endswith("'") or not before else f"{before} {word}"


TRAINING_PAIRS, HELD_OUT = 2000, 50
"""Number of pairs in train, and number of pairs in each of dev and test."""
EXAMPLE = ("나는 어제 사과를 먹었다.", "I ate an apple yesterday.")
"""The worked example of the source documents, the first pair of test."""

_GRAMMAR = read_toml(Phrasebook, Path(__file__).with_name("grammar_ko.toml"))


def grammar_splits() -> dict[str, list[tuple[str, ...]]]:
    """The pairs of train, dev and test of a small grammar, Korean before English. The random order is always the same.

    A sentence has a subject, a time, a place, an object with its particle and a verb. Korean puts the verb last, and
    English puts it second. A model learns to move the verb in three minutes of training.
    ``EXAMPLE`` is the first pair of test. No other pair has the same verb with the same object.
    """
    pairs = [pair for pattern in _GRAMMAR.parts["all"]["verbs"] for pair in sentences(_GRAMMAR, pattern)]
    drawn = random.Random(0).sample(sorted(pairs), TRAINING_PAIRS + 2 * HELD_OUT - 1)
    held_out = 2 * HELD_OUT - 1
    return {"train": drawn[held_out:], "dev": drawn[:HELD_OUT], "test": [EXAMPLE, *drawn[HELD_OUT:held_out]]}


def build_grammar(folder: Path) -> list[WrittenSplit]:
    """Write the splits, as ``corpus get grammar-ko`` does."""
    return [
        write_split(folder, name, [pair[::-1] for pair in pairs], ("en", "ko"))
        for name, pairs in grammar_splits().items()
    ]
