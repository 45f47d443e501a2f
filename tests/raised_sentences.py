"""The sentences that the core can raise, read from its source as templates: each field a number in braces.

What stands in a field is followed where it is a text of the same function, one that a loop goes through, or an argument
of a call; it is part of the sentence then, or, as an argument, one of the ``parts``.
"""

from __future__ import annotations

import ast
import re
from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

ROOT = Path(__file__).parents[1] / "nmt"
_NOT_IN_THE_APP = (
    *("cli", "released", "serve", "ui", "cluster.py", "distributed.py", "__main__.py"),
    "charts/view_files.py",  # for those who write scripts
)
_ERRORS = {
    "InputError",
    "LackingError",
    "MissingWeightsError",
    "BrokenModelError",
    "ValueError",
    "TypeError",
    "OSError",
    "Diverged",
    "_BrokenOffError",
}
_SAID = {
    "data/corpora/download.py": {"_gave_up"},
    "data/text_files.py": {"_other_kind"},
    "evaluation/comparison.py": {"of_first_pair", "_different_no_unk", "_notes"},
    "evaluation/remarks.py": {"remarks"},
    "inference/checkpoint.py": {"_shape"},
    "jobs/job.py": {"reason"},
    "jobs/runner.py": {"_run_one"},
    "records.py": {"_sentence"},
    "runs/archive.py": {"_megabytes"},
    "training/trainer.py": {"_ending"},
}
"""Functions whose texts are parts of sentences, are shown as they are, or are raised elsewhere."""
_FIELD = "\0"


class _Module:
    def __init__(self, path: Path) -> None:
        self.name = path.relative_to(ROOT).as_posix()
        self.tree = ast.parse(path.read_text("utf-8"))
        self.function: dict[ast.AST, ast.FunctionDef] = {}
        for node in ast.walk(self.tree):  # the outer function comes before the inner one
            if isinstance(node, ast.FunctionDef):
                self.function |= dict.fromkeys(ast.walk(node), node)


def _modules() -> Iterator[_Module]:
    for path in sorted(ROOT.rglob("*.py")):
        name = path.relative_to(ROOT).as_posix()
        if not name.startswith(_NOT_IN_THE_APP) or name == "cli/train.py":  # the reason why a job failed
            yield _Module(path)


@dataclass
class Sentences:
    """What can be raised, with the place of each template.

    Attributes:
        whole: sentences.
        parts: texts that other functions are called with, and that stand in fields.
    """

    whole: dict[str, str] = field(default_factory=dict)
    parts: dict[str, str] = field(default_factory=dict)


class _Reader:
    def __init__(self) -> None:
        self.found = Sentences()
        self._modules = list(_modules())
        self._calls: dict[str, list[tuple[_Module, ast.Call]]] = defaultdict(list)
        self._open: set[tuple[str, str, str]] = set()
        for module in self._modules:
            for node in ast.walk(module.tree):
                match node:
                    case ast.Call(func=ast.Name(id=name) | ast.Attribute(value=ast.Name(id="checks"), attr=name)):
                        self._calls[name].append((module, node))

    def read(self) -> Sentences:
        for module in self._modules:
            for node in ast.walk(module.tree):
                if (given := self._sentence(node, module)) is not None:
                    for text in self._texts(given, module) or ():
                        place = f"{module.name}, line {getattr(node, 'lineno', 0)}"
                        self.found.whole.setdefault(_numbered(text), place)
        return self.found

    def _sentence(self, node: ast.AST, module: _Module) -> ast.expr | None:
        function = module.function.get(node)
        said = function is not None and function.name in _SAID.get(module.name, ())
        match node:
            case ast.Call(func=ast.Name(id=name), args=[first, *_]) if name in _ERRORS:
                return first
            case ast.Call(func=ast.Name(id="require"), args=[_, message]):
                return message
            case ast.Return(value=value) | ast.Assign(value=value) if said:
                return value
            case ast.Call(func=ast.Attribute(attr="append"), args=[value]) if said:
                return value
        return None

    def _texts(self, node: ast.expr, module: _Module) -> list[str] | None:
        """Every text that an expression can be; None if that cannot be told."""
        match node:
            case ast.Constant(value=str()):
                return [node.value]
            case ast.JoinedStr():
                texts = [""]
                for value in node.values:
                    more = self._texts(value.value if isinstance(value, ast.FormattedValue) else value, module)
                    quoted = isinstance(value, ast.FormattedValue) and value.conversion != -1
                    texts = [text + end for text in texts for end in ([_FIELD] if quoted or not more else more)]
                return texts
            case ast.IfExp():
                sides = [self._texts(side, module) for side in (node.body, node.orelse)]
                return [text for side in sides for text in side or [_FIELD]] if any(sides) else None
            case ast.BinOp(op=ast.Add()):
                left, right = self._texts(node.left, module), self._texts(node.right, module)
                return [a + b for a in left for b in right] if left and right else None
            case ast.BoolOp():
                for value in node.values:
                    self._add_parts(value, module)
            case ast.Call(func=ast.Attribute(value=template, attr="format")):
                texts = self._texts(template, module) or []
                return [re.sub(r"\{[^{}]*\}", _FIELD, text) for text in texts] or None
            case ast.Name():
                return self._of_name(node, module)
        return None

    def _add_parts(self, node: ast.expr, module: _Module) -> None:
        for text in self._texts(node, module) or ():
            self.found.parts.setdefault(_numbered(text), module.name)

    def _of_name(self, node: ast.Name, module: _Module) -> list[str] | None:
        function = module.function.get(node)
        if function is None or (key := (module.name, function.name, node.id)) in self._open:
            return None
        self._open.add(key)
        arguments = [argument.arg for argument in (*function.args.posonlyargs, *function.args.args)]
        if node.id in (*arguments, *(argument.arg for argument in function.args.kwonlyargs)):
            place = arguments.index(node.id) if node.id in arguments else len(arguments)
            for caller, call in self._calls[function.name]:
                named = [keyword.value for keyword in call.keywords if keyword.arg == node.id]
                for given in named or call.args[place : place + 1]:
                    self._add_parts(given, caller)
            found: list[list[str] | None] = []
        else:
            found = [self._texts(value, module) for value in _values(node.id, function)]
        self._open.remove(key)
        return [text for texts in found for text in texts or ()] if found and all(found) else None


def _values(name: str, function: ast.FunctionDef) -> Iterator[ast.expr]:
    """What a name stands for: values assigned to it, and those of a loop over rows that are written out."""
    for node in ast.walk(function):
        match node:
            case ast.Assign(targets=[ast.Name(id=target)], value=value) if target == name:
                yield value
            case ast.For(target=ast.Tuple(elts=columns), iter=ast.Tuple(elts=rows)):
                for place, column in enumerate(columns):
                    if isinstance(column, ast.Name) and column.id == name:
                        yield from (row.elts[place] for row in rows if isinstance(row, ast.Tuple))


def _numbered(text: str) -> str:
    numbers = iter(range(len(text)))
    return re.sub(_FIELD, lambda _: f"{{{next(numbers)}}}", text).rstrip(".")


def raised_sentences() -> Sentences:
    """Read all sentences and parts of sentences."""
    return _Reader().read()
