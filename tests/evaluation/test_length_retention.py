"""Concatenated texts against the rules they are made by, and the share that is kept against sacreBLEU."""

import shutil
from pathlib import Path

import numpy as np
import pytest
import sacrebleu

import nmt
from nmt.cli import main
from nmt.config import SearchSettings
from nmt.errors import InputError
from nmt.evaluation.concatenation import CONCATENATED_SPANS, concatenated_set, concatenated_texts, retention_point
from nmt.evaluation.evaluation_files import read_evaluated_system
from nmt.evaluation.test_set import TestSet
from nmt.results import Languages, Span
from tests.programs import Commands

WORDS = "the cat sat on a mat and saw two old dogs run".split()
FRENCH = Languages("en", "fr")


def lines(seed: int, number: int, longest: int = 8) -> list[str]:
    rng = np.random.default_rng(seed)
    return [" ".join(rng.choice(WORDS, rng.integers(1, longest + 1))) for _ in range(number)]


@pytest.mark.parametrize("span", [Span(21, 30), Span(41, 50), Span(12, 12), Span(1, 3)])
def test_each_text_has_the_length_and_each_sentence_one_place(span: Span) -> None:
    test = TestSet(name="mine", sources=lines(1, 300), references=lines(2, 300))
    found = concatenated_texts(test, span)
    used = [i for group in found.groups for i in group]
    assert len(used) == len(set(used))
    assert span.last is not None
    texts = found.of(test.sources)
    for text, group in zip(texts, found.groups, strict=True):
        assert span.first <= len(text.split()) <= span.last
        assert text == " ".join(test.sources[i] for i in group)
        assert len(" ".join(test.sources[i] for i in group[:-1]).split()) < span.first  # no longer than it must be
    short = [i for i, source in enumerate(test.sources) if len(source.split()) <= span.last]
    assert len(used) > 0.8 * len(short)
    assert concatenated_texts(test, span) == found


@pytest.mark.parametrize("span", [Span(21, 30), Span(28, 30), Span(71, 72), Span(12, 12)])
def test_a_sentence_that_begins_no_text_is_left_out_alone(span: Span) -> None:
    """Against a search by recursion: the next sentence that fits is taken, until the text is long enough."""
    test = TestSet(name="mine", sources=lines(6, 60, 20), references=lines(7, 60))
    assert span.last is not None
    last = span.last
    lengths = [len(source.split()) for source in test.sources]

    def text(waiting: list[int], words: int) -> list[int] | None:
        if words >= span.first:
            return []
        for place, i in enumerate(waiting):
            if words + lengths[i] <= last:
                rest = text(waiting[place + 1 :], words + lengths[i])
                return None if rest is None else [i, *rest]
        return None

    waiting = [i for i in np.random.default_rng(1).permutation(60).tolist() if lengths[i] <= last]
    expected, left_out = [], 0
    while waiting:
        group = text(waiting, 0)
        left_out += group is None
        if group is not None:
            expected.append(tuple(group))
        waiting = [i for i in waiting if i not in (group or waiting[:1])]
    assert concatenated_texts(test, span).groups == tuple(expected)
    assert left_out > 1


def test_without_spaces_there_are_none() -> None:
    test = TestSet(name="mine", sources=["I eat.", "She reads a book."], references=["食べます。", "彼女は本を読む。"])
    found = concatenated_texts(test, Span(6, 6))
    assert found.of(test.references, "ja")[0] in ("食べます。彼女は本を読む。", "彼女は本を読む。食べます。")


def test_too_few_sentences_are_named() -> None:
    test = TestSet(name="mine", sources=lines(1, 3), references=lines(2, 3))
    with pytest.raises(InputError, match=r"mine .* 71-80"):
        concatenated_texts(test, Span(71, 80))
    with pytest.raises(InputError, match="21-30"):
        concatenated_texts(test, Span(61))


def test_the_share_is_sacrebleus_over_sacrebleus() -> None:
    test = TestSet(name="mine", sources=lines(1, 200), references=lines(2, 200), languages=FRENCH)
    texts = concatenated_texts(test, Span(21, 30))
    rng = np.random.default_rng(3)
    one_by_one = [" ".join(w for w in line.split() if rng.random() < 0.9) for line in test.references]
    together = [" ".join(w for w in line.split() if rng.random() < 0.7) for line in texts.of(test.references)]
    found = retention_point(texts, test, together, one_by_one, FRENCH)
    references = texts.of(test.references)
    long = sacrebleu.corpus_bleu(together, [references]).score
    short = sacrebleu.corpus_bleu(texts.of(one_by_one), [references]).score
    assert (found.bleu, found.bleu_apart) == pytest.approx((long, short))
    assert found.kept == pytest.approx(long / short)
    assert found.interval is not None
    assert found.interval.low < long / short < found.interval.high < 1
    assert (found.texts, found.sentences) == (len(references), sum(map(len, texts.groups)))
    assert found.source_words == pytest.approx(np.mean([len(text.split()) for text in texts.of(test.sources)]))
    same = retention_point(texts, test, references, list(test.references), FRENCH)
    assert (same.kept, same.bleu) == pytest.approx((1, 100))


def test_by_command(random_runs: Path, tmp_path: Path, cli: Commands) -> None:
    """The command's table has the numbers that translating by hand gives."""
    source, reference = lines(4, 30, 5), lines(5, 30, 5)
    for name, text in (("source", source), ("reference", reference)):
        (tmp_path / name).write_text("".join(line + "\n" for line in text))
    files = ["--source", str(tmp_path / "source"), "--reference", str(tmp_path / "reference")]
    run = str(random_runs / "search-words")
    row = (
        cli.printed("stress", run, *files, "--lengths", "9-12", "--beam", "2", "--format", "markdown")
        .strip()
        .splitlines()[-1]
    )
    model, test = nmt.load(run), TestSet(name=None, sources=source, references=reference, languages=FRENCH)
    texts = concatenated_texts(test, Span(9, 12))

    def translated(sentences: list[str]) -> list[str]:
        return [t.best.text for t in model.translate(sentences, SearchSettings(beam=2))]

    point = retention_point(texts, test, translated(texts.of(source)), translated(source), FRENCH)
    assert f"| 9–12 | {point.texts} | {point.sentences} | {point.bleu:.1f} | {point.bleu_apart:.1f} |" in row
    for wrong in ("9", "12-9", "0-3", "a-b"):
        assert main(["stress", run, *files, "--lengths", wrong]) == 2


def test_the_concatenated_set_has_every_length_and_the_same_sentences() -> None:
    """Texts of all ranges, each made of the sentences that ``concatenated_texts`` takes; of up to 20 words as they
    are."""
    test = TestSet(name="mine", sources=lines(1, 300, 24), references=lines(2, 300), languages=FRENCH)
    short = tuple(source for source in test.sources if len(source.split()) <= 20)
    assert {20, 21} <= {len(source.split()) for source in test.sources}
    found = concatenated_set(test)
    assert found.name == "mine-concatenated"
    lengths = np.array([len(source.split()) for source in found.sources])
    singles = int((lengths <= 20).sum())
    assert found.sources[:singles] == short
    place = singles
    for span in CONCATENATED_SPANS:
        texts = concatenated_texts(test, span)
        assert found.sources[place : place + len(texts.groups)] == tuple(texts.of(test.sources))
        assert found.references[place : place + len(texts.groups)] == tuple(texts.of(test.references))
        assert int(span.holds(lengths).sum()) == len(texts.groups)
        place += len(texts.groups)
    assert place == len(found)


def test_evaluate_on_the_concatenated_set(random_runs: Path, tmp_path: Path) -> None:
    """The file has sacreBLEU's score of the texts translated one by one, and their lengths."""
    run = tmp_path / "run"
    shutil.copytree(random_runs / "search-words", run)
    (tmp_path / "a.en").write_text("".join(f"{line}\n" for line in lines(1, 120)))
    (tmp_path / "a.fr").write_text("".join(f"{line}\n" for line in lines(2, 120)))
    given = ["--set", "mine", str(tmp_path / "a.en"), str(tmp_path / "a.fr")]
    assert main(["evaluate", str(run), "--concatenate", "--beam", "1", "--fresh", *given]) == 0
    (found,) = read_evaluated_system(run).evaluations.values()
    assert found.test_set == "mine-concatenated"
    test = TestSet(name="mine", sources=lines(1, 120), references=lines(2, 120), languages=FRENCH)
    texts = concatenated_set(test)
    written = [each.text for each in nmt.load(run).translate(texts.sources, beam=1)]
    assert found.everything is not None
    assert found.everything.bleu == pytest.approx(sacrebleu.corpus_bleu(written, [texts.references]).score)
    assert found.pairs.source_words.tolist() == [len(source.split()) for source in texts.sources]
