"""Makes the test vectors of what a reader must refuse, and of what it must not.

What is wrong with each case is stated here by hand and then compared with what the reference says: the vectors are not
merely what one implementation happens to do.
"""

import dataclasses
import struct
from collections.abc import Iterator, Sequence

import chunkref
from chunkref import ENTRY, HEADER, Header, ManifestError, Section, section_check, sha256
from chunkvectors import CHUNK, FULL_METADATA, WORD, Case, Content, all_columns, column, flip

SMALL_CONTENT = Content("stream", 2 * CHUNK + 1, "manifest")
GROUPS_COUNT = 1027

# Valid manifests, which the cases change. Two of 1027 chunks so that there is a second, short page.
BASES = {
    "small": Case("", SMALL_CONTENT).manifest(),
    "full": Case("", SMALL_CONTENT, metadata=FULL_METADATA, columns=all_columns(3)).manifest(),
    "empty": Case("", Content("stream", 0, "manifest")).manifest(),
    "groups": Case("", Content("stream", GROUPS_COUNT * CHUNK, "manifest"), metadata={"name": "groups"}).manifest(),
}


@dataclasses.dataclass(frozen=True)
class Bytes:
    """Bytes given whole, or as changes to a base in this order: overwrite, cut, append."""

    whole: bytes | None = None
    base: str = ""
    edits: Sequence[tuple[int, bytes]] = ()
    truncate: int | None = None
    append: bytes = b""

    def bytes(self) -> bytes:
        return self.whole if self.whole is not None else self.applied(BASES[self.base])

    def applied(self, base: bytes) -> bytes:
        changed = bytearray(base)
        for offset, replacement in self.edits:
            assert offset + len(replacement) <= len(changed)
            changed[offset : offset + len(replacement)] = replacement
        if self.truncate is not None:
            assert self.truncate <= len(changed)
            del changed[self.truncate :]
        return bytes(changed) + self.append

    def changes_json(self) -> dict:
        result: dict = {}
        if self.edits:
            result["edits"] = [{"offset": offset, "hex": replacement.hex()} for offset, replacement in self.edits]
        if self.truncate is not None:
            result["truncate"] = self.truncate
        if self.append:
            result["append"] = self.append.hex()
        return result

    def json(self) -> dict:
        return {"hex": self.whole.hex()} if self.whole is not None else {"base": self.base} | self.changes_json()


@dataclasses.dataclass(frozen=True)
class Reject:
    error: str
    name: str
    bytes: Bytes
    pin: bytes | None = None

    def json(self) -> dict:
        data = self.bytes.bytes()
        found = error_of(data, self.pin, whole=True)
        assert found == self.error, f"{self.name}: {found}, not {self.error}"
        result = {"name": self.name, "error": self.error, "prefixError": error_of(data, self.pin, whole=False)}
        if self.pin:
            result["pin"] = chunkref.file_id_text(self.pin)
        return result | self.bytes.json()


def error_of(data: bytes, pin: bytes | None = None, *, whole: bool) -> str | None:
    """What reading all of it says, or reading no more than is needed by pages; None when nothing is wrong."""
    try:
        if whole:
            chunkref.read_whole(data, pin)
        else:
            chunkref.read_prefix(data[: chunkref.needed_prefix(data)], pin)
    except ManifestError as error:
        return error.code
    return None


def edited(base: str, offset: int, replacement: bytes) -> Bytes:
    return Bytes(base=base, edits=[(offset, replacement)])


def raw(
    sections: Sequence[tuple[bytes, int | bytes]], file_length: int = SMALL_CONTENT.length, chunk_size: int = CHUNK
) -> Bytes:
    """A manifest with any sections whatever, each given by its bytes or, where they do not follow, its length."""
    contents = [content if isinstance(content, bytes) else b"" for _, content in sections]
    lengths = [content if isinstance(content, int) else len(content) for _, content in sections]
    root = chunkref.read_prefix(BASES["small"]).header.root
    header = Header(len(sections), chunk_size, file_length, root)
    table = b""
    end = header.table_end
    for (type_, _), content, length in zip(sections, contents, lengths):
        table += Section(type_, section_check(content), end % (1 << 64), length).pack()
        end += length
    return Bytes(whole=header.pack() + table + b"".join(contents))


def parts(base: str) -> dict[bytes, Section]:
    return {section.type: section for section in chunkref.read_prefix(BASES[base]).sections}


def entry_offset(base: str, type_: bytes) -> int:
    """Where the entry of a section stands in the table."""
    return HEADER.size + ENTRY.size * list(parts(base)).index(type_)


def section_bytes(base: str, type_: bytes) -> bytes:
    return parts(base)[type_].bytes_in(BASES[base])


def not_manifests() -> Iterator[Reject]:
    code = "notAManifest"
    yield Reject(code, "nothing", Bytes(whole=b""))
    yield Reject(code, "a page", Bytes(whole=b"<!DOCTYPE html>\n<title>404</title>\n"))
    yield Reject(code, "gzip", Bytes(whole=bytes.fromhex("1f8b0800000000000003") + bytes(60)))
    yield Reject(code, "PNG", Bytes(whole=bytes.fromhex("89504e470d0a1a0a") + bytes(60)))
    for length in range(8):
        yield Reject(code, f"the first {length} bytes", Bytes(base="small", truncate=length))
    for byte in range(8):
        yield Reject(code, f"byte {byte} of the magic is 0", edited("small", byte, b"\0"))
    small = BASES["small"]
    yield Reject(code, "line ends changed to LF", Bytes(whole=small.replace(b"\r\n", b"\n")))
    yield Reject(code, "line ends changed to CRLF", Bytes(whole=small.replace(b"\n", b"\r\n")))
    yield Reject(code, "high bits cleared", Bytes(whole=bytes(byte & 0x7F for byte in small)))
    yield Reject(code, "a byte in front", Bytes(whole=b"\0" + small))
    yield Reject(code, "text in UTF-8 made of Latin-1", Bytes(whole=small.decode("latin-1").encode("utf-8")))


def bad_headers() -> Iterator[Reject]:
    for version in (0, 2, 0x0100, 0xFFFF):
        yield Reject("unsupportedVersion", f"version {version}", edited("small", 8, struct.pack("<H", version)))
    for count in (17, 0x0200, 0xFFFF):
        yield Reject("invalidHeader", f"{count} sections", edited("small", 10, struct.pack("<H", count)))
    for size in (0, 1, 2048, 4095, 4097, 4096 + 2048, 8 << 20, 1 << 31, 0xFFFFFFFF):
        yield Reject("invalidHeader", f"chunk size {size}", edited("small", 12, struct.pack("<I", size)))
    for size in (0, 1, 1023, 1025, 2048, 0x00040000):
        yield Reject("invalidHeader", f"{size} chunks a group", edited("small", 24, struct.pack("<I", size)))
    for value in (1, 1 << 31):
        yield Reject("invalidHeader", f"reserved {value}", edited("small", 28, struct.pack("<I", value)))
    for size in (chunkref.CHUNK_SIZE_MINIMUM, chunkref.CHUNK_SIZE_MAXIMUM):
        limit = size * chunkref.CHUNKS_MAXIMUM
        for length in (limit + 1, 2 * limit, (1 << 64) - 1, (1 << 64) - size):
            sizes = [(12, struct.pack("<I", size)), (16, struct.pack(WORD, length))]
            yield Reject("tooLarge", f"{length} bytes in chunks of {size}", Bytes(base="small", edits=sizes))
        groups, ids = 32 * chunkref.CHUNKS_MAXIMUM // 1024, 32 * chunkref.CHUNKS_MAXIMUM
        for length in (limit, limit - size + 1):
            yield Reject(
                "truncated",
                f"{length} bytes in chunks of {size}, which is allowed, and the sections missing",
                raw([(b"GRPS", groups), (b"LEAF", ids)], length, size),
            )
    lengths = {"no chunk": 0, "a chunk fewer": 2 * CHUNK, "a chunk more": 3 * CHUNK + 1, "many chunks": 1 << 30}
    for what, length in lengths.items():
        yield Reject("invalidSectionTable", f"file length of {what}", edited("small", 16, struct.pack(WORD, length)))
    yield Reject("invalidSectionTable", "twice the chunk size", edited("small", 12, struct.pack("<I", 2 * CHUNK)))
    yield Reject("rootMismatch", "root of zeros", edited("small", 32, bytes(32)))
    yield Reject("rootMismatch", "root of zeros, empty file", edited("empty", 32, bytes(32)))
    leaf = chunkref.leaf_hash(b"")
    yield Reject("rootMismatch", "leaf hash of nothing as root, empty file", edited("empty", 32, leaf))
    pin = chunkref.read_prefix(BASES["small"]).file_id
    root = chunkref.read_prefix(BASES["small"]).header.root
    for length in (2 * CHUNK + 2, 3 * CHUNK):
        yield Reject("pinMismatch", f"file length {length}", edited("small", 16, struct.pack(WORD, length)), pin)
    yield Reject("pinMismatch", "another pin", Bytes(base="small"), flip(pin, 3))
    yield Reject("pinMismatch", "pinned to the root", Bytes(base="small"), root)


def bad_tables() -> Iterator[Reject]:
    code = "invalidSectionTable"
    grps, leaf = section_bytes("small", b"GRPS"), section_bytes("small", b"LEAF")
    weak, pack, note = (b"weak", column(3, 1)), (b"pack", column(3, 1)), (b"note", b"x")
    meta = (b"meta", b"{}")
    G, L = (b"GRPS", grps), (b"LEAF", leaf)

    yield Reject(code, "no sections", raw([]))
    yield Reject(code, "no GRPS", raw([L]))
    yield Reject(code, "no LEAF", raw([G]))
    yield Reject(code, "only unknown sections", raw([note]))
    yield Reject(code, "number of sections 0", edited("small", 10, struct.pack("<H", 0)))
    yield Reject(code, "number of sections 1", edited("small", 10, struct.pack("<H", 1)))
    yield Reject(code, "number of sections 3", edited("small", 10, struct.pack("<H", 3)))

    orders = {
        "LEAF before GRPS": [L, G],
        "meta before GRPS": [meta, G, L],
        "meta after LEAF": [G, L, meta],
        "weak before LEAF": [G, weak, L],
        "pack before weak": [G, L, pack, weak],
        "pack before LEAF": [G, pack, L],
        "unknown before all": [note, G, L],
        "unknown between": [G, note, L],
        "unknown before weak": [G, L, note, weak],
        "GRPS in lower case": [(b"grps", grps), L],
        "GRPS twice": [G, G, L],
        "GRPS again at the end": [G, L, G],
        "meta twice": [G, meta, meta, L],
        "LEAF twice": [G, L, L],
        "weak twice": [G, L, weak, weak],
        "pack twice": [G, L, pack, pack],
        "unknown twice": [G, L, note, note],
        "unknown twice, apart": [G, L, note, (b"more", b""), note],
    }
    for name, sections in orders.items():
        yield Reject(code, name, raw(sections))

    for type_ in (bytes(4), b"not ", b"n0te", b"not\xe9", b"_ote", b"\xc3\xa9no", b"no\0\0", b"GRP\0"):
        yield Reject(code, f"type {type_.hex()} last", raw([G, L, (type_, b"x")]))
    for type_ in (b"NOTE", b"Note", b"GRPX", b"META", b"Weak", b"Leaf", b"ZZZZ"):
        yield Reject("unknownSection", f"type {type_.decode()} last", raw([G, L, (type_, b"x")]))
        yield Reject("unknownSection", f"type {type_.decode()} first", raw([(type_, b"x"), G, L]))
    yield Reject("unknownSection", "two unknown upper-case types", raw([G, L, (b"NOTE", b"x"), (b"NOTE", b"x")]))

    for type_, section in parts("full").items():
        place = entry_offset("full", type_) + 8
        name = type_.decode()
        offsets = {
            "gap of one byte": section.offset + 1,
            "overlap of one byte": section.offset - 1,
            "at the start of the file": 0,
            "in the table": HEADER.size,
            "at its own end": section.end,
            "at the end of the file": len(BASES["full"]),
            "at 2^63": 1 << 63,
            "at 2^64 - 1": (1 << 64) - 1,
            "plus 2^32": section.offset + (1 << 32),
        }
        for what, offset in offsets.items():
            yield Reject(code, f"{name} {what}", edited("full", place, struct.pack(WORD, offset)))
        swapped = struct.pack(">Q", section.offset)
        yield Reject(code, f"{name} offset in big-endian order", edited("full", place, swapped))

    lengths = {
        b"GRPS": (0, 31, 33, 64, (1 << 64) - 32),
        b"LEAF": (0, 32, 64, 95, 97, 128, 3072, (1 << 64) - 96),
        b"weak": (0, 3, 16, 23, 25, 32, 96, (1 << 64) - 1),
        b"pack": (0, 3, 16, 23, 25, 32, 96, (1 << 64) - 1),
    }
    present = {b"GRPS": grps, b"LEAF": leaf, b"weak": weak[1], b"pack": pack[1]}
    for type_, values in lengths.items():
        for length in values:
            if length < 4096:
                # The bytes are there and the other sections fit, so that nothing but the length is wrong.
                change = raw([*(present | {type_: bytes(length)}).items()])
            else:
                change = edited("full", entry_offset("full", type_) + 16, struct.pack(WORD, length))
            yield Reject(code, f"{type_.decode()} of {length} bytes", change)
    yield Reject(code, "empty file with a group root", raw([(b"GRPS", bytes(32)), (b"LEAF", b"")], 0))
    yield Reject(code, "empty file with a chunk ID", raw([(b"GRPS", b""), (b"LEAF", bytes(32))], 0))
    yield Reject(code, "empty file with a weak entry", raw([(b"GRPS", b""), (b"LEAF", b""), (b"weak", bytes(8))], 0))

    limit = 1 << 20
    for length in (limit + 1, 1 << 32, (1 << 64) - 1):
        yield Reject("tooLarge", f"meta of {length} bytes", raw([G, (b"meta", length), L]))
        yield Reject("tooLarge", f"unknown section of {length} bytes", raw([G, L, (b"note", length)]))
    yield Reject("tooLarge", "unknown sections of 2^20 + 1 bytes together", raw([G, L, (b"note", limit), (b"more", 1)]))
    many = [(b"no" + bytes([ord("a") + number, ord("a")]), limit) for number in range(14)]
    yield Reject("tooLarge", "fourteen unknown sections of 2^20 bytes", raw([G, L, *many]))
    wrapping = [(b"note", 1), (b"more", (1 << 64) - 1)]
    yield Reject("tooLarge", "unknown sections whose lengths add up to 2^64", raw([G, L, *wrapping]))
    yield Reject("truncated", "meta of 2^20 bytes, which is allowed, missing", raw([G, (b"meta", limit), L]))
    yield Reject("truncated", "unknown section of 2^20 bytes, which is allowed, missing", raw([G, L, (b"note", limit)]))
    yield Reject("truncated", "sections of 1 GiB missing", raw([(b"GRPS", 32 * 256), (b"LEAF", 32 << 18)], 1 << 30))


def wrong_lengths() -> Iterator[Reject]:
    for base in ("small", "full", "empty"):
        data = BASES[base]
        sections = list(parts(base).values())
        edges = {"header": HEADER.size, "table": sections[0].offset}
        edges |= {section.type.decode(): section.end for section in sections}
        cuts = {8: "magic", 32: "fields", HEADER.size + ENTRY.size: "first entry"}
        for name, edge in edges.items():
            for cut, what in ((edge - 1, "a byte before"), (edge, "at"), (edge + 1, "a byte after")):
                cuts.setdefault(cut, f"{what} the end of {name}")
        for cut, what in sorted(cuts.items()):
            if cut < len(data):
                yield Reject("truncated", f"{base} cut at {cut}, {what}", Bytes(base=base, truncate=cut))
        tails = {"a zero": b"\0", "a line break": b"\n", "an entry": bytes(24), "another manifest": BASES["empty"]}
        for what, tail in tails.items():
            yield Reject("trailingBytes", f"{base} and {what}", Bytes(base=base, append=tail))


def damaged_sections() -> Iterator[Reject]:
    code = "checksumMismatch"
    for type_, section in parts("full").items():
        name = type_.decode()
        place = entry_offset("full", type_) + 4
        yield Reject(code, f"check of {name} zero", edited("full", place, bytes(4)))
        yield Reject(code, f"check of {name} in another byte order", edited("full", place, section.check[::-1]))
        tail = sha256(section.bytes_in(BASES["full"]))[-4:]
        yield Reject(code, f"check of {name} from the end of the digest", edited("full", place, tail))
        for what, bit in (("first", 0), ("last", 8 * section.length - 1)):
            data = flip(section.bytes_in(BASES["full"]), bit)
            yield Reject(code, f"{what} bit of {name}", edited("full", section.offset, data))
    for type_ in (b"GRPS", b"LEAF"):
        change = edited("empty", entry_offset("empty", type_) + 4, bytes(4))
        yield Reject(code, f"check of empty {type_.decode()} zero", change)


def with_content(base: str, type_: bytes, content: bytes, *more: tuple[int, bytes]) -> Bytes:
    """The base with other bytes of the same length in a section, its check adjusted."""
    section = parts(base)[type_]
    assert len(content) == section.length
    place = entry_offset(base, type_) + 4
    return Bytes(base=base, edits=[(place, section_check(content)), (section.offset, content), *more])


def forged_sections() -> Iterator[Reject]:
    """What an adversary can do, who gets the checks right."""
    grps, leaf = section_bytes("small", b"GRPS"), section_bytes("small", b"LEAF")
    ids = chunkref.divide(leaf)
    yield Reject("rootMismatch", "another group root", with_content("small", b"GRPS", flip(grps, 0)))
    yield Reject("rootMismatch", "chunk IDs root as leaf", with_content("small", b"GRPS", chunkref.leaf_hash(grps)))
    yield Reject("pageMismatch", "another chunk ID", with_content("small", b"LEAF", flip(leaf, 300)))
    yield Reject("pageMismatch", "two chunk IDs swapped", with_content("small", b"LEAF", ids[1] + ids[0] + ids[2]))
    hashes = b"".join(chunkref.leaf_hash(identifier) for identifier in ids)
    yield Reject("pageMismatch", "leaf hashes in place of chunk IDs", with_content("small", b"LEAF", hashes))

    other = [flip(ids[0], 0), *ids[1:]]
    roots = chunkref.group_roots(other)
    forged = with_content("small", b"LEAF", b"".join(other)).edits
    groups = with_content("small", b"GRPS", roots[0]).edits
    yield Reject("rootMismatch", "chunk ID and group root", Bytes(base="small", edits=[*forged, *groups]))
    pin = chunkref.read_prefix(BASES["small"]).file_id
    all_of_it = Bytes(base="small", edits=[*forged, *groups, (32, chunkref.subtree_root(roots))])
    yield Reject("pinMismatch", "chunk ID, group root and root", all_of_it, pin)

    swapped = section_bytes("groups", b"GRPS")
    yield Reject("rootMismatch", "group roots swapped", with_content("groups", b"GRPS", swapped[32:] + swapped[:32]))
    pages = bytearray(section_bytes("groups", b"LEAF"))
    last = parts("groups")[b"LEAF"].length - 1
    pages[last] ^= 1
    place = entry_offset("groups", b"LEAF") + 4
    edits = [(place, section_check(bytes(pages))), (parts("groups")[b"LEAF"].offset + last, pages[last:])]
    yield Reject("pageMismatch", "last bit of the second page", Bytes(base="groups", edits=edits))

    def ends(*values: int) -> bytes:
        return b"".join(struct.pack(WORD, value) for value in values)

    for name, values in {
        "first frame empty": (0, 5, 9),
        "second frame empty": (5, 5, 9),
        "third frame backwards": (5, 9, 8),
        "ends in big-endian order": tuple(value << 56 for value in (3, 2, 1)),
        "all zero": (0, 0, 0),
    }.items():
        yield Reject("invalidPack", f"pack: {name}", with_content("full", b"pack", ends(*values)))


def with_metadata(data: bytes) -> Bytes:
    groups, chunk_ids = section_bytes("small", b"GRPS"), section_bytes("small", b"LEAF")
    return raw([(b"GRPS", groups), (b"meta", data), (b"LEAF", chunk_ids)])


def bad_metadata() -> Iterator[Reject]:
    digits = sha256(b"x").hex()
    source = '{"kind":"file","url":"a"}'
    texts: dict[str, str | bytes] = {
        "no bytes": "",
        "null": "null",
        "an array": "[]",
        "a string": '"name"',
        "a number": "1",
        "space before": " {}",
        "space after": "{} ",
        "line break after": "{}\n",
        "space within": "{ }",
        "space after the colon": '{"name": "a"}',
        "comma at the end": '{"name":"a",}',
        "cut": '{"name":"a"',
        "cut in a string": '{"name":"a',
        "two objects": "{}{}",
        "a comment": "{}//",
        "single quotes": "{'name':'a'}",
        "NUL after": b"{}\0",
        "byte order mark": b"\xef\xbb\xbf{}",
        "UTF-16": "{}".encode("utf-16-le"),
        "not UTF-8": b'{"name":"\xff"}',
        "Latin-1": b'{"name":"Gr\xf6\xdfe"}',
        "UTF-8 overlong": b'{"name":"\xc1\xa1"}',
        "UTF-8 surrogates": b'{"name":"\xed\xa0\xbd\xed\xb8\x80"}',
        "UTF-8 cut": b'{"name":"\xe6\x97"}',
        "UTF-8 beyond U+10FFFF": b'{"name":"\xf4\x90\x80\x80"}',
        "members not sorted": '{"name":"a","comment":"b"}',
        "member twice": '{"name":"a","name":"a"}',
        "member twice, other values": '{"comment":"a","comment":"b"}',
        "unknown member": '{"license":"MIT"}',
        "member with another case": '{"Name":"a"}',
        "member with an empty name": '{"":"a"}',
        "member name escaped": '{"\\u006eame":"a"}',
        "letter escaped": '{"name":"\\u0061"}',
        "solidus escaped": '{"mediaType":"a\\/b"}',
        "beyond ASCII escaped": '{"name":"\\u00f6"}',
        "surrogate pair escaped": '{"name":"\\ud83d\\ude00"}',
        "lone high surrogate": '{"comment":"\\ud83d"}',
        "lone low surrogate": '{"comment":"\\ude00"}',
        "surrogates the wrong way round": '{"comment":"\\ude00\\ud83d"}',
        "control not escaped": '{"comment":"a\nb"}',
        "control with a long escape": '{"comment":"\\u000a"}',
        "control with upper-case digits": '{"comment":"\\u001F"}',
        "unknown escape": '{"comment":"\\x41"}',
        "escape cut": '{"comment":"\\u00"}',
        "escape in upper case": '{"comment":"\\U0000001f"}',
        "comment null": '{"comment":null}',
        "comment a number": '{"comment":1}',
        "comment too big a number": '{"comment":1e999}',
        "comment of 5000 digits": '{"comment":' + "1" * 5000 + "}",
        "comment not a number": '{"comment":NaN}',
        "comment true": '{"comment":true}',
        "comment an array": '{"comment":["a"]}',
        "comment an object": '{"comment":{}}',
        "comment empty": '{"comment":""}',
        "mediaType empty": '{"mediaType":""}',
        "mediaType with a control": '{"mediaType":"a/b\\n"}',
        "mediaType beyond ASCII": '{"mediaType":"ä/b"}',
        "mediaType of 256 bytes": '{"mediaType":"' + "a" * 256 + '"}',
        "name empty": '{"name":""}',
        "name a dot": '{"name":"."}',
        "name two dots": '{"name":".."}',
        "name with a slash": '{"name":"a/b"}',
        "name absolute": '{"name":"/etc/passwd"}',
        "name up": '{"name":"../a"}',
        "name with a line break": '{"name":"a\\nb"}',
        "name with NUL": '{"name":"a\\u0000b"}',
        "name with an escape character": '{"name":"\\u001b[31m"}',
        "name with DEL": '{"name":"a\x7f"}',
        "name of 243 bytes": '{"name":"' + "a" * 243 + '"}',
        "name of 243 bytes in 122 characters": '{"name":"' + "ä" * 121 + 'a"}',
        "name null": '{"name":null}',
        "sha256 in upper case": '{"sha256":"' + digits.upper() + '"}',
        "sha256 too short": '{"sha256":"' + digits[:-1] + '"}',
        "sha256 too long": '{"sha256":"' + digits + '0"}',
        "sha256 not hexadecimal": '{"sha256":"' + digits[:-1] + 'g"}',
        "sha256 with a prefix": '{"sha256":"sha256:' + digits[:-7] + '"}',
        "sources empty": '{"sources":[]}',
        "sources a string": '{"sources":"a"}',
        "sources an object": '{"sources":' + source + "}",
        "sources of strings": '{"sources":["https://a.example/"]}',
        "source null": '{"sources":[null]}',
        "65 sources": '{"sources":[' + ",".join([source] * 65) + "]}",
        "comma after the last source": '{"sources":[' + source + ",]}",
        "source without kind": '{"sources":[{"url":"a"}]}',
        "source without URL": '{"sources":[{"kind":"file"}]}',
        "source with another member": '{"sources":[{"kind":"file","priority":1,"url":"a"}]}',
        "source not sorted": '{"sources":[{"url":"a","kind":"file"}]}',
        "source of unknown kind": '{"sources":[{"kind":"torrent","url":"a"}]}',
        "source kind in upper case": '{"sources":[{"kind":"File","url":"a"}]}',
        "source kind a number": '{"sources":[{"kind":1,"url":"a"}]}',
        "source URL empty": '{"sources":[{"kind":"file","url":""}]}',
        "source URL with a space": '{"sources":[{"kind":"file","url":"a b"}]}',
        "source URL with a line break": '{"sources":[{"kind":"file","url":"a\\r\\nHost: b"}]}',
        "source URL beyond ASCII": '{"sources":[{"kind":"file","url":"https://ä.example/"}]}',
        "source URL of 2049 bytes": '{"sources":[{"kind":"file","url":"' + "a" * 2049 + '"}]}',
    }
    for name, text in texts.items():
        data = text if isinstance(text, bytes) else text.encode("utf-8")
        yield Reject("invalidMetadata", f"meta: {name}", with_metadata(data))
    # Nothing may recurse as deep as the input says.
    yield Reject("invalidMetadata", "meta: deep arrays", with_metadata(b"[" * 20000))
    yield Reject("invalidMetadata", "meta: deep objects", with_metadata(b'{"comment":' * 2000))


def order_of_checks() -> Iterator[Reject]:
    """Two faults at once: the one that is found first decides."""

    def small(*edits: tuple[int, bytes], truncate: int | None = None, append: bytes = b"") -> Bytes:
        return Bytes(base="small", edits=edits, truncate=truncate, append=append)

    pin = bytes(32)
    root = (32, bytes(32))
    groups_check = (entry_offset("small", b"GRPS") + 4, bytes(4))
    groups_offset = (entry_offset("small", b"GRPS") + 8, bytes(8))
    leaf_check = (entry_offset("small", b"LEAF") + 4, bytes(4))
    table_end = chunkref.parse_header(BASES["small"]).table_end
    length = len(BASES["small"])
    yield Reject("notAManifest", "no magic and another version", small((0, b"\0"), (8, b"\2")))
    yield Reject("truncated", "another version and cut in the header", small((8, b"\2"), truncate=63))
    yield Reject("unsupportedVersion", "another version and zeros up to the root", small((8, b"\2" + bytes(23))))
    yield Reject("invalidHeader", "17 sections and cut after the header", small((10, b"\x11"), truncate=64))
    yield Reject("tooLarge", "too many chunks and a wrong group size", small((16, b"\xff" * 8), (24, bytes(4))))
    yield Reject("truncated", "a wrong offset and cut in the table", small(groups_offset, truncate=table_end - 1))
    cut = small(groups_offset, truncate=table_end)
    yield Reject("invalidSectionTable", "a wrong offset and cut after the table", cut)
    yield Reject("truncated", "a wrong check and cut by a byte", small(groups_check, truncate=length - 1))
    yield Reject("trailingBytes", "a wrong check and a byte too many", small(groups_check, append=b"\0"))
    yield Reject("checksumMismatch", "a wrong check of GRPS and a wrong root", small(root, groups_check))
    yield Reject("rootMismatch", "a wrong root, a wrong check of LEAF and another pin", small(root, leaf_check), pin)
    yield Reject("pinMismatch", "another pin and a wrong check of LEAF", small(leaf_check), pin)

    broken = with_metadata(b"{ }").bytes()
    yield Reject("invalidMetadata", "bad metadata and another pin", Bytes(whole=broken), pin)
    broken = broken[: groups_check[0]] + bytes(4) + broken[groups_check[0] + 4 :]
    yield Reject("checksumMismatch", "a wrong check of GRPS and bad metadata", Bytes(whole=broken))

    leaf = with_content("full", b"LEAF", flip(section_bytes("full", b"LEAF"), 0)).edits
    pack = with_content("full", b"pack", bytes(24)).edits
    note_check = (entry_offset("full", b"note") + 4, bytes(4))
    name = "a forged chunk ID, a bad pack column and a wrong check of an unknown section"
    yield Reject("checksumMismatch", name, Bytes(base="full", edits=[*leaf, *pack, note_check]))
    yield Reject("invalidPack", "a forged chunk ID and a bad pack column", Bytes(base="full", edits=[*leaf, *pack]))


def accepted() -> Iterator[tuple[str, Bytes, bytes | None]]:
    pin = chunkref.read_prefix(BASES["small"]).file_id
    for base in BASES:
        yield base, Bytes(base=base), chunkref.read_prefix(BASES[base]).file_id
    yield "a file length that only the pin tells", edited("small", 16, struct.pack(WORD, 3 * CHUNK)), None
    G, L = (b"GRPS", section_bytes("small", b"GRPS")), (b"LEAF", section_bytes("small", b"LEAF"))
    yield "sixteen sections", raw([G, L, *((b"aaa" + bytes([ord("a") + number]), b"") for number in range(14))]), pin
    yield "unknown types in mixed case", raw([G, L, (b"nOTE", b"x"), (b"gRPS", b"y"), (b"lEAF", b"")]), pin
    yield "weak of any values", raw([G, L, (b"weak", b"\xff" * 16 + bytes(8))]), pin
    ends = struct.pack("<3Q", 1, 2, (1 << 64) - 1)
    yield "pack with frames of a byte and a huge one", raw([G, L, (b"pack", ends)]), pin
    short_escapes = {8: "\\b", 9: "\\t", 10: "\\n", 12: "\\f", 13: "\\r"}
    texts = {
        "no members": "{}",
        "name of 242 bytes": '{"name":"' + "a" * 242 + '"}',
        "name of 242 bytes in 121 characters": '{"name":"' + "ä" * 121 + '"}',
        "name of three dots": '{"name":"..."}',
        "name that begins with a dot": '{"name":".a"}',
        "name with a backslash": '{"name":"a\\\\b"}',
        "name of a space": '{"name":" "}',
        "name not normalised": '{"name":"a\u0308"}',
        "name with U+0085 and U+202E": '{"name":"a\u0085\u202eb"}',
        "mediaType with parameters": '{"mediaType":"text/plain; charset=\\"utf-8\\""}',
        "mediaType of 255 bytes": '{"mediaType":"' + "a" * 255 + '"}',
        "comment with all controls": '{"comment":"'
        + "".join(short_escapes.get(code, f"\\u{code:04x}") for code in range(32))
        + '\x7f\\"\\\\/\u0080\u2028\ufeff\uffff\U0001f600"}',
        "comment long": '{"comment":"' + "a" * 5000 + '"}',
        "64 sources": '{"sources":[' + ",".join(['{"kind":"store","url":"a"}'] * 64) + "]}",
        "source with a scheme that no client uses": '{"sources":[{"kind":"file","url":"ftp://a.example/b"}]}',
        "source URL of 2048 bytes": '{"sources":[{"kind":"pack","url":"' + "a" * 2048 + '"}]}',
    }
    for name, text in texts.items():
        yield f"meta: {name}", with_metadata(text.encode("utf-8")), pin


def flips() -> list[dict]:
    """Each bit of a manifest flipped alone, with a pin.

    All that may pass is a letter of the type of a section that need not be understood, which becomes another such type.
    """
    result = []
    for base in ("small", "full", "empty"):
        data = BASES[base]
        pin = chunkref.read_prefix(data).file_id
        errors: dict[str, list[int]] = {}
        harmless = []
        for bit in range(8 * len(data)):
            code = error_of(flip(data, bit), pin, whole=True)
            if code is None:
                harmless.append(bit)
            else:
                errors.setdefault(code, []).append(bit)
        types = [entry_offset(base, type_) for type_ in (b"pack", b"note") if type_ in parts(base)]
        assert all(bit // 8 - bit // 8 % 4 in types for bit in harmless), f"{base}: {harmless} may be flipped"
        ordered = {code: errors[code] for code in chunkref.ERROR_CODES if code in errors}
        result.append({"base": base, "pin": chunkref.file_id_text(pin), "errors": ordered, "accepted": harmless})
    return result


def prefixes() -> list[dict]:
    result = []
    for base, data in BASES.items():
        needed = chunkref.needed_prefix(data)
        table = chunkref.parse_header(data).table_end
        edges = (8, HEADER.size, table, needed, len(data))
        lengths = {0} | {edge + step for edge in edges for step in (-1, 0, 1) if edge + step <= len(data)}
        for length in sorted(lengths):
            expected = "notAManifest" if length < 8 else "truncated" if length < needed else None
            try:
                chunkref.read_prefix(data[:length])
                found = None
            except ManifestError as error:
                found = error.code
            assert found == expected, (base, length, found)
            result.append({"base": base, "length": length, "error": expected})
    return result


def pages() -> list[dict]:
    bad = "pageMismatch"
    last = 32 * 1024
    cases = [
        ("small", "the page", 0, 0, Bytes(), None),
        ("full", "the page", 0, 0, Bytes(), None),
        ("groups", "the first page", 0, 0, Bytes(), None),
        ("groups", "the last page", 1, 1, Bytes(), None),
        ("groups", "the other page, too long", 1, 0, Bytes(), bad),
        ("groups", "the other page, too short", 0, 1, Bytes(), bad),
        ("groups", "the beginning of the other page", 1, 0, Bytes(truncate=96), bad),
        ("groups", "nothing", 0, 0, Bytes(truncate=0), bad),
        ("groups", "nothing for the last", 1, 1, Bytes(truncate=0), bad),
        ("groups", "a byte short", 0, 0, Bytes(truncate=last - 1), bad),
        ("groups", "an ID short", 0, 0, Bytes(truncate=last - 32), bad),
        ("groups", "a byte long", 0, 0, Bytes(append=b"\0"), bad),
        ("groups", "an ID long", 1, 1, Bytes(append=bytes(32)), bad),
        ("groups", "zeros, as in a hole", 1, 1, Bytes(edits=[(0, bytes(96))]), bad),
    ]
    for group, size in ((0, 1024), (1, 3)):
        manifest = chunkref.read_prefix(BASES["groups"])
        place = manifest.page_range(group)
        data = BASES["groups"][place.start : place.stop]
        for index in (0, 1, size - 1):
            changed = flip(data[32 * index : 32 * index + 32], 9)
            change = Bytes(edits=[(32 * index, changed)])
            cases.append(("groups", f"a bit of ID {index} of page {group}", group, group, change, bad))
        swapped = Bytes(edits=[(0, data[32:64] + data[:32])])
        cases.append(("groups", f"the first two IDs of page {group} swapped", group, group, swapped, bad))

    result = []
    for base, name, group, source, change, expected in cases:
        manifest = chunkref.read_prefix(BASES[base][: chunkref.needed_prefix(BASES[base])])
        place = manifest.page_range(source)
        try:
            manifest.read_page(group, change.applied(BASES[base][place.start : place.stop]))
            found = None
        except ManifestError as error:
            found = error.code
        assert found == expected, (name, found)
        case = {"name": name, "base": base, "group": group, "from": source, "error": expected}
        result.append(case | change.changes_json())
    return result


def rejects() -> dict:
    sources = (
        not_manifests, bad_headers, bad_tables, wrong_lengths,
        damaged_sections, forged_sections, bad_metadata, order_of_checks,
    )
    cases = [case for source in sources for case in source()]
    assert len({case.name for case in cases}) == len(cases), "two cases of one name"
    assert {case.error for case in cases} == set(chunkref.ERROR_CODES), "an error code without a case"

    accepts = []
    for name, change, pin in accepted():
        manifest, _ = chunkref.read_whole(change.bytes(), pin)
        entry: dict = {"name": name, "fileID": chunkref.file_id_text(manifest.file_id)}
        if pin:
            entry["pin"] = chunkref.file_id_text(pin)
        if manifest.metadata is not None:
            entry["metadata"] = manifest.metadata
        accepts.append(entry | change.json())
    return {
        "format": "chunkget reject vectors 1",
        "bases": {name: data.hex() for name, data in BASES.items()},
        "rejects": [case.json() for case in cases],
        "accepts": accepts,
        "flips": flips(),
        "prefixes": prefixes(),
        "pages": pages(),
    }
