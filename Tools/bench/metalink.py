"""A Metalink with the hashes of all pieces, for aria2, which checks pieces of nothing else."""

import hashlib

PIECE = 1 << 20


def write(path, file, url):
    """Of a file, under the name it has."""
    whole, pieces = hashlib.sha256(), []
    with file.open("rb") as content:
        while piece := content.read(PIECE):
            whole.update(piece)
            pieces.append(f"<hash>{hashlib.sha256(piece).hexdigest()}</hash>")
    path.write_text(
        f'<?xml version="1.0"?><metalink xmlns="urn:ietf:params:xml:ns:metalink"><file name="{file.name}">'
        f'<size>{file.stat().st_size}</size><hash type="sha-256">{whole.hexdigest()}</hash>'
        f'<pieces length="{PIECE}" type="sha-256">{"".join(pieces)}</pieces><url>{url}</url></file></metalink>')
    return path
