"""The floor: bare C programs that do no more than has to be done, with the fastest SHA-256 that this CPU has."""

import functools
import re
import subprocess
import sys

import machine

CHUNK = 256 << 10


def engines(flags):
    """What may be the fastest, by the names of `engines.h`. One that the CPU lacks would hash nothing, at great speed."""
    if {"avx512f", "avx512bw", "avx512vl"} <= flags:
        return ["x16"]
    if "sha_ni" in flags:
        return ["ni2", "ni3", "ni4"]
    return ["x8"] if "avx2" in flags else ["evp"]


class Floor:
    """`hash_bench` for each engine and `rangefloor` for the fastest, as rows for works. Says no row if there is no folder."""

    def __init__(self, sources, folder):
        self.engines = []
        if sources is None:
            return
        machine.require("cc")
        for name in ("rangefloor", "hash_bench"):
            subprocess.run(
                ["cc", "-O3", "-march=native", "-w", sources / f"{name}.c", "-o", folder / name, "-lcrypto", "-lpthread"],
                check=True)
        self.folder = folder
        self.engines = engines(machine.cpu_flags())
        self.fastest = max(self.engines, key=self._speed)

    def _speed(self, engine):
        """GB/s of the best of nine repetitions over 64 MiB in memory."""
        sample = self.folder / "sample"
        machine.make_file(sample, 64)
        command = self._hash_bench(engine, sample, "mem", 9)
        said = subprocess.run(command, check=True, capture_output=True, text=True).stdout
        sample.unlink()
        return float(re.search(r"\.\.([0-9.]+)\]", said)[1])

    def _hash_bench(self, engine, file, way, repetitions):
        return [self.folder / "hash_bench", file, str(CHUNK), engine, way, "2", str(repetitions)]

    def hash_bench(self, file):
        return {f"hash_bench ({engine})": self._hash_bench(engine, file, "pread", 1) for engine in self.engines}

    def rangefloor(self, site, output, writing):
        """Two connections, requests of 16 MiB."""
        if not self.engines:
            return {}
        return {f"rangefloor ({self.fastest})": [
            self.folder / "rangefloor", "127.0.0.1", site.port, "/large.bin", output, 2, 16 << 20, CHUNK, self.fastest, writing]}

    def check(self, name, cost, file):
        """Each of them prints the sum of the digests of all chunks, so one that left out some, or all, is found."""
        if digest_sum(cost.said) != self._expected(file):
            sys.exit(f"bench: {name} did not hash what it had to, so it is no floor: it said {cost.said.strip()!r}, and of "
                     f"OpenSSL's digests the sum is {self._expected(file)}")

    @functools.cache
    def _expected(self, file):
        command = self._hash_bench("evp", file, "pread", 1)
        return digest_sum(subprocess.run(command, check=True, capture_output=True, text=True).stdout)


def digest_sum(said):
    """None if there is none, or if it is 0: then nothing was hashed."""
    found = re.search(r"acc ([0-9a-f]{16})", said)
    return found[1] if found and int(found[1], 16) != 0 else None
