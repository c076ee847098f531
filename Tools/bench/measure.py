"""Runs programs in turns and says what each cost."""

import dataclasses
import os
import pathlib
import statistics
import subprocess
import sys
import tempfile
import time

from work import absent


@dataclasses.dataclass
class Cost:
    """Of one run: seconds on the wall, seconds of CPU, MiB resident at most; and what it wrote."""

    wall: float
    cpu: float
    peak: float
    said: str


@dataclasses.dataclass
class Costs:
    """Of all runs of one program."""

    runs: list

    def _all(self, name):
        return [getattr(run, name) for run in self.runs]

    @property
    def wall(self):
        return statistics.median(self._all("wall"))

    @property
    def spread(self):
        return min(self._all("wall")), max(self._all("wall"))

    @property
    def cpu(self):
        return statistics.median(self._all("cpu"))

    @property
    def peak(self):
        return max(self._all("peak"))


def in_turns(work, rounds):
    """Runs every program of the work that is installed `rounds` times, A B C A B C, after one turn that does not count."""
    costs = {name: [] for name in work.programs if not absent(name)}
    for turn in range(rounds + 1):
        for name in costs:
            tell(f"{work.name}: {name}, {turn} of {rounds}")
            work.prepare()
            cost = run(work.programs[name])
            work.check(name, cost)
            if turn > 0:
                costs[name].append(cost)
    work.clean()
    tell("")
    return {name: Costs(runs) for name, runs in costs.items()}


def tell(text):
    if sys.stderr.isatty():
        print(f"{text:70}", end="\r", file=sys.stderr, flush=True)


def run(command, reader=None):
    """One run. GNU time measures, since it is small: what a process had before it became another program counts as that one's.

    With a reader, that gets standard output as a stream, and not the cost."""
    with tempfile.NamedTemporaryFile(mode="r") as measured, tempfile.TemporaryFile(mode="w+") as said:
        begun = time.monotonic()
        process = subprocess.Popen(
            ["/usr/bin/time", "-q", "-f", "%U %S %M", "-o", measured.name, *map(str, command)], stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE if reader else said, stderr=said, env={**os.environ, "no_proxy": "*"})
        if reader:
            reader(process.stdout)
        status = process.wait()
        wall = time.monotonic() - begun
        said.seek(0)
        text = said.read()
        if status != 0:
            sys.exit(f"{' '.join(map(str, command))} ended with {status}: {text[-500:]}")
        user, system, peak = pathlib.Path(measured.name).read_text().split()
    return Cost(wall, float(user) + float(system), int(peak) / 1024, text)
