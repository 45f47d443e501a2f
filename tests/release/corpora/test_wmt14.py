import pytest
from sacrebleu.dataset import DATASETS

from nmt.data.corpora.registry import known
from release.corpora import wmt14


def test_every_file_that_the_builder_reads_is_downloaded() -> None:
    files = {source.file for source in known("wmt14").sources}
    assert files == {texts.archive for texts in (*wmt14.TRAINING.values(), *wmt14.NEWS_TESTS.values())}


@pytest.mark.parametrize("year", wmt14.NEWS_TESTS)
def test_news_tests_are_those_of_sacrebleu(year: int) -> None:
    """Addresses, checksums and members."""
    theirs = DATASETS["wmt14/full" if year == 2014 else f"wmt{year % 100:02}"]
    ours = wmt14.NEWS_TESTS[year]
    (source,) = [source for source in known("wmt14").sources if source.file == ours.archive]
    assert ([source.url], [source.checksum]) == (theirs.data, [f"md5:{theirs.md5[0]}"])
    assert theirs.langpairs["en-fr"] == [*ours.members.values()]
