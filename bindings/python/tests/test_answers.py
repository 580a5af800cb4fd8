"""Compares the package with the command line, and tests cancellation, threads and speed."""

from __future__ import annotations

import gc
import json
import os
import random
import resource
import signal
import subprocess
import sys
import sysconfig
import threading
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import duckdb
import pandas
import polars
import pyarrow
import pytest

import lowcrawl
from lowcrawl import _lowcrawl

HERE = Path(__file__).resolve().parent.parent
COMMAND = str(Path(sysconfig.get_path("scripts")) / "lowcrawl")
LONG = "LOWCRAWL_LONG" in os.environ


def requests(number: int, seed: int) -> list[dict[str, Any]]:
    """Returns random questions, some of them with a fault."""
    dice = random.Random(seed)
    squads = ["german:4-6-7", "german:4-6-8", "russian:4-4-7", "american:6-6-6", "british:4-5-8"]
    leaders = ["german:8-1", "german:9-1", "german:7-0", "german:10-2", "no such"]

    def one() -> dict[str, Any]:
        kind = dice.choice(["rally", "check", "fire", "interdict", "recover", "sequence"])
        if kind == "recover":
            units = f"unit/base={dice.randint(6, 12)},shaken"
            return {"system": "fortitude", "kind": kind, "units": units}
        stack = f"{dice.choice(squads)}{dice.choice(['', '/dm', '/broken'])}"
        request: dict[str, Any] = {"kind": kind, "stack": stack, "elr": dice.randint(0, 5)}
        request |= {"hob": dice.random() < 0.5} if dice.random() < 0.7 else {}
        if kind == "rally":
            request |= {"phases": dice.randint(1, 5)}
            request |= {"leader": dice.choice(leaders)} if dice.random() < 0.5 else {}
            request |= {"terrain": dice.choice(["open", "woods", "building"])}
        elif kind == "check":
            request |= {"mc": dice.randint(0, 4)}
        elif kind == "fire":
            request |= {"fp": dice.choice([2, 4, 8, 12, 0]), "drm": dice.randint(-2, 3)}
        elif kind == "interdict":
            request |= {"hexes": dice.randint(1, 3)}
        else:
            request["stack"] = stack.partition("/")[0]
            request |= {"step": [{"do": "fire", "fp": dice.choice([4, 8])}, {"do": "rally"}]}
        return request

    return [one() for _ in range(number)]


def answered(request: dict[str, Any]) -> dict[str, Any]:
    try:
        return lowcrawl.ask(request).data
    except lowcrawl.Fault as fault:
        return {"fault": fault.message}


def test_answers_are_those_of_the_command_line() -> None:
    questions = requests(2000, 1)
    lines = "\n".join(json.dumps(request) for request in questions)
    done = subprocess.run([COMMAND, "ask", "-"], input=lines, capture_output=True, text=True)
    answers = [json.loads(line) for line in done.stdout.splitlines()]
    assert len(answers) == len(questions)
    faults = 0
    for request, expected in zip(questions, answers):
        ours = answered(request)
        if "fault" in expected:
            assert ours["fault"] == expected["fault"]["message"], request
            faults += 1
            continue
        for key in ("rows", "counts", "expected", "waiting", "headline", "notes", "request"):
            assert ours.get(key) == expected.get(key), (request, key)
    assert 20 < faults < 1000


def test_functions_are_real() -> None:
    answer = lowcrawl.rally("german:4-6-7/dm", leader="8-1", terrain="woods", hob=False)
    assert answer.rows[0]["fraction"] == "5/18"
    assert answer.headline[0]["fraction"] == "271533167/272097792"
    assert answer.request == {
        "kind": "rally", "stack": "german:4-6-7/broken,dm", "leader": "german:8-1",
        "terrain": "woods", "hob": False,
    }  # fmt: skip
    assert str(answer).startswith("german:4-6-7/broken,dm over 6 Rally Phases in woods")
    assert answer.notes == ["8-1 taken as german"]
    assert "<svg" in answer._repr_html_() and answer.map() is None
    chart = answer.chart("bars")
    assert chart is not None and chart.startswith("<svg")
    with pytest.raises(ValueError, match="no chart of kind `pie` fits"):
        answer.chart("pie")
    assert lowcrawl.check("german:4-6-7", mc=1).counts[0]["class"] == "holds"
    step = [{"do": "fire", "fp": 8}, {"do": "rally"}]
    assert lowcrawl.sequence(step, stack="german:4-6-7").rows[0]["step"] == 1
    assert lowcrawl.fortitude.recover("unit/base=10,shaken").meta["engine"] == "exact"


def test_certified_answers_say_how_certain_they_are() -> None:
    answer = lowcrawl.rally("9-1/dm + 5x german:4-6-7/dm", phases=3)
    assert answer.meta["arithmetic"] == "certified"
    bounds = [row["error_bound"] for row in answer.rows + answer.headline + answer.counts]
    assert max(bounds) <= 1e-6 and min(bounds) >= 0
    assert answer.meta["error_bound"] == max(row["error_bound"] for row in answer.rows)


def test_generated_functions_are_current() -> None:
    sys.path.insert(0, str(HERE))
    import generate

    for path, text in generate.modules(lowcrawl.describe()).items():
        assert (HERE / "sources" / "lowcrawl" / path.name).read_text(encoding="utf-8") == text
    for system in lowcrawl.describe()["systems"]:
        module = getattr(lowcrawl, system["name"])
        names = [kind["name"] for kind in system["kinds"] if kind["name"] != "rout"]
        assert sorted(names) == module.__all__




def test_faults_say_where_and_what_is_near() -> None:
    with pytest.raises(lowcrawl.Fault) as caught:
        lowcrawl.rally("german:4-6-7/dm", terrain="wods")
    fault = caught.value
    assert fault.span is not None and fault.near == ["woods"]
    assert fault.text[slice(*fault.span)] == "wods"
    assert str(fault) == "no terrain is called `wods` (did you mean `woods`?)"
    with pytest.raises(lowcrawl.TooBig) as too_big:
        lowcrawl.check("9-1 + 8-1 + 6x german:4-6-7", mc=1, engine="exact", joint=True)
    assert too_big.value.help
    for bad in ["", "{", "[]", "null", '{"kind": 3}', "\u00e4" * 100, '{"kind": "rally"}']:
        with pytest.raises(lowcrawl.Fault):
            lowcrawl.ask(bad)
    with pytest.raises(FileNotFoundError):
        lowcrawl.rout("no-such.toml")


def test_tables_are_read_by_everyone() -> None:
    answer = lowcrawl.rally("german:4-6-7/dm", phases=3)
    rows = [{key: row[key] for key in polars.DataFrame(answer).columns} for row in answer.rows]
    assert polars.DataFrame(answer).rows(named=True) == rows
    assert pyarrow.table(answer).to_pylist() == rows
    frame = pandas.DataFrame.from_arrow(answer)
    assert list(frame["fraction"]) == [row["fraction"] for row in rows]
    assert duckdb.sql("select count(*), sum(probability) from answer").fetchall()[0] == (
        len(rows), pytest.approx(sum(row["probability"] for row in rows)),
    )  # fmt: skip


def test_a_study_is_that_of_the_command_line(tmp_path: Path) -> None:
    grid = {"leader": [None, "8-1", "9-1"], "phases": [1, 2, 3], "hob": [True, False]}
    study = lowcrawl.study("rally", grid, stack="german:4-6-7/dm")
    toml = 'question = "rally"\n[base]\nstack = "german:4-6-7/dm"\n[grid]\n'
    toml += 'leader = ["none", "8-1", "9-1"]\nphases = [1, 2, 3]\nhob = [true, false]\n'
    (tmp_path / "s.toml").write_text(toml)
    subprocess.run([COMMAND, "study", "run", "s.toml", "--out", "o"], cwd=tmp_path, check=True)
    expected = polars.read_parquet(tmp_path / "o" / "s.parquet")
    ours = polars.DataFrame(study)
    assert ours.columns == expected.columns and len(study) == len(ours)
    # The file has leaders in canonical notation.
    own = [name for name in ours.columns if name != "leader"]
    assert ours.select(own).equals(expected.select(own))
    assert repr(study).startswith(f"{len(study)} rows of leader, phases, hob, case, slot, unit,")
    for leaders, wrong in [([], "is empty"), (["8-1", 9], "are of")]:
        with pytest.raises(lowcrawl.Fault, match=f"`leader`.* {wrong}"):
            lowcrawl.study("rally", {"leader": leaders}, stack="german:4-6-7/dm")
    with pytest.raises(lowcrawl.Fault, match="case 2: no counter has the printed values `9-9`"):
        lowcrawl.study("rally", {"leader": ["8-1", "9-9"]}, stack="german:4-6-7/dm")


def test_threads_ask_at_once() -> None:
    questions = requests(200, 2)
    expected = [answered(request) for request in questions]
    with ThreadPoolExecutor(4) as pool:
        assert list(pool.map(answered, questions)) == expected


def interrupted(work: Any) -> float:
    """Sends SIGINT during the work and returns the time until the work ends."""
    pressed = []

    def press() -> None:
        pressed.append(time.perf_counter())
        signal.raise_signal(signal.SIGINT)

    # A shell that starts the test in the background may have set SIGINT to be ignored.
    signal.signal(signal.SIGINT, signal.default_int_handler)
    timer = threading.Timer(0.5, press)
    timer.start()
    with pytest.raises(KeyboardInterrupt):
        work()
    return time.perf_counter() - pressed[0]


def test_ctrl_c_is_obeyed() -> None:
    many = {"elr": range(6), "phases": range(1, 41)}
    long = {"engine": "monte-carlo", "trials": 20_000_000_000}
    compared = {
        "kind": "rally",
        "objective": "good-order",
        "base": {"stack": "german:4-6-7/dm"},
        "course": [{"name": "8-1", "leader": "8-1"}, {"name": "9-1", "leader": "9-1"}],
        "options": long,
    }
    waits = [
        interrupted(
            lambda: lowcrawl.rally("german:4-6-7/dm", engine="monte-carlo", trials=20_000_000_000)
        ),
        interrupted(lambda: lowcrawl.study("rally", many, stack="german:4-6-7/dm", options=long)),
        interrupted(lambda: lowcrawl.compare(compared)),
    ]
    print(f"Ctrl-C is obeyed within {max(waits):.3f} s")
    assert max(waits) < (0.2 if LONG else 2), waits


def test_variations_of_a_platoon_are_compared() -> None:
    house = {"name": "house", "terrain": "woods", "units": "german:8-0 + 2x german:4-6-7"}
    side = {"name": "own", "location": [house]}
    attack = [{"at": "house", "fp": 8}]
    platoon = {"about": "A house", "turns": 1, "side": [side], "attack": attack}
    worth = lowcrawl.vary(platoon, "worth", engine="monte-carlo", trials=500)
    names = [course["course"] for course in worth.data["courses"]]
    assert names[:2] == ["as it is", "ELR +1"]
    assert worth.data["request"]["vary"] == "worth"


def test_nothing_grows() -> None:
    def ask(times: int) -> int:
        for _ in range(times):
            polars_like = lowcrawl.rally("german:4-6-7/dm", phases=2)
            polars_like.__arrow_c_stream__()
            polars_like.data["rows"]
        gc.collect()
        return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss

    before = ask(2000)
    grown = ask(1_000_000 if LONG else 10_000) - before
    assert grown < 4096, f"{grown} kB"


def test_python_adds_little() -> None:
    """Compares the time of keyword calls with the time of prepared requests."""
    text = json.dumps({"kind": "rally", "stack": "german:4-6-7/dm", "leader": "8-1", "hob": False})

    def each(work: Any, times: int = 200) -> float:
        begun = time.perf_counter()
        for _ in range(times):
            work()
        return (time.perf_counter() - begun) / times * 1e6

    # They run in turn, and the best time counts, so other load affects both alike.
    answers = [
        (
            each(lambda: _lowcrawl.ask(text)),
            each(lambda: lowcrawl.rally("german:4-6-7/dm", leader="8-1", hob=False)),
        )
        for _ in range(50)
    ]
    prepared, words = (min(times) for times in zip(*answers))
    print(f"prepared {prepared:.1f} us, from words {words:.1f} us")
    assert words - prepared < (30 if LONG else 100), (prepared, words)
