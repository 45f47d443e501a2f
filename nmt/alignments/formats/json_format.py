"""JSON: the record itself, with its policy. ``docs/alignment-files.md`` describes the object."""

import json
import re
from collections.abc import Iterator, Sequence
from dataclasses import asdict
from itertools import islice, pairwise
from typing import Any

from nmt.alignments.formats import checks, json_results
from nmt.alignments.formats.checks import NOTHING, Content, Given
from nmt.alignments.policy import Policy
from nmt.errors import InputError
from nmt.records import as_record
from nmt.results import Alignment
from nmt.results.links import Gold, MarkedLink
from nmt.results.record import LINKS, SentenceRecord, System, WeightMap, is_record, read_sentence_record, words_of
from nmt.texts import say

_BEGINNING = re.compile(r"\s*(\{\s*[\"}]|\[\s*[\[{\"\]]|\[\s*-?[0-9.]+\s*[,\]]|[\[{]\s*$)")
_SPACE = re.compile(r"[ \t\r\n]*")

VERSION = 1
"""The ``format`` number of written files. Files with another number are refused."""


def write(alignments: Sequence[Alignment], policy: Policy, run: str = "") -> str:
    """Format a file as text: one JSON object on one line. Weights have six decimals. Links follow the policy's rule,
    base and direction."""
    sentences = []
    for alignment in alignments:
        restriction = policy.applied(alignment)
        sentences.append(
            {
                "alignment": restriction.alignment.to_dict(),
                "links": [list(link) for link in policy.numbered(policy.links(alignment))],
                "empty_rows": list(restriction.empty),
                "source_positions": list(restriction.source),
                "target_positions": list(restriction.target),
            }
        )
    data = {"format": VERSION, "run": run, "policy": asdict(policy), "sentences": sentences}
    return json.dumps(data, ensure_ascii=False) + "\n"


def recognise(lines: Sequence[str]) -> bool:
    return _BEGINNING.match(lines[0]) is not None


def read(text: str, given: Given = NOTHING) -> Content:
    """Read a file written by ``write``, *records* of ``docs/formats.md``, an *alignment* alone, a result of another
    program (``json_results``), or a list of these. ``given.part`` names the map of a record, "" the first.

    Raises:
        LackingError: the file is of another program, and ``given`` lacks words or a part that the file needs.
        InputError: the text is not JSON, has no alignment, or words and weights do not match. Names sentence and row.
    """
    documents = _all_documents(text)
    if documents and is_record(documents[0]):
        return _of_records(_records(documents), given.part)
    if documents and json_results.is_result(documents[0]):
        return json_results.read(documents, given)
    if len(documents) == 1 and isinstance(documents[0], dict) and "sentences" in documents[0]:
        return _written_by_this_program(documents[0])
    return Content(alignments=_alignments(documents))


def read_records(text: str) -> list[SentenceRecord]:
    """Read *records* of ``docs/formats.md``. Empty for a file with any other content.

    Raises the InputError of ``read``.
    """
    documents = _all_documents(text)
    return _records(documents) if documents and is_record(documents[0]) else []


def _all_documents(text: str) -> list[Any]:
    checks.check_json(text)
    documents = list(islice(_documents(text.removeprefix("\ufeff")), checks.MAX_SENTENCES + 1))
    if len(documents) == 1 and isinstance(documents[0], list) and not json_results.is_array(documents[0]):
        return documents[0]
    return documents


def _written_by_this_program(data: dict[str, Any]) -> Content:
    _check_version(data)
    run, policy, sentences = data.get("run", ""), data.get("policy"), data["sentences"]
    if not isinstance(run, str) or not isinstance(policy, dict | None) or not isinstance(sentences, list):
        raise InputError("run should be a string, policy an object and sentences a list")
    checks.check_tokens([run], "run")
    alignments = _alignments(sentences)
    return Content(
        alignments=alignments, run=run, policy=None if policy is None else as_record(Policy, policy, "policy")
    )


def _documents(text: str) -> Iterator[Any]:
    """The JSON values of a text, separated by white space."""
    decoder = json.JSONDecoder(strict=False)
    position = 0
    while (space := _SPACE.match(text, position)) and (position := space.end()) < len(text):
        try:
            value, position = decoder.raw_decode(text, position)
        except (ValueError, RecursionError) as error:
            fault = "it is nested too deeply" if isinstance(error, RecursionError) else error
            raise InputError(say("errors.alignment_not_json", fault=fault)) from None
        yield value


def _alignments(values: Sequence[Any]) -> tuple[Alignment, ...]:
    checks.check_sentences(len(values))
    return tuple(_alignment(value, checks.place(number)) for number, value in enumerate(values, start=1))


def _records(documents: Sequence[Any]) -> list[SentenceRecord]:
    checks.check_sentences(len(documents))
    records = []
    for number, document in enumerate(documents, start=1):
        if not is_record(document):
            raise InputError(say("errors.no_record", number=number))
        record = read_sentence_record(document, checks.place(number))
        size = checks.Size()
        for system in record.systems:
            size.add(len(system.target.tokens), len(system.source.tokens))
        checks.check_tokens([system.name for system in record.systems], "a system's name")
        records.append(record)
    return records


def _of_records(records: Sequence[SentenceRecord], part: str) -> Content:
    """The map named ``part`` of each record, or the first map if ``part`` is ""."""
    parts = [*dict.fromkeys(part for record in records for part in _maps(record))]
    if part and part not in parts:
        raise InputError(say("errors.no_part", part=part[:40], parts=", ".join(parts)[:200]))
    part, names = part or next(iter(parts), ""), {system.name for record in records for system in record.systems}
    checks.check_tokens([part, *names], "a system's name")
    alignments, links, words, size, kind = [], [], [], checks.Size(), ""
    for number, record in enumerate(records, start=1):
        where, system = checks.place(number), record.systems[0]
        map_ = None
        if part in (maps := _maps(record)):
            system, map_ = maps[part]
            kind = map_.kind
        elif system.target.tokens:
            raise InputError(say("errors.no_alignment_in", place=where))
        source, target = system.source, system.target
        size.add(len(target.tokens), len(source.tokens))
        if kind == LINKS:
            links.append(_links(system, map_))
            words.append((tuple(words_of(source)[:-1]), tuple(words_of(target)[:-1])))
            continue
        rows = map_.weights if map_ is not None else ()
        alignments.append(checks.alignment(source.tokens, target.tokens, rows, where, source.words, target.words))
    single = len(parts) < 2
    return Content(
        alignments=tuple(alignments),
        links=tuple(links),
        words=tuple(words),
        kind=kind,
        run=names.pop() if len(names) == 1 and single else "",
        part="" if single else part,
        parts=() if single else tuple(parts),
    )


def _links(system: System, one: WeightMap | None) -> Gold:
    """The links between words of a map of kind LINKS. Weight 1 is a sure link, and another weight a possible link."""
    cells = [] if one is None else [(i, j, w) for i, row in enumerate(one.weights) for j, w in enumerate(row) if w]
    source, target = system.source.words, system.target.words
    return Gold.of([MarkedLink(source[j], target[i], weight == 1) for i, j, weight in cells])


def _maps(record: SentenceRecord) -> dict[str, tuple[System, WeightMap]]:
    """The maps of a record by name: system, rank if above 1, kind if the system has several maps, layer and head."""
    by_name = dict[str, tuple[System, WeightMap]]()
    for system in record.systems:
        for map_ in system.maps:
            head = ".".join(str(number) for number in (map_.layer, map_.head) if number is not None)
            rank = f"#{system.rank}" * (system.rank > 1)
            kind = map_.kind if len(system.maps) > 1 else ""
            by_name.setdefault(" ".join(filter(None, (system.name, rank, kind, head))) or map_.kind, (system, map_))
    return by_name


def _check_version(data: dict[str, Any]) -> None:
    if data.get("format", VERSION) != VERSION:
        raise InputError(f"the file has format {str(data['format'])[:40]}; this program reads format {VERSION}")


def _alignment(value: Any, where: str) -> Alignment:
    data = value
    if isinstance(value, dict):
        _check_version(value)
        data = value if "weights" in value else value.get("alignment")
    if not isinstance(data, dict):
        raise InputError(say("errors.no_alignment_in", place=where))
    source, target = (_tokens(data.get(name), name, where) for name in ("source", "target"))
    return checks.alignment(
        source,
        target,
        json_results.rows(data.get("weights"), where),
        where,
        _word_numbers(data.get("source_words"), len(source), where),
        _word_numbers(data.get("target_words"), len(target), where),
    )


def _tokens(value: Any, name: str, where: str) -> list[str]:
    if not isinstance(value, list) or not all(isinstance(token, str) for token in value):
        raise InputError(f"{where}: {name} is not a list of strings")
    return value


def _word_numbers(value: Any, tokens: int, where: str) -> list[int]:
    if value is None:
        return []
    fits = isinstance(value, list) and len(value) == tokens and all(type(word) is int for word in value)
    if not fits or any(a > b for a, b in pairwise(value)) or (value and value[0] < 0):
        raise InputError(f"{where}: the word numbers must be one per token, from 0 and never decreasing")
    return list(value)
