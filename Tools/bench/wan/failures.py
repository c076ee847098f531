"""Two mirrors, one of which fails half-way: how much longer does the rest take than the other one needs for it?"""

import json
import statistics
import subprocess
import sys
import time

import machine
from network import Link
from downloads import Mirrors


class Failing(Mirrors):
    """Both mirrors; when half of the bytes are verified, `fail` is called."""

    #: Seconds that the rest may take beyond what the mirror that is left needs for it.
    limit = 0
    flags: tuple = ()

    def fail(self):
        raise NotImplementedError

    def mend(self):
        raise NotImplementedError

    def once(self):
        """Seconds that the rest took beyond what the mirror that is left needs for the bytes."""
        self.prepare()
        process = subprocess.Popen(
            self.network.at_client([
                self.get, "--progress=json", *self.flags, "--mirror", self.network.url(1, "large.bin"), "-o", self.output,
                self.url]), stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True)
        total = self.mebibytes * machine.MIB
        failed = None
        for line in process.stderr:
            verified = json.loads(line).get("verified", 0)
            if failed is None and verified >= total // 2:
                failed, left = time.monotonic(), total - verified
                self.fail()
        if process.wait() != 0 or failed is None:
            sys.exit(f"wan: {self.name}: chunkget ended with {process.returncode}, {'after' if failed else 'before'} the failure")
        ended = time.monotonic()
        self.mend()
        self.check("chunkget")
        # What TCP and IP leave of a packet.
        rate = self.links[0].rate * 125000 * 1448 / 1500
        return ended - failed - left / rate


class Reset(Failing):
    """The server is gone, and says so."""

    name, limit = "reset", 2
    what = "one is stopped"

    def fail(self):
        self.network.servers[1].stop()

    def mend(self):
        self.network.servers[1].start()


class Hole(Failing):
    """No packet comes through any more."""

    name, limit = "hole", 7
    what = "one becomes a black hole, with a stall time-out of 5 s"
    flags = ("--stall-timeout", "5")

    def fail(self):
        self.network.order("cut 1")

    def mend(self):
        self.network.order("join 1")


def report(work, rounds):
    """Runs it that often; a paragraph of Markdown."""
    seconds = [work.once() for _ in range(rounds)]
    work.clean()
    worst = max(seconds)
    return (
        f"### {work.title}: {work.what} half-way\n\n"
        f"* the rest took {statistics.median(seconds):.2f} s (at most {worst:.2f}) longer than the bytes left at the other's rate; "
        f"target: at most {work.limit} s: {'met' if worst <= work.limit else 'MISSED'}\n")


ALL = {work.name: work for work in (Reset, Hole)}
