"""Translations as they are shown, and how they are computed."""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import replace

import streamlit as st

from nmt.answers.keys import Text
from nmt.evaluation.evaluation_files import list_systems
from nmt.inference.phrase_based import PHRASES, read_about
from nmt.instrument import About
from nmt.instrument.remarks import notes_on, words_kept
from nmt.results import Languages, Translation
from nmt.results.record import GoldLinks, SentenceRecord, System, Tokens
from nmt.results.record import Text as RecordText
from nmt.runs.folder import RunInfo
from nmt.texts import APP, LOOK, nats
from nmt.ui import tasks
from nmt.ui.checkpoints import ARCHITECTURES, systems_folder
from nmt.ui.compute import answer_to, errors_shown, give_way
from nmt.ui.formatting import escaped, language
from nmt.ui.look.view import COMMITTEE, DIFFERENCE, HARD, Decoded, ExplorerView, Shown
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


def with_effect(shown: Decoded) -> Decoded | None:
    """Put the leave-one-out attribution in place of alpha. If that fails, show the error and return None."""
    effect = answer_to(tasks.LeaveOneOutTask(shown.run, shown.source, shown.target), st.empty())
    return None if effect is None else replace(shown, weights=effect)


def decode_all(view: ExplorerView) -> list[Shown]:
    """The translations by each checkpoint, then with hard attention and by a committee if chosen, then those of files.
    Show the error of a decoding that fails. If a difference is chosen, checkpoints with alpha are forced to the first
    one's translation."""
    shown: list[Shown] = []
    first: Decoded | None = None
    for name, run in _of_one_target(view).items():
        comparing = DIFFERENCE in view.settings.options and not view.target.typed and run.has_alignment
        result = follow(view, name, run, first) if comparing and first is not None else _ask(view, name, run)
        if result is not None:
            shown.append(result)
            first = first or (result if comparing else None)
    wanted = frozenset[str]() if view.target.typed else view.settings.options
    for name, run in view.runs.items() if HARD in wanted else ():
        task = tasks.TranslateTask(run, view.sentence, replace(view.settings.of(run), hard_attention=True))
        if run.has_alignment and (translation := answer_to(task, st.empty())) is not None:
            shown.append(replace(decoded(view, f"{name} (argmax)", run, translation), manner=LOOK.hard))
    if COMMITTEE in wanted and (together := committee_of(view.runs)):
        run, *others = together.values()
        task_of_all = tasks.CommitteeTask(run, tuple(others), view.sentence, view.settings.of(run))
        translation = answer_to(task_of_all, st.empty())
        manner = LOOK.committee + run.has_alignment * LOOK.alpha_of.format(name=run.name)
        if translation is not None:
            shown.append(replace(decoded(view, " + ".join(together), run, translation), manner=manner))
    for file in view.imported:
        taken = {DIFFERENCE, *(translation.title for translation in shown)}
        titles = (file.title, *(f"{file.title} ({number})" for number in range(2, len(shown) + 2)))
        title = next(title for title in titles if title not in taken)
        shown.append(replace(file, written=replace(file.written, name=title)))
    return shown


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


def _ask(view: ExplorerView, name: str, run: RunInfo) -> Decoded | None:
    if view.target.typed:
        return forced(view, name, run, view.sentence, view.target.typed, view.target.typed)
    translation = translated(view, run, view.target.listed)
    if translation is None:
        return None
    shown, alone = decoded(view, name, run, translation, view.target.rank), _one_by_one(view, run)
    return (
        replace(shown, about=shown.about | words_kept(alone, shown.written.text, run.target_language))
        if alone
        else shown
    )


def translated(view: ExplorerView, run: RunInfo, listed: int) -> Translation | None:
    """Translate into ``listed`` translations. Return None after showing an error, or for a draft that is slow."""
    task = tasks.TranslateTask(run, view.sentence, view.settings.of(run, listed))
    return task.typed(give_way) if view.draft else answer_to(task, st.empty())


def _one_by_one(view: ExplorerView, run: RunInfo) -> tuple[str, ...]:
    if len(view.parts) < 2:
        return ()
    texts: dict[str, str] = tasks.shipped_texts(run, view.settings.of(run), view.parts)
    for part in view.parts:
        if part not in texts:
            translation = translated(replace(view, sentence=part), run, 1)
            texts[part] = "" if translation is None else translation.best.text
    return tuple(texts[part] for part in view.parts)


def follow(view: ExplorerView, name: str, run: RunInfo, first: Decoded) -> Decoded | None:
    """Force a checkpoint to another one's translation. If that fails, show the error and return None. It gets the
    tokens, because the text, for example with [UNK], might be read as other tokens."""
    translation = translated(view, run, view.target.listed)
    if translation is None:
        return None
    target = answer_to(tasks.ReadOutputTask(run, first.target), st.empty())
    if target is None:
        return None
    output = translation.best
    assert translation.encoded is not None
    assert output.encoded is not None
    if output.encoded.ids == target.ids:
        return decoded(view, name, run, translation)
    follower = forced(view, name, run, translation.encoded, target, first.written.text)
    if follower is None:
        return None
    said = LOOK.own_translation.format(nats=nats(output.log_probability), text=output.text or APP.nothing_written)
    about: About = {"condition": LOOK.forced.format(name=first.title), "own_text": said}
    return replace(follower, about=follower.about | about)


def decoded(
    view: ExplorerView, name: str, run: RunInfo, translation: Translation, rank: int = 1, *, forced: bool = False
) -> Decoded:
    """A checkpoint's translation as it is shown: the hypothesis of rank ``rank``, or the last one if there are fewer.
    ``forced``: whether the target was given."""
    output = translation.hypotheses[min(rank, len(translation.hypotheses)) - 1]
    source, target = translation.encoded, output.encoded
    assert source is not None
    assert target is not None
    kind = ARCHITECTURES[run.kind]
    if len({run.target_language for run in view.runs.values()}) > 1:
        kind = LOOK.kind_in.format(language=language(run.target_language), kind=kind)
    written = System(
        name=name,
        kind=run.kind,
        language=run.target_language,
        forced=forced,
        text=output.text,
        source=Tokens(tokens=source.tokens, words=source.words, unknown=source.unknown),
        target=Tokens(tokens=output.tokens, words=target.words),
        log_probability=output.log_probability,
        token_log_probabilities=output.token_log_probabilities,
    )
    replaced = view.settings.unknown == "replace" and not view.target.typed
    notes = notes_on(written, output.alignment, run, view.sentence, word_counts(run), replaced=replaced)
    return Decoded(
        written=written,
        weights=output.alignment,
        stands_in=output.alignment is None,
        about={"kind": kind, "notes": notes},
        run=run,
        source=source,
        target=target,
        heads=answer_to(tasks.HeadsTask(run, source, target), st.empty()) if run.guest else None,
    )


def forced(view: ExplorerView, name: str, run: RunInfo, source: Text, target: Text, text: str) -> Decoded | None:
    """Force a checkpoint to a target with the text ``text``. If that fails, show the error and return None."""
    score = answer_to(tasks.ForceTask(run, source, target), st.empty())
    return None if score is None else decoded(view, name, run, score.translation(text), forced=True)


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
                notes = [LOOK.copied_words.format(words=copied)] if copied else []
                shown.append(Shown.of_file(system, {"kind": LOOK.phrase_based, "notes": notes}))
    return shown
