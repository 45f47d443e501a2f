"""``prepare``: turn parallel corpora into a folder that training reads."""

import argparse
import re
import sys
from pathlib import Path
from typing import Any, Literal

from nmt.cli.lines import stage_bars
from nmt.cli.options import JSON, Commands, add_base, add_number, name_base, print_result, real, whole
from nmt.data.links import counts_from_one
from nmt.data.prepare import PrepareSettings, VocabularySettings, default_workers, prepare
from nmt.data.prepared import Manifest, SplitRecord, VocabularyRecord
from nmt.data.tokenised import MAX_CHARACTERS, Corpus
from nmt.data.vocabulary import Kind
from nmt.errors import InputError
from nmt.records import to_data
from nmt.runs.checksums import check_all_files

_KINDS = ("words", "unigram", "bpe")


def register(subparsers: Commands) -> None:
    """Add the command."""
    parser = subparsers.add_parser(
        "prepare",
        description="Turn parallel corpora (plain, .gz or .xz; one sentence per line) into a prepared folder.",
        parents=[JSON],
    )
    parser.add_argument(
        "--corpus", nargs="+", action="append", required=True, metavar=("SRC TGT", "xN"), dest="corpora",
        help="two parallel files and, optionally, how often (x1 to x1000) their pairs occur in an epoch; repeatable",
    )  # fmt: skip
    parser.add_argument(
        "--links", action="append", default=[], type=Path, metavar="LINKS",
        help="word links of a corpus in Pharaoh format (i-j over Moses words), for guided attention; one --links per "
        "--corpus, in the same order",
    )  # fmt: skip
    add_base(parser)
    parser.add_argument(
        "--dev", nargs=2, action="append", default=[], metavar=("SRC", "TGT"), type=Path,
        help="two parallel files for validation during training; repeatable",
    )  # fmt: skip
    add_number(
        parser,
        "--bpe-dropout",
        real(0, 0.99),
        "probability of skipping a BPE merge in training pairs (BPE-dropout, Provilkov et al. 2020). Each of a pair's "
        "xN repetitions is segmented anew",
        default=0.0,
        metavar="P",
    )
    parser.add_argument("--source-lang", required=True, metavar="CODE", help="language of SRC, such as en")
    parser.add_argument("--target-lang", required=True, metavar="CODE", help="language of TGT, such as fr")
    parser.add_argument(
        "--vocabulary", choices=_KINDS, help="tokens of both sides: a word shortlist (default) or subwords"
    )
    sizes = 3, 1_000_000
    add_number(parser, "--vocabulary-size", whole(*sizes), "vocabulary size of each side", usual="30,000")
    for side in ("source", "target"):
        parser.add_argument(f"--{side}-vocabulary", choices=_KINDS, help=f"the same for the {side} side only")
        add_number(parser, f"--{side}-vocabulary-size", whole(*sizes), f"the same for the {side} side only")
    parser.add_argument(
        "--vocabularies-from",
        type=Path,
        metavar="FOLDER",
        help="use the vocabularies of this prepared folder or run folder; not a SentencePiece model or BPE codes of "
        "another program",
    )
    add_number(
        parser,
        "--max-length",
        whole(1, MAX_CHARACTERS),
        "drop training pairs with more words than this on either side, after Moses tokenisation",
        default=50,
    )
    parser.add_argument("--out", type=Path, required=True, metavar="PREPARED", help="the folder to write")
    parser.add_argument("--force", action="store_true", help="overwrite an existing prepared folder")
    add_number(parser, "--workers", whole(1, 256), "number of processes", default=default_workers())
    parser.set_defaults(run=run)


def run(args: argparse.Namespace) -> None:
    """Prepare the data and print a summary. Raises InputError for anything the user can correct."""
    settings = _settings(args)
    if args.vocabularies_from is not None and not args.vocabularies_from.is_file():
        check_all_files(args.vocabularies_from)
    if args.links and len(args.links) != len(args.corpora):
        raise InputError(f"--links is given {len(args.links)} times, but --corpus {len(args.corpora)} times")
    links: list[Path | None] = args.links or [None] * len(args.corpora)
    corpora = [_corpus(words, file, args.base) for words, file in zip(args.corpora, links, strict=True)]
    dev = [Corpus(source=source, target=target) for source, target in args.dev]
    with stage_bars(_style) as show:
        manifest = prepare(corpora, dev, settings, args.out, force=args.force, workers=args.workers, on_progress=show)
    for path in args.links if args.base == 0 else ():
        if counts_from_one(path):
            name_base(path, "--base")
    if repeated := manifest.dev_in_train:
        warning = f"development pairs that are also training pairs: {repeated:,} of {manifest.dev.pairs:,}"
        print(f"{warning}; they make the scores too good", file=sys.stderr)
    print_result(args.json, to_data(manifest), "\n".join(summary(manifest, args.out)))


def _corpus(arguments: list[str], links: Path | None, links_base: Literal[0, 1]) -> Corpus:
    if len(arguments) not in (2, 3):
        raise InputError(f"--corpus takes two files and optionally a count such as x2, not {' '.join(arguments)}")
    source, target, *count = arguments
    if count and not re.fullmatch(r"x([1-9][0-9]{0,2}|1000)", count[0]):
        raise InputError(f"{count[0][:20]!r} after the files of --corpus is not a count from x1 to x1000, such as x2")
    repeat = int(count[0][1:]) if count else 1
    return Corpus(source=Path(source), target=Path(target), repeat=repeat, links=links, links_base=links_base)


def _settings(args: argparse.Namespace) -> PrepareSettings:
    kinds = [args.vocabulary, args.source_vocabulary, args.target_vocabulary]
    sizes = [args.vocabulary_size, args.source_vocabulary_size, args.target_vocabulary_size]
    if args.vocabularies_from is not None and any(value is not None for value in kinds + sizes):
        raise InputError("--vocabularies-from cannot be combined with other vocabulary options")
    default = VocabularySettings()
    kind: Kind = args.vocabulary or default.kind
    size = default.size if args.vocabulary_size is None else args.vocabulary_size

    def vocabulary(own_kind: Kind | None, own_size: int | None) -> VocabularySettings:
        return VocabularySettings(own_kind or kind, size if own_size is None else own_size)

    return PrepareSettings(
        source_language=args.source_lang,
        target_language=args.target_lang,
        max_length=args.max_length,
        source_vocabulary=vocabulary(args.source_vocabulary, args.source_vocabulary_size),
        target_vocabulary=vocabulary(args.target_vocabulary, args.target_vocabulary_size),
        vocabularies_from=args.vocabularies_from,
        bpe_dropout=args.bpe_dropout,
    )


def _style(stage: str) -> dict[str, Any]:
    if stage == "read":
        return {"unit": " corpora"}
    return {"unit": " pairs" if stage == "tokenise" else " sentences", "unit_scale": True}


def summary(manifest: Manifest, out: Path) -> list[str]:
    """Summarise the prepared folder as aligned lines."""
    rows = [("folder", str(out)), ("languages", f"{manifest.source_language} to {manifest.target_language}")]
    rows.append(("source vocabulary", _vocabulary(manifest.source_vocabulary)))
    rows.append(("target vocabulary", _vocabulary(manifest.target_vocabulary)))
    if manifest.bpe_dropout:
        rows.append(("BPE-dropout", f"{manifest.bpe_dropout:g} in train"))
    for name, split in (("train", manifest.train), ("dev", manifest.dev)):
        rows.extend(_split_rows(name, split))
    width = max(len(label) for label, _ in rows)
    return [f"{label:<{width}}  {text}" for label, text in rows]


def _vocabulary(record: VocabularyRecord) -> str:
    fewer = record.asked is not None and record.size < record.asked
    return f"{record.kind}, {record.size:,}" + (f" (the text does not yield {record.asked:,})" if fewer else "")


def _split_rows(name: str, split: SplitRecord) -> list[tuple[str, str]]:
    epoch = f", {split.pairs_per_epoch:,} per epoch" if split.pairs_per_epoch != split.pairs else ""
    rows = [(name, f"{split.pairs:,} pairs{epoch}")]
    for side, counts in (("source", split.source), ("target", split.target)):
        share = f"{counts.unknown_share:.2%} of the words unknown"
        rows.append((f"  {side}", f"{counts.words:,} words, {counts.tokens:,} tokens, {share}"))
    for corpus in split.corpora:
        notes = [f"{count:,} dropped as {_plain(why)}" for why, count in corpus.dropped.items() if count]
        notes += [f"{count:,} lines with {_plain(what)}" for what, count in corpus.cleaned.items() if count]
        times = f" x{corpus.repeat}" if corpus.repeat > 1 else ""
        pairs_kept = f"{corpus.kept:,} of {corpus.read:,} pairs kept{times}"
        rows.append(("  from", f"{corpus.source.path}: {'; '.join([pairs_kept, *notes])}"))
    return rows


def _plain(reason: str) -> str:
    return reason.replace("_", " ")
