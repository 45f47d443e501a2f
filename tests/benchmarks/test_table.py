import json
import shutil
from pathlib import Path
from typing import Any

from benchmarks.sizes import PAPER, SMALL, TINY, Size
from benchmarks.table import BEGIN, END, between_markers, rounded, table, write_results

ROOT = Path(__file__).parents[2]


def _result() -> dict[str, Any]:
    ours = {"system": "Jointly", "precision": "bf16", "parameters": 8_514_880, "error": None}
    peer = {"system": "JoeyNMT", "precision": "fp32", "parameters": 8_049_920, "error": None}
    broken = {"system": "OpenNMT-py", "precision": "fp32", "parameters": 0, "error": "no | memory"}
    row = {
        "name": "train SMALL",
        "unit": "target tokens/s",
        "cases": [
            ours | {"speeds": [8000.0, 9000.0], "median": 8500.0, "fraction_of_limit": 0.234},
            peer | {"speeds": [3000.0], "median": 3000.0},
            broken | {"speeds": [], "median": None},
        ],
        "ratios": [{"peer": "JoeyNMT", "ours_in": "bf16", "peer_in": "fp32", "ratio": 2.8333333}],
    }
    machine = {"processor": "P", "threads": 2, "cores": 4, "memory_gb": 8, "system": "S", "python": "3.11"}
    return {
        "date": "2026-01-01",
        "commit": "abc",
        "machine": machine,
        "systems": {"JoeyNMT": {"version": "2.3.0", "torch": "2.13.0"}},
        "failed": {"OpenNMT-py": "no | memory"},
        "rows": [row],
        "limits": {"gemm 1x2x3 bf16 GFLOP/s": 123.4},
        "program": {"load": {"load": [0.5, 0.7, 0.6]}, "app": {"not measured": "no Chromium"}},
    }


def test_cells_of_the_table() -> None:
    cells = [[cell.strip() for cell in line.split("|")[1:-1]] for line in table(_result()).splitlines() if "|" in line]
    assert cells[0] == ["work", "Jointly", "JoeyNMT", "OpenNMT-py"]
    assert [
        "train SMALL, target tokens/s",
        "bf16 8,500 (23% of the limit)",
        "fp32 3,000 (2.83x by bf16)",
        "fp32 failed: no / memory",
    ] in cells
    assert ["gemm 1x2x3 bf16", "123 GFLOP/s"] in cells
    assert ["load: load", "0.60 s (0.50 to 0.70)"] in cells
    assert ["app: not measured", "no Chromium"] in cells


def test_only_what_is_between_the_markers_changes() -> None:
    text = f"before\n{BEGIN}\nold\n{END}\nafter\n"
    assert between_markers(text, "new") == f"before\n{BEGIN}\nnew\n{END}\nafter\n"


def test_results_go_into_the_readme_that_we_have(tmp_path: Path) -> None:
    shutil.copy(ROOT / "benchmarks" / "README.md", tmp_path)
    write_results(tmp_path, _result())
    assert json.loads((tmp_path / "results.json").read_text()) == rounded(_result())
    text = (tmp_path / "README.md").read_text()
    assert text.count(table(_result())) == 1
    write_results(tmp_path, _result())
    assert (tmp_path / "README.md").read_text() == text


def test_rounded_keeps_five_digits() -> None:
    assert rounded({"a": [1.23456789, 123456.789], "b": (1, "x", None)}) == {
        "a": [1.2346, 123460.0],
        "b": [1, "x", None],
    }


def _counted(size: Size, source: int, target: int) -> int:
    """Multiplications of one sentence's forward pass, product by product, times 2 (with additions) and 3 (backward)."""
    m, n, a, l, k = size.embedding, size.hidden, size.alignment, size.maxout, size.vocabulary  # noqa: E741
    count = 0
    for _ in range(source):
        count += 2 * (3 * n * m + 3 * n * n)  # both directions: W, W_z, W_r and U, U_z, U_r
        count += a * 2 * n  # U_a h
    for _ in range(target):
        count += a * n  # W_a s
        count += source * a + source * 2 * n  # v_a and the context
        count += 3 * n * m + 3 * n * n + 3 * n * 2 * n  # W, U, C
        count += 2 * l * n + 2 * l * m + 2 * l * 2 * n  # U_o, V_o, C_o
        count += k * l  # W_o
    return 6 * count


def test_work_of_a_training_step() -> None:
    for size in (SMALL, PAPER, TINY):
        assert abs(size.training_flop(20, 30) * 30 - _counted(size, 20, 30)) < 1
