"""The contents of a page: runs with their weights, vocabularies, and rules of the languages.

The rules of tokenisers and detokenisers (classes of characters, abbreviations, patterns) come from sacremoses and our
own repairs, so each rule has a single source. Regular expressions of Python are rewritten for JavaScript with the flag
u. Letters and digits are then those of Unicode, as in Python.
"""

import base64
import re
from collections.abc import Iterable, Sequence
from dataclasses import asdict, dataclass
from typing import Any

import sentencepiece
from sacremoses import MosesDetokenizer, MosesTokenizer
from sacremoses.util import CJKChars

from nmt.answers.shipped import SENTENCES
from nmt.charts.small_figure import SmallCurve, SmallFigure
from nmt.charts.style import line_style
from nmt.data import japanese
from nmt.data.corpora.registry import in_folder
from nmt.data.identification import LANGUAGES, NAMES, TABLE
from nmt.data.line_words import UNSPACED
from nmt.data.links import read_dictionary
from nmt.data.subwords import Pieces, load_vocabulary
from nmt.data.text import repairs
from nmt.data.vocabulary import SPECIAL, Shortlist, Vocabulary
from nmt.errors import InputError, refuse_repeated
from nmt.evaluation.evaluation_files import read_evaluated_system
from nmt.evaluation.measurement_files import curve_points, on_one_set, read_stress
from nmt.instrument import texts as instrument_texts
from nmt.native import places
from nmt.records import FORMAT_VERSION
from nmt.results.inspection import IMPROBABLE, SURE
from nmt.runs.fingerprint import check_owner, checked_fingerprint
from nmt.runs.folder import DICTIONARY, RunInfo, read_run
from nmt.runs.provenance import Provenance, read_provenance
from nmt.texts import APP, PAGE, languages, speaking

BEAMS = (1, 5, 12)
"""Beams that users can choose, besides the default of the page."""

BEAM = 5
"""Default beam of a page. A translation takes a third of the time that it takes with a beam of 12."""

MOST_CHARACTERS = 2_000
"""Length of the longest sentence that a page translates."""


@dataclass(frozen=True, kw_only=True)
class Payload:
    """The contents of a page.

    Attributes:
        data: the page's data without the weights, JSON-ready (docs/formats.md).
        languages: all texts of each language, by its code, JSON-ready, English first.
        weights: weights file of each run, in base64.
        attributions: a text for each corpus that the weights were trained on: title, authors and licence.
    """

    data: dict[str, Any]
    languages: dict[str, dict[str, Any]]
    weights: tuple[str, ...]
    attributions: tuple[str, ...]


def collect(folders: Sequence[str], beam: int = BEAM) -> Payload:
    """Collect the contents of a page for some runs.

    Raises InputError if a folder is not a run, one of its files is damaged, or its weights are not 8-bit integers, as
    in released runs. Raises InputError if two runs have the same name or different source languages, and for a model or
    language that pages do not support.
    """
    runs = [read_run(folder) for folder in folders]
    refuse_repeated((run.name for run in runs), "runs")
    if len({run.source_language for run in runs}) > 1:
        raise InputError("the runs of a page must all read the same language")
    vocabularies: list[dict[str, Any]] = []
    targets = sorted({run.target_language for run in runs})
    data: dict[str, Any] = {
        "format": FORMAT_VERSION,
        "beam": beam,
        "beams": sorted({*BEAMS, beam}),
        "most_characters": MOST_CHARACTERS,
        "runs": [_run(run, vocabularies) for run in runs],
        "tokenisers": {runs[0].source_language: tokeniser_rules(runs[0].source_language)},
        "detokenisers": {language: detokeniser_rules(language) for language in targets},
        "vocabularies": vocabularies,
        "doubts": {"sure": SURE, "improbable": IMPROBABLE},
        "language_table": TABLE.read_text("utf-8"),
        "scripts": {"languages": LANGUAGES, "names": NAMES},
        "structures": {name: places(name) for name in ("Matrix", "Model", "Search")},
    }
    weights = tuple(base64.b64encode(run.weights.path.read_bytes()).decode("ascii") for run in runs)
    texts = {code: _in_words_of(code, runs, data["runs"]) for code in languages()}
    return Payload(data=data, languages=texts, weights=weights, attributions=attributions(runs))


def _in_words_of(code: str, runs: Sequence[RunInfo], facts: Sequence[dict[str, Any]]) -> dict[str, Any]:
    """All texts in a language: ``texts`` by their names in page.html, the examples and the figure."""
    with speaking(code):
        examples = _examples(runs)
        kinds = {PAGE.by_key.kinds[run["architecture"]] for run in facts}
        kind = kinds.pop() if len(kinds) == 1 else PAGE.both_kinds
        names = APP.by_key.languages
        sides = ("source_language", "target_language")
        facts = [run | {side: names.get(run[side], run[side]) for side in sides} for run in facts]
        targets = ", ".join(dict.fromkeys(run["target_language"] for run in facts))
        texts = {"about": PAGE.about.format(kinds=kind, source=facts[0]["source_language"], targets=targets)}
        texts |= {f"title-{number}": example["title"] for number, example in enumerate(examples)}
        texts |= {f"writing-{name}": text for name, text in APP.by_key.writings.items()}
        texts |= {f"run-{number}": PAGE.run.format(**run) for number, run in enumerate(facts)}
        return {
            "texts": instrument_texts() | PAGE.by_key.texts | texts,
            "examples": examples,
            "figure": _figure(runs),
        }


def _run(run: RunInfo, vocabularies: list[dict[str, Any]]) -> dict[str, Any]:
    _check(run)
    model, search = run.config.model, run.config.search
    replaces = search.replace_unk not in (None, "copy") and (run.path / DICTIONARY).is_file()
    return {
        "name": run.name,
        "architecture": model.architecture,
        "state_order": model.state_order,
        "source_language": run.source_language,
        "target_language": run.target_language,
        "source_vocabulary": _number(vocabularies, run, "source"),
        "target_vocabulary": _number(vocabularies, run, "target"),
        "search": asdict(search),
        "dictionary": read_dictionary(run.path / DICTIONARY) if replaces else None,
        "trained_to": run.config.training.max_length,
        "parameters": run.weights.parameters,
        "sha256": checked_fingerprint(run).weights,
    }


def _check(run: RunInfo) -> None:
    """Raise InputError unless a page can compute with this run."""
    check_owner(run)
    model = run.config.model
    parts = (model.unit, model.score, model.encoder, model.start)
    if parts != ("gated", "additive", "bidirectional", "backward"):
        raise InputError(
            f"{run.name} cannot be put into a page, which computes the paper's gated unit, its additive score and its "
            "bidirectional encoder only"
        )
    if model.state_order == "equation":
        raise InputError(f"{run.name} cannot be put into a page, which does not compute state order “equation”")
    if run.weights.dtype != "I8":
        raise InputError(
            f"{run.path} has no weights of 8-bit integers; `release {run.path} OUT --weights int8` writes them"
        )


def _examples(runs: Sequence[RunInfo]) -> list[dict[str, str]]:
    """The app's sentences for the language pairs of the runs. If there are none: all sentences in the source language.
    A sentence has its remark on what to look at only if all runs have its language pair."""
    pairs = {(run.source_language, run.target_language) for run in runs}
    read = [entry for entry in SENTENCES if entry.languages[0] == runs[0].source_language]
    return [
        {
            "title": entry.shown_title,
            "sentence": entry.sentence,
            "look": entry.shown_look if pairs == {entry.languages} else "",
        }
        for entry in [entry for entry in read if entry.languages in pairs] or read
    ]


def _figure(runs: Sequence[RunInfo]) -> dict[str, Any] | None:
    """Curves of BLEU over the length of concatenated sentences (``on_one_set``). None without a curve. Each curve has
    the index of its run."""
    stored = on_one_set(read_stress(run.path) for run in runs)
    measured = {number: stress for number, stress in enumerate(stored) if stress is not None}
    if not measured:
        return None
    curves = []
    for number, stress in measured.items():
        points = curve_points(stress, read_evaluated_system(runs[number].path).evaluations.get(stress.test_set))
        curves.append(SmallCurve(name=runs[number].name, style=line_style(number), points=points))
    figure = SmallFigure.of(curves, next(iter(measured.values())).test_set).to_dict()
    return figure | {"curves": [curve | {"run": k} for curve, k in zip(figure["curves"], measured, strict=True)]}


def _number(vocabularies: list[dict[str, Any]], run: RunInfo, side: str) -> int:
    """Index of a run's vocabulary in ``vocabularies``. A vocabulary that the list lacks is appended."""
    expected = run.source_vocabulary if side == "source" else run.target_vocabulary
    vocabulary = vocabulary_data(load_vocabulary(run.path, side, expected.size))
    if vocabulary not in vocabularies:
        vocabularies.append(vocabulary)
    return vocabularies.index(vocabulary)


_RESEARCH = "Weights trained on it are for research and teaching."

_NOTICES = {
    "Open Government Licence - Canada": "Contains information licensed under the Open Government Licence - Canada. "
    "Not an official version, nor endorsed by the Government of Canada.",
    "for research; the images' terms are Flickr's": _RESEARCH,
    "for research (WMT)": _RESEARCH,
}
"""By licence, the notice that must accompany everything made from a corpus (checkpoints/LICENSES.md)."""


def attributions(runs: Sequence[RunInfo]) -> tuple[str, ...]:
    """One attribution of each corpus that the runs, or the runs whose weights they began with, were trained on."""
    folders = dict.fromkeys(folder for run in runs for folder in _folders(read_provenance(run.path)))
    return tuple(dict.fromkeys(_attribution(folder) for folder in folders))


def _folders(provenance: Provenance | None) -> Iterable[str]:
    while provenance is not None:
        yield from (corpus.source.split("/")[0] for corpus in provenance.train)
        provenance = provenance.initial.provenance if provenance.initial is not None else None


def _attribution(folder: str) -> str:
    """Title, authors, licence and address of a corpus, and the notice that its terms require."""
    corpus = in_folder(folder)
    if corpus is None:
        return f"{folder}. Licence: not known here."
    notice = _NOTICES.get(corpus.licence, "")
    parts = (corpus.title, corpus.citation, f"Licence: {corpus.licence}", corpus.home, notice)
    return " ".join(part if part.endswith(".") else f"{part}." for part in parts if part)


def vocabulary_data(vocabulary: Vocabulary) -> dict[str, Any]:
    """The data of a vocabulary (nmt/page/js/vocabulary.js). InputError if it has unused subwords, or bytes in an
    unusual order."""
    if isinstance(vocabulary, Shortlist):
        return {"kind": "words", "words": list(vocabulary.shortlist)}
    assert isinstance(vocabulary, Pieces)
    processor = sentencepiece.SentencePieceProcessor(model_proto=vocabulary.model)
    ids = range(len(vocabulary))
    if any(processor.is_unused(id) or (processor.is_control(id) and id >= len(SPECIAL)) for id in ids):
        raise InputError("a vocabulary has subwords that are not in use, which a page does not support")
    in_bytes = [id for id in ids if processor.is_byte(id)]
    if in_bytes and in_bytes != list(range(in_bytes[0], in_bytes[0] + 256)):
        raise InputError("a vocabulary has its bytes in an unusual order, which a page does not support")
    return {
        "kind": vocabulary.kind,
        "pieces": [processor.id_to_piece(id) for id in ids],
        "scores": [processor.get_score(id) for id in ids],
        "firstByte": in_bytes[0] if in_bytes else -1,
    }


_WORD = r"\p{L}\p{N}_"
_APOSTROPHES = {"en": "english", "fr": "eliding", "it": "eliding"}
_NOT_WRITTEN = frozenset({"cs", "fi"})
"""Languages whose detokeniser has special rules that the page lacks."""

_TOKEN = re.compile(r"\\(?P<escape>u[0-9a-fA-F]{4}|.)|(?P<open>\[)|(?P<close>\])|(?P<other>.)", re.DOTALL)
_SYNTAX = frozenset("^$\\.*+?()[]{}|/-")
"""Characters that a backslash may precede in a regular expression of JavaScript with the flag u."""

_REFERENCE = re.compile(r"\\(\d)")

Ranges = list[list[int]]


def tokeniser_rules(language: str) -> dict[str, Any]:
    """Rules for sentences of a language (nmt/page/js/tokeniser.js). InputError for a language without spaces."""
    if language in UNSPACED:
        raise InputError(f"a page cannot read sentences in {language!r}: only in languages written with spaces")
    moses = MosesTokenizer(language)
    return {
        "apostrophes": _APOSTROPHES.get(language, "general"),
        "word": _ranges(moses.IsAlnum),
        "letters": _ranges(MosesTokenizer.IsAlpha),
        "lower": _ranges(MosesTokenizer.IsLower),
        "numbers": _ranges(MosesTokenizer.IsN),
        "abbreviations": sorted(set(moses.NONBREAKING_PREFIXES)),
        "beforeNumbers": sorted(set(moses.NUMERIC_ONLY_PREFIXES)),
    }


def detokeniser_rules(language: str) -> dict[str, Any]:
    """Rules for translations into a language (nmt/page/js/detokeniser.js). InputError for those in ``_NOT_WRITTEN``."""
    if language in _NOT_WRITTEN:
        raise InputError(f"a page cannot write sentences in {language!r}")
    if language in UNSPACED:
        return {
            "language": language,
            "kind": "unspaced",
            "letter": in_javascript(japanese.LETTER),
            "closes": sorted(japanese.CLOSES),
        }
    return {
        "language": language,
        "kind": "spaced",
        "letters": _ranges(MosesDetokenizer.IsAlpha),
        "currency": _ranges(MosesDetokenizer.IsSc),
        "cjk": [list(span) for span in CJKChars.ranges],
        "repairs": [
            [in_javascript(rule.pattern), _REFERENCE.sub(r"$\1", text.replace("$", "$$"))]
            for rule, text in repairs(language)
        ],
    }


def in_javascript(pattern: str) -> str:
    r"""Rewrite a regular expression of Python for JavaScript with the flag u.

    >>> print(in_javascript(r"(?<=\w) ’ (?=[\w-]\d)"))
    (?<=[\p{L}\p{N}_]) ’ (?=[\p{L}\p{N}_-]\p{Nd})
    """
    parts = []
    inside = False
    for match in _TOKEN.finditer(pattern):
        escape = match["escape"]
        if escape == "w":
            parts.append(_WORD if inside else f"[{_WORD}]")
        elif escape == "d":
            parts.append(r"\p{Nd}")
        elif escape == "b":
            word = f"[{_WORD}]"
            parts.append(f"(?:(?<={word})(?!{word})|(?<!{word})(?={word}))")
        elif escape is not None and not escape[0].isalnum() and escape not in _SYNTAX:
            parts.append(escape)
        else:
            assert escape not in ("W", "D", "B"), "not needed so far"
            inside = (inside or bool(match["open"])) and not match["close"]
            parts.append(match[0])
    return "".join(parts)


def _ranges(characters: Iterable[str]) -> Ranges:
    """First and last code points of each sequence of consecutive characters."""
    ranges: Ranges = []
    for point in sorted({ord(character) for character in characters}):
        if ranges and ranges[-1][1] == point - 1:
            ranges[-1][1] = point
        else:
            ranges.append([point, point])
    return ranges
