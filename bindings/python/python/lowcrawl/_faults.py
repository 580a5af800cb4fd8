"""Exceptions for requests that cannot be answered."""

from __future__ import annotations

import json
from typing import Any


class Fault(ValueError):
    """An invalid request, with the place of the fault and suggestions.

    `span` is the byte range of the fault in `text` as UTF-8, or None. `near` holds the most similar
    valid words, and `help` says what to do. `line` and `column` count from 1.
    """

    def __init__(self, message: str, text: str = "", **report: Any) -> None:
        help = report.get("help")
        super().__init__(f"{message} ({help})" if help else message)
        self.message = message
        self.text = text
        self.span: tuple[int, int] | None = tuple(report["span"]) if report.get("span") else None
        self.line: int | None = report.get("line")
        self.column: int | None = report.get("column")
        self.near: list[str] = list(report.get("near") or [])
        self.help: str | None = help


class TooBig(Fault):
    """A question that is too large for the requested engine; `help` suggests another way."""


def raised(fault: str, text: str) -> Fault:
    """Builds the exception of a fault in JSON, found in the text of a request."""
    report = json.loads(fault)
    kind = Fault if "span" in report else TooBig
    return kind(report.pop("message"), text, **report)
