"""What is compared."""

import shutil
import subprocess

from delta import Changed, Inserted
from loopback import TLS, Disk, Memory
from work import Work


class Manifest(Work):
    name, title = "manifest", "build a manifest of a file in the page cache"
    targets = (("openssl dgst -sha256", "wall", 1 / 4), ("sha256sum", "wall", 1 / 12), ("hash_bench", "wall", 1 / 0.85))

    def commands(self):
        site = self.site
        return {
            "chunkmanifest build": [site.manifest, "build", "-q", "-o", site.memory / "manifest", site.file],
            "openssl dgst -sha256": ["openssl", "dgst", "-sha256", site.file],
            "sha256sum": ["sha256sum", site.file],
            **site.floor.hash_bench(site.file),
        }

    def check(self, name, cost):
        if name.startswith("hash_bench"):
            self.site.floor.check(name, cost, self.site.file)


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
            "the disk alone (dd, direct)": ["dd", f"if={self.partial}", "of=/dev/null", "bs=1M", "iflag=direct", "status=none"],
        }

    def prepare(self):
        for path in (self.output, self.partial):
            path.unlink(missing_ok=True)
        shutil.copyfile(self.site.file, self.partial)
        subprocess.run(["sync", self.partial], check=True)

    def clean(self):
        for path in (self.output, self.partial):
            path.unlink(missing_ok=True)


class Start(Work):
    name, title = "start", "say the version, a hundred times"
    targets = (("curl", "wall", 1.5),)

    def commands(self):
        def hundred(program):
            return self.shell(f"for i in $(seq 100); do {program} --version >/dev/null; done")
        return {"chunkget": hundred(self.site.get), "chunkmanifest": hundred(self.site.manifest), "curl": hundred("curl")}


ALL = {work.name: work for work in (Manifest, Resume, Memory, TLS, Disk, Changed, Inserted, Start)}
