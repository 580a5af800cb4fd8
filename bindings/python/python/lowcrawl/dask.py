"""Studies on a Dask cluster. Each task answers a shard with the binary of `lowcrawl-cli`.

    >>> from distributed import Client
    >>> frame = lowcrawl.dask.run("study.toml", Client("tcp://..."), shards=100, folder="/mnt/sweep")

All workers must share the folder. Another call with equal arguments skips finished shards.
"""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import sysconfig
import tempfile
from collections.abc import Callable, Sequence
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    import polars


def binary() -> str:
    """Returns the path of the command: beside this Python, or on the search path."""
    name = "lowcrawl.exe" if sys.platform == "win32" else "lowcrawl"
    own = Path(sysconfig.get_path("scripts")) / name
    return str(own) if own.exists() else name


def _call(*words: str) -> str:
    done = subprocess.run([binary(), *words], capture_output=True, text=True)
    if done.returncode != 0:
        raise RuntimeError(done.stderr.strip())
    return done.stdout


def shard(plan: str, number: int, threads: int | None = None) -> dict[str, Any]:
    """Runs a shard of a plan on this machine and returns the last line of its output.

    If Dask cancels the task, the command is ended with SIGTERM.
    """
    words = [binary(), "study", "run", plan, "--shard", str(number)]
    words += [] if threads is None else ["--threads", str(threads)]
    # If this worker is killed, the command finishes the shard, which is harmless.
    # Error output goes to a file, because an unread pipe would fill up and block the command.
    with tempfile.TemporaryFile("w+") as faults:
        child = subprocess.Popen(words, stdout=subprocess.PIPE, stderr=faults, text=True)
        assert child.stdout is not None
        last: dict[str, Any] = {}
        try:
            for line in child.stdout:
                last = json.loads(line)
            if child.wait() != 0:
                faults.seek(0)
                raise RuntimeError(faults.read().strip() or f"ended by {child.returncode}")
            return last
        finally:
            if child.poll() is None:
                child.send_signal(signal.SIGTERM)
                child.wait()


def plan(
    study: str | Path, shards: int, folder: str | Path, options: Sequence[str] = ()
) -> Path:
    """Writes the plan of a study into a folder, or keeps an equal plan there.

    `options` are options of the command, such as `["--seed", "7"]`.
    """
    out = Path(folder) / "plan.json"
    out.parent.mkdir(parents=True, exist_ok=True)
    wanted = out.with_name(f".plan-{os.getpid()}.json")
    _call("study", "plan", str(study), "--shards", str(shards), "--out", str(wanted), *options)
    if out.exists() and out.read_bytes() != wanted.read_bytes():
        wanted.unlink()
        raise ValueError(f"{out}: this is the plan of another study, or of other shards")
    wanted.replace(out)
    return out


def run(
    study: str | Path,
    client: Any,
    *,
    shards: int,
    folder: str | Path,
    options: Sequence[str] = (),
    threads: int | None = None,
    retries: int = 3,
    progress: Callable[[int, int], None] | None = None,
) -> polars.LazyFrame:
    """Answers a study on the workers of a `distributed` client.

    Returns a lazy scan over its shards in order. All workers must share `folder`. `threads` is the
    number of threads of one task. `progress` receives the numbers of finished and of all shards. A
    task that fails is retried. A task whose worker dies is retried as often as
    `distributed.scheduler.allowed-failures` says.
    """
    import polars

    # The package has no type information.
    distributed: Any = import_module("distributed")
    path = plan(study, shards, folder, options)
    tasks = client.map(
        shard,
        [str(path.resolve())] * shards,
        range(shards),
        [threads] * shards,
        retries=retries,
        pure=False,
    )
    try:
        for done, task in enumerate(distributed.as_completed(tasks), start=1):
            task.result()
            if progress is not None:
                progress(done, shards)
    finally:
        client.cancel(tasks)
    _call("study", "merge", str(path))
    return polars.scan_parquet(path.parent / "shards" / "*.parquet")
