"""The cuts of the phrase-based system."""

from hypothesis import given
from hypothesis import strategies as st

from experiments.phrase_based.segments import segments
from nmt.results.record import SEGMENTATION, SentenceRecord, System, Text, Tokens, WeightMap

SIZES = st.lists(st.tuples(st.integers(1, 3), st.integers(1, 3)), min_size=1, max_size=5)


@given(SIZES)
def test_cuts_are_where_the_phrases_end(sizes: list[tuple[int, int]]) -> None:
    source = [[f"s{k}{j}" for j in range(read)] for k, (read, _) in enumerate(sizes)]
    target = [[f"t{k}{i}" for i in range(written)] for k, (_, written) in enumerate(sizes)]
    flat = [word for phrase in source for word in phrase]
    weights = [
        [float(word in phrase) / len(phrase) for word in flat]
        for phrase, own in zip(source, target, strict=True)
        for _ in own
    ]
    text = " ".join(word for phrase in target for word in phrase)
    system = System(
        text=text,
        source=Tokens(tokens=tuple(flat)),
        target=Tokens(tokens=tuple(text.split())),
        maps=(WeightMap(kind=SEGMENTATION, weights=tuple(map(tuple, weights))),),
    )
    made = segments(SentenceRecord(source=Text(text=" ".join(flat)), systems=(system,)).to_dict())
    expected = (" | ".join(map(" ".join, side)) for side in (source, target))
    assert made == " ||| ".join(expected)


def test_a_blank_sentence_has_no_cut() -> None:
    assert segments(SentenceRecord(source=Text(text=""), systems=(System(text=""),)).to_dict()) == " ||| "
