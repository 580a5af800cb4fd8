"""Tests a study on two local workers that are killed, and the files after a failure."""

from __future__ import annotations

import os
import random
import signal
import subprocess
import sysconfig
import threading
import time
from collections.abc import Iterator
from pathlib import Path

import polars
import pytest
from distributed import Client, LocalCluster

import lowcrawl.dask

COMMAND = str(Path(sysconfig.get_path("scripts")) / "lowcrawl")
LONG = "LOWCRAWL_LONG" in os.environ

STACKS = ["4-6-7", "4-6-8", "5-4-8", "4-4-7", "4-3-6", "2-4-7", "2-4-8", "2-3-6"]
#: The number of exact cells; about a million in the long run.
CELLS = 983_040 if LONG else 30_720
STUDY = f"""
question = "rally"
[grid]
stack = {[f"german:{stack}/dm" for stack in (STACKS if LONG else STACKS[:1])]}
leader = ["none", "7-0", "8-0", "8-1", "9-1", "9-2", "10-2", "10-3"]
elr = "0..4"
terrain = ["open", "woods", "building", "wooden", "stone", "rubble", "shellholes", "pillbox"]
enemy-adjacent = [false, true]
hob = [true, false]
keu = {[True, False] if LONG else [True]}
captor = [true, false]
no-quarter = [true, false]
i01 = ["default", "alternative"]
own-rph = ["odd", "even", "never"]
phases = "1..{2 if LONG else 1}"
""".replace("True", "true").replace("False", "false")


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "s.toml").write_text(STUDY)
    return tmp_path


@pytest.fixture
def cluster() -> Iterator[LocalCluster]:
    with LocalCluster(n_workers=2, threads_per_worker=1, dashboard_address=None) as cluster:
        yield cluster


def whole(folder: Path) -> dict[str, bytes]:
    """Returns the files that a single machine writes."""
    begun = time.perf_counter()
    subprocess.run([COMMAND, "study", "run", "s.toml", "--out", "whole"], cwd=folder, check=True)
    print(f"one machine: {time.perf_counter() - begun:.1f} s")
    return {path.name: path.read_bytes() for path in sorted((folder / "whole").iterdir())}


def merged(folder: Path) -> dict[str, bytes]:
    words = [COMMAND, "study", "merge", "sweep/plan.json", "--out", "merged"]
    subprocess.run(words, cwd=folder, check=True)
    return {path.name: path.read_bytes() for path in sorted((folder / "merged").iterdir())}


def test_killed_workers_change_nothing(folder: Path, cluster: LocalCluster) -> None:
    done: list[int] = []
    killed: list[int] = []

    def kill() -> None:
        dice = random.Random(23)
        for _ in range(3):
            time.sleep(dice.uniform(0.1, 20 if LONG else 0.6))
            worker = dice.choice(list(cluster.workers.values()))
            if worker.process and worker.process.pid:
                os.kill(worker.process.pid, signal.SIGKILL)
                killed.append(worker.process.pid)

    with Client(cluster) as client:
        killer = threading.Thread(target=kill)
        killer.start()
        frame = lowcrawl.dask.run(
            folder / "s.toml", client, shards=24, folder=folder / "sweep", threads=1,
            progress=lambda shard, _: done.append(shard),
        )  # fmt: skip
        killer.join()
        assert done == list(range(1, 25)) and killed
        case = polars.col("case")
        cases = frame.select(case.n_unique(), case.is_sorted().alias("sorted"))
        assert cases.collect().row(0) == (CELLS, True)
        # A second run skips finished shards.
        before = {path: path.stat().st_mtime_ns for path in (folder / "sweep/shards").iterdir()}
        again = lowcrawl.dask.run(folder / "s.toml", client, shards=24, folder=folder / "sweep")
        assert again.collect().height == frame.collect().height
        assert before == {path: path.stat().st_mtime_ns for path in before}
        with pytest.raises(ValueError, match="the plan of another study, or of other shards"):
            lowcrawl.dask.run(folder / "s.toml", client, shards=3, folder=folder / "sweep")
    assert merged(folder) == whole(folder)


def test_a_scheduler_that_dies_is_followed_by_another(folder: Path) -> None:
    def run(cluster: LocalCluster) -> None:
        with Client(cluster) as client:
            lowcrawl.dask.run(folder / "s.toml", client, shards=12, folder=folder / "sweep")

    shards = folder / "sweep" / "shards"
    with LocalCluster(n_workers=2, threads_per_worker=1, dashboard_address=None) as first:
        with Client(first) as client:
            path = lowcrawl.dask.plan(folder / "s.toml", 12, folder / "sweep")
            client.map(lowcrawl.dask.shard, [str(path)] * 12, range(12), pure=False)
            until = time.monotonic() + 60
            while len(list(shards.glob("*.sum"))) < 2 and time.monotonic() < until:
                time.sleep(0.02)
    left = {path: path.stat().st_mtime_ns for path in shards.glob("*.sum")}
    assert 2 <= len(left)
    with LocalCluster(n_workers=2, threads_per_worker=1, dashboard_address=None) as second:
        run(second)
    assert left == {path: path.stat().st_mtime_ns for path in left}
    assert merged(folder) == whole(folder)


def test_a_folder_that_takes_nothing_is_told(folder: Path, cluster: LocalCluster) -> None:
    with Client(cluster) as client:
        lowcrawl.dask.plan(folder / "s.toml", 2, folder / "sweep")
        # A file blocks the folder of the shards.
        (folder / "sweep" / "shards").write_text("")
        with pytest.raises(RuntimeError, match="shards"):
            lowcrawl.dask.run(
                folder / "s.toml", client, shards=2, folder=folder / "sweep", retries=1
            )
        (folder / "sweep" / "shards").unlink()
        frame = lowcrawl.dask.run(folder / "s.toml", client, shards=2, folder=folder / "sweep")
        assert frame.collect().height > 0


def mounted(*words: str) -> bool:
    """Mounts a file system; returns whether that was permitted."""
    done = subprocess.run(["mount", "-t", "tmpfs", *words], capture_output=True)
    return done.returncode == 0


def test_a_disk_that_is_full_is_told(folder: Path, cluster: LocalCluster) -> None:
    shards = folder / "sweep" / "shards"
    shards.mkdir(parents=True)
    if not mounted("-o", "size=64k", "none", str(shards)):
        pytest.skip("this user may mount nothing")
    try:
        with Client(cluster) as client:
            with pytest.raises(RuntimeError, match="No space left on device"):
                lowcrawl.dask.run(
                    folder / "s.toml", client, shards=2, folder=folder / "sweep", retries=1
                )
            # Once both workers have failed, no partial file is left.
            until = time.monotonic() + 60
            while list(shards.iterdir()) and time.monotonic() < until:
                time.sleep(0.05)
            assert not list(shards.iterdir())
            assert mounted("-o", "remount,size=1g", "none", str(shards))
            lowcrawl.dask.run(folder / "s.toml", client, shards=2, folder=folder / "sweep")
        assert merged(folder) == whole(folder)
    finally:
        subprocess.run(["umount", "--lazy", str(shards)], check=True)
