"""Downloads from nginx on this machine: into memory, over TLS, onto the disk."""

import pathlib
import subprocess
import sys

from work import Work


class Download(Work):
    """A download to `self.output`, whose bytes are compared once for each program."""

    def __init__(self, site):
        self.output = self.folder(site) / "large.bin.out"
        super().__init__(site)

    def folder(self, site):
        return site.memory

    def prepare(self):
        for ending in ("", ".part", ".aria2", ".st"):
            pathlib.Path(f"{self.output}{ending}").unlink(missing_ok=True)

    def check(self, name, cost):
        if name.startswith("rangefloor"):
            self.site.floor.check(name, cost, self.site.file)
        if name not in self.unchecked:
            return
        self.unchecked.discard(name)
        if subprocess.run(["cmp", "-s", self.site.file, self.output]).returncode != 0:
            sys.exit(f"bench: {name} did not make the right file")

    def aria2(self, *arguments):
        return ["aria2c", "-q", "--allow-overwrite=true", "--file-allocation=none", "-d", self.output.parent,
                "-o", self.output.name, *arguments]

    def aria2_pieces(self, allocation):
        # With a Metalink the name is that of the file in it; the folder is not the site's, which has a file of that name.
        folder = self.output.parent / "aria2"
        folder.mkdir(exist_ok=True)
        return (f"aria2c -q --allow-overwrite=true --file-allocation={allocation} -x4 -s4 -d {folder} "
                f"--metalink-file={self.site.metalink} && mv {folder}/large.bin {self.output}")

    def wget2(self, url, *arguments):
        # Pieces of 1 MiB are its fastest and smallest: those of 16 MiB take longer and 47 MiB of memory. It is to keep nothing at home.
        return ["wget2", "-q", "--config=/dev/null", "--no-local-db", "--no-http2", "--chunk-size=1M", "--max-threads=4",
                *arguments, "-O", self.output, url]

    def axel(self, url, *arguments):
        return ["axel", "-q", "-n4", *arguments, "-o", self.output, url]

    def durable(self, command):
        return self.shell(f"{' '.join(map(str, command))} && sync {self.output}")


class Memory(Download):
    name, title = "memory", "download into memory, verified or not"
    targets = (("curl -o", "wall", 0.80), ("aria2c -x4, pieces", "wall", 0.40), ("rangefloor", "wall", 1.25),
               ("curl -o && openssl dgst", "cpu", 0.6))

    def commands(self):
        site, url, output = self.site, f"{self.site.plain}/large.bin", self.output
        return {
            "chunkget": [site.get, "-q", "-o", output, url],
            "curl -o": ["curl", "-s", "-o", output, url],
            "curl -o && openssl dgst": self.shell(f"curl -s -o {output} {url} && openssl dgst -sha256 {output}"),
            "aria2c -x4, pieces": self.shell(self.aria2_pieces("none")),
            "aria2c -x16": self.aria2("-x16", "-s16", url),
            "wget2, 4 threads": self.wget2(url),
            "axel -n4": self.axel(url),
            **site.floor.rangefloor(site, output, "pwrite"),
        }


class TLS(Download):
    name, title = "tls", "download into memory over TLS"
    targets = (("curl -o", "wall", 1.0),)

    def commands(self):
        site, url, output = self.site, f"{self.site.secure}/large.bin", self.output
        return {
            "chunkget": [site.get, "-q", "--cacert", site.authority, "-o", output, url],
            "curl -o": ["curl", "-s", "--http1.1", "--cacert", site.authority, "-o", output, url],
            "aria2c -x4": self.aria2("-x4", "-s4", f"--ca-certificate={site.authority}", url),
            "wget2, 4 threads": self.wget2(url, f"--ca-certificate={site.authority}"),
            # It takes no name without a dot for that of a certificate.
            "axel -n4 -k, unauthenticated": self.axel(url, "-k"),
        }


class Disk(Download):
    name, title = "disk", "download onto the disk, durable at the end"
    targets = (("curl -o && sync", "wall", 0.75), ("aria2c -x4, pieces", "wall", 0.45), ("rangefloor", "wall", 1.25))

    def folder(self, site):
        return site.disk

    def commands(self):
        site, url, output = self.site, f"{self.site.plain}/large.bin", self.output
        return {
            "chunkget": [site.get, "-q", "-o", output, url],
            "curl -o && sync": self.durable(["curl", "-s", "-o", output, url]),
            "aria2c -x4, pieces": self.durable([self.aria2_pieces("falloc")]),
            "wget2, 4 threads && sync": self.durable(self.wget2(url)),
            "axel -n4 && sync": self.durable(self.axel(url)),
            **site.floor.rangefloor(site, output, "direct"),
        }
