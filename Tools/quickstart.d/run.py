"""The steps of the quickstart. Called by Tools/quickstart with the folder that holds the two commands."""

import hashlib
import json
import os
import pathlib
import random
import signal
import subprocess
import sys
import tempfile

MIB = 1 << 20
SIZE = 256 * MIB
CHUNK = 256 * 1024


def fail(message):
    sys.exit(f"quickstart: FAILED: {message}")


def expect(condition, message):
    if not condition:
        fail(message)


def sha256(path):
    digest = hashlib.sha256()
    with open(path, "rb") as file:
        while block := file.read(MIB):
            digest.update(block)
    return digest.hexdigest()


def make_file(path):
    """Bytes that no server could guess, the same on every run."""
    generator = random.Random(20260101)
    with open(path, "wb") as file:
        for _ in range(SIZE // MIB):
            file.write(generator.randbytes(MIB))


class Commands:
    def __init__(self, folder, work):
        self.get = str(pathlib.Path(folder) / "chunkget")
        self.manifest = str(pathlib.Path(folder) / "chunkmanifest")
        self.work = work

    def build(self, path):
        subprocess.run([self.manifest, "build", path], check=True)

    def serve(self, directory):
        """Starts the origin on a free port; returns the process and its URL."""
        server = subprocess.Popen(
            [self.manifest, "serve", directory, "--port", "0"], stdout=subprocess.PIPE, text=True)
        line = server.stdout.readline()
        expect(" at http://" in line, f"the origin did not say where it is: {line!r}")
        return server, line.rsplit(" at ", 1)[1].strip().rstrip("/")

    def start(self, url, *options):
        return subprocess.Popen(
            [self.get, "--progress", "json", *options, url], cwd=self.work, stderr=subprocess.PIPE, text=True)

    def fetch(self, url, *options):
        """Runs a download to its end; returns its last event."""
        process = self.start(url, *options)
        events = [json.loads(line) for line in process.stderr]
        code = process.wait()
        expect(code == 0, f"chunkget ended with {code}: {events[-1] if events else 'no event'}")
        expect(events[-1]["event"] == "done", f"the last event is {events[-1]}")
        return events[-1]

    def kill_halfway(self, url):
        """Starts a download and kills it with SIGKILL once half of the bytes are verified."""
        process = self.start(url, "--limit-rate", "64M")
        for line in process.stderr:
            event = json.loads(line)
            if event["event"] == "progress" and event["verified"] >= SIZE // 2:
                process.send_signal(signal.SIGKILL)
                break
        process.stderr.read()
        expect(process.wait() == -signal.SIGKILL, "the download ended before it could be killed")
        return event["verified"]


def tell(step, done):
    megabytes = {name: done[name] / MIB for name in ("fetched", "reused", "discarded")}
    print(
        f"== {step}: fetched {megabytes['fetched']:.1f} MiB, reused {megabytes['reused']:.1f} MiB, "
        f"discarded {megabytes['discarded']:.1f} MiB, trust: {done['trust']}")


def damage(path, chunks):
    with open(path, "r+b") as file:
        for chunk in chunks:
            file.seek(chunk * CHUNK + 1000)
            byte = file.read(1)
            file.seek(-1, os.SEEK_CUR)
            file.write(bytes([byte[0] ^ 1]))


def run(folder, scratch):
    origin, work = scratch / "origin", scratch / "work"
    origin.mkdir()
    work.mkdir()
    commands = Commands(folder, work)
    source, output = origin / "image.bin", work / "image.bin"

    print(f"== making {SIZE // MIB} MiB of data")
    make_file(source)
    wanted = sha256(source)
    print("== building its manifest")
    commands.build(source)
    server, base = commands.serve(origin)
    url = f"{base}/image.bin"
    try:
        print(f"== serving it at {url}")
        verified = commands.kill_halfway(url)
        expect(not output.exists(), "a killed download left a file under the final name")
        print(f"== killed with SIGKILL after {verified / MIB:.1f} MiB were verified")

        done = commands.fetch(url)
        tell("resumed", done)
        expect(done["reused"] >= verified, "verified chunks were fetched again")
        expect(done["fetched"] + done["reused"] == SIZE, "fetched and reused do not add up")
        expect(sha256(output) == wanted, "the file is not the one that was published")

        damage(output, [3, 500, 1023])
        done = commands.fetch(url)
        tell("repaired", done)
        expect(done["fetched"] == 3 * CHUNK, "the repair fetched other than the three damaged chunks")
        expect(done["discarded"] == 0, "the repair discarded bytes")
        expect(sha256(output) == wanted, "the repaired file is not the one that was published")

        done = commands.fetch(url)
        tell("checked", done)
        expect(done["requests"] == 0 and done["fetched"] == 0, "a right file was asked for again")
    finally:
        server.terminate()
        server.wait()
    print("== all counts are right")


with tempfile.TemporaryDirectory(prefix="chunkget-quickstart-") as scratch:
    run(sys.argv[1], pathlib.Path(scratch))
