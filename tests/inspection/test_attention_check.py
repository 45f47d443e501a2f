"""A reader's attention: planted faults are named, right forms are not accused."""

from pathlib import Path

import pytest
import torch

from nmt.cli import main
from nmt.errors import InputError
from nmt.inspection.attention_check import ANNOTATION, EMBEDDING, HIDDEN, STATE, check_attention, from_file
from nmt.model.attention import AdditiveAttention
from nmt.model.reference import attend
from tests.oracles import attentions
from tests.oracles.attentions import FAULTS, RIGHT

SEEDS = range(3)


@pytest.mark.parametrize("name", RIGHT)
@pytest.mark.parametrize("seed", SEEDS)
def test_a_right_form_is_not_accused(name: str, seed: int) -> None:
    torch.manual_seed(seed)
    assert check_attention(RIGHT[name](), seed=seed) == ()


@pytest.mark.parametrize("name", FAULTS)
@pytest.mark.parametrize("seed", SEEDS)
def test_a_planted_fault_is_named(name: str, seed: int) -> None:
    made, word = FAULTS[name]
    torch.manual_seed(seed)
    assert word in " | ".join(check_attention(made(), seed=seed))


def test_there_are_enough_of_both() -> None:
    assert (len(RIGHT), len(FAULTS)) == (15, 60)
    assert (attentions.N, attentions.A, attentions.L, attentions.M) == (STATE, ANNOTATION, HIDDEN, EMBEDDING)


def test_our_own_step_in_the_letters_of_the_paper_passes() -> None:
    """The oracle of the model's tests, sentence by sentence."""
    attention = AdditiveAttention(STATE, ANNOTATION, HIDDEN)

    def ours(s: torch.Tensor, h: torch.Tensor, mask: torch.Tensor) -> tuple[torch.Tensor, torch.Tensor]:
        rows = [attend(attention, one, words[there]) for one, words, there in zip(s, h, mask, strict=True)]
        alpha = torch.nn.utils.rnn.pad_sequence([row.alpha for row in rows], batch_first=True)
        alpha = torch.nn.functional.pad(alpha, (0, h.shape[1] - alpha.shape[1]))
        return alpha, torch.stack([row.context for row in rows])

    with torch.no_grad():
        for parameter in attention.parameters():
            parameter.normal_(0, 0.7)
    assert check_attention(ours) == ()


def test_a_file_is_run_and_its_faults_end_with_status_1(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    source = Path(attentions.__file__).read_text("utf-8")
    (tmp_path / "mine.py").write_text(
        source + "\nclass Wrong(Paper):\n    hidden = lambda self, s, h: self.U(h).relu()\n"
    )
    assert main(["check-attention", f"{tmp_path}/mine.py:Paper"]) == 0
    done = capsys.readouterr()
    assert done.out == "Paper is the paper's attention, as far as this test can tell.\n"
    assert "runs the code" in done.err
    assert main(["check-attention", f"{tmp_path}/mine.py:Wrong"]) == 1
    (line,) = capsys.readouterr().out.splitlines()
    assert line.startswith("Wrong: alpha does not change with the state")
    assert main(["check-attention", f"{tmp_path}/mine.py:Concatenated", "8", "16"]) == 0
    assert main(["check-attention", f"{tmp_path}/mine.py:Concatenated", "8", "8"]) == 1


def test_what_cannot_be_run_is_one_sentence(tmp_path: Path) -> None:
    (tmp_path / "broken.py").write_text("def (")
    (tmp_path / "notes.md").write_text("# Notes")
    (tmp_path / "raises.py").write_text("class Mine:\n    def __init__(self, n):\n        raise ValueError('no')\n")
    for place, said in (
        ("nothing.py:Mine", "does not name a file of Python"),
        (f"{tmp_path}/notes.md:Mine", "does not name a file of Python"),
        (f"{tmp_path}/broken.py:Mine", "raises SyntaxError"),
        (f"{tmp_path}/raises.py:Mine", "raises ValueError: no"),
        (f"{tmp_path}/raises.py:Yours", "has no class or function Yours"),
    ):
        with pytest.raises(InputError, match=said):
            from_file(place)
