"""The prepared folder that the trainings of these tests read."""

from pathlib import Path

import pytest

from nmt.cli import main
from tests.made_once import made_once

WORDS = "one two three four five six seven eight nine ten".split()


@pytest.fixture(scope="session")
def data(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Sentences of three to six words, and the same words backwards."""

    def make(folder: Path) -> None:
        folder.mkdir(parents=True, exist_ok=True)
        for name, count in (("train", 60), ("dev", 8)):
            lines = [[WORDS[(7 * n + 3 * k) % len(WORDS)] for k in range(3 + n % 4)] for n in range(count)]
            for side, step in (("en", 1), ("fr", -1)):
                text = "".join(" ".join(line[::step]) + "\n" for line in lines)
                (folder / f"{name}.{side}").write_text(text, encoding="utf-8")
        files = {name: str(folder / name) for name in ("train.en", "train.fr", "dev.en", "dev.fr")}
        corpus, dev = [files["train.en"], files["train.fr"]], [files["dev.en"], files["dev.fr"]]
        words = ["prepare", "--corpus", *corpus, "--dev", *dev, "--source-lang", "en", "--target-lang", "fr"]
        assert main([*words, "--out", str(folder / "data"), "--workers", "1"]) == 0

    return made_once(tmp_path_factory, "jobs-data", make) / "data"
