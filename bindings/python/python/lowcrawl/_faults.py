"""What is wrong with a request, as exceptions."""

from __future__ import annotations

import json
from typing import Any


class Fault(ValueError):
    """Bad input: what is wrong, where it stands, and the nearest words.

    `span` is the place in `text`, in bytes of UTF-8, if it has one; `near` holds the nearest valid
    words, `help` says what to do, `line` and `column` count from 1.
    """

    def __init__(self, message: str, text: str = "", **told: Any) -> None:
        help = told.get("help")
        super().__init__(f"{message} ({help})" if help else message)
        self.message = message
        self.text = text
        self.span: tuple[int, int] | None = tuple(told["span"]) if told.get("span") else None
        self.line: int | None = told.get("line")
        self.column: int | None = told.get("column")
        self.near: list[str] = list(told.get("near") or [])
        self.help: str | None = help


class TooBig(Fault):
    """A question that the engine asked for cannot answer; `help` says what can."""


def raised(fault: str, text: str) -> Fault:
    """The exception of a fault in JSON, found in the text of a request."""
    told = json.loads(fault)
    kind = Fault if "span" in told else TooBig
    return kind(told.pop("message"), text, **told)
