"""Answers and the functions that ask for them."""

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

#: A situation, a comparison or a campaign, as the path of a TOML file, its text, or its tables.
Situation = Union[str, Path, Mapping[str, Any]]


class Answer:
    """An answer as data, text, charts and an Arrow stream.

    `polars.DataFrame(answer)`, `pandas.DataFrame.from_arrow(answer)`, `pyarrow.table(answer)` and
    DuckDB (`from answer`) read its rows without conversion.
    """

    def __init__(self, answered: _lowcrawl.Answered) -> None:
        self._answered = answered

    @cached_property
    def data(self) -> dict[str, Any]:
        """The whole answer, as the command `lowcrawl ask` prints it."""
        return dict(json.loads(self._answered.json()))

    @property
    def headline(self) -> Any:
        """The main result."""
        return self.data["headline"]

    @property
    def rows(self) -> list[dict[str, Any]]:
        """One row for each outcome, or one for each line of a trace."""
        return list(self.data.get("rows") or self.data.get("lines") or [])

    @property
    def counts(self) -> list[dict[str, Any]]:
        """The distribution of the number of units that hold, break or are lost."""
        return list(self.data.get("counts") or [])

    @property
    def expected(self) -> list[dict[str, Any]]:
        """The means of the numbers in `counts`."""
        return list(self.data.get("expected") or [])

    @property
    def waiting(self) -> list[dict[str, Any]]:
        """The time until a number of units hold, for questions answered by phase."""
        return list(self.data.get("waiting") or [])

    @property
    def meta(self) -> dict[str, Any]:
        """How the answer was computed: engine, arithmetic, error bound, seed, version, rules."""
        return dict(self.data["meta"])

    @property
    def notes(self) -> list[str]:
        """Notes on the assumptions of the answer."""
        return list(self.data["notes"])

    @property
    def request(self) -> dict[str, Any]:
        """The request as it was understood."""
        return dict(self.data["request"])

    def chart(self, kind: str | None = None) -> Picture | None:
        """Returns the best chart, or one of a kind (`bars`, `curve`, ...); None if none fits."""
        svg = self._answered.chart(kind)
        return None if svg is None else Picture(svg)

    def map(self) -> Picture | None:
        """Returns the map of a rout with every route; None for other answers."""
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
    """An SVG image that notebooks display."""

    def _repr_html_(self) -> str:
        return str(self)

    def save(self, path: str | Path) -> None:
        """Writes the image to a file."""
        Path(path).write_text(self, encoding="utf-8")


def ask(
    request: Mapping[str, Any] | str, *, beside: str | Path | None = None, **options: Any
) -> Answer:
    """Answers a request, which is a mapping or JSON text.

    `beside` is the folder of the files it names. The options are `engine`, `trials`, `precision`,
    `seed`, `stratify`, `counts` and `with_created`. Raises `Fault` for bad input.
    """
    given = {name.replace("_", "-"): value for name, value in options.items() if value is not None}
    if given:
        request = json.loads(request) if isinstance(request, str) else dict(request)
        request["options"] = {**request.get("options", {}), **given}
    text = request if isinstance(request, str) else json.dumps(request)
    return Answer(_lowcrawl.ask(text, None if beside is None else _opener(Path(beside))))


def _opener(beside: Path) -> Callable[[str], str]:
    return lambda name: (beside / name).read_text(encoding="utf-8")


def answer_of(
    system: str, kind: str, fields: Mapping[str, Any], options: Mapping[str, Any], request: str
) -> Answer:
    """Answers a question of a kind. Fields that are None are omitted."""
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
    """Returns the tables of a situation and the folder of the files it names."""
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
    # The table [run] of a file is called "options" in a request.
    options = dict(tables.pop("run", {}))
    if what != "compare":
        # Only a comparison uses the courses.
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
    """Answers a Rout Phase on a map: the units that must rout and the odds of every plan (A10.5).

    `fields` are the options of the command, such as `unit="1I4"`, `turns=3` or `explain="1H2"`.
    """
    return _of_file("question", "rout", situation, fields)


def compare(comparison: Situation, **fields: Any) -> Answer:
    """Compares two or more courses of action; gives the difference and its error."""
    return _of_file("compare", None, comparison, fields)


def vary(question: Situation, by: str, *, kind: str = "platoon", **fields: Any) -> Answer:
    """Compares a question with its variations.

    `by` is `worth` (what a leader, a squad, TEM is worth), `best` (all plans) or `best-move`.
    `fields` are `objective` and options such as `trials=2000`.
    """
    base, _ = _tables(question)
    tables: dict[str, Any] = {"question": kind, "vary": by, "run": base.pop("run", {})}
    tables.update({"about": base.pop("about")} if "about" in base else {})
    return _of_file("compare", None, {**tables, "base": base}, fields)


def solve(campaign: Situation, **fields: Any) -> Answer:
    """Finds the best play in every state and its value."""
    return _of_file("solve", None, campaign, fields)


def trace(question: Situation, **fields: Any) -> Answer:
    """Traces one sequence roll by roll.

    `script` gives the dice; `sequence` and `seed` draw them.
    """
    return _of_file("trace", None, question, fields)


def impact(question: Situation, **fields: Any) -> Answer:
    """Shows how the odds depend on readings of the rules: on one (`of`), or on each of them."""
    return _of_file("impact", None, question, fields)


class Study:
    """The rows of many questions as an Arrow stream, each preceded by its swept fields."""

    def __init__(self, studied: _lowcrawl.Studied) -> None:
        self._studied = studied

    @property
    def columns(self) -> list[str]:
        """The names of the columns: the swept fields, `case`, and the columns of the answer."""
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

    `base` has the fields that all questions share, and the mapping `options` with options of the
    engine. The last field of `grid` varies fastest, and None means "not given". Each row has the
    swept fields, the number `case` from 1, and the columns of the answer. Ctrl-C ends the study.
    """
    named = {"system": system, "kind": kind}
    shared = {name.replace("_", "-"): value for name, value in base.items() if value is not None}
    swept = {name.replace("_", "-"): list(values) for name, values in grid.items()}
    return Study(_lowcrawl.study(json.dumps({**named, **shared}), json.dumps(swept)))


def describe() -> dict[str, Any]:
    """Describes everything that can be asked: games, kinds, fields, parameters, measures, units."""
    return dict(json.loads(_lowcrawl.describe()))
