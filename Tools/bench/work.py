"""What a comparison is."""

import shutil


class Work:
    """Programs by name, which do the same thing, and the first of which is ours; `prepare` before each run, `check` after it.

    A row is named after the programs it runs, as `curl -o && sync`; where one of them is not installed, it is left out."""

    name = ""
    title = ""
    #: Ratios of ours to a peer, at most: the peer, what is compared, the limit. Of rows `peer (…)` the best one counts.
    targets: tuple = ()

    def __init__(self, site):
        self.site = site
        self.programs = self.commands()
        self.unchecked = set(self.programs)

    def commands(self):
        raise NotImplementedError

    def prepare(self):
        pass

    def check(self, name, cost):
        pass

    def clean(self):
        self.prepare()

    def notes(self, costs):
        """What was measured besides: paragraphs of Markdown, each a list of lines."""
        return []

    def shell(self, text):
        return ["sh", "-c", text]


PEERS = ("aria2c", "axel", "casync", "curl", "openssl", "sha256sum", "wget2", "zsync")


def absent(row):
    """The peers that a row is named after and that are not installed."""
    first_words = [part.split()[0].rstrip(",") for part in row.split("&&")]
    return [word for word in first_words if word in PEERS and shutil.which(word) is None]
