"""Translations as they are shown: their parts of the record, and remarks that the record lacks."""

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
import streamlit as st
from numpy.typing import NDArray

from nmt.answers.keys import Text
from nmt.data.line_words import word_counter
from nmt.results import END as END_MARK
from nmt.results import UNKNOWN, Alignment, Encoded, ForcedScore, Hypothesis, Translation
from nmt.results.alignment import PIECE_MARK
from nmt.results.record import (
    ALPHA,
    LEAVE_ONE_OUT,
    GoldLinks,
    SentenceRecord,
    System,
    Tokens,
    map_of,
    maps_of_heads,
    over_tokens,
    sides_of,
)
from nmt.results.record import Text as RecordText
from nmt.runs.folder import RunInfo
from nmt.texts import APP, LOOK
from nmt.ui import tasks
from nmt.ui.checkpoints import ARCHITECTURES
from nmt.ui.compute import answer_to
from nmt.ui.formatting import counted, escaped, isolated, language, listed, nats
from nmt.ui.look.explore import form
from nmt.ui.look.explore.files import Imported
from nmt.ui.look.explore.view import COMMITTEE, DIFFERENCE, HARD, ExplorerView
from nmt.ui.resources import word_counts


@dataclass(frozen=True, eq=False, kw_only=True)
class DecodedSentence:
    """One checkpoint's translation of the sentence, or its score of a given target.

    Attributes:
        name, run: the checkpoint.
        source: the sentence as the model read it.
        target: the target as it was typed, or as the model wrote it.
        text: the target as a sentence.
        output: the hypothesis, or the score of a given target.
        follows: name of the other checkpoint that wrote the forced target. "" if no other checkpoint wrote it.
        own: the checkpoint's own translation, if it follows another checkpoint. Else None.
        manner: "" for a usual search. Else a text on what wrote the target: hard attention, or a committee with ``run``
            as first checkpoint. Such a target cannot be explained or changed.
        alone: translations of the single sentences, if several are translated as one. Else ().
    """

    name: str
    run: RunInfo
    source: Encoded
    target: Text
    text: str
    output: Hypothesis | ForcedScore
    follows: str = ""
    own: Hypothesis | None = None
    manner: str = ""
    alone: tuple[str, ...] = ()

    @property
    def tokens(self) -> tuple[str, ...]:
        """Tokens as the model wrote or read them, [T_y]."""
        return self.output.tokens

    @property
    def token_words(self) -> tuple[int, ...]:
        """For each token the number of its word, [T_y]. The end-of-sentence token is a word of its own."""
        if self.output.alignment is not None:
            return self.output.alignment.target_words
        if not isinstance(self.target, str) and len(self.target.words) == len(self.tokens):
            return self.target.words
        pieces = any(token.startswith(PIECE_MARK) for token in self.tokens)
        last = len(self.tokens) - 1
        starts = [not pieces or k in (0, last) or t.startswith(PIECE_MARK) for k, t in enumerate(self.tokens)]
        return tuple((np.cumsum(starts) - 1).tolist())


@dataclass(frozen=True, eq=False, kw_only=True)
class Shown:
    """A translation, or an alignment from a file, as it is shown.

    Attributes:
        number: place among all translations that are shown, from 0.
        title: name of the checkpoint or of the file, by which the address names it.
        kind: kind of the model, with its target language if the checkpoints write several languages.
        text: the target as a sentence.
        source, target: tokens that the model read and wrote.
        weights: alpha or a file's weights, over all tokens, or a leave-one-out attribution in place of alpha. None if
            there is no map, as for a model without attention until its attribution is requested.
        stands_in: whether the system has no attention. Its map is then leave-one-out or missing.
        heads: weights of all heads of a Transformer, [layers, heads, T_y, T_x]. None for other systems.
        condition: condition of the translation, such as forced decoding, or "".
        own_text: a sentence with the model's own translation, if another one is shown. Else "".
        notes: sentences on this translation.
        changes: sentences on the reader's changes to this translation.
        decoded: the checkpoint's result, or None for a file.
        imported: the file, or None for a checkpoint.
    """

    number: int
    title: str
    kind: str
    text: str
    source: Tokens
    target: Tokens
    weights: Alignment | None
    stands_in: bool
    heads: NDArray[np.float32] | None = None
    condition: str = ""
    own_text: str = ""
    notes: tuple[str, ...] = ()
    changes: tuple[str, ...] = ()
    decoded: DecodedSentence | None = None
    imported: Imported | None = None

    @property
    def has_alpha(self) -> bool:
        """Whether ``weights`` are alpha of a checkpoint."""
        return self.decoded is not None and self.weights is not None and not self.stands_in

    def movable(self, view: ExplorerView) -> bool:
        """Whether the reader can move the weights: alpha of a checkpoint's usual search, without a typed target."""
        return self.has_alpha and not view.target.typed and self.decoded is not None and not self.decoded.manner

    def units(self, *, pieces: bool) -> Alignment:
        """The weights, over tokens if ``pieces``, else over whole words. Without a map, all weights are 0."""
        alignment = self.weights or System(text="", source=self.source, target=self.target).alignment(None)
        return alignment if pieces and not (self.stands_in and self.decoded) else alignment.merged()

    def system(self, *, exact: bool = False) -> System:
        """The translation's part of the record. ``exact``: whether weights have as many digits as float32 needs."""
        decoded, file = self.decoded, self.imported
        if file is not None and file.system is not None:
            return replace(file.system, name=self.title)
        kind = LEAVE_ONE_OUT if self.stands_in else ALPHA if file is None else file.kind
        weights = None if self.weights is None else over_tokens(self.weights, self.source, self.target)
        maps = map_of(kind, weights, exact=exact)
        if weights is not None and self.heads is not None:
            maps += maps_of_heads(weights, self.heads)
        if decoded is None:
            return System(name=self.title, text=self.text, source=self.source, target=self.target, maps=maps)
        return System(
            name=self.title,
            kind=decoded.run.kind,
            language=decoded.run.target_language,
            forced=isinstance(decoded.output, ForcedScore),
            text=decoded.text,
            source=self.source,
            target=self.target,
            log_probability=decoded.output.log_probability,
            token_log_probabilities=decoded.output.token_log_probabilities,
            maps=maps,
        )


def record_of(
    sentence: str, language: str, shown: Sequence[Shown], gold: GoldLinks | None = None, *, exact: bool = False
) -> SentenceRecord | None:
    """The record of what is shown. None if nothing is. ``exact``: whether weights have all their digits."""
    systems = tuple(translation.system(exact=exact) for translation in shown)
    if not systems:
        return None
    return SentenceRecord(source=RecordText(text=sentence, language=language or None), systems=systems, gold=gold)


def show_all(view: ExplorerView, decoded_sentences: Sequence[DecodedSentence]) -> list[Shown]:
    """The translations by the checkpoints, then the alignments from files."""
    shown = [shown_of(view, decoded, k) for k, decoded in enumerate(decoded_sentences)]
    for file in view.imported:
        taken = {translation.title for translation in shown}
        names = (file.name, *(f"{file.name} ({number})" for number in range(2, len(shown) + 2)))
        name = next(name for name in names if name not in taken)
        shown.append(_of_file(replace(file, name=name), len(shown)))
    return shown


def shown_of(view: ExplorerView, decoded: DecodedSentence, number: int) -> Shown:
    """The translation of a checkpoint as it is shown."""
    alpha = decoded.output.alignment
    kind, written_in = ARCHITECTURES[decoded.run.kind], view.target_named(decoded.run)
    best = decoded.own
    asked = tasks.HeadsTask(decoded.run, decoded.source, decoded.target) if decoded.run.guest else None
    return Shown(
        number=number,
        title=decoded.name,
        kind=LOOK.kind_in.format(language=written_in, kind=kind) if written_in else kind,
        text=decoded.text or APP.nothing_written,
        source=Tokens(tokens=decoded.source.tokens, words=decoded.source.words, unknown=decoded.source.unknown),
        target=Tokens(tokens=decoded.tokens, words=decoded.token_words),
        weights=alpha,
        stands_in=alpha is None,
        heads=None if asked is None else answer_to(asked, st.empty()),
        condition=decoded.manner or (LOOK.forced.format(name=decoded.follows) if decoded.follows else ""),
        own_text=""
        if best is None
        else LOOK.own_translation.format(nats=nats(best.log_probability), text=best.text or APP.nothing_written),
        notes=tuple(_notes(view, decoded)),
        decoded=decoded,
    )


def _of_file(imported: Imported, number: int) -> Shown:
    """The weights or links of a file, shown like alpha. They have no probabilities."""
    alignment, system = imported.alignment, imported.system
    kind = LOOK.from_file if imported.kind == "weights" else LOOK.links_from_file
    source, target = sides_of(alignment)
    return Shown(
        number=number,
        title=imported.name,
        kind=imported.about or (LOOK.from_system.format(kind=system.kind) if system and system.kind else kind),
        text=" ".join(word for word in alignment.merged().target if word != END_MARK)
        if system is None
        else system.text,
        source=source,
        target=target,
        weights=alignment if system is None or system.maps else None,
        stands_in=imported.leave_one_out,
        notes=imported.notes,
        imported=imported,
    )


def with_effect(shown: Shown) -> Shown | None:
    """The translation with the leave-one-out attribution in place of alpha. None after showing an error."""
    assert shown.decoded is not None
    effect = answer_to(tasks.LeaveOneOutTask(shown.decoded.run, shown.decoded.source, shown.decoded.target), st.empty())
    return None if effect is None else replace(shown, weights=effect)


def _notes(view: ExplorerView, decoded: DecodedSentence) -> list[str]:
    """Remarks for the reader on this translation, such as its unknown source words."""
    notes = []
    if decoded.source.unknown:
        notes.append(APP.unknown_words.format(words=", ".join(dict.fromkeys(decoded.source.unknown))))
    if hardly := _hardly_seen(decoded, view.sentence):
        notes.append(LOOK.hardly_seen.format(words=", ".join(hardly)))
    written = sum(UNKNOWN in token for token in decoded.tokens)
    if written and view.settings.unknown == "replace" and not view.target.typed:
        has_alpha = decoded.run.has_alignment
        notes.append(LOOK.replaced.format(text=decoded.text) if has_alpha else LOOK.not_replaced)
    elif written and decoded.output.alignment is not None:
        notes.append(_looked(decoded.output.alignment, decoded.text))
    longest = decoded.run.config.training.max_length
    words = word_counter(decoded.run.source_language)(view.sentence)
    if longest is not None and words > longest:
        notes.append(LOOK.longer_than_trained.format(words=words, most=longest))
    return notes


def _hardly_seen(decoded: DecodedSentence, sentence: str) -> list[str]:
    """Known words of the sentence that are rare in the training texts. [] for a run without word counts."""
    counts = word_counts(decoded.run)
    if counts is None:
        return []
    from nmt.data.text import Tokenizer

    words = Tokenizer(decoded.run.source_language).tokenize(sentence)
    return [word for word in counts.hardly_seen(words) if word not in decoded.source.unknown]


_MOST_PLACES = 5
"""Largest number of source words that are named for all [UNK] of a translation."""


def _looked(alpha: Alignment, text: str) -> str:
    """Say which source words had the largest weights for the [UNK] of a translation, and show the translation with
    these words in place of [UNK]. At most ``_MOST_PLACES`` words are named. "" if there is no source word."""
    attended = looked_at(alpha)
    if not attended:
        return ""
    largest: dict[str, float] = {}
    for word, weight in attended:
        largest[word] = max(weight, largest.get(word, 0))
    named = [*largest.items()][:_MOST_PLACES]
    places = [LOOK.looked_at.format(word=isolated(word), weight=f"{weight:.2f}") for word, weight in named]
    if len(largest) > _MOST_PLACES:
        places.append(counted(len(largest) - _MOST_PLACES, LOOK.forms.looked_elsewhere))
    copied = text
    for word, _ in attended:
        copied = copied.replace(UNKNOWN, word, 1)
    return LOOK.looked.format(places=listed(places), text=copied)


def looked_at(alpha: Alignment) -> list[tuple[str, float]]:
    """For each target word with [UNK]: the source word with the largest weight, the end mark left out, and its weight.

    >>> weights = np.array([[1, 0, 0], [.1, .25, .65], [0, 0, 1]])
    >>> looked_at(Alignment(source=("a", "zorp", "</s>"), target=("x", "[UNK]", "</s>"), weights=weights))
    [('zorp', 0.25)]
    """
    merged = alpha.merged()
    columns = len(merged.source) - (merged.source[-1:] == (END_MARK,))
    rows = [merged.weights[i, :columns] for i, word in enumerate(merged.target) if UNKNOWN in word]
    return [(merged.source[int(row.argmax())], float(row.max())) for row in rows if columns]


def decode_all(view: ExplorerView) -> list[DecodedSentence]:
    """Decode the sentence with each checkpoint, then with hard attention and a committee if chosen. Show the error of a
    decoding that fails. If a difference is chosen, checkpoints with alpha are forced to the first one's translation."""
    decoded_sentences: list[DecodedSentence] = []
    first: DecodedSentence | None = None
    for name, run in _of_one_target(view).items():
        comparing = DIFFERENCE in view.settings.options and not view.target.typed and run.has_alignment
        result = follow(view, name, run, first) if comparing and first is not None else _ask(view, name, run)
        if result is not None:
            decoded_sentences.append(result)
            first = first or (result if comparing else None)
    wanted = frozenset[str]() if view.target.typed else view.settings.options
    for name, run in view.runs.items() if HARD in wanted else ():
        settings = replace(tasks.chosen_settings(run, view.settings.beam, view.settings.unknown), hard_attention=True)
        task = tasks.TranslateTask(run, view.sentence, settings)
        if run.has_alignment and (translation := answer_to(task, st.empty())) is not None:
            decoded_sentences.append(replace(decoded(f"{name} (argmax)", run, translation), manner=LOOK.hard))
    if COMMITTEE in wanted and (together := form.committee_of(view.runs)):
        run, *others = together.values()
        settings = tasks.chosen_settings(run, view.settings.beam, view.settings.unknown)
        translation = answer_to(tasks.CommitteeTask(run, tuple(others), view.sentence, settings), st.empty())
        manner = LOOK.committee + run.has_alignment * LOOK.alpha_of.format(name=run.name)
        if translation is not None:
            decoded_sentences.append(replace(decoded(" + ".join(together), run, translation), manner=manner))
    return decoded_sentences


def _of_one_target(view: ExplorerView) -> dict[str, RunInfo]:
    """Select the checkpoints to decode. If a target is typed or a difference is chosen, only the checkpoints with the
    target language of the first one remain, and a warning names the others."""
    if not view.runs or not (view.target.typed or DIFFERENCE in view.settings.options):
        return view.runs
    target_language = next(iter(view.runs.values())).target_language
    others = [name for name, run in view.runs.items() if run.target_language != target_language]
    if others:
        names = escaped(", ".join(others))
        notice = LOOK.other_target_language.format(language=language(target_language), names=names)
        st.caption(f":material/warning: {notice}")
    return {name: run for name, run in view.runs.items() if name not in others}


def _ask(view: ExplorerView, name: str, run: RunInfo) -> DecodedSentence | None:
    if view.target.typed:
        read = answer_to(tasks.ReadTask(run, view.sentence), st.empty())
        return None if read is None else forced(name, run, read, view.target.typed, view.target.typed)
    translation = form.translated(run, view.sentence, view.settings, view.target.listed, draft=view.draft)
    if translation is None:
        return None
    return replace(decoded(name, run, translation, view.target.rank), alone=_one_by_one(view, run))


def _one_by_one(view: ExplorerView, run: RunInfo) -> tuple[str, ...]:
    if len(view.parts) < 2:
        return ()
    settings = tasks.chosen_settings(run, view.settings.beam, view.settings.unknown)
    texts: dict[str, str] = tasks.shipped_texts(run, settings, view.parts)
    for part in view.parts:
        if part not in texts:
            translation = form.translated(run, part, view.settings, 1)
            texts[part] = "" if translation is None else translation.best.text
    return tuple(texts[part] for part in view.parts)


def follow(view: ExplorerView, name: str, run: RunInfo, first: DecodedSentence) -> DecodedSentence | None:
    """Force a checkpoint to the translation by another checkpoint. None after showing an error. The translation is
    passed as tokens, because its text, for example with [UNK], might be read as other tokens."""
    assert isinstance(first.target, Encoded)
    translation = form.translated(run, view.sentence, view.settings, view.target.listed)
    if translation is None:
        return None
    target = answer_to(tasks.ReadOutputTask(run, first.target), st.empty())
    if target is None:
        return None
    output = translation.best
    assert translation.encoded is not None
    assert output.encoded is not None
    if output.encoded.ids == target.ids:
        return decoded(name, run, translation)
    follower = forced(name, run, translation.encoded, target, first.text)
    return None if follower is None else replace(follower, follows=first.name, own=output)


def decoded(name: str, run: RunInfo, translation: Translation, rank: int = 1) -> DecodedSentence:
    """The result of a translation: the hypothesis of rank ``rank``, or the last one if there are fewer."""
    chosen = translation.hypotheses[min(rank, len(translation.hypotheses)) - 1]
    assert translation.encoded is not None
    assert chosen.encoded is not None
    return DecodedSentence(
        name=name, run=run, source=translation.encoded, target=chosen.encoded, text=chosen.text, output=chosen
    )


def forced(name: str, run: RunInfo, source: Encoded, target: Text, text: str) -> DecodedSentence | None:
    """Force a checkpoint to a target. None after showing an error."""
    score = answer_to(tasks.ForceTask(run, source, target), st.empty())
    if score is None:
        return None
    return DecodedSentence(name=name, run=run, source=source, target=target, text=text, output=score)
