#!/usr/bin/env python3
"""A readable second implementation of the formats in Spec: it favours being obviously right over being fast.

    chunkref.py build FILE OUT [--chunk-size N] [--sha256] [--weak] [--name NAME]
                                                                           write the manifest of FILE to OUT
    chunkref.py show M                                                     say what is in manifest M
    chunkref.py verify FILE M [--id ID]                                    list the chunks of FILE that differ from M
    chunkref.py vectors DIR                                                write the test vectors into DIR

Exit status: 0 all right, 1 the file differs, 2 usage, 3 the manifest is not to be trusted.

Python 3.11, standard library only. Read it from top to bottom: hashes and trees (merkle-v1.md), then the manifest
(manifest-v1.md) from its metadata to whole reading, reading by pages, and building; the commands come last.
"""

import argparse
import dataclasses
import hashlib
import json
import pathlib
import struct
import sys
from collections.abc import Iterator, Sequence
from typing import NoReturn

# --------------------------------------------------------------------------------------------------------------------
# Errors
# --------------------------------------------------------------------------------------------------------------------

# Every reason to refuse a manifest; manifest-v1.md says what each means.
ERROR_CODES = (
    "notAManifest",
    "unsupportedVersion",
    "truncated",
    "invalidHeader",
    "tooLarge",
    "invalidSectionTable",
    "unknownSection",
    "trailingBytes",
    "checksumMismatch",
    "invalidMetadata",
    "rootMismatch",
    "pinMismatch",
    "invalidPack",
    "pageMismatch",
)


class ManifestError(Exception):
    """Why bytes are not a manifest, or not the one that was asked for."""

    def __init__(self, code: str, message: str):
        super().__init__(f"{code}: {message}")
        assert code in ERROR_CODES, code
        self.code = code


def refuse(code: str, message: str) -> NoReturn:
    raise ManifestError(code, message)


# --------------------------------------------------------------------------------------------------------------------
# Hashes and Merkle trees (merkle-v1.md)
# --------------------------------------------------------------------------------------------------------------------

DIGEST_LENGTH = 32


def sha256(data: bytes) -> bytes:
    return hashlib.sha256(data).digest()


EMPTY_ROOT = sha256(b"")


def leaf_hash(data: bytes) -> bytes:
    return sha256(b"\x00" + data)


def node_hash(left: bytes, right: bytes) -> bytes:
    return sha256(b"\x01" + left + right)


def split(size: int) -> int:
    """The largest power of two smaller than `size`: how many leaves go to the left (RFC 9162, section 2.1.1)."""
    return 1 << ((size - 1).bit_length() - 1)


def subtree_root(hashes: Sequence[bytes]) -> bytes:
    """The root over nodes of equal height, the last of which may be lower: leaf hashes, or the roots of groups."""
    if not hashes:
        return EMPTY_ROOT
    if len(hashes) == 1:
        return hashes[0]
    middle = split(len(hashes))
    return node_hash(subtree_root(hashes[:middle]), subtree_root(hashes[middle:]))


def tree_root(leaves: Sequence[bytes]) -> bytes:
    """MTH(D[n]) of RFC 9162, section 2.1.1. In a manifest the leaf data are the chunk IDs."""
    return subtree_root([leaf_hash(leaf) for leaf in leaves])


def inclusion_path(index: int, leaves: Sequence[bytes]) -> list[bytes]:
    """PATH(m, D[n]) of RFC 9162, section 2.1.3.1, lowest first."""
    if len(leaves) == 1:
        return []
    middle = split(len(leaves))
    if index < middle:
        return inclusion_path(index, leaves[:middle]) + [tree_root(leaves[middle:])]
    return inclusion_path(index - middle, leaves[middle:]) + [tree_root(leaves[:middle])]


def verify_inclusion(index: int, size: int, leaf: bytes, path: Sequence[bytes], root: bytes) -> bool:
    """RFC 9162, section 2.1.3.2, step by step."""
    if not 0 <= index < size:
        return False
    first, second = index, size - 1
    result = leaf_hash(leaf)
    for sibling in path:
        if second == 0:
            return False
        if first & 1 or first == second:
            result = node_hash(sibling, result)
            while first & 1 == 0 and first != 0:
                first >>= 1
                second >>= 1
        else:
            result = node_hash(result, sibling)
        first >>= 1
        second >>= 1
    return second == 0 and result == root


# --------------------------------------------------------------------------------------------------------------------
# Chunks, groups and file IDs (manifest-v1.md, sections 1 and 2)
# --------------------------------------------------------------------------------------------------------------------

CHUNK_SIZE_MINIMUM = 4 << 10
CHUNK_SIZE_STANDARD = 256 << 10
CHUNK_SIZE_MAXIMUM = 4 << 20
CHUNKS_MAXIMUM = 1 << 24
CHUNKS_PER_GROUP = 1024


def is_chunk_size(size: int) -> bool:
    return CHUNK_SIZE_MINIMUM <= size <= CHUNK_SIZE_MAXIMUM and size & (size - 1) == 0


def ceiling_quotient(number: int, divisor: int) -> int:
    return (number + divisor - 1) // divisor


def recommended_chunk_size(file_length: int) -> int:
    """What a builder uses unless told otherwise."""
    size = CHUNK_SIZE_STANDARD
    while size < CHUNK_SIZE_MAXIMUM and ceiling_quotient(file_length, size) > 1 << 20:
        size *= 2
    return size


def group_roots(chunk_ids: Sequence[bytes]) -> list[bytes]:
    return [
        tree_root(chunk_ids[first : first + CHUNKS_PER_GROUP]) for first in range(0, len(chunk_ids), CHUNKS_PER_GROUP)
    ]


def zero_chunk_id(length: int) -> bytes:
    """The ID of a chunk that is all zeros, which a hole in a sparse file reads as."""
    return sha256(bytes(length))


FILE_ID_PREFIX = "chunks1-"


def file_id(file_length: int, chunk_size: int, root: bytes) -> bytes:
    return sha256(b"chunks/1" + struct.pack("<QQ", file_length, chunk_size) + root)


def file_id_text(identifier: bytes) -> str:
    return FILE_ID_PREFIX + identifier.hex()


def parse_file_id(text: str) -> bytes | None:
    """What a person types: the printed form or the digits alone, which may be upper case."""
    digits = text.removeprefix(FILE_ID_PREFIX)
    if len(digits) != 2 * DIGEST_LENGTH or not all(digit in "0123456789abcdefABCDEF" for digit in digits):
        return None
    return bytes.fromhex(digits)


# --------------------------------------------------------------------------------------------------------------------
# Metadata (manifest-v1.md, section 6)
# --------------------------------------------------------------------------------------------------------------------

METADATA_LENGTH_MAXIMUM = 1 << 20
NAME_LENGTH_MAXIMUM = 242
SOURCES_MAXIMUM = 64
SOURCE_KINDS = ("file", "pack", "store")


def canonical_json(value: object) -> bytes:
    """RFC 8785 for values made of objects, arrays and strings, with ASCII member names."""
    return json.dumps(value, ensure_ascii=False, sort_keys=True, separators=(",", ":")).encode("utf-8")


def is_visible_ascii(text: str, first: int, maximum: int) -> bool:
    return 1 <= len(text) <= maximum and all(first <= ord(character) <= 0x7E for character in text)


def is_file_name(text: str) -> bool:
    """One component of a path, without control bytes."""
    return (
        1 <= len(text.encode("utf-8")) <= NAME_LENGTH_MAXIMUM
        and text not in (".", "..")
        and not any(character < " " or character in "/\x7f" for character in text)
    )


def is_source(value: object) -> bool:
    return (
        isinstance(value, dict)
        and value.keys() == {"kind", "url"}
        and value["kind"] in SOURCE_KINDS
        and isinstance(value["url"], str)
        and is_visible_ascii(value["url"], 0x21, 2048)
    )


# The members that metadata may have, each with what its value must be.
METADATA_MEMBERS = {
    "comment": lambda value: isinstance(value, str) and value != "",
    "mediaType": lambda value: isinstance(value, str) and is_visible_ascii(value, 0x20, 255),
    "name": lambda value: isinstance(value, str) and is_file_name(value),
    "sha256": lambda value: isinstance(value, str)
    and len(value) == 64
    and all(digit in "0123456789abcdef" for digit in value),
    "sources": lambda value: isinstance(value, list)
    and 1 <= len(value) <= SOURCES_MAXIMUM
    and all(is_source(source) for source in value),
}


def check_metadata(value: object) -> None:
    if not isinstance(value, dict):
        refuse("invalidMetadata", "not an object")
    for name, member in value.items():
        if name not in METADATA_MEMBERS:
            refuse("invalidMetadata", f"no such member: {name!r}")
        if not METADATA_MEMBERS[name](member):
            refuse("invalidMetadata", f"the value of {name} is not allowed")


def parse_metadata(data: bytes) -> dict:
    """Accepts exactly the bytes that a writer makes: anything that does not come out the same is refused."""
    try:
        value = json.loads(data.decode("utf-8"))
        check_metadata(value)
        canonical = canonical_json(value)
    except (ValueError, RecursionError) as error:
        refuse("invalidMetadata", f"not JSON in UTF-8: {error}")
    if canonical != data:
        refuse("invalidMetadata", "not in canonical form")
    return value


# --------------------------------------------------------------------------------------------------------------------
# Header and section table (manifest-v1.md, sections 3 and 4)
# --------------------------------------------------------------------------------------------------------------------

MAGIC = bytes.fromhex("8943484B0D0A1A0A")
VERSION = 1
HEADER = struct.Struct("<8sHHIQII32s")
ENTRY = struct.Struct("<4s4sQQ")
SECTIONS_MAXIMUM = 16
UNKNOWN_LENGTH_MAXIMUM = 1 << 20
# The types that are known, in the order in which their sections stand.
KNOWN_TYPES = (b"GRPS", b"meta", b"LEAF", b"weak", b"pack")


@dataclasses.dataclass(frozen=True)
class Header:
    section_count: int
    chunk_size: int
    file_length: int
    root: bytes

    @property
    def chunk_count(self) -> int:
        return ceiling_quotient(self.file_length, self.chunk_size)

    @property
    def group_count(self) -> int:
        return ceiling_quotient(self.chunk_count, CHUNKS_PER_GROUP)

    @property
    def table_end(self) -> int:
        return HEADER.size + ENTRY.size * self.section_count

    @property
    def file_id(self) -> bytes:
        return file_id(self.file_length, self.chunk_size, self.root)

    def chunks_in_group(self, group: int) -> range:
        first = group * CHUNKS_PER_GROUP
        return range(first, min(first + CHUNKS_PER_GROUP, self.chunk_count))

    def pack(self) -> bytes:
        return HEADER.pack(
            MAGIC, VERSION, self.section_count, self.chunk_size, self.file_length, CHUNKS_PER_GROUP, 0, self.root
        )


@dataclasses.dataclass(frozen=True)
class Section:
    type: bytes
    check: bytes
    offset: int
    length: int

    @property
    def end(self) -> int:
        return self.offset + self.length

    def bytes_in(self, data: bytes) -> bytes:
        return data[self.offset : self.end]

    def verify_check(self, data: bytes) -> None:
        if section_check(self.bytes_in(data)) != self.check:
            refuse("checksumMismatch", f"section {self.type!r} is damaged")

    def pack(self) -> bytes:
        return ENTRY.pack(self.type, self.check, self.offset, self.length)


def section_check(data: bytes) -> bytes:
    return sha256(data)[:4]


def has_magic(data: bytes) -> bool:
    """False: the bytes are something else. True: whatever is wrong with them is an error."""
    return data[: len(MAGIC)] == MAGIC


def parse_header(data: bytes) -> Header:
    """Steps 1 to 3 of the order of checks."""
    if not has_magic(data):
        refuse("notAManifest", "no magic")
    if len(data) < HEADER.size:
        refuse("truncated", "the bytes end within the header")
    _, version, section_count, chunk_size, file_length, group_size, reserved, root = HEADER.unpack_from(data)
    if version != VERSION:
        refuse("unsupportedVersion", f"version {version}")
    if section_count > SECTIONS_MAXIMUM:
        refuse("invalidHeader", f"{section_count} sections")
    if not is_chunk_size(chunk_size):
        refuse("invalidHeader", f"chunk size {chunk_size}")
    header = Header(section_count, chunk_size, file_length, root)
    if header.chunk_count > CHUNKS_MAXIMUM:
        refuse("tooLarge", f"{header.chunk_count} chunks")
    if group_size != CHUNKS_PER_GROUP:
        refuse("invalidHeader", f"{group_size} chunks a group")
    if reserved != 0:
        refuse("invalidHeader", "the reserved field is not zero")
    return header


def fixed_length(type_: bytes, header: Header) -> int | None:
    """The length that a section of this type must have, where the file length decides it."""
    return {
        b"GRPS": DIGEST_LENGTH * header.group_count,
        b"LEAF": DIGEST_LENGTH * header.chunk_count,
        b"weak": 8 * header.chunk_count,
        b"pack": 8 * header.chunk_count,
    }.get(type_)


def order_of(type_: bytes) -> int:
    return KNOWN_TYPES.index(type_) if type_ in KNOWN_TYPES else len(KNOWN_TYPES)


def is_letter(byte: int) -> bool:
    return ord("A") <= byte <= ord("Z") or ord("a") <= byte <= ord("z")


def parse_table(data: bytes, header: Header) -> list[Section]:
    """Steps 4 to 6. The sections of the result follow the table and each other without gap or overlap."""
    if len(data) < header.table_end:
        refuse("truncated", "the bytes end within the section table")
    sections: list[Section] = []
    end = header.table_end
    unknown_length = 0
    for number in range(header.section_count):
        section = Section(*ENTRY.unpack_from(data, HEADER.size + ENTRY.size * number))
        known = section.type in KNOWN_TYPES
        if not all(is_letter(byte) for byte in section.type):
            refuse("invalidSectionTable", f"{section.type!r} is not a type")
        if not known and section.type[:1].isupper():
            refuse("unknownSection", f"section {section.type!r} needs a newer reader")
        if any(earlier.type == section.type for earlier in sections):
            refuse("invalidSectionTable", f"section {section.type!r} twice")
        if sections and order_of(section.type) < order_of(sections[-1].type):
            refuse("invalidSectionTable", f"section {section.type!r} after {sections[-1].type!r}")
        if section.offset != end:
            refuse("invalidSectionTable", f"section {section.type!r} begins at {section.offset}, not at {end}")
        length = fixed_length(section.type, header)
        if length is not None and section.length != length:
            refuse("invalidSectionTable", f"section {section.type!r} has {section.length} bytes, not {length}")
        if section.type == b"meta" and section.length > METADATA_LENGTH_MAXIMUM:
            refuse("tooLarge", f"{section.length} bytes of metadata")
        if not known:
            unknown_length += section.length
            if unknown_length > UNKNOWN_LENGTH_MAXIMUM:
                refuse("tooLarge", f"{unknown_length} bytes of unknown sections")
        sections.append(section)
        end = section.end
    for type_ in (b"GRPS", b"LEAF"):
        if all(section.type != type_ for section in sections):
            refuse("invalidSectionTable", f"no section {type_!r}")
    return sections


# --------------------------------------------------------------------------------------------------------------------
# Reading (manifest-v1.md, sections 7 and 8)
# --------------------------------------------------------------------------------------------------------------------


@dataclasses.dataclass(frozen=True)
class Manifest:
    """What is known after a prefix was read and verified; the chunk IDs are read page by page."""

    header: Header
    sections: list[Section]
    group_roots: list[bytes]
    metadata: dict | None

    @property
    def file_id(self) -> bytes:
        return self.header.file_id

    @property
    def total_length(self) -> int:
        return self.sections[-1].end

    def section(self, type_: bytes) -> Section | None:
        return find(self.sections, type_)

    def page_range(self, group: int) -> range:
        """Where the chunk IDs of a group lie in the manifest."""
        chunks = self.header.chunks_in_group(group)
        leaf = self.section(b"LEAF")
        assert leaf is not None
        return range(leaf.offset + DIGEST_LENGTH * chunks.start, leaf.offset + DIGEST_LENGTH * chunks.stop)

    def read_page(self, group: int, data: bytes) -> list[bytes]:
        """The chunk IDs of one group, from wherever `data` came."""
        if len(data) != len(self.page_range(group)):
            refuse("pageMismatch", f"{len(data)} bytes for group {group}")
        chunk_ids = divide(data)
        if tree_root(chunk_ids) != self.group_roots[group]:
            refuse("pageMismatch", f"the chunk IDs of group {group} do not make up its root")
        return chunk_ids


def find(sections: Sequence[Section], type_: bytes) -> Section | None:
    return next((section for section in sections if section.type == type_), None)


def divide(data: bytes) -> list[bytes]:
    """The digests that stand one after the other in `data`."""
    return [data[offset : offset + DIGEST_LENGTH] for offset in range(0, len(data), DIGEST_LENGTH)]


def prefix_end(sections: Sequence[Section]) -> int:
    last = find(sections, b"meta") or find(sections, b"GRPS")
    assert last is not None
    return last.end


def needed_prefix(data: bytes) -> int:
    """How many bytes `read_prefix` needs, from the beginning of a manifest, at least up to the end of its table."""
    return prefix_end(parse_table(data, parse_header(data)))


def read_prefix(data: bytes, pin: bytes | None = None) -> Manifest:
    """Steps 1 to 10, of a manifest of which `data` is the beginning or all."""
    header = parse_header(data)
    sections = parse_table(data, header)
    if len(data) < prefix_end(sections):
        refuse("truncated", "the bytes end before the end of group roots and metadata")
    if len(data) > sections[-1].end:
        refuse("trailingBytes", f"{len(data) - sections[-1].end} bytes follow the last section")

    groups = find(sections, b"GRPS")
    assert groups is not None
    groups.verify_check(data)
    metadata = None
    if (section := find(sections, b"meta")) is not None:
        section.verify_check(data)
        metadata = parse_metadata(section.bytes_in(data))

    roots = divide(groups.bytes_in(data))
    if subtree_root(roots) != header.root:
        refuse("rootMismatch", "the group roots do not make up the root")
    if pin is not None and header.file_id != pin:
        refuse("pinMismatch", f"{file_id_text(header.file_id)}, not {file_id_text(pin)}")
    return Manifest(header, sections, roots, metadata)


def read_whole(data: bytes, pin: bytes | None = None) -> tuple[Manifest, list[bytes]]:
    """All steps, of a manifest of which `data` is all. Also gives the chunk IDs."""
    header = parse_header(data)
    sections = parse_table(data, header)
    if len(data) < sections[-1].end:
        refuse("truncated", f"{len(data)} of {sections[-1].end} bytes")
    manifest = read_prefix(data, pin)
    for section in sections:
        section.verify_check(data)
    if (pack := manifest.section(b"pack")) is not None:
        verify_frame_ends(pack.bytes_in(data))
    chunk_ids: list[bytes] = []
    for group in range(header.group_count):
        place = manifest.page_range(group)
        chunk_ids += manifest.read_page(group, data[place.start : place.stop])
    return manifest, chunk_ids


def verify_frame_ends(column: bytes) -> None:
    previous = 0
    for (end,) in struct.iter_unpack("<Q", column):
        if end <= previous:
            refuse("invalidPack", f"a frame that ends at {end} after one that ends at {previous}")
        previous = end


# --------------------------------------------------------------------------------------------------------------------
# The weak column (weak-v1.md)
# --------------------------------------------------------------------------------------------------------------------

WEAK_MULTIPLIER = 0x9E3779B97F4A7C15
WEAK_MODULUS = 1 << 64


def weak_hash(data: bytes) -> int:
    result = 0
    for byte in data:
        result = (result * WEAK_MULTIPLIER + byte) % WEAK_MODULUS
    return result


def weak_hashes_of_windows(data: bytes, length: int) -> Iterator[int]:
    """The hash of each window of so many bytes, each from the one before."""
    leaving = pow(WEAK_MULTIPLIER, length, WEAK_MODULUS)
    result = weak_hash(data[:length])
    yield result
    for outgoing, incoming in zip(data, data[length:]):
        result = (result * WEAK_MULTIPLIER + incoming - outgoing * leaving) % WEAK_MODULUS
        yield result


# --------------------------------------------------------------------------------------------------------------------
# Building
# --------------------------------------------------------------------------------------------------------------------


def assemble(
    file_length: int,
    chunk_size: int,
    chunk_ids: Sequence[bytes],
    metadata: dict | None = None,
    columns: Sequence[tuple[bytes, bytes]] = (),
) -> bytes:
    """The bytes of a manifest. `columns`: type and bytes of the sections that follow LEAF, in their order."""
    assert is_chunk_size(chunk_size) and len(chunk_ids) == ceiling_quotient(file_length, chunk_size)
    assert len(chunk_ids) <= CHUNKS_MAXIMUM
    roots = group_roots(chunk_ids)
    contents = [(b"GRPS", b"".join(roots))]
    if metadata:
        check_metadata(metadata)
        contents.append((b"meta", canonical_json(metadata)))
    contents += [(b"LEAF", b"".join(chunk_ids)), *columns]

    header = Header(len(contents), chunk_size, file_length, subtree_root(roots))
    table = b""
    end = header.table_end
    for type_, data in contents:
        section = Section(type_, section_check(data), end, len(data))
        table += section.pack()
        end = section.end
    return header.pack() + table + b"".join(data for _, data in contents)


def chunks_of(path: pathlib.Path, chunk_size: int) -> Iterator[bytes]:
    with path.open("rb") as file:
        while chunk := file.read(chunk_size):
            yield chunk


def build(path: pathlib.Path, chunk_size: int | None, name: str, with_sha256: bool, with_weak: bool = False) -> bytes:
    size = chunk_size or recommended_chunk_size(path.stat().st_size)
    chunk_ids = []
    weak = b""
    length = 0
    whole = hashlib.sha256()
    for chunk in chunks_of(path, size):
        chunk_ids.append(sha256(chunk))
        length += len(chunk)
        whole.update(chunk)
        if with_weak:
            weak += struct.pack("<Q", weak_hash(chunk))
    metadata = {}
    if is_encodable(name) and is_file_name(name):
        metadata["name"] = name
    if with_sha256:
        metadata["sha256"] = whole.hexdigest()
    return assemble(length, size, chunk_ids, metadata, [(b"weak", weak)] if with_weak else [])


def is_encodable(text: str) -> bool:
    """False for names from the disk that are not UTF-8: Python shows their bytes as lone surrogates."""
    return not any(0xD800 <= ord(character) <= 0xDFFF for character in text)


# --------------------------------------------------------------------------------------------------------------------
# Commands
# --------------------------------------------------------------------------------------------------------------------


def command_build(arguments: argparse.Namespace) -> int:
    if arguments.chunk_size is not None and not is_chunk_size(arguments.chunk_size):
        print("chunkref: a chunk size is a power of two from 4096 to 4194304", file=sys.stderr)
        return 2
    name = arguments.file.name if arguments.name is None else arguments.name
    arguments.out.write_bytes(build(arguments.file, arguments.chunk_size, name, arguments.sha256, arguments.weak))
    return 0


def command_show(arguments: argparse.Namespace) -> int:
    manifest, chunk_ids = read_whole(arguments.manifest.read_bytes())
    header = manifest.header
    print(f"file ID      {file_id_text(manifest.file_id)}")
    print(f"root         {header.root.hex()}")
    print(f"file length  {header.file_length}")
    print(f"chunk size   {header.chunk_size}")
    print(f"chunks       {header.chunk_count} in {header.group_count} groups")
    for section in manifest.sections:
        print(f"section      {section.type.decode()}  {section.length} bytes at {section.offset}")
    # Escaped more than canonical JSON is, since a terminal must not get controls raw.
    metadata = json.dumps(manifest.metadata, sort_keys=True).replace("\x7f", "\\u007f")
    print(f"metadata     {metadata}")
    for index, chunk_id in enumerate(chunk_ids):
        print(f"{index:8}  {chunk_id.hex()}")
    return 0


def command_verify(arguments: argparse.Namespace) -> int:
    pin = None
    if arguments.id is not None and (pin := parse_file_id(arguments.id)) is None:
        print("chunkref: not a file ID", file=sys.stderr)
        return 2
    manifest, chunk_ids = read_whole(arguments.manifest.read_bytes(), pin)
    header = manifest.header
    found = [sha256(chunk) for chunk in chunks_of(arguments.file, header.chunk_size)]
    length = arguments.file.stat().st_size
    if length != header.file_length:
        print(f"length {length}, expected {header.file_length}")
    bad = 0
    for index, expected in enumerate(chunk_ids):
        actual = found[index] if index < len(found) else None
        if actual != expected:
            bad += 1
            start = index * header.chunk_size
            end = min(start + header.chunk_size, header.file_length)
            shown = actual.hex() if actual else "nothing"
            print(f"chunk {index} [{start}, {end}) expected {expected.hex()} found {shown}")
    return 0 if bad == 0 and length == header.file_length else 1


def command_vectors(arguments: argparse.Namespace) -> int:
    import chunkvectors

    chunkvectors.write_all(arguments.directory)
    return 0


def main() -> int:
    assert __doc__ is not None
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter, usage=argparse.SUPPRESS
    )
    commands = parser.add_subparsers(required=True, metavar="COMMAND")

    command = commands.add_parser("build")
    command.add_argument("file", type=pathlib.Path)
    command.add_argument("out", type=pathlib.Path)
    command.add_argument("--chunk-size", type=int, metavar="BYTES")
    command.add_argument("--sha256", action="store_true", help="also write the SHA-256 of the whole file")
    command.add_argument("--weak", action="store_true", help="also write the weak column")
    command.add_argument("--name", help="the name to write instead of FILE's own; empty: none")
    command.set_defaults(run=command_build)

    command = commands.add_parser("show")
    command.add_argument("manifest", type=pathlib.Path)
    command.set_defaults(run=command_show)

    command = commands.add_parser("verify")
    command.add_argument("file", type=pathlib.Path)
    command.add_argument("manifest", type=pathlib.Path)
    command.add_argument("--id", help="the file ID that the manifest must have")
    command.set_defaults(run=command_verify)

    command = commands.add_parser("vectors")
    command.add_argument("directory", type=pathlib.Path)
    command.set_defaults(run=command_vectors)

    arguments = parser.parse_args()
    try:
        return arguments.run(arguments)
    except ManifestError as error:
        print(f"chunkref: {error}", file=sys.stderr)
        return 3
    except OSError as error:
        print(f"chunkref: {error}", file=sys.stderr)
        return 1


if __name__ == "__main__":
    sys.exit(main())
