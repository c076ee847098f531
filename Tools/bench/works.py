"""What is compared: each work has programs that do the same thing, the first of which is ours."""

import pathlib
import shutil
import subprocess
import sys


class Work:
    """Programs by name; `prepare` before each run, `check` after it."""

    name = ""
    title = ""
    #: Ratios of ours to a peer, at most: the peer, what is compared, the limit.
    targets: tuple = ()

    def __init__(self, site):
        self.site = site
        self.programs = self.commands()
        self.unchecked = set(self.programs)

    def commands(self):
        raise NotImplementedError

    def prepare(self):
        pass

    def check(self, name):
        pass

    def clean(self):
        self.prepare()

    def shell(self, text):
        return ["sh", "-c", text]


class Manifest(Work):
    name, title = "manifest", "build a manifest of a file in the page cache"
    targets = (("openssl dgst -sha256", "wall", 1 / 4), ("sha256sum", "wall", 1 / 12), ("hash_bench", "wall", 1 / 0.85))

    def commands(self):
        site = self.site
        output = site.memory / "manifest"
        programs = {
            "chunkmanifest build": [site.manifest, "build", "-q", "-o", output, site.file],
            "openssl dgst -sha256": ["openssl", "dgst", "-sha256", site.file],
            "sha256sum": ["sha256sum", site.file],
        }
        if site.floor:
            programs["hash_bench"] = [site.floor["hash_bench"], site.file, "262144", "x16", "pread", "2"]
        return programs


class Resume(Work):
    name, title = "resume", "hash a complete partial and finish (nothing is fetched)"
    targets = (("openssl dgst -sha256", "wall", 1 / 4),)

    def commands(self):
        site = self.site
        self.output = site.disk / "resumed"
        self.partial = site.disk / "resumed.part"
        # Ours reads from the medium what it finds, so the peer has to as well.
        drop = f"dd if={self.partial} iflag=nocache count=0 2>/dev/null"
        return {
            "chunkget": [site.get, "-q", "-o", self.output, f"{site.plain}/large.bin"],
            "openssl dgst -sha256": self.shell(f"{drop} && openssl dgst -sha256 {self.partial}"),
        }

    def prepare(self):
        for path in (self.output, self.partial):
            path.unlink(missing_ok=True)
        shutil.copyfile(self.site.file, self.partial)
        subprocess.run(["sync", self.partial], check=True)

    def clean(self):
        for path in (self.output, self.partial):
            path.unlink(missing_ok=True)


class Download(Work):
    """A download to `self.output`, whose bytes are compared once for each program."""

    def __init__(self, site):
        self.output = self.folder(site) / "large.bin.out"
        super().__init__(site)

    def folder(self, site):
        return site.memory

    def prepare(self):
        for path in (self.output, pathlib.Path(f"{self.output}.part"), pathlib.Path(f"{self.output}.aria2")):
            path.unlink(missing_ok=True)

    def check(self, name):
        if name not in self.unchecked:
            return
        self.unchecked.discard(name)
        if name.startswith("rangefloor"):
            return
        if subprocess.run(["cmp", "-s", self.site.file, self.output]).returncode != 0:
            sys.exit(f"bench: {name} did not make the right file")

    def aria2(self, *arguments):
        return ["aria2c", "-q", "--allow-overwrite=true", "--file-allocation=none", "-d", self.output.parent,
                "-o", self.output.name, *arguments]

    def aria2_pieces(self, connections):
        # With a Metalink the name is that of the file in it.
        folder = self.output.parent
        return self.shell(
            f"aria2c -q --allow-overwrite=true --file-allocation=none -x{connections} -s{connections} -d {folder} "
            f"--metalink-file={self.site.metalink} && mv {folder}/large.bin {self.output}")


class Memory(Download):
    name, title = "memory", "download into memory, verified or not"
    targets = (("curl -o", "wall", 0.80), ("aria2c -x4, pieces", "wall", 0.40), ("rangefloor", "wall", 1.25),
               ("curl -o && openssl dgst", "cpu", 0.6))

    def commands(self):
        site, url, output = self.site, f"{self.site.plain}/large.bin", self.output
        programs = {
            "chunkget": [site.get, "-q", "-o", output, url],
            "curl -o": ["curl", "-s", "-o", output, url],
            "curl -o && openssl dgst": self.shell(f"curl -s -o {output} {url} && openssl dgst -sha256 {output}"),
            "aria2c -x4, pieces": self.aria2_pieces(4),
            "aria2c -x16": self.aria2("-x16", "-s16", url),
        }
        if site.floor:
            programs["rangefloor"] = [
                site.floor["rangefloor"], "127.0.0.1", str(site.port), "/large.bin", output, "2", "16777216", "262144", "x16",
                "pwrite"]
        return programs


class TLS(Download):
    name, title = "tls", "download into memory over TLS"
    targets = (("curl -o", "wall", 1.0),)

    def commands(self):
        site, url, output = self.site, f"{self.site.secure}/large.bin", self.output
        return {
            "chunkget": [site.get, "-q", "--cacert", site.authority, "-o", output, url],
            "curl -o": ["curl", "-s", "--http1.1", "--cacert", site.authority, "-o", output, url],
            "aria2c -x4": self.aria2("-x4", "-s4", f"--ca-certificate={site.authority}", url),
        }


class Disk(Download):
    name, title = "disk", "download onto the disk, durable at the end"
    targets = (("curl -o && sync", "wall", 0.75), ("aria2c -x4, pieces", "wall", 0.45), ("rangefloor direct", "wall", 1.25))

    def folder(self, site):
        return site.disk

    def commands(self):
        site, url, output = self.site, f"{self.site.plain}/large.bin", self.output
        folder = site.disk / "aria2"
        folder.mkdir(exist_ok=True)
        programs = {
            "chunkget": [site.get, "-q", "-o", output, url],
            "curl -o && sync": self.shell(f"curl -s -o {output} {url} && sync {output}"),
            "aria2c -x4, pieces": self.shell(
                f"aria2c -q --allow-overwrite=true --file-allocation=falloc -x4 -s4 -d {folder} "
                f"--metalink-file={site.metalink} && mv {folder}/large.bin {output} && sync {output}"),
        }
        if site.floor:
            programs["rangefloor direct"] = [
                site.floor["rangefloor"], "127.0.0.1", str(site.port), "/large.bin", output, "2", "16777216", "262144", "x16",
                "direct"]
        return programs


class Start(Work):
    name, title = "start", "say the version, a hundred times"
    targets = (("curl", "wall", 1.5),)

    def commands(self):
        def hundred(program):
            return self.shell(f"for i in $(seq 100); do {program} --version >/dev/null; done")
        return {"chunkget": hundred(self.site.get), "chunkmanifest": hundred(self.site.manifest), "curl": hundred("curl")}


ALL = {work.name: work for work in (Manifest, Resume, Memory, TLS, Disk, Start)}
