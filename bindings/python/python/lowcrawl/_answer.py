"""Answers, and how they are asked for."""

from __future__ import annotations

import json
import sys
from collections.abc import Callable, Mapping, Sequence
from functools import cached_property
from html import escape
from pathlib import Path
from typing import Any, Union

from . import _lowcrawl
from ._faults import Fault

if sys.version_info >= (3, 11):
    import tomllib
else:
    import tomli as tomllib

#: A situation, a comparison or a campaign: the path of a TOML file, its text, or its tables.
Situation = Union[str, Path, Mapping[str, Any]]


class Answer:
    """What was asked for: figures as data, as words, as pictures, and as an Arrow stream.

    `polars.DataFrame(answer)`, `pandas.DataFrame.from_arrow(answer)`, `pyarrow.table(answer)` and
    DuckDB (`from answer`) read its rows as they are.
    """

    def __init__(self, answered: _lowcrawl.Answered) -> None:
        self._answered = answered

    @cached_property
    def data(self) -> dict[str, Any]:
        """All of it, as the command `lowcrawl ask` prints it."""
        return dict(json.loads(self._answered.json()))

    @property
    def headline(self) -> Any:
        """What most readers look for."""
        return self.data["headline"]

    @property
    def rows(self) -> list[dict[str, Any]]:
        """One for each outcome; the lines of a told sequence."""
        return list(self.data.get("rows") or self.data.get("lines") or [])

    @property
    def counts(self) -> list[dict[str, Any]]:
        """In how many cases how many units hold, break or are lost."""
        return list(self.data.get("counts") or [])

    @property
    def expected(self) -> list[dict[str, Any]]:
        """Means of what `counts` tells."""
        return list(self.data.get("expected") or [])

    @property
    def waiting(self) -> list[dict[str, Any]]:
        """How long it takes until so many hold, of what is told by phase."""
        return list(self.data.get("waiting") or [])

    @property
    def meta(self) -> dict[str, Any]:
        """How it was come by: engine, arithmetic, seed, version, rules."""
        return dict(self.data["meta"])

    @property
    def notes(self) -> list[str]:
        """What had to be assumed."""
        return list(self.data["notes"])

    @property
    def request(self) -> dict[str, Any]:
        """The request as it was understood."""
        return dict(self.data["request"])

    def chart(self, kind: str | None = None) -> Picture | None:
        """The chart that fits best, or one of a kind (`bars`, `curve`, ...); none where none fits."""
        svg = self._answered.chart(kind)
        return None if svg is None else Picture(svg)

    def map(self) -> Picture | None:
        """The map of a rout with every route; none of what has no map."""
        svg = self._answered.map()
        return None if svg is None else Picture(svg)

    def __str__(self) -> str:
        return self._answered.text()

    def __repr__(self) -> str:
        return str(self)

    def _repr_html_(self) -> str:
        picture = self.map() or self.chart()
        return f"<pre>{escape(str(self))}</pre>{picture or ''}"

    def __arrow_c_stream__(self, requested_schema: object | None = None) -> object:
        return self._answered.__arrow_c_stream__(requested_schema)

    def __arrow_c_schema__(self) -> object:
        return self._answered.__arrow_c_schema__()


class Picture(str):
    """An SVG, which a notebook shows."""

    def _repr_html_(self) -> str:
        return str(self)

    def save(self, path: str | Path) -> None:
        """Writes it into a file."""
        Path(path).write_text(self, encoding="utf-8")


def ask(
    request: Mapping[str, Any] | str, *, beside: str | Path | None = None, **options: Any
) -> Answer:
    """Answers a request, a mapping or JSON; `beside` is the folder of the files it names.

    `options` say how: `engine`, `trials`, `precision`, `seed`, `stratify`, `counts`,
    `with_created`. Raises `Fault`.
    """
    given = {name.replace("_", "-"): value for name, value in options.items() if value is not None}
    if given:
        request = json.loads(request) if isinstance(request, str) else dict(request)
        request["options"] = {**request.get("options", {}), **given}
    text = request if isinstance(request, str) else json.dumps(request)
    return Answer(_lowcrawl.ask(text, None if beside is None else _opener(Path(beside))))


def _opener(beside: Path) -> Callable[[str], str]:
    return lambda name: (beside / name).read_text(encoding="utf-8")


def asked(
    system: str, kind: str, fields: Mapping[str, Any], options: Mapping[str, Any], request: str
) -> Answer:
    """Answers a question of a kind; what is None is not given."""
    whole: dict[str, Any] = {"kind": kind}
    if system != "asl":
        whole["system"] = system
    if request != "question":
        whole["request"] = request
    whole.update((name, value) for name, value in fields.items() if value is not None)
    given = {name: value for name, value in options.items() if value is not None}
    if given:
        whole["options"] = given
    return Answer(_lowcrawl.ask(json.dumps(whole)))


def _tables(situation: Situation) -> tuple[dict[str, Any], Path]:
    """The tables of a situation, and the folder of the files that it names."""
    if isinstance(situation, Mapping):
        return dict(situation), Path()
    is_path = isinstance(situation, Path) or "\n" not in situation
    path = Path(situation) if is_path else Path()
    text = path.read_text(encoding="utf-8") if is_path else str(situation)
    try:
        return tomllib.loads(text), path.parent
    except tomllib.TOMLDecodeError as error:
        raise Fault(str(error), text) from error


def _of_file(
    what: str, kind: str | None, situation: Situation, fields: Mapping[str, Any]
) -> Answer:
    tables, beside = _tables(situation)
    # What a file says in [run] is said under "options" in a request.
    options = dict(tables.pop("run", {}))
    if what != "compare":
        # Its courses are left to a comparison.
        tables.pop("course", None)
        tables = {**tables.pop("base", {}), **tables}
    if "question" in tables:
        tables["kind"] = tables.pop("question")
    tables.update({} if kind is None else {"kind": kind})
    if what != "question":
        tables["request"] = what
    names = ("engine", "trials", "precision", "seed", "stratify", "counts", "with_created")
    for name, value in fields.items():
        if value is not None and name in names:
            options[name.replace("_", "-")] = value
        elif value is not None:
            tables[name.replace("_", "-")] = value
    if options:
        tables["options"] = options
    return ask(tables, beside=beside)


def rout(situation: Situation, **fields: Any) -> Answer:
    """Who must rout on a map, where to, and the odds of every plan (A10.5).

    `fields` are those of the command, such as `unit="1I4"`, `turns=3` or `explain="1H2"`.
    """
    return _of_file("question", "rout", situation, fields)


def compare(comparison: Situation, **fields: Any) -> Answer:
    """Two or more courses of action side by side, with the difference and its error."""
    return _of_file("compare", None, comparison, fields)


def solve(campaign: Situation, **fields: Any) -> Answer:
    """The best play in every state, and what it is worth."""
    return _of_file("solve", None, campaign, fields)


def trace(question: Situation, **fields: Any) -> Answer:
    """One sequence told roll by roll; `script` names the dice, or `sequence` and `seed` draw them."""
    return _of_file("trace", None, question, fields)


def impact(question: Situation, **fields: Any) -> Answer:
    """What hangs on readings of the rules: of one, with `of`, or of all."""
    return _of_file("impact", None, question, fields)


class Study:
    """Rows of many questions, each with what it has of its own in front: an Arrow stream."""

    def __init__(self, studied: _lowcrawl.Studied) -> None:
        self._studied = studied

    @property
    def columns(self) -> list[str]:
        """What its columns are called: the swept fields, `case`, and those of the answer."""
        return self._studied.columns

    def __len__(self) -> int:
        return len(self._studied)

    def __repr__(self) -> str:
        return f"{len(self)} rows of {', '.join(self.columns)}"

    def __arrow_c_stream__(self, requested_schema: object | None = None) -> object:
        return self._studied.__arrow_c_stream__(requested_schema)

    def __arrow_c_schema__(self) -> object:
        return self._studied.__arrow_c_schema__()


def study(
    kind: str, grid: Mapping[str, Sequence[Any]], *, system: str = "asl", **base: Any
) -> Study:
    """Answers a question for every combination of the values of `grid`, on all cores.

    `base` has the fields that all share, and `options`, a mapping, says how they are answered. The
    last field of `grid` runs fastest, and None is "not given". Rows have the columns of a study:
    the swept fields, `case` from 1, and those of the answer. Ctrl-C ends it.
    """
    named = {"system": system, "kind": kind}
    shared = {name.replace("_", "-"): value for name, value in base.items() if value is not None}
    swept = {name.replace("_", "-"): list(values) for name, values in grid.items()}
    return Study(_lowcrawl.study(json.dumps({**named, **shared}), json.dumps(swept)))


def describe() -> dict[str, Any]:
    """Everything that can be asked: systems, kinds, fields, parameters, measures, units."""
    return dict(json.loads(_lowcrawl.describe()))
