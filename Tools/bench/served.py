"""What the works of `run` download from, each part made when the first work asks for it."""

import functools
import subprocess

import machine
import metalink
from floor import Floor


class Site:
    """A file, what publishers put beside it, and nginx in front of all that, with and without TLS."""

    def __init__(self, disk, memory, mebibytes, programs, floor):
        self.disk, self.memory, self.mebibytes = disk, memory, mebibytes
        self.get, self.manifest = programs / "chunkget", programs / "chunkmanifest"
        self.floor = Floor(floor, disk)
        certificate = machine.make_certificate(disk)
        self.authority = certificate[0]
        self.server = machine.Nginx(disk, disk / "nginx", certificate)
        self.port, self.plain, self.secure = self.server.port, self.server.plain, self.server.secure

    @functools.cached_property
    def file(self):
        path = self.disk / "large.bin"
        machine.make_file(path, self.mebibytes)
        subprocess.run([self.manifest, "build", "-q", "--sha256", path], check=True, stdout=subprocess.DEVNULL)
        return path

    @functools.cached_property
    def metalink(self):
        return metalink.write(self.disk / "large.meta4", self.file, f"{self.plain}/large.bin")

    def stop(self):
        self.server.stop()
