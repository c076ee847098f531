"""Downloads over one link, or two, by us and by the peers. The bytes are compared once for each program."""

import subprocess
import sys

import machine
import metalink
from network import Link, Network


class Work:
    """Programs by name, the first of which is ours; `prepare` before each run, `check` after it."""

    name = ""
    links: tuple = ()
    mebibytes = 512
    #: Ratios of ours to a peer, at most: the peer, what is compared, the limit.
    targets: tuple = ()

    def __init__(self, programs, scratch):
        self.get = programs / "chunkget"
        self.scratch = scratch
        site = scratch / "site"
        site.mkdir()
        self.file = site / "large.bin"
        machine.make_file(self.file, self.mebibytes)
        subprocess.run([programs / "chunkmanifest", "build", "-q", self.file], check=True, stdout=subprocess.DEVNULL)
        self.output = scratch / "out" / "large.bin"
        self.output.parent.mkdir()
        self.network = Network(self.links, site, scratch)
        self.url = self.network.url(0, "large.bin")
        self.programs = {name: self.network.at_client(command) for name, command in self.commands().items()}
        self.unchecked = set(self.programs)

    @property
    def title(self):
        return f"{self.mebibytes} MiB over {' and '.join(str(link) for link in self.links)}"

    def commands(self):
        raise NotImplementedError

    def prepare(self):
        for path in self.output.parent.iterdir():
            path.unlink()

    def check(self, name, _=None):
        if name not in self.unchecked:
            return
        self.unchecked.discard(name)
        if subprocess.run(["cmp", "-s", self.file, self.output]).returncode != 0:
            sys.exit(f"wan: {name} did not make the right file")

    def clean(self):
        self.prepare()

    def aria2(self, connections, *arguments):
        return ["aria2c", "-q", "--file-allocation=none", f"-x{connections}", f"-s{connections}", "-d", self.output.parent,
                *arguments]


class Peers(Work):
    """One link, without any flag for us."""

    def commands(self):
        pieces = metalink.write(self.scratch / "large.meta4", self.file, self.url)
        return {
            "chunkget": [self.get, "-q", "-o", self.output, self.url],
            "curl": ["curl", "-s", "-o", self.output, self.url],
            "aria2c -x4": self.aria2(4, self.url),
            "aria2c -x16": self.aria2(16, self.url),
            "aria2c -x16, pieces": self.aria2(16, f"--metalink-file={pieces}"),
            "axel -n16": ["axel", "-q", "-n16", "-o", self.output, self.url],
        }


class Broadband(Peers):
    name, links = "broadband", (Link(200, 40),)
    targets = (("curl", "wall", 1.03),)


class Far(Peers):
    name, links = "far", (Link(1000, 100),)
    targets = tuple((peer, "wall", 1.0) for peer in ("aria2c -x4", "aria2c -x16", "aria2c -x16, pieces", "axel -n16"))


class Lossy(Far):
    name, links = "lossy", (Link(1000, 100, loss=0.1),)


class Satellite(Far):
    name, links, mebibytes = "satellite", (Link(20, 300, loss=2),), 64


class Mirrors(Work):
    name, links, mebibytes = "mirrors", (Link(100, 40), Link(100, 40)), 256
    targets = (("chunkget, one of them", "wall", 1 / 1.9),)

    def commands(self):
        return {
            "chunkget": [self.get, "-q", "--mirror", self.network.url(1, "large.bin"), "-o", self.output, self.url],
            "chunkget, one of them": [self.get, "-q", "-o", self.output, self.url],
        }


class Check(Peers):
    """Seconds long: that links, servers and the download work."""

    name, links, mebibytes = "check", (Link(200, 40, loss=0.5),), 16

    def commands(self):
        return {name: command for name, command in super().commands().items() if name in ("chunkget", "curl")}


ALL = {work.name: work for work in (Broadband, Far, Lossy, Satellite, Mirrors)}
