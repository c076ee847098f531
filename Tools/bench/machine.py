"""The machine of a benchmark: what is installed and built, what it is, and the server it runs."""

import os
import pathlib
import platform
import random
import shutil
import socket
import subprocess

MIB = 1 << 20
ROOT = pathlib.Path(__file__).resolve().parent.parent.parent


def bootstrap(peers_optional=False):
    """Installs what is missing; where that cannot be and peers are optional, what it said is all that comes of it."""
    done = subprocess.run([ROOT / "Tools" / "bootstrap", "--bench"], check=not peers_optional)
    if done.returncode != 0:
        require("nginx", "openssl", "cmp", "/usr/bin/time")


def which(program):
    """Debian keeps servers where only root's PATH looks."""
    return shutil.which(program, path=os.environ.get("PATH", "") + ":/usr/sbin:/sbin")


def require(*programs):
    for program in programs:
        if which(program) is None:
            raise SystemExit(f"there is no {program}; Tools/bootstrap --bench installs it")


def build():
    """Builds the commands as they are shipped; returns the folder they are in."""
    command = ["swift", "build", "-c", "release", "--static-swift-stdlib"]
    for product in ("chunkget", "chunkmanifest"):
        subprocess.run([*command, "--product", product], cwd=ROOT, check=True, stdout=subprocess.DEVNULL)
    shown = subprocess.run([*command, "--show-bin-path"], cwd=ROOT, check=True, capture_output=True, text=True)
    return pathlib.Path(shown.stdout.strip())


def cpu_flags():
    return set(_cpuinfo("flags").split())


def _cpuinfo(key):
    return next((line.split(":", 1)[1].strip() for line in open("/proc/cpuinfo") if line.split(":")[0].strip() == key), "unknown")


def describe(disk):
    """What a reader has to know of the machine, as lines."""
    memory = int(next(line.split()[1] for line in open("/proc/meminfo") if line.startswith("MemTotal"))) // MIB
    kind = subprocess.run(["df", "--output=fstype", disk], capture_output=True, text=True).stdout.split()[-1]
    return [
        f"CPU: {_cpuinfo('model name')}, {os.cpu_count()} usable", f"Memory: {memory} GiB", f"Kernel: {platform.release()}",
        f"Disk: {kind}",
        *(f"{name}: {version(*command)}" for name, *command in VERSIONS if which(command[0])),
    ]


#: A name, and the command that says the version.
VERSIONS = (
    ("curl", "curl", "--version"), ("aria2", "aria2c", "--version"), ("wget2", "wget2", "--version"), ("axel", "axel", "--version"),
    ("zsync", "zsync", "-V"), ("casync", "casync", "--version"), ("OpenSSL", "openssl", "version"), ("nginx", "nginx", "-v"),
    ("Swift", "swift", "--version"),
)


def version(program, *arguments):
    out = subprocess.run([which(program), *arguments], capture_output=True, text=True)
    return (out.stdout or out.stderr).splitlines()[0]


def make_file(path, mebibytes):
    """Noise that is the same every 64 MiB but for the first bytes of each such piece."""
    noise = random.Random(5).randbytes(64 * MIB)
    with open(path, "wb") as file:
        for number in range((mebibytes + 63) // 64):
            file.write(number.to_bytes(8, "little"))
            file.write(memoryview(noise)[8 : min(len(noise), mebibytes * MIB - number * 64 * MIB)])


def make_certificate(folder):
    """Of localhost, which is its own authority; the paths of it and of its key."""
    certificate, key = folder / "cert.pem", folder / "key.pem"
    subprocess.run(
        ["openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes", "-days", "2",
         "-subj", "/CN=localhost", "-addext", "subjectAltName=DNS:localhost", "-keyout", key, "-out", certificate],
        check=True, capture_output=True)
    return certificate, key


def temporary_paths(home):
    """What nginx has to be told so that it writes nowhere else."""
    return "".join(f"{kind}_temp_path {home}/{kind}; " for kind in ("client_body", "proxy", "fastcgi", "uwsgi", "scgi"))


class Nginx:
    """Serves a folder on free ports, without TLS and, where there is a certificate, with it, if wanted over HTTP/2 only."""

    def __init__(self, folder, home, certificate=None, http2_only=False):
        require("nginx")
        # It takes over sockets that listen before it runs, so it can be asked at once.
        listeners = [socket.create_server(("127.0.0.1", 0)) for _ in range(2 if certificate else 1)]
        ports = [listener.getsockname()[1] for listener in listeners]
        self.port, self.plain = ports[0], f"http://127.0.0.1:{ports[0]}"
        listen = f"listen 127.0.0.1:{ports[0]};"
        if certificate:
            self.secure = f"https://localhost:{ports[1]}"
            listen += (f"listen 127.0.0.1:{ports[1]} ssl {'http2' if http2_only else ''};"
                       f"ssl_certificate {certificate[0]}; ssl_certificate_key {certificate[1]};")
            if http2_only:
                listen += "if ($server_protocol != HTTP/2.0) { return 421; }"
        home.mkdir()
        # A server that gave up root reads it too.
        folder.chmod(0o755)
        user = "user root;" if os.geteuid() == 0 else ""
        (home / "nginx.conf").write_text(
            f"daemon off; worker_processes 2; {user} pid {home}/pid; error_log {home}/error.log;"
            f"events {{ worker_connections 512; }} http {{ {temporary_paths(home)} access_log off; sendfile on;"
            f"server {{ {listen} root {folder}; }} }}\n")
        numbers = [listener.fileno() for listener in listeners]
        self.process = subprocess.Popen(
            [which("nginx"), "-p", home, "-e", home / "error.log", "-c", home / "nginx.conf"], pass_fds=numbers,
            env={**os.environ, "NGINX": "".join(f"{number};" for number in numbers)})
        for listener in listeners:
            listener.close()

    def stop(self):
        self.process.terminate()
        self.process.wait()
