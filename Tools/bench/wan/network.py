"""Links of link.c, a web server behind each, and programs that run at the client's end."""

import pathlib
import subprocess

import machine

HERE = pathlib.Path(__file__).resolve().parent
PORT = 8080


class NoLinks(Exception):
    """The machine does not allow them."""


class Link:
    """Mbit/s, round trip in milliseconds, percent of packets lost each way. The queue holds one round trip of the rate."""

    def __init__(self, rate, round_trip, loss=0.0):
        self.rate, self.round_trip, self.loss = rate, round_trip, loss

    @property
    def queue(self):
        return max(256 << 10, int(self.rate * self.round_trip * 125))

    def __str__(self):
        loss = f", {self.loss:g} % of packets lost" if self.loss else ""
        return f"{self.rate:g} Mbit/s, {self.round_trip:g} ms{loss}"


class Network:
    """A client, and a server at the end of each link, which serves `folder`. Needs root."""

    def __init__(self, links, folder, scratch):
        program = scratch / "link"
        subprocess.run(["cc", "-O2", "-Wall", "-Wextra", "-Werror", HERE / "link.c", "-o", program, "-lpthread"], check=True)
        words = [f"{link.rate}:{link.round_trip / 2}:{link.loss}:{link.queue}" for link in links]
        self.process = subprocess.Popen([program, *words], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        self.client = self._space()
        self.servers = []
        for number, _ in enumerate(links):
            self.servers.append(Server(self._space(), number, folder, scratch))

    def _space(self):
        line = self.process.stdout.readline()
        if not line:
            raise NoLinks("this needs root, network namespaces and /dev/net/tun")
        return line.split()[-1]

    def at_client(self, command):
        return ["nsenter", f"--net={self.client}", *command]

    def url(self, number, name):
        return f"http://10.77.{number}.2:{PORT}/{name}"

    def order(self, text):
        self.process.stdin.write(f"{text}\n")
        self.process.stdin.flush()

    def stop(self):
        """Returns what each direction carried, a line each."""
        for server in self.servers:
            server.stop()
        self.process.stdin.close()
        carried = self.process.stdout.read().splitlines()
        self.process.wait()
        return carried


class Server:
    """nginx at the far end of a link."""

    def __init__(self, space, number, folder, scratch):
        home = scratch / f"server{number}"
        home.mkdir()
        folder.chmod(0o755)
        (home / "nginx.conf").write_text(
            f"worker_processes 1; user root; pid {home}/pid; error_log {home}/error.log;"
            f"events {{ worker_connections 512; }} http {{ {machine.temporary_paths(home)} access_log off; sendfile on;"
            f"server {{ listen 10.77.{number}.2:{PORT}; root {folder}; }} }}\n")
        self.command = ["nsenter", f"--net={space}", machine.which("nginx"), "-p", home, "-e", home / "error.log",
                        "-c", home / "nginx.conf"]
        self.start()

    def start(self):
        # In the background once it listens.
        subprocess.run(self.command, check=True)
        self.runs = True

    def stop(self):
        """At once: what is open is reset."""
        if self.runs:
            subprocess.run([*self.command, "-s", "stop"], check=True, stderr=subprocess.DEVNULL)
            self.runs = False
