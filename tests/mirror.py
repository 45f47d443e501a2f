"""Where the modules of nmt are tested that have no test file of their own.

``nmt/PACKAGE/MODULE.py`` is tested by ``tests/PACKAGE/test_MODULE.py``, or by the file or folder of tests that
stands in ``ELSEWHERE``. Modules without a function, such as tables of strings and plain records, need no test.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterable, Iterator
from functools import cache
from pathlib import Path

ROOT = Path(__file__).parents[1]

ELSEWHERE = {
    "aligners/test_aligner.py": "aligners: building loading",
    "aligners/test_heads.py": "aligners: head_training",
    "alignments/formats/test_round_trips.py": "alignments.formats: checks content registry",
    "cache/test_database.py": "cache: folder keys records store",
    "cache/test_translations.py": "runs: fingerprint",
    "charts/": "charts: view_files  charts.alignment_view: move",
    "charts/beam_view/": "charts.beam_view: data files",
    "charts/film_view/": "charts.film_view: data files",
    "charts/step_view/": "charts.step_view: boxes files vectors",
    "charts/test_figure2.py": "charts: curve_drawing",
    "charts/test_figure3.py": "charts: matrix_page page_drawing signs",
    "charts/test_stand_in.py": "charts: hatching",
    "charts/test_stress_curve.py": "tables: stress",
    "cli/test_aer.py": "evaluation: error_rate_files",
    "cli/test_aligner.py": "cli: aligner_head aligner_maps",
    "cli/test_card.py": "cli: overview  tables: alignment data",
    "cli/test_commands.py": "cli: align link_options options release runs train  inspection: attention_links",
    "cli/test_compare.py": "cli: compare_files",
    "cli/test_evaluate.py": "cli: evaluation_report progress  evaluation: evaluate  results: evaluation",
    "cli/test_serve.py": "serve: server",
    "cli/test_stress.py": "errors  evaluation: stress_files",
    "data/corpora/test_get.py": "data.corpora: gold",
    "data/corpora/test_registry.py": "data.corpora: multi30k wmt14",
    "data/test_batching.py": "data: padding",
    "data/test_line_words.py": "data: detokenization",
    "data/test_prepare.py": "data: manifest tokenised workers",
    "data/test_prepared.py": "data: arrays",
    "data/vocabularies/test_vocabulary.py": "data.vocabularies: load",
    "evaluation/test_buckets.py": "results: curve",
    "evaluation/test_comparison.py": "evaluation: length_analysis  results: comparison",
    "evaluation/test_language_pairs.py": "results: languages",
    "evaluation/test_length_curves.py": "evaluation: span_scores",
    "evaluation/test_length_retention.py": "results: retention",
    "evaluation/test_pharaoh.py": "results: pharaoh",
    "evaluation/test_seen_ngrams.py": "cli: training_corpora",
    "evaluation/test_significance.py": "results: significance",
    "evaluation/test_stress.py": "results: stress",
    "evaluation/test_test_set.py": "evaluation: test_set_files",
    "inference/test_int8.py": "inference: checkpoint",
    "inference/test_search_settings.py": "ui: search_choice",
    "inference/test_translator.py": "inference: forced_decoding loading",
    "inspection/test_beam_tree.py": "results: beam_tree",
    "inspection/test_posterior.py": "inspection: given_pairs",
    "inspection/test_translation_steps.py": "results: translation_steps",
    "model/test_oracle.py": "model: encoder readout",
    "model/test_posterior.py": "model: single_annotations",
    "model/test_reference.py": "model: decoder translation",
    "model/test_scans.py": "model: gru",
    "model/test_variants.py": "model: unit",
    "page/test_document.py": "cli: page  page: licences payload  charts.ribbons: data",
    "reproduce/test_plan.py": "cli: reproduce  reproduce: released test_sets",
    "results/test_records.py": "results: alignment events finished scores translation word_alignment",
    "runs/test_archive.py": "evaluation: check_files  runs: snapshots",
    "runs/test_checksums.py": "cli: checksums",
    "runs/test_provenance.py": "training: machine",
    "scenes/test_concatenations.py": "scenes: making_concatenations",
    "scenes/test_scene.py": "cli: scenes  scenes: making",
    "scenes/test_steps.py": "scenes: making_steps",
    "search/test_beam_trace.py": "search: stepwise",
    "search/test_one_row_searches.py": "search: greedy limits rollout sampling",
    "serve/test_app.py": "serve: endpoints limits metrics models waiting work",
    "serve/test_refusals.py": "serve: body guard refusal",
    "tables/test_files.py": "tables: markdown table",
    "tables/test_lengths.py": "tables: comparison",
    "tables/test_training.py": "runs: training_summary",
    "tasks/test_jobs.py": "tasks: progress",
    "tasks/test_service.py": "tasks: task",
    "tasks/test_shared_queue.py": "tasks: under_way",
    "test_config.py": "recipes  config: bounds model search training",
    "training/test_resume.py": "training: resuming saving state",
    "training/test_trainer.py": "training: validation",
    "training/test_update.py": "training: optimizer",
    "ui/": "ui: alignment_component alignment_tasks checkpoint_heading compute formatting history language_pair panels "
    "ribbons_component text_notice theme",
    "ui/learn/": "ui.learn: place sentence_line",
    "ui/learn/draw/test_draw.py": "ui.learn.draw: exercise page",
    "ui/learn/how/": "charts: alpha_effect_chart  results: pieces  ui.learn.how: component form task",
    "ui/learn/training/": "ui.learn.training: component form panel task",
    "ui/length/": "ui.length: place",
    "ui/length/curve/": "ui.length.curve: cached_statistics evaluate_missing evaluations form one_sentence page ranges "
    "selection sentence_locations sentence_table sentence_ways systems tables tasks translations uploads",
    "ui/length/together/": "ui.length.together: curve form kept scene task",
    "ui/look/": "ui.look: checkpoint_row input_mode scene",
    "ui/look/explore/": "ui.look.explore: act decode examples experiments explain export form gold imported maps "
    "panels picture pinned_view target_choice unknown_words what_if",
    "ui/look/text/": "tables: translations  ui.look.text: form results tasks",
    "ui/models/": "ui.models: about card compare_settings entries facts purposes runs_table uploads",
    "ui/present/test_present.py": "ui.present: address keys page",
}
"""Place of tests, in ``tests/``; modules that it tests, of ``nmt``, after the package that they are in."""


def elsewhere() -> dict[str, str]:
    """The place of tests of each module in the table.

    >>> elsewhere()["nmt.data.corpora.gold"]
    'data/corpora/test_get.py'
    """
    found: dict[str, str] = {}
    for place, modules in ELSEWHERE.items():
        package = "nmt"
        for word in modules.split():
            if word.endswith(":"):
                package = f"nmt.{word[:-1]}"
            else:
                assert f"{package}.{word}" not in found, f"{package}.{word} stands in the table twice"
                found[f"{package}.{word}"] = place
    return found


def modules_to_test() -> Iterator[tuple[str, Path]]:
    """Name and path of every module of nmt that has a function and no test file of its own."""
    for name, path in sorted(_modules().items()):
        if path.stem in ("__init__", "__main__") or not name.startswith("nmt."):
            continue
        own = ROOT / "tests" / path.relative_to(ROOT / "nmt").with_name(f"test_{path.stem}.py")
        if not own.exists() and any(
            isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)) for node in ast.walk(_tree(path))
        ):
            yield name, path


def reached(place: str) -> set[str]:
    """Modules that the tests of a place import, or that are imported by what they import. Tests that call ``main``
    reach all commands, those with an AppTest all pages."""
    path = ROOT / "tests" / place
    seen: set[str] = set()
    for test in path.rglob("test_*.py") if path.is_dir() else [path]:
        fixtures = [folder / "conftest.py" for folder in test.parents if ROOT / "tests" in folder.parents]
        _follow((name for file in (test, *filter(Path.exists, fixtures)) for name in _imports(file)), seen)
    return seen


def _follow(names: Iterable[str], seen: set[str]) -> None:
    for name in names:
        if name in _modules() and name not in seen:
            seen.add(name)
            _follow(_imports(_modules()[name]), seen)


@cache
def _modules() -> dict[str, Path]:
    """Path of every module that tests may reach, by name; the app and its pages among them."""
    found = {}
    for path in [ROOT / "app.py", *(path for top in ("nmt", "pages", "tests") for path in (ROOT / top).rglob("*.py"))]:
        *parts, last = path.relative_to(ROOT).with_suffix("").parts
        found[".".join(parts if last == "__init__" else [*parts, last])] = path
    return found


@cache
def _imports(path: Path) -> frozenset[str]:
    """Names that a file imports, wherever it does; those that nmt exports only where they are used."""
    text, names = path.read_text("utf-8"), set()
    for node in ast.walk(_tree(path)):
        if isinstance(node, ast.Import):
            names |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom) and node.module:
            names |= {node.module} | {f"{node.module}.{alias.name}" for alias in node.names}
    if "nmt" in names:
        exported = _imports(ROOT / "nmt" / "__init__.py")
        used = set(re.findall(r"\bnmt\.(\w+)", text))
        names |= {name.rpartition(".")[0] for name in exported if name.rpartition(".")[2] in used}
    if path == ROOT / "nmt" / "cli" / "__init__.py":
        names |= {f"nmt.cli.{path.stem}" for path in path.parent.glob("*.py")}
    if "AppTest" in text:
        names |= {"app", *(f"pages.{path.stem}" for path in (ROOT / "pages").glob("*.py"))}
    return frozenset(names - {"nmt"})


@cache
def _tree(path: Path) -> ast.Module:
    return ast.parse(path.read_text("utf-8"))
