"""What was learned of a file without a manifest, as in learned-v1.md, and its test vectors.

Python 3.11, standard library only.
"""

import dataclasses
import hashlib
import struct

MAGIC = bytes.fromhex("8943484C0D0A1A0A")
CHECK_OFFSET, VALIDATOR_MAXIMUM = 4064, 3968
ENTITY_TAG, DATE = 1, 2


@dataclasses.dataclass
class Header:
    url: str
    file_length: int
    chunk_size: int
    validator: bytes
    kind: int

    def bytes(self) -> bytes:
        """A reader compares them with what it would write itself."""
        assert 1 <= len(self.validator) <= VALIDATOR_MAXIMUM and 1 <= self.file_length <= self.chunk_size << 24
        fields = struct.pack("<8sHHIQII", MAGIC, 1, self.kind, self.chunk_size, self.file_length, len(self.validator), 0)
        checked = (fields + hashlib.sha256(self.url.encode()).digest() + self.validator).ljust(CHECK_OFFSET, b"\0")
        return checked + hashlib.sha256(checked).digest()


def learned() -> dict:
    """The vectors."""
    url, tag, date = "https://example.org/f.bin?v=1", b'"5c-61a"', b"Sun, 06 Nov 1994 08:49:37 GMT"
    cases = [
        ("entity tag", Header(url, 5_000_000, 1 << 18, tag, ENTITY_TAG)),
        ("date", Header("http://example.org/", 1, 1 << 12, date, DATE)),
        ("largest", Header(url, 1 << 46, 1 << 22, b'"' + b"x" * 3966 + b'"', ENTITY_TAG)),
        ("tag beyond ASCII", Header(url, 1 << 36, 1 << 12, '"\u00e4"'.encode(), ENTITY_TAG)),
    ]
    return {
        "format": "chunkget learned vectors 1",
        "cases": [
            {"name": name, "url": header.url, "fileLength": header.file_length, "chunkSize": header.chunk_size,
             "validator": header.validator.decode(), "isEntityTag": header.kind == ENTITY_TAG, "header": header.bytes().hex()}
            for name, header in cases
        ],
    }
