"""Packs as in pack-v1.md: writes them without compressing anything, reads the layout of any, and makes the test vectors.

There is no Zstandard in the standard library. A frame may hold its content as it is (raw blocks) or say a byte and how often it
stands there, and these two can be read and written by hand; of compressed blocks only the length is looked at.

Python 3.11, standard library only.
"""

import dataclasses
import struct
from collections.abc import Iterator, Sequence

MAGIC = 0xFD2FB528
BLOCK_MAXIMUM = 128 << 10
RAW, REPEATED, COMPRESSED = 0, 1, 2
WINDOW_MINIMUM = 1 << 10


def longest_frame(length: int) -> int:
    """Section 2, rule 2."""
    return length + length // 256 + 128


class PackError(Exception):
    """Why bytes are not what section 3 or 4 has."""


# --------------------------------------------------------------------------------------------------------------------
# Frames
# --------------------------------------------------------------------------------------------------------------------


def block(kind: int, size: int, body: bytes, last: bool) -> bytes:
    return (size << 3 | kind << 1 | last).to_bytes(3, "little") + body


def frame(content: bytes) -> bytes:
    """A single segment with a content size of four bytes; what is one byte again and again is told so."""
    repeated = len(set(content)) == 1
    result = struct.pack("<IBI", MAGIC, 2 << 6 | 1 << 5, len(content))
    for start in range(0, max(1, len(content)), BLOCK_MAXIMUM):
        piece = content[start : start + BLOCK_MAXIMUM]
        last = start + BLOCK_MAXIMUM >= len(content)
        result += block(REPEATED, len(piece), piece[:1], last) if repeated else block(RAW, len(piece), piece, last)
    return result


@dataclasses.dataclass(frozen=True)
class FrameHeader:
    length: int
    content_size: int | None
    window: int
    dictionary: int
    has_checksum: bool


def parse_frame_header(data: bytes) -> FrameHeader:
    if len(data) < 5 or int.from_bytes(data[:4], "little") != MAGIC:
        raise PackError("not a frame")
    descriptor = data[4]
    single = bool(descriptor & 0x20)
    if descriptor & 0x08:
        raise PackError("the reserved bit")
    lengths = (0 if single else 1, (0, 1, 2, 4)[descriptor & 3], (int(single), 2, 4, 8)[descriptor >> 6])
    if len(data) < 5 + sum(lengths):
        raise PackError("ends within the header")
    fields, offset = [], 5
    for length in lengths:
        fields.append(int.from_bytes(data[offset : offset + length], "little"))
        offset += length
    window, dictionary, size = fields
    if lengths[2] == 2:
        size += 256
    if single:
        window = size
    else:
        base = 1 << (10 + (window >> 3))
        window = base + base // 8 * (window & 7)
    return FrameHeader(offset, size if lengths[2] else None, window, dictionary, bool(descriptor & 0x04))


def unpack(data: bytes, length: int) -> bytes | None:
    """The content of the frame of a chunk of so many bytes; None where compressed blocks have to say it."""
    header = parse_frame_header(data)
    if len(data) > longest_frame(length):
        raise PackError("longer than the frame of such a chunk")
    if header.content_size != length:
        raise PackError("another content size")
    if header.dictionary:
        raise PackError("a dictionary")
    if header.window > max(length, WINDOW_MINIMUM):
        raise PackError("a long window")
    content, known, offset, last = b"", True, header.length, False
    while not last:
        if len(data) < offset + 3:
            raise PackError("ends within a block's header")
        word = int.from_bytes(data[offset : offset + 3], "little")
        last, kind, size = bool(word & 1), word >> 1 & 3, word >> 3
        if kind > COMPRESSED or size > BLOCK_MAXIMUM:
            raise PackError("no such block")
        stored = 1 if kind == REPEATED else size
        body = data[offset + 3 : offset + 3 + stored]
        if len(body) < stored:
            raise PackError("ends within a block")
        offset += 3 + stored
        known = known and kind != COMPRESSED
        if known:
            content += body * size if kind == REPEATED else body
            if len(content) > length:
                raise PackError("more content than it says")
    if len(data) != offset + (4 if header.has_checksum else 0):
        raise PackError("another length")
    if known and len(content) != length:
        raise PackError("less content than it says")
    return content if known else None


# --------------------------------------------------------------------------------------------------------------------
# Seek table and packs
# --------------------------------------------------------------------------------------------------------------------


def seek_table(frame_lengths: Sequence[int], lengths: Sequence[int]) -> bytes:
    entries = b"".join(struct.pack("<II", *pair) for pair in zip(frame_lengths, lengths, strict=True))
    return struct.pack("<II", 0x184D2A5E, len(entries) + 9) + entries + struct.pack("<IBI", len(lengths), 0, 0x8F92EAB1)


def pack(chunks: Sequence[bytes]) -> tuple[bytes, list[int]]:
    """The pack, and where its frames end."""
    frames = [frame(chunk) for chunk in chunks]
    ends = [sum(map(len, frames[: number + 1])) for number in range(len(frames))]
    return b"".join(frames) + seek_table([len(data) for data in frames], [len(chunk) for chunk in chunks]), ends


def check(data: bytes, ends: Sequence[int], lengths: Sequence[int]) -> list[str]:
    """All that is wrong with a pack, as the column and the lengths of the chunks have it."""
    wrong = []
    begin = 0
    for number, (end, length) in enumerate(zip(ends, lengths, strict=True)):
        try:
            unpack(data[begin:end], length)
        except PackError as error:
            wrong.append(f"frame {number}: {error}")
        begin = end
    frames = [end - begin for begin, end in zip([0, *ends], ends)]
    if data[begin:] != seek_table(frames, lengths):
        wrong.append("seek table")
    return wrong


# --------------------------------------------------------------------------------------------------------------------
# Vectors
# --------------------------------------------------------------------------------------------------------------------

CHUNK = 4096
PACK_SHOWN_MAXIMUM = 2048


def packs() -> Iterator[dict]:
    import chunkvectors

    for length in (0, 1, CHUNK, CHUNK + 1, 3 * CHUNK, 5 * CHUNK + 9, 1025 * CHUNK):
        for kind in ("zeros", "stream"):
            content = chunkvectors.Content(kind, length, "pack")
            data = content.bytes()
            chunks = [data[start : start + CHUNK] for start in range(0, length, CHUNK)]
            packed, ends = pack(chunks)
            assert check(packed, ends, [len(chunk) for chunk in chunks]) == []
            case = {
                "content": content.json(), "chunkSize": CHUNK, "ends": ends if len(ends) < 100 else ends[-1:],
                "packLength": len(packed), "packSHA256": chunkvectors.sha256(packed).hex(),
            }
            if len(packed) <= PACK_SHOWN_MAXIMUM:
                case["pack"] = packed.hex()
            yield case


def frames() -> Iterator[tuple[str, bytes, int, bool]]:
    """A name, bytes, the length of the chunk, and whether they are its frame."""
    text = bytes(range(256)) * 2
    right = frame(text)
    blocks = right[9:]

    def made(descriptor: int, rest: bytes) -> bytes:
        return struct.pack("<IB", MAGIC, descriptor) + rest

    size4, size2 = struct.pack("<I", 512), struct.pack("<H", 512 - 256)
    yield "a raw block", right, 512, True
    yield "a byte again and again", frame(bytes(4 << 20)), 4 << 20, True
    yield "raw blocks and an empty one", made(0xA0, size4 + block(RAW, 500, text[:500], False)
        + block(RAW, 0, b"", False) + block(RAW, 12, text[500:], True)), 512, True
    yield "a size of 2 bytes", made(0x60, size2 + blocks), 512, True
    yield "a size of 8 bytes", made(0xE0, struct.pack("<Q", 512) + blocks), 512, True
    yield "a size of 1 byte", made(0x20, b"\x05" + block(RAW, 5, text[:5], True)), 5, True
    yield "a window of 1 KiB", made(0x80, b"\x00" + size4 + blocks), 512, True
    yield "a dictionary of number 0", made(0xA1, b"\x00" + size4 + blocks), 512, True
    yield "a window of 1152 bytes", made(0x80, b"\x01" + size4 + blocks), 512, False
    yield "the longest window", made(0x80, b"\xff" + size4 + blocks), 512, False
    yield "a dictionary", made(0xA1, b"\x01" + size4 + blocks), 512, False
    yield "a dictionary with a long number", made(0xA3, b"\x00\x00\x00\x01" + size4 + blocks), 512, False
    yield "no size", made(0x00, b"\x00" + blocks), 512, False
    yield "the reserved bit", made(0xA8, size4 + blocks), 512, False
    yield "a reserved block", made(0xA0, size4 + block(3, 512, text, True)), 512, False
    yield "less content than its size", made(0xA0, size4 + block(RAW, 511, text[:511], True)), 512, False
    yield "more content than its size", made(0xA0, size4 + block(RAW, 513, text + b"x", True)), 512, False
    yield "a chunk that is shorter", right, 511, False
    yield "a chunk that is longer", right, 513, False
    yield "a byte behind it", right + b"\0", 512, False
    yield "a byte less", right[:-1], 512, False
    yield "a header that ends", right[:8], 512, False
    yield "a block's header that ends", right[:11], 512, False
    yield "nothing", b"", 512, False
    yield "a skippable frame before it", bytes.fromhex("502a4d1801000000ff") + right, 512, False
    yield "a skippable frame behind it", right + bytes.fromhex("5e2a4d1801000000ff"), 512, False
    yield "a skippable frame", bytes.fromhex("502a4d1801000000ff"), 512, False
    yield "two frames", frame(text[:256]) + frame(text[256:]), 512, False
    yield "an empty frame behind it", right + frame(b""), 512, False
    yield "an older format", bytes.fromhex("27b52ffd") + right[4:], 512, False
    yield "not a frame", text, 512, False
    padding = block(RAW, 0, b"", False)
    room = (longest_frame(512) - len(right)) // 3
    yield "as long as may be", right[:9] + padding * room + blocks, 512, True
    yield "longer than may be", right[:9] + padding * (room + 1) + blocks, 512, False


def frame_cases() -> Iterator[dict]:
    for name, data, length, taken in frames():
        try:
            unpack(data, length)
            assert taken, name
        except PackError:
            assert not taken, name
        yield {"name": name, "frame": data.hex(), "length": length, "isTaken": taken}


def vectors() -> dict:
    return {"format": "chunkget pack vectors 1", "packs": list(packs()), "frames": list(frame_cases())}
