"""Translations as they are shown: how they are computed, and remarks that the record lacks."""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import replace

import streamlit as st

from nmt.answers.keys import Text
from nmt.data.line_words import word_counter
from nmt.evaluation.evaluation_files import list_systems
from nmt.inference.phrase_based import PHRASES, read_about
from nmt.results import END as END_MARK
from nmt.results import UNKNOWN, Alignment, Languages, Translation
from nmt.results.record import GoldLinks, SentenceRecord
from nmt.results.record import Text as RecordText
from nmt.runs.folder import RunInfo
from nmt.texts import APP, LOOK
from nmt.ui import tasks
from nmt.ui.checkpoints import ARCHITECTURES, systems_folder
from nmt.ui.compute import answer_to, errors_shown, give_way
from nmt.ui.formatting import counted, escaped, isolated, language, listed
from nmt.ui.look.view import COMMITTEE, DIFFERENCE, HARD, DecodedSentence, ExplorerView, Settings, Shown
from nmt.ui.resources import once_a_run, vocabulary_key, word_counts


def record_of(
    view: ExplorerView, shown: Sequence[Shown], gold: GoldLinks | None = None, *, exact: bool = False
) -> SentenceRecord | None:
    """The record of what is shown. None if nothing is. ``exact``: whether weights have all their digits."""
    language = next((run.source_language for run in view.runs.values()), None)
    systems = tuple(translation.system(exact=exact) for translation in shown)
    if not systems:
        return None
    return SentenceRecord(source=RecordText(text=view.sentence, language=language), systems=systems, gold=gold)


def show_all(view: ExplorerView, decoded_sentences: Sequence[DecodedSentence]) -> list[Shown]:
    """The translations by the checkpoints, then the alignments from files."""
    shown = [shown_of(view, decoded) for decoded in decoded_sentences]
    for file in view.imported:
        taken = {translation.title for translation in shown}
        titles = (file.title, *(f"{file.title} ({number})" for number in range(2, len(shown) + 2)))
        title = next(title for title in titles if title not in taken)
        shown.append(replace(file, written=replace(file.written, name=title)))
    return shown


def shown_of(view: ExplorerView, decoded: DecodedSentence) -> Shown:
    """The translation of a checkpoint as it is shown."""
    alpha = decoded.output.alignment
    kind = ARCHITECTURES[decoded.run.kind]
    if len({run.target_language for run in view.runs.values()}) > 1:
        kind = LOOK.kind_in.format(language=language(decoded.run.target_language), kind=kind)
    asked = tasks.HeadsTask(decoded.run, decoded.source, decoded.target) if decoded.run.guest else None
    return Shown(
        kind=kind,
        written=decoded.written,
        weights=alpha,
        stands_in=alpha is None,
        heads=None if asked is None else answer_to(asked, st.empty()),
        notes=tuple(_notes(view, decoded)),
        decoded=decoded,
    )


def with_effect(shown: Shown) -> Shown | None:
    """Put the leave-one-out attribution in place of alpha. If that fails, show the error and return None."""
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

    >>> import numpy as np
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
        task = tasks.TranslateTask(run, view.sentence, replace(view.settings.of(run), hard_attention=True))
        if run.has_alignment and (translation := answer_to(task, st.empty())) is not None:
            decoded_sentences.append(replace(decoded(f"{name} (argmax)", run, translation), manner=LOOK.hard))
    if COMMITTEE in wanted and (together := committee_of(view.runs)):
        run, *others = together.values()
        task_of_all = tasks.CommitteeTask(run, tuple(others), view.sentence, view.settings.of(run))
        translation = answer_to(task_of_all, st.empty())
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


def committee_of(runs: Mapping[str, RunInfo]) -> dict[str, RunInfo]:
    """The first group of at least two checkpoints with equal vocabularies, to translate together. {} without any."""
    groups: dict[str, dict[str, RunInfo]] = {}
    for name, run in runs.items() if len(runs) > 1 else ():
        groups.setdefault(vocabulary_key(run), {})[name] = run
    return next((group for group in groups.values() if len(group) > 1), {})


def _ask(view: ExplorerView, name: str, run: RunInfo) -> DecodedSentence | None:
    if view.target.typed:
        return forced(name, run, view.sentence, view.target.typed, view.target.typed)
    translation = translated(run, view.sentence, view.settings, view.target.listed, draft=view.draft)
    if translation is None:
        return None
    return replace(decoded(name, run, translation, view.target.rank), alone=_one_by_one(view, run))


def translated(
    run: RunInfo, sentence: str, settings: Settings, listed: int, *, draft: bool = False
) -> Translation | None:
    """Translate a sentence into ``listed`` translations. Return None after showing an error, or for a slow draft."""
    task = tasks.TranslateTask(run, sentence, settings.of(run, listed))
    return task.typed(give_way) if draft else answer_to(task, st.empty())


def _one_by_one(view: ExplorerView, run: RunInfo) -> tuple[str, ...]:
    if len(view.parts) < 2:
        return ()
    texts: dict[str, str] = tasks.shipped_texts(run, view.settings.of(run), view.parts)
    for part in view.parts:
        if part not in texts:
            translation = translated(run, part, view.settings, 1)
            texts[part] = "" if translation is None else translation.best.text
    return tuple(texts[part] for part in view.parts)


def follow(view: ExplorerView, name: str, run: RunInfo, first: DecodedSentence) -> DecodedSentence | None:
    """Force a checkpoint to another one's translation. If that fails, show the error and return None. It gets the
    tokens, because the text, for example with [UNK], might be read as other tokens."""
    translation = translated(run, view.sentence, view.settings, view.target.listed)
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


def forced(name: str, run: RunInfo, source: Text, target: Text, text: str) -> DecodedSentence | None:
    """Force a checkpoint to a target. If that fails, show the error and return None."""
    score = answer_to(tasks.ForceTask(run, source, target), st.empty())
    if score is None:
        return None
    assert score.source is not None
    assert score.target is not None
    return DecodedSentence(name=name, run=run, source=score.source, target=score.target, text=text, output=score)


@once_a_run
def phrase_systems() -> dict[str, Languages]:
    """Languages of phrase-based systems, by the names of their folders. They are external systems with a packed model,
    and no runs. An error is shown for a broken system."""
    languages = {}
    for folder in list_systems(systems_folder()):
        if (folder / PHRASES).is_file():
            with errors_shown():
                about = read_about(folder)
                languages[folder.name] = Languages(about.source_language, about.target_language)
    return languages


def translated_by_phrases(chosen: Collection[str], language: str, sentence: str) -> list[Shown]:
    """Translations by the chosen systems that read the language. If one of them cannot translate, the page says why."""
    shown = []
    for name, languages in phrase_systems().items():
        if name in chosen and languages.source == language:
            written = answer_to(tasks.PhrasesTask(systems_folder() / name, sentence), st.empty())
            if written is not None and written.target.tokens:
                copied = ", ".join(dict.fromkeys(written.source.unknown))
                system = replace(written, source=replace(written.source, unknown=()))  # copied words are no [UNK]
                notes = (LOOK.copied_words.format(words=copied),) if copied else ()
                shown.append(Shown.of_file(system, LOOK.phrase_based, notes=notes))
    return shown
