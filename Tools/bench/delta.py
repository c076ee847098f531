"""Updates of an image with the old version as a seed, by chunkget with several chunk sizes, zsync and casync."""

import json
import os
import random
import re
import shutil
import subprocess
import sys

import machine
from work import Work

BLOCK = 4096
CHUNK_SIZES = (4 << 10, 16 << 10, 64 << 10)
#: What comes, discarded bytes included, to the chunks that differ.
PAYLOAD_LIMIT = 1.05


class Update(Work):
    """`change` makes the new version. With `weak`, manifests have weak hashes, by which chunks are found at any offset."""

    weak = False
    mebibytes = 1024

    def change(self, old, new):
        raise NotImplementedError

    def __init__(self, site):
        self.folder, self.output = site.disk / self.name, site.memory / self.name / "out.img"
        self.url = f"{site.plain}/{self.name}"
        self.old, self.new = self.folder / "old.img", self.folder / "new.img"
        self.folder.mkdir()
        self.output.parent.mkdir()
        machine.make_file(self.old, min(site.mebibytes, self.mebibytes))
        # Every piece of 64 MiB is the same, and a chunk found in another one would not have to be fetched.
        with self.old.open("r+b") as file:
            for block in range(self.old.stat().st_size // BLOCK):
                file.seek(block * BLOCK + 8)
                file.write(block.to_bytes(8, "little"))
        self.change(self.old, self.new)
        #: Of each program: the bytes of its index, and those of the chunks that differ, where that is known.
        self.index, self.differ = {}, {}
        super().__init__(site)

    def commands(self):
        return dict([*map(self.ours, CHUNK_SIZES), self.zsync("zsync -b 4096"), self.casync("casync")])

    def ours(self, size):
        name = f"chunkget, chunks of {size >> 10} KiB"
        image = self.folder / f"new-{size}.img"
        os.link(self.new, image)
        subprocess.run([self.site.manifest, "build", "-q", "--chunk-size", str(size), *(["--weak"] if self.weak else []), image],
                       check=True, stdout=subprocess.DEVNULL)
        manifest = self.folder / f"{image.name}.chunks"
        difference = json.loads(subprocess.run(
            [self.site.manifest, "diff", "-q", "--json", self.old, manifest], check=True, capture_output=True, text=True).stdout)
        self.index[name] = difference["manifestBytes"] + (manifest.stat().st_size // 5 if self.weak else 0)
        # With bytes inserted every chunk lies elsewhere, and diff looks at multiples of the chunk size only.
        if not self.weak:
            self.differ[name] = difference["toFetch"]["bytes"]
        return name, [self.site.get, "--progress", "json", "--seed", self.old, "-o", self.output, f"{self.url}/{image.name}"]

    def zsync(self, name):
        index = self.folder / "new.zsync"
        if shutil.which("zsyncmake"):
            subprocess.run(["zsyncmake", "-b", str(BLOCK), "-o", index, "-u", f"{self.url}/new.img", self.new],
                           check=True, capture_output=True)
            self.index[name] = index.stat().st_size
        return name, self.shell(f"cd {self.output.parent} && zsync -i {self.old} -o {self.output} {self.url}/new.zsync")

    def casync(self, name):
        index = self.folder / "new.caibx"
        if shutil.which("casync"):
            subprocess.run(["casync", "make", f"--store={self.folder}/store.castr", index, self.new], check=True, capture_output=True)
            self.index[name] = index.stat().st_size
        return name, ["casync", "extract", f"--store={self.url}/store.castr", f"--seed={self.old}", f"{self.url}/new.caibx", self.output]

    def prepare(self):
        for path in self.output.parent.iterdir():
            path.unlink()

    def check(self, name, cost):
        if subprocess.run(["cmp", "-s", self.new, self.output]).returncode != 0:
            sys.exit(f"bench: {name} did not make the right file")

    def clean(self):
        shutil.rmtree(self.folder)
        shutil.rmtree(self.output.parent)

    def notes(self, costs):
        lines = ["| program | payload bytes | chunks that differ | index bytes |", "|---|---|---|---|"]
        verdicts = []
        for name, cost in costs.items():
            payload, differ = fetched(cost.runs[-1].said), self.differ.get(name)
            lines.append(f"| {name} | {number(payload)} | {number(differ)} | {number(self.index[name])} |")
            if differ:
                verdict = "met" if payload <= PAYLOAD_LIMIT * differ else "MISSED"
                verdicts.append(
                    f"* {name}: payload {payload / differ:.3f} times the chunks that differ; target: at most {PAYLOAD_LIMIT}: {verdict}")
        return [lines, verdicts]


class Changed(Update):
    name, title = "delta", "update an image, 1 % of its 4 KiB blocks changed"
    targets = (("zsync -b 4096", "wall", 1.0), ("casync", "wall", 1.0))

    def change(self, old, new):
        noise = random.Random(7)
        shutil.copyfile(old, new)
        blocks = new.stat().st_size // BLOCK
        with new.open("r+b") as file:
            for block in noise.sample(range(blocks), blocks // 100):
                file.seek(block * BLOCK)
                file.write(noise.randbytes(BLOCK))


class Inserted(Update):
    name, title, weak = "insert", "update an image, 1000 bytes inserted at its start", True

    def change(self, old, new):
        with new.open("wb") as target, old.open("rb") as source:
            target.write(random.Random(8).randbytes(1000))
            shutil.copyfileobj(source, target, 1 << 20)


def fetched(said):
    """The payload bytes that chunkget or zsync tell of; casync tells of none."""
    last = said.splitlines()[-1] if said else ""
    if last.startswith("{"):
        done = json.loads(last)
        return done["fetched"] + done["discarded"]
    told = re.findall(r"fetched (\d+)", said)
    return int(told[-1]) if told else None


def number(value):
    return "–" if value is None else f"{value:,}"
