"""Makes the test vectors of manifests and Merkle trees with the reference implementation.

Spec/vectors/README.md says how to read them. What a reader must refuse is in chunkrejects.py.
"""

import dataclasses
import json
import pathlib
import struct
from collections.abc import Iterator, Sequence

import chunkref
from chunkref import sha256

CHUNK = 4096
WORD = "<Q"

# --------------------------------------------------------------------------------------------------------------------
# Contents
# --------------------------------------------------------------------------------------------------------------------


def stream_block(seed: str, number: int) -> bytes:
    return sha256(seed.encode() + struct.pack(WORD, number))


def stream(seed: str, length: int) -> bytes:
    """The blocks 0, 1, 2, … of a seed one after the other, cut to `length` bytes."""
    blocks = (length + chunkref.DIGEST_LENGTH - 1) // chunkref.DIGEST_LENGTH
    return b"".join(stream_block(seed, number) for number in range(blocks))[:length]


@dataclasses.dataclass(frozen=True)
class Content:
    """A file that every implementation can make from a few words."""

    kind: str
    length: int
    seed: str = ""

    def bytes(self) -> bytes:
        return stream(self.seed, self.length) if self.kind == "stream" else bytes(self.length)

    def json(self) -> dict:
        return {"kind": self.kind, "length": self.length} | ({"seed": self.seed} if self.kind == "stream" else {})


def chunk_ids(data: bytes, chunk_size: int) -> list[bytes]:
    return [sha256(data[start : start + chunk_size]) for start in range(0, len(data), chunk_size)]


def column(count: int, step: int) -> bytes:
    """Eight bytes a chunk, strictly increasing: fit for both `weak` and `pack`."""
    return b"".join(struct.pack(WORD, step * (index + 1)) for index in range(count))


# --------------------------------------------------------------------------------------------------------------------
# manifests.json
# --------------------------------------------------------------------------------------------------------------------

# Manifests longer than this are given by their SHA-256 alone.
MANIFEST_SHOWN_MAXIMUM = 4096

FULL_METADATA = {
    "comment": "two lines\nand a \"quote\"",
    "mediaType": "application/octet-stream",
    "name": "Größe 日本.bin",
    "sha256": sha256(stream("manifest", 2 * CHUNK + 1)).hex(),
    "sources": [
        {"kind": "file", "url": "https://mirror.example/pub/file.bin"},
        {"kind": "pack", "url": "file.bin.zst"},
        {"kind": "store", "url": "../store/"},
    ],
}


@dataclasses.dataclass(frozen=True)
class Case:
    name: str
    content: Content
    chunk_size: int = CHUNK
    metadata: dict | None = None
    columns: Sequence[tuple[bytes, bytes]] = ()

    def manifest(self) -> bytes:
        data = self.content.bytes()
        return chunkref.assemble(
            len(data), self.chunk_size, chunk_ids(data, self.chunk_size), self.metadata, self.columns
        )

    def json(self) -> dict:
        data = self.manifest()
        manifest, _ = chunkref.read_whole(data)
        header = manifest.header
        result: dict = {
            "name": self.name,
            "content": self.content.json(),
            "chunkSize": header.chunk_size,
            "fileLength": header.file_length,
            "chunkCount": header.chunk_count,
            "groupCount": header.group_count,
            "root": header.root.hex(),
            "fileID": chunkref.file_id_text(manifest.file_id),
            "groupRoots": [root.hex() for root in manifest.group_roots],
        }
        if self.metadata:
            result["metadata"] = self.metadata
        if self.columns:
            result["extraSections"] = [{"type": type_.decode(), "hex": data.hex()} for type_, data in self.columns]
        result |= {
            "sections": [
                {
                    "type": section.type.decode(),
                    "offset": section.offset,
                    "length": section.length,
                    "check": section.check.hex(),
                }
                for section in manifest.sections
            ],
            "neededPrefix": chunkref.needed_prefix(data),
            "manifestLength": len(data),
            "manifestSHA256": sha256(data).hex(),
        }
        if len(data) <= MANIFEST_SHOWN_MAXIMUM:
            result["manifest"] = data.hex()
        return result


def manifest_cases() -> Iterator[Case]:
    def file(length: int) -> Content:
        return Content("stream", length, "manifest")

    lengths = {
        "0": 0, "1": 1, "C-1": CHUNK - 1, "C": CHUNK, "C+1": CHUNK + 1,
        "2C-1": 2 * CHUNK - 1, "2C": 2 * CHUNK, "2C+1": 2 * CHUNK + 1, "3C": 3 * CHUNK,
    }
    for name, length in lengths.items():
        yield Case(f"length {name}", file(length))
    for count in (1023, 1024, 1025, 2048, 2049):
        yield Case(f"{count} chunks", file(count * CHUNK))
        yield Case(f"{count} chunks, the last of one byte", file((count - 1) * CHUNK + 1))

    three = file(2 * CHUNK + 1)
    yield Case("name", three, metadata={"name": "file.bin"})
    yield Case("whole-file SHA-256", three, metadata={"sha256": FULL_METADATA["sha256"]})
    yield Case("all metadata", three, metadata=FULL_METADATA)
    yield Case("empty file with metadata", file(0), metadata={"name": "empty", "sha256": sha256(b"").hex()})
    yield Case("unknown section", three, columns=[(b"note", b"skip me")])
    yield Case("unknown sections in any order", three, columns=[(b"zeta", b"z"), (b"beta", b""), (b"mETA", b"m")])
    yield Case("all columns", three, metadata=FULL_METADATA, columns=all_columns(3))
    yield Case("empty file with empty columns", file(0), columns=[(b"weak", b""), (b"pack", b"")])
    yield Case("zeros", Content("zeros", 3 * CHUNK + 5))
    for size in (8 << 10, 64 << 10, 256 << 10, 1 << 20, 4 << 20):
        yield Case(f"chunk size {size}", file(size + 1), chunk_size=size)


def all_columns(count: int) -> list[tuple[bytes, bytes]]:
    return [(b"weak", column(count, 0x0123456789ABCDEF)), (b"pack", column(count, 1000)), (b"note", b"skip me")]


def manifests() -> dict:
    boundaries = [0, 1, 4096]
    for size in (256 << 10, 512 << 10, 1 << 20, 2 << 20, 4 << 20):
        boundaries += [size << 20, (size << 20) + 1]
    limit = chunkref.CHUNK_SIZE_MAXIMUM * chunkref.CHUNKS_MAXIMUM
    recommended = []
    for length in [*boundaries, limit, limit + 1]:
        size = chunkref.recommended_chunk_size(length)
        recommended.append({"fileLength": length, "chunkSize": size if length <= limit else None})

    digits = sha256(b"text").hex()
    texts = [
        "chunks1-" + digits, digits, digits.upper(), "chunks1-" + digits.upper(),
        "", "chunks1-", "CHUNKS1-" + digits, "chunks2-" + digits, "chunks1-chunks1-" + digits,
        digits[:-1], digits + "0", " " + digits, digits + "\n",
        digits[:-1] + "g", "0x" + digits[2:], digits[:-1] + "\u0663",
    ]
    file_ids = []
    for text in texts:
        identifier = chunkref.parse_file_id(text)
        file_ids.append({"text": text, "fileID": chunkref.file_id_text(identifier) if identifier else None})

    return {
        "format": "chunkget manifest vectors 1",
        "cases": [case.json() for case in manifest_cases()],
        "recommendedChunkSizes": recommended,
        "zeroChunks": [
            {"length": length, "id": chunkref.zero_chunk_id(length).hex()}
            for length in (1, 5, CHUNK - 1, CHUNK, 64 << 10, 256 << 10, 1 << 20, 4 << 20)
        ],
        "fileIDTexts": file_ids,
    }


# --------------------------------------------------------------------------------------------------------------------
# weak.json
# --------------------------------------------------------------------------------------------------------------------


def hexadecimal(number: int) -> str:
    return f"{number:016x}"


def weak() -> dict:
    hashes = []
    for content in [
        *(Content("stream", length, "weak") for length in (0, 1, 2, 3, 4, 5, 31, 32, 33, 255, CHUNK - 1, CHUNK, CHUNK + 1)),
        Content("zeros", CHUNK),
        Content("stream", 1 << 20, "weak"),
    ]:
        hashes.append({"content": content.json(), "weak": hexadecimal(chunkref.weak_hash(content.bytes()))})
    rolled = []
    for window in (1, 2, 3, 4, 7, 64, 100):
        content = Content("stream", 256, "rolled")
        windows = list(chunkref.weak_hashes_of_windows(content.bytes(), window))
        assert windows == [
            chunkref.weak_hash(content.bytes()[start : start + window]) for start in range(256 - window + 1)
        ]
        rolled.append({"content": content.json(), "window": window, "weak": [hexadecimal(value) for value in windows]})
    return {"format": "chunkget weak hash vectors 1", "hashes": hashes, "rolled": rolled}


# --------------------------------------------------------------------------------------------------------------------
# merkle.json
# --------------------------------------------------------------------------------------------------------------------

# The leaves of Certificate Transparency's own tests and the roots over them: made by neither implementation here.
EXTERNAL_LEAVES = (
    "", "00", "10", "2021", "3031", "40414243", "5051525354555657", "606162636465666768696a6b6c6d6e6f",
)
EXTERNAL_ROOTS = (
    "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855",
    "6e340b9cffb37a989ca544e6bb780a2c78901d3fb33738768511a30617afa01d",
    "fac54203e7cc696cf0dfcb42c92a1d9dbaf70ad9e621f4bd8d98662f00e3c125",
    "aeb6bcfe274b70a14fb067a5e5578264db0fa9b51af5e0ba159158f329e06e77",
    "d37ee418976dd95753c1c73862b9398fa2a2cf9b4ff0fdfe8b30cd95209614b7",
    "4e3bbb1f7b478dcfe71fb631631519a3bca12c9aefca1612bfce4c13a86264d4",
    "76e67dadbcdf1e10e1b74ddc608abd2f98dfb16fbce75277b5232a127f2087ef",
    "ddb89be403809e325750d3d263cd78929c2942b7942a34b77e122c9594a74c8c",
    "5dc9da79a70659a9ad559cb701ded9a2ab9d823aad2f4960cfe370eff4604328",
)

LEAF_SEED = "merkle"
SMALL_TREES = range(34)
LARGE_TREES = (1023, 1024, 1025, 2047, 2048, 2049)


def leaves(size: int) -> list[bytes]:
    return [stream_block(LEAF_SEED, index) for index in range(size)]


@dataclasses.dataclass(frozen=True)
class Proof:
    size: int
    index: int
    id: bytes
    path: Sequence[bytes]
    root: bytes

    def holds(self) -> bool:
        return chunkref.verify_inclusion(self.index, self.size, self.id, self.path, self.root)

    @classmethod
    def make(cls, size: int, index: int) -> "Proof":
        tree = leaves(size)
        return cls(size, index, tree[index], chunkref.inclusion_path(index, tree), chunkref.tree_root(tree))


def flip(data: bytes, bit: int) -> bytes:
    changed = bytearray(data)
    changed[bit // 8] ^= 1 << bit % 8
    return bytes(changed)


def false_proofs() -> Iterator[tuple[str, Proof]]:
    """What must not verify."""
    for size, index in ((1, 0), (2, 1), (7, 3), (7, 6), (8, 5), (33, 32), (1025, 1024)):
        proof = Proof.make(size, index)
        path = list(proof.path)
        assert proof.holds()

        def changed(name: str, **fields: object) -> tuple[str, Proof]:
            return f"{name}: leaf {index} of {size}", dataclasses.replace(proof, **fields)

        yield changed("another ID", id=flip(proof.id, 255))
        yield changed("another root", root=flip(proof.root, 0))
        yield changed("root of the empty tree", root=chunkref.EMPTY_ROOT)
        yield changed("leaf hash in place of the ID", id=chunkref.leaf_hash(proof.id))
        yield changed("one hash too many", path=[*path, proof.root])
        yield changed("the last hash twice", path=[*path, *path[-1:]] if path else [proof.id])
        yield changed("index past the end", index=size)
        yield changed("index far past the end", index=size + (1 << 24))
        yield changed("empty tree", size=0)
        for level in range(len(path)):
            flipped = [*path[:level], flip(path[level], 7), *path[level + 1 :]]
            yield changed(f"hash {level} with a bit flipped", path=flipped)
            yield changed(f"hash {level} missing", path=path[:level] + path[level + 1 :])
        if len(path) > 1:
            yield changed("path upside down", path=path[::-1])
        if size > 1:
            yield changed("no path", path=[])
            yield changed("the neighbour's place", index=index ^ 1 if index ^ 1 < size else index - 1)
    # An inner node must not pass as a leaf: of the tree over four leaves, the two nodes below the root.
    four = leaves(4)
    left, right = chunkref.tree_root(four[:2]), chunkref.tree_root(four[2:])
    yield "inner node as a leaf of two", Proof(2, 0, left, [right], chunkref.tree_root(four))
    # RFC 9162 does not double the last leaf of an odd tree, as Bitcoin does.
    three = leaves(3)
    doubled = chunkref.tree_root([*three, three[2]])
    yield "last leaf doubled", Proof(3, 2, three[2], [chunkref.tree_root(three[:2])], doubled)
    # A root over the IDs without domain separation.
    pair = leaves(2)
    yield "no leaf prefix", Proof(2, 0, pair[0], [pair[1]], chunkref.node_hash(pair[0], pair[1]))


def merkle() -> dict:
    external = [bytes.fromhex(leaf) for leaf in EXTERNAL_LEAVES]
    for size, root in enumerate(EXTERNAL_ROOTS):
        assert chunkref.tree_root(external[:size]).hex() == root, f"the external root of {size} leaves"

    roots = []
    for size in (*SMALL_TREES, *LARGE_TREES):
        entry = {"size": size, "root": chunkref.tree_root(leaves(size)).hex()}
        if size in LARGE_TREES:
            entry["groupRoots"] = [root.hex() for root in chunkref.group_roots(leaves(size))]
        roots.append(entry)

    places = [(size, index) for size in SMALL_TREES for index in range(size)]
    for size in LARGE_TREES:
        places += [(size, index) for index in sorted({0, 1, 511, 1022, size // 2, size - 2, size - 1})]
    proofs = []
    for size, index in places:
        proof = Proof.make(size, index)
        assert proof.holds()
        proofs.append({"size": size, "index": index, "path": [node.hex() for node in proof.path]})

    rejected = []
    for name, proof in false_proofs():
        assert not proof.holds(), f"{name} verifies"
        rejected.append(
            {
                "name": name,
                "size": proof.size,
                "index": proof.index,
                "id": proof.id.hex(),
                "path": [node.hex() for node in proof.path],
                "root": proof.root.hex(),
            }
        )
    return {
        "format": "chunkget Merkle vectors 1",
        "external": {"leaves": list(EXTERNAL_LEAVES), "roots": list(EXTERNAL_ROOTS)},
        "leafSeed": LEAF_SEED,
        "roots": roots,
        "proofs": proofs,
        "rejected": rejected,
    }


# --------------------------------------------------------------------------------------------------------------------
# Files
# --------------------------------------------------------------------------------------------------------------------


def lines(value: dict) -> str:
    """JSON with a line for each element of the top-level lists, so that a difference shows which case it is."""
    members = []
    for name, member in value.items():
        if isinstance(member, list):
            text = "[\n" + ",\n".join("  " + compact(element) for element in member) + "\n]"
        else:
            text = compact(member)
        members.append(f"{json.dumps(name)}: {text}")
    return "{\n" + ",\n".join(members) + "\n}\n"


def compact(value: object) -> str:
    return json.dumps(value, separators=(",", ":"))


def write_all(directory: pathlib.Path) -> None:
    import chunklearned
    import chunkpack
    import chunkrejects
    import chunksign

    directory.mkdir(parents=True, exist_ok=True)
    for name, make in {
        "learned": chunklearned.learned,
        "manifests": manifests,
        "merkle": merkle,
        "pack": chunkpack.vectors,
        "rejects": chunkrejects.rejects,
        "signatures": chunksign.signatures,
        "weak": weak,
    }.items():
        (directory / f"{name}.json").write_text(lines(make()), encoding="ascii", newline="\n")
