"""Generates the function of every kind of question: `lowcrawl describe | python3 generate.py`."""

from __future__ import annotations

import json
import keyword
import sys
import textwrap
from pathlib import Path
from typing import Any

HERE = Path(__file__).parent / "python" / "lowcrawl"
TYPES = {"flag": "bool", "number": "int", "word": "str", "text": "str", "any": "Any"}
WIDTH = 96


def name_of(field: str) -> str:
    name = field.replace("-", "_").replace(".", "_")
    return name + "_" if keyword.iskeyword(name) else name


def default_of(field: dict[str, Any]) -> str:
    default, kind = field["default"], field["takes"]["type"]
    if kind == "flag":
        return str(default == "true")
    if default is None:
        return "None"
    return default if kind == "number" else repr(default).replace("'", '"')


def parameter(field: dict[str, Any]) -> str:
    default = default_of(field)
    takes = TYPES.get(field["takes"]["type"], "Any")
    takes = f"{takes} | Sequence[str]" if field["takes"].get("lines") else takes
    is_open = default == "None" and takes != "Any"
    return f"{name_of(field['name'])}: {takes}{' | None' if is_open else ''} = {default}"


def about(field: dict[str, Any]) -> str:
    rule = f" ({field['rule']})" if field["rule"] else ""
    takes = field["takes"]
    words = takes.get("words") or []
    listed = f"; one of {', '.join(words)}" if 0 < len(words) <= 12 else ""
    bounds = f"; {takes['from']} to {takes['to']}" if takes["type"] == "number" else ""
    text = f"{name_of(field['name'])}: {field['about']}{rule}{bounds}{listed}"
    return textwrap.fill(text, WIDTH, initial_indent="        ", subsequent_indent="            ")


def function(system: str, kind: dict[str, Any], options: list[dict[str, Any]]) -> str:
    subject = kind["subject"]
    fields = [field for field in kind["fields"] if field["name"] != subject]
    own = {name_of(field["name"]) for field in kind["fields"]}
    options = [field for field in options if name_of(field["name"]) not in own]
    first = [f"{name_of(subject)}: str"] if subject else []
    # Who has a subject, such as `turn`, has steps of its own notation, too.
    own_steps = [] if subject else kind["steps"]
    steps = ["step: Sequence[Mapping[str, Any]]"] if own_steps else []
    keyed = [parameter(field) for field in fields + options]
    head = "".join(f"    {line},\n" for line in first + steps + ["*"] + keyed)
    parameters = [field for field in kind["fields"] if field["name"] == subject] + fields + options
    lines = "\n".join(about(field) for field in parameters)
    words = f"{kind['about'][0].upper()}{kind['about'][1:]}."
    names = ", ".join(step["do"] for step in own_steps)
    stepped = f"Each step has `do` ({names}) and its fields."
    stepped = textwrap.fill(stepped, WIDTH, initial_indent="    ", subsequent_indent="    ")
    stepped = f"\n\n{stepped}" if names else ""

    def given(field: dict[str, Any]) -> str:
        name, default = name_of(field["name"]), default_of(field)
        value = name if default == "None" else f"None if {name} == {default} else {name}"
        if field["takes"]["type"] == "flag":
            value = f"None if {name} is {default} else {name}"
        return f'        "{field["name"]}": {value},\n'

    entries = "".join(f'        "{name}": {name_of(name)},\n' for name in [subject] if name)
    entries += '        "step": [dict(each) for each in step],\n' if own_steps else ""
    entries += "".join(given(field) for field in fields)
    how = "".join(given(field) for field in options)
    return (
        f"def {name_of(kind['name'])}(\n{head}) -> Answer:\n"
        f'    """{words}{stepped}\n\n    Args:\n{lines}\n    """\n'
        f"    fields: dict[str, Any] = {{\n{entries}    }}\n"
        f"    options: dict[str, Any] = {{\n{how}    }}\n"
        f'    return answer_of("{system}", "{kind["name"]}", fields, options, "question")\n'
    )


def module(system: dict[str, Any], options: list[dict[str, Any]]) -> str:
    kinds = [kind for kind in system["kinds"] if kind["name"] != "rout"]
    names = "".join(f'    "{name_of(kind["name"])}",\n' for kind in sorted(kinds, key=lambda kind: str(kind["name"])))
    functions = "\n\n".join(function(system["name"], kind, options) for kind in kinds)
    mapping = "from collections.abc import Mapping, Sequence\n"
    return (
        f'"""{system["about"]}. Written by `generate.py`."""\n\n'
        f"from __future__ import annotations\n\n{mapping}from typing import Any\n\n"
        f"from ._answer import Answer, answer_of\n\n__all__ = [\n{names}]\n\n\n{functions}"
    )


def modules(described: dict[str, Any]) -> dict[Path, str]:
    """Returns the source text of every module by its path."""
    options = described["requests"]["options"]
    return {HERE / f"{system['name']}.py": module(system, options) for system in described["systems"]}


if __name__ == "__main__":
    for path, text in modules(json.load(sys.stdin)).items():
        path.write_text(text, encoding="utf-8")
