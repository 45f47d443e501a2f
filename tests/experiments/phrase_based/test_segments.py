"""The cuts of the phrase-based system."""

from hypothesis import given
from hypothesis import strategies as st

from experiments.phrase_based.segments import segments

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
    alignment = {"source": flat, "target": text.split(), "weights": weights}
    made = segments({"source": " ".join(flat), "hypotheses": [{"text": text, "alignment": alignment}]})
    expected = (" | ".join(map(" ".join, side)) for side in (source, target))
    assert made == " ||| ".join(expected)


def test_a_blank_sentence_has_no_cut() -> None:
    assert segments({"source": "", "hypotheses": []}) == " ||| "
