"""Runs the notebooks and compares their results with the command line."""

from __future__ import annotations

import json
import subprocess
import sysconfig
import time
from pathlib import Path
from typing import Any

import pytest

FOLDER = Path(__file__).resolve().parent.parent / "notebooks"
COMMAND = str(Path(sysconfig.get_path("scripts")) / "lowcrawl")


def run(name: str) -> dict[str, Any]:
    """Returns the variables of a notebook after all its cells have run."""
    begun, known = time.monotonic(), {"__name__": "notebook"}
    exec(compile((FOLDER / f"{name}.py").read_text(encoding="utf-8"), name, "exec"), known)
    assert time.monotonic() - begun < 60
    return known


def told(words: list[str]) -> dict[str, Any]:
    """Returns the answer of a command as JSON."""
    done = subprocess.run([COMMAND, *words, "--format", "json"], capture_output=True, check=True)
    return dict(json.loads(done.stdout))


def test_sweep() -> None:
    rallied = run("sweep")["rallied"]
    assert rallied.height == 7 * 3 * 6
    for leader, terrain, phases in [("9-1", "woods", 2), ("7-0", "open", 6), ("10-3", "stone", 1)]:
        cell = rallied.filter(leader=leader, terrain=terrain, phases=phases)
        words = ["rally", "german:4-6-7/dm", "--leader", leader, "--terrain", terrain]
        rows = told([*words, "--phases", str(phases), "--no-hob"])["rows"]
        theirs = sum(
            row["probability"]
            for row in rows
            if row["status"] == "rallied" and row["phase"] == phases
        )
        assert cell["probability"].item() == pytest.approx(theirs, abs=1e-12)


def test_choices(tmp_path: Path) -> None:
    known = run("choices")
    assert known["choices"].height == 20
    cell = dict(known["campaign"])
    objective, kind = cell.pop("objective"), cell.pop("kind")
    text = f'question = "{kind}"\nobjective = "{objective}"\n[base]\n'
    text += "".join(f"{name} = {json.dumps(value)}\n" for name, value in cell.items())
    (tmp_path / "c.toml").write_text(text)
    rows = told(["solve", str(tmp_path / "c.toml")])["rows"]
    assert known["answer"].rows == rows
    assert known["choices"]["value"][-1] == known["answer"].headline["value"]


def test_dice() -> None:
    known = run("dice")
    assert 1 / 20 < known["factor"] < 20
    fair = known["bayes_factor"]([7] * 6 + [2, 12, 3, 11, 4, 10, 5, 9, 6, 8])
    loaded = known["bayes_factor"]([12] * 10)
    assert fair < 1 < 1000 < loaded
    words = ["check", "9-1 + 2x german:4-6-7", "--mc", "1", "--given", "6,3", "--no-hob"]
    assert known["after"].rows == told(words)["rows"]
