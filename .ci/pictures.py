"""Draw the pictures of docs/tour.md and docs/reading.md from released runs, into docs/pictures.

    .venv/bin/python .ci/pictures.py

Beside them it writes made-from.json: checksums of what they were drawn from. A test fails when these have changed.
"""

import hashlib
import json
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
FOLDER = ROOT / "docs" / "pictures"
MADE_FROM = FOLDER / "made-from.json"
ALPHA = ROOT / "checkpoints" / "rnnsearch-en-fr"
COMPARED = tuple(ROOT / "checkpoints" / name for name in ("rnnsearch-50", "rnnencdec-50"))
TEST_SET = "canada-laws-test"
WHOLE, IN_PIECES = (
    "The old man is reading a newspaper in the garden.",
    "The lighthouse keeper repaired his binoculars.",
)


def inputs():
    """Checksums of the released weights and settings, of the stored scores, and of this file, by path."""
    files = [ALPHA / "checksums.json", *(run / "evaluation" / f"{TEST_SET}.json" for run in COMPARED), Path(__file__)]
    return {
        file.resolve().relative_to(ROOT).as_posix(): hashlib.sha256(file.read_bytes()).hexdigest() for file in files
    }


def main():
    import nmt

    FOLDER.mkdir(exist_ok=True)
    model = nmt.load(ALPHA, precision="fp32")
    nmt.heatmap(model.translate(WHOLE)).save(FOLDER / "words.svg")
    pieces = model.translate(IN_PIECES)
    nmt.heatmap(pieces, subwords=True).save(FOLDER / "subwords.svg")
    nmt.heatmap(pieces).save(FOLDER / "merged.svg")
    nmt.compare(COMPARED, TEST_SET).figure2().save(FOLDER / "figure2.svg")
    MADE_FROM.write_text(json.dumps(inputs(), indent=2) + "\n", encoding="utf-8")


if __name__ == "__main__":
    sys.path.insert(0, str(ROOT))
    sys.exit(main())
