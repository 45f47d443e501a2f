"""From sentences to a curve on the page "Lengths": measured here by real models, or brought along."""

import gzip
import json
import re
import shutil
import tomllib
from collections.abc import Callable, Sequence
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
import sacrebleu
import streamlit as st
from streamlit.testing.v1 import AppTest

import nmt
from nmt.data.uploads import LIMITS
from nmt.released import KNOWN_TEST_SETS
from nmt.results import Languages
from nmt.runs.archive import ArchiveLimits
from nmt.texts import APP as APP_TEXTS
from nmt.texts import LENGTH, counted
from nmt.ui.compute import start
from nmt.ui.formatting import as_sentence
from nmt.ui.length.choose import known_sets
from nmt.ui.length.select import Selection, select
from nmt.ui.resources import compute_service
from tests.ui.length.lengths_page import APP, FIRST_REFERENCES, SOURCES, chart, finish, lines, opened, said

pytestmark = pytest.mark.usefixtures("server_without_systems")
REFERENCES = [*FIRST_REFERENCES, "une fille dort sur la mer ."]
MOSES = ["la fille lit .", "une chat est sur mer", "elle a vu la mer", "le chat", "une fille dort sur lit ."]


def press(at: AppTest, button: str) -> AppTest:
    """By its key or its label."""
    next(each for each in at.button if button in (each.key, each.label.replace("\\", ""))).click().run()
    assert not at.exception
    return at


def upload(at: AppTest, key: str, name: str, data: bytes) -> None:
    at.file_uploader(key=key).set_value((name, data, "text/plain"))


def text(given: Sequence[str]) -> bytes:
    return "".join(f"{line}\n" for line in given).encode()


def add_set(
    at: AppTest, source: bytes | None, reference: bytes | None, name: str = "mine", file: str = "a.en"
) -> AppTest:
    if source is not None:
        upload(at, "add-source", file, source)
    if reference is not None:
        upload(at, "add-reference", "b.fr", reference)
    at.text_input(key="add-set-name").set_value(name)
    return press(at, LENGTH.add_test_set)


def score(hypotheses: Sequence[str], longest: int) -> float:
    rows = [i for i, source in enumerate(SOURCES) if len(source.split()) <= longest]
    return sacrebleu.corpus_bleu([hypotheses[i] for i in rows], [[REFERENCES[i] for i in rows]]).score


def overall(at: AppTest, name: str) -> float:
    """The score over all lengths, as the help of the line under the picture says it."""
    (help,) = {each.help for each in at.markdown if "Moses 4" in each.help}
    return float(help.replace("\\", "").split(f"{name} ")[1].split(",")[0].rstrip("."))


def test_a_set_is_brought_along_measured_and_compared_with_another_system(random_runs: Path) -> None:
    at = opened(systems=["search-words", "encdec-words"], by_length="custom", firsts="1 5")
    add_set(at, text(SOURCES), gzip.compress(text(REFERENCES)))
    assert LENGTH.not_measured.format(test_set="mine", names="search-words, encdec-words") in said(at)
    assert counted(5, LENGTH.forms.set_added, name="mine") in said(at)
    assert at.session_state["length-additions"] is False  # closed, so that the next step can be seen
    assert not at.get("plotly_chart")
    finish(press(at, LENGTH.measure.format(names="search-words and encdec-words", test_sets="mine")))
    for name in ("search-words", "encdec-words"):
        written = [each.text for each in nmt.load(random_runs / name).translate(SOURCES)]
        assert lines(at)[name]["y"][0] == pytest.approx(score(written, 4))
    upload(at, "add-output", "moses.txt", text(MOSES))
    at.selectbox(key="add-output-of").set_value("mine")
    at.text_input(key="add-output-name").set_value("Moses 4")
    press(at, LENGTH.add_system)
    assert counted(5, LENGTH.forms.system_added, name="Moses 4", test_set="mine") in said(at)
    assert at.session_state["length-additions"] is False
    finish(at)
    assert lines(at)["Moses 4"]["y"][0] == pytest.approx(score(MOSES, 4))
    assert len({line["line"]["color"] for line in lines(at).values()}) == 3
    best = max(("search-words", "encdec-words"), key=lambda name: overall(at, name))
    assert at.selectbox(key="choice-one").value == "Moses 4"  # the newest against the best, until the reader chooses
    assert at.selectbox(key="choice-other").value == best
    assert list(lines(at)) == ["search-words", "encdec-words", "Moses 4"]
    assert LENGTH.curve_title.format(metric="BLEU") in said(at)
    at.segmented_control(key="choice-metric").set_value("ter").run()
    assert LENGTH.curve_title.format(metric="TER") in said(at)
    best = min(("search-words", "encdec-words"), key=lambda name: overall(at, name))
    assert at.selectbox(key="choice-other").value == best
    at.segmented_control(key="choice-metric").set_value("bleu").run()
    at.query_params["bucket"] = "all"
    at.session_state["export"] = True
    at.run()
    shown = [re.sub("<del[^>]*>[^<]*</del> ?|<[^>]*>", "", str(each.value)).strip() for each in at.get("html")]
    assert len({*MOSES} & {*shown}) == 1
    assert not [each for each in at.code if "jointly compare" in each.value]  # an upload is in no folder
    del at.query_params["bucket"]
    at.segmented_control(key="choice-unkcol").set_value("known").run()
    assert LENGTH.not_measured_known.format(test_set="mine", names="search-words, encdec-words") in said(at)
    finish(press(at, "measure"))
    assert lines(at)["search-words"]["customdata"][0][2] == 2


def test_a_range_of_another_set_is_forgotten_when_a_set_is_added() -> None:
    at = opened(systems="search-words", bucket="21-30")
    add_set(at, text(SOURCES), text(REFERENCES))
    assert "bucket" not in at.query_params


def test_outputs_and_scores_are_of_the_set_that_was_added_last() -> None:
    """The other set has as many sentences, so a file of the new set would fit it."""
    at = add_set(opened(systems=""), text(SOURCES), text(REFERENCES), "former")
    add_set(at, text(SOURCES[::-1]), text(REFERENCES[::-1]), "later")
    assert [at.selectbox(key=key).value for key in ("add-output-of", "scores-of")] == ["later"] * 2
    upload(at, "add-output", "x.fr", text(MOSES))
    assert at.run().selectbox(key="add-output-of").value == "later"


def test_sets_of_the_released_runs_come_first_also_without_their_sentences() -> None:
    known = next(name for name, each in KNOWN_TEST_SETS.items() if not each.own)
    system: Any = SimpleNamespace(evaluated=SimpleNamespace(evaluations={"aaa": None, known: None}))
    names = list(known_sets([system], Languages("en", "fr"), "", {}))
    assert (names[0], names[-1]) == (known, "aaa")
    assert len(names) > 2


def test_what_was_measured_is_there_again_after_a_restart() -> None:
    tsv = text([f"{source}\t{reference}" for source, reference in zip(SOURCES, REFERENCES, strict=True)])
    at = add_set(opened(systems="search-words"), tsv, None, file="mine.tsv")
    before = chart(finish(press(at, "measure")))["data"]
    st.cache_resource.clear()
    st.cache_data.clear()
    again = add_set(opened(systems="search-words"), tsv, None, name="", file="mine.tsv")
    assert chart(again)["data"] == before
    assert not compute_service().jobs.all()


def test_work_under_way_is_shown_and_can_be_cancelled() -> None:
    at = add_set(opened(systems="search-words"), text(SOURCES), text(REFERENCES))
    with compute_service().priority_lock.foreground(lambda: None):  # nothing else is computed meanwhile
        press(at, "measure")
        assert any(
            LENGTH.on_test_set.format(name="search-words", test_set="mine") in str(each.proto.text).replace("\\", "")
            for each in at.get("progress")
        )
        press(at, "Cancel")
        (job,) = compute_service().jobs.all()
        assert job.wait(20)
    assert job.state.status == "cancelled"
    at.run()
    assert "measure" in [button.key for button in at.button]


def add_output(at: AppTest, name: str = "moses") -> AppTest:
    upload(at, "add-output", "moses.txt", text(MOSES))
    at.selectbox(key="add-output-of").set_value("mine")
    at.text_input(key="add-output-name").set_value(name)
    return press(at, LENGTH.add_system)


def test_the_count_of_an_output_stays_cancelled_until_it_is_asked_for() -> None:
    at = add_set(opened(systems=""), text(SOURCES), text(REFERENCES))
    with compute_service().priority_lock.foreground(lambda: None):  # nothing else is computed meanwhile
        add_output(at)
        moses = LENGTH.on_test_set.format(name="moses", test_set="mine")
        assert LENGTH.measuring.format(names=moses) in said(at)
        assert LENGTH.external_system not in said(at)
        assert LENGTH.not_measured.format(test_set="mine", names="moses") not in said(at)
        press(at, "Cancel")
        (job,) = compute_service().jobs.all()
        assert job.wait(20)
    at.run()
    assert [job.state.status for job in compute_service().jobs.all()] == ["cancelled"]
    finish(press(at, LENGTH.score_again.format(output=LENGTH.on_test_set.format(name="moses", test_set="mine"))))
    assert list(lines(at)) == ["moses"]


def test_an_output_that_is_counted_while_the_page_is_made_is_shown(monkeypatch: pytest.MonkeyPatch) -> None:
    """The page looks for what is counted before it chooses sentences, and for what is not counted thereafter."""
    waiting: list[Any] = []

    def later(*arguments: Any) -> Selection:
        start(waiting)
        for job in compute_service().jobs.all():
            assert job.wait(120)
        return select(*arguments)

    at = add_set(opened(systems=""), text(SOURCES), text(REFERENCES))
    monkeypatch.setattr("nmt.ui.length.additions.start", waiting.extend)
    monkeypatch.setattr("nmt.ui.length.page.select", later)
    add_output(at)
    assert list(lines(at)) == ["moses"]
    assert LENGTH.external_system not in said(at)
    assert counted(5, LENGTH.forms.system_added, name="moses", test_set="mine") in said(at)
    assert counted(5, LENGTH.forms.system_added, name="moses", test_set="mine") not in said(at.run())


def test_an_output_takes_the_place_of_an_earlier_one_of_its_system() -> None:
    at = add_set(opened(systems=""), text(SOURCES), text(REFERENCES))
    finish(add_output(at))
    upload(at, "add-output", "better.txt", text(REFERENCES))
    at.text_input(key="add-output-name").set_value(" moses ")
    finish(press(at, LENGTH.add_system))
    assert not at.error
    assert lines(at)["moses"]["y"][0] == pytest.approx(100)


def test_several_systems_come_at_once_by_the_names_of_their_files_and_meet_each_other_first() -> None:
    at = add_set(opened(systems="search-words"), text(SOURCES), text(REFERENCES))
    finish(press(at, "measure"))
    files = [
        ("system a.fr.txt", text(MOSES), "text/plain"),
        ("a.txt", text(REFERENCES), "text/plain"),
        ("search-words.fr", text(MOSES[::-1]), "text/plain"),
    ]
    at.file_uploader(key="add-output").set_value([*files, ("short.fr", text(MOSES[1:]), "text/plain")]).run()
    assert at.text_input(key="add-output-name").disabled
    at.selectbox(key="add-output-of").set_value("mine")
    press(at, LENGTH.add_system)
    assert LENGTH.other_length.format(file="short.fr", lines=4, test_set="mine", sentences=5) in said(at)
    assert at.session_state["length-uploads"].outputs == []  # all or none
    at.file_uploader(key="add-output").set_value(files)
    press(at, LENGTH.add_system)
    names = ["system-a", "a", "search-words-2"]  # a checkpoint keeps its name
    assert counted(5, LENGTH.forms.system_added, name="system-a, a and search-words-2", test_set="mine") in said(at)
    finish(at)
    assert list(lines(at)) == names
    assert at.selectbox(key="choice-one").value == "search-words-2"
    assert at.selectbox(key="choice-other").value == "a"  # the best of the other two: the reference itself
    at.multiselect(key="choice-systems").set_value([*names[:1], "search-words"]).run()
    assert at.selectbox(key="choice-other").value == "search-words"


def test_what_was_counted_outlives_its_job() -> None:
    at = add_set(opened(systems=""), text(SOURCES), text(REFERENCES))
    finish(add_output(at))
    jobs = compute_service().jobs.all()
    for k in range(40):  # more than the server remembers
        assert compute_service().jobs.start(k, lambda reporter: None).wait(20)
    finish(at)
    assert jobs
    assert not set(jobs) & set(compute_service().jobs.all())
    assert list(lines(at)) == ["moses"]


def test_an_output_alone_has_no_column_without_unk() -> None:
    at = add_set(opened(systems="", unkcol="known"), text(SOURCES), text(REFERENCES))
    finish(add_output(at))
    at.multiselect(key="choice-systems").set_value(["moses"]).run()
    assert LENGTH.needs_checkpoint in said(at)
    assert ":material/straighten:" not in said(at)


def test_what_is_measured_without_unk_is_measured_with_it() -> None:
    at = add_set(opened(systems="search-words", unkcol="known"), text(SOURCES), text(REFERENCES))
    finish(press(at, "measure"))
    at.segmented_control(key="choice-unkcol").set_value("all").run()
    assert sum(row[2] for row in lines(at)["search-words"]["customdata"]) == 5
    assert "measure" not in [button.key for button in at.button]


def test_where_every_sentence_has_an_unknown_word_nothing_is_left_to_measure() -> None:
    at = add_set(opened(systems="search-words", unkcol="known"), text(["zorp"] * 2), text(["blah"] * 2))
    finish(press(at, "measure"))
    assert LENGTH.all_have_unknown in said(at)
    assert ":material/straighten:" not in said(at)


def test_a_curve_has_one_pair_of_languages(random_runs: Path, tmp_path: Path, look_in: Callable[..., None]) -> None:
    """That of the first checkpoint until the reader chooses the other; what is left out is named."""
    _, other = (shutil.copytree(random_runs / "search-words", tmp_path / "both" / name) for name in ("a", "b"))
    settings = json.loads((other / "config.json").read_text("utf-8"))
    (other / "config.json").write_text(json.dumps(settings | {"source_language": "de"}), "utf-8")
    look_in(tmp_path / "both")
    at = opened(systems=["a", "b"])
    assert APP_TEXTS.left_out.format(languages="English to French", names="b") in said(at)
    assert APP_TEXTS.not_there.format(what=APP_TEXTS.a_checkpoint, value="b") not in said(at)
    add_set(at, text(SOURCES), text(REFERENCES))
    assert APP_TEXTS.left_out.format(languages="English to French", names="b") not in said(at)  # nobody asked for it
    assert LENGTH.not_measured.format(test_set="mine", names="a") in said(at)
    at.selectbox(key="choice-pair").set_value("de-fr").run()
    assert not at.exception
    options = at.multiselect(key="choice-sets").options if at.get("multiselect") else []
    assert "mine" not in options, "a test set of English sentences is none of German ones"
    assert opened(systems=["b"]).selectbox(key="choice-pair").value == "de-fr"


def test_the_same_sentences_count_once() -> None:
    at = add_set(opened(systems="search-words"), text(SOURCES), text(REFERENCES), "one")
    finish(press(at, "measure"))
    before = lines(at)["search-words"]["customdata"]
    add_set(at, text(SOURCES), text(REFERENCES), "two")
    at.multiselect(key="choice-sets").set_value(["one", "two"]).run()
    assert not at.exception
    assert LENGTH.same_sentences.format(name="two", other="one") in said(at)
    assert lines(at)["search-words"]["customdata"] == before


def test_a_set_of_the_address_that_is_not_here_is_named_and_nothing_else_is_shown() -> None:
    at = opened(sets="captions")
    assert LENGTH.not_on_server.format(name="captions") in said(at)
    assert not at.get("plotly_chart")
    assert at.query_params["sets"] in ("captions", ["captions"])
    add_set(at, text(SOURCES), text(REFERENCES), "captions")
    assert LENGTH.not_on_server.format(name="captions") not in said(at)
    assert ":material/straighten:" in said(at)
    at = opened(sets="captions")
    at.button(key="forget-sets").click().run()
    assert at.multiselect(key="choice-sets").value == ["jointly-300"]


def test_the_output_of_a_system_is_matched_by_its_number_of_lines() -> None:
    at = opened(systems="")
    assert at.selectbox(key="add-output-of").value == "jointly-300"
    add_set(at, text(SOURCES), text(REFERENCES))
    at.multiselect(key="choice-sets").set_value(["jointly-300"]).run()
    upload(at, "add-output", "moses.txt", text(MOSES))
    at.run()
    assert at.selectbox(key="add-output-of").value == "mine"
    upload(at, "add-output", "moses.txt", text(["une phrase"] * 300))
    at.run()
    assert at.selectbox(key="add-output-of").value == "jointly-300"


def test_the_name_of_a_set_is_made_of_its_file_and_of_typed_words() -> None:
    at = opened()
    upload(at, "add-source", "my captions (2).en.txt", text(SOURCES))
    at.run()
    assert at.text_input(key="add-set-name").placeholder == "my-captions-2"
    assert "my-captions" in add_set(at, text(SOURCES), text(REFERENCES), "my captions").query_params["sets"]


def test_the_same_sentences_are_not_added_again_by_chance() -> None:
    at = add_set(opened(), text(SOURCES), text(REFERENCES), "")
    assert "a" in at.multiselect(key="choice-sets").options
    at = add_set(at, text(SOURCES), text(REFERENCES), "")
    assert as_sentence(LENGTH.same_set.format(name="a")) in [each.value for each in at.error]
    assert "a-2" not in at.multiselect(key="choice-sets").options


def test_a_tsv_file_may_end_in_capitals() -> None:
    at = add_set(opened(), text(["a\tb"]), None, "", "DATA.TSV")
    assert "DATA" in at.multiselect(key="choice-sets").options


@pytest.mark.parametrize(
    ("folder", "reasons"),
    [
        ("~nosuchuser/x", ["Could not determine home directory"]),
        ("/" + "x" * 300, ["File name too long"]),
        ("a\0b", []),  # no such folder, as with any other name
    ],
)
def test_a_folder_of_corpora_that_cannot_be_is_said(folder: str, reasons: list[str]) -> None:
    at = opened(data=folder)
    assert [each.value for each in at.warning] == [LENGTH.corpora_unreadable.format(reason=each) for each in reasons]
    assert "jointly-300" in at.multiselect(key="choice-sets").options


def test_what_is_uploaded_gets_through() -> None:
    """The server refuses in its own words what is larger than its option; ours are said below that."""
    most = tomllib.loads((APP.parent / ".streamlit" / "config.toml").read_text("utf-8"))["server"]["maxUploadSize"]
    assert most * 1_000_000 >= max(ArchiveLimits().packed, LIMITS.size)


@pytest.mark.parametrize(
    ("source", "reference", "name", "reason"),
    [
        (text(SOURCES), text(REFERENCES[:4]), "mine", "b.fr 4; line by line"),
        (text(SOURCES), "été\n".encode("latin-1") * 5, "mine", "b.fr, line 1, byte 1: 0xe9"),
        (b"a\n" * 20_001, b"b\n" * 20_001, "mine", "20,001"),
        (text(SOURCES), text(REFERENCES), "../x", "../x"),
        (text(SOURCES), text(REFERENCES), "joined", "joined"),
        (text(SOURCES), text(REFERENCES), "jointly-300", LENGTH.name_taken.format(name="jointly-300")),
        (text(SOURCES), text(SOURCES), "mine", LENGTH.same_text.format(file="b.fr")),
        (None, text(REFERENCES), "mine", as_sentence(LENGTH.choose_sentences)),
        (text(SOURCES), None, "mine", as_sentence(LENGTH.choose_references).replace("\\", "")),
    ],
)
def test_faulty_uploads_are_refused_in_words(
    source: bytes | None, reference: bytes | None, name: str, reason: str
) -> None:
    at = add_set(opened(), source, reference, name)
    assert reason in said(at)
    assert "mine" not in at.multiselect(key="choice-sets").options


def test_files_that_look_swapped_are_added_with_a_warning() -> None:
    doubt = LENGTH.sides_look_swapped.format(test_set="mine", source="English", target="French")
    assert doubt in said(add_set(opened(), text(REFERENCES), text(SOURCES)))
    at = add_set(opened(), text(SOURCES), text(REFERENCES))
    assert doubt not in said(at)
    assert "mine" in at.multiselect(key="choice-sets").options


@pytest.mark.parametrize(
    ("data", "name", "reason"),
    [
        (
            text(MOSES[:2]),
            "moses",
            LENGTH.other_length.format(file="o.txt", lines=2, test_set="jointly-300", sentences=300),
        ),
        (b"\xff\n", "moses", "o.txt, line 1, byte 1"),
        (b'{"text": "la fille"}\n', "moses", "o.txt is JSON"),
        (text(MOSES), "search-words", LENGTH.name_of_checkpoint.format(name="search-words")),
        (None, "moses", LENGTH.choose_translations),
    ],
)
def test_faulty_outputs_are_refused_in_words(data: bytes | None, name: str, reason: str) -> None:
    at = opened()
    if data is not None:
        upload(at, "add-output", "o.txt", data)
    at.selectbox(key="add-output-of").set_value("jointly-300")
    at.text_input(key="add-output-name").set_value(name)
    assert reason in said(press(at, LENGTH.add_system))
    assert name not in at.multiselect(key="choice-systems").options or name == "search-words"


def sgm(lines: Sequence[str], root: str) -> bytes:
    segments = "".join(f'<seg id="{k}">{line}</seg>\n' for k, line in enumerate(lines, 1))
    return f'<{root} setid="x">\n<doc docid="d" sysid="s">\n{segments}</doc></{root}>\n'.encode()


def test_files_of_wmt_and_several_references_are_scored() -> None:
    """As sacreBLEU scores the same sentences with two references; an output with subwords has a remark."""
    second = [f"{line} !" for line in REFERENCES]
    references = text([f"{a}\t{b}" for a, b in zip(REFERENCES, second, strict=True)])
    at = opened(systems=["search-words"], by_length="custom", firsts="1 5")
    add_set(at, sgm(SOURCES, "srcset"), references)
    upload(at, "add-output", "moses.sgm", sgm(MOSES, "tstset"))
    at.selectbox(key="add-output-of").set_value("mine")
    at.text_input(key="add-output-name").set_value("Moses 4")
    finish(press(at, LENGTH.add_system))
    rows = [i for i, source in enumerate(SOURCES) if len(source.split()) <= 4]
    wanted = [[each[i] for i in rows] for each in (REFERENCES, second)]
    expected = sacrebleu.corpus_bleu([MOSES[i] for i in rows], wanted).score
    assert lines(at)["Moses 4"]["y"][0] == pytest.approx(expected)
    assert "marks of subwords" not in said(at)
    upload(at, "add-output", "cut.txt", text([line.replace("a", "a@@ ") for line in MOSES]))
    at.selectbox(key="add-output-of").set_value("mine")
    at.text_input(key="add-output-name").set_value("Cut")
    press(at, LENGTH.add_system)
    assert "lines of cut.txt have marks of subwords" in said(at)


def test_corpora_are_found_by_their_folder(tmp_path: Path) -> None:
    folder = tmp_path / "corpora" / "stories"
    folder.mkdir(parents=True)
    (folder / "test1.en").write_bytes(text(SOURCES))
    (folder / "test1.fr.gz").write_bytes(gzip.compress(text(REFERENCES)))
    at = opened(data=str(tmp_path / "corpora"), sets="stories-test1", systems="search-words")
    finish(press(at, LENGTH.measure.format(names="search-words", test_sets="stories-test1")))
    assert sum(row[2] for row in lines(at)["search-words"]["customdata"]) == 5
    assert "stories-test1" not in opened(data=str(tmp_path / "nowhere")).multiselect(key="choice-sets").options


def test_a_broken_corpus_is_named(tmp_path: Path) -> None:
    folder = tmp_path / "corpora" / "stories"
    folder.mkdir(parents=True)
    (folder / "test1.en").write_bytes(text(SOURCES))
    (folder / "test1.fr").write_bytes(text(REFERENCES[:3]))
    at = opened(data=str(tmp_path / "corpora"), sets="stories-test1", systems="search-words")
    assert "test1.fr 3; line by line" in said(at)
