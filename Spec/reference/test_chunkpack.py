"""Checks the reference of packs with the `zstd` program, which knows nothing of it."""

import pathlib
import random
import shutil
import subprocess
import sys
import tempfile
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).parent))

import chunkpack

CHUNK = 4096


def chunks_of(content: bytes) -> list[bytes]:
    return [content[start : start + CHUNK] for start in range(0, len(content), CHUNK)]


class PackTests(unittest.TestCase):
    def setUp(self) -> None:
        self.content = random.Random(1).randbytes(3 * CHUNK) + bytes(2 * CHUNK) + b"the end"
        self.chunks = chunks_of(self.content)
        self.lengths = [len(chunk) for chunk in self.chunks]
        self.pack, self.ends = chunkpack.pack(self.chunks)

    def zstd(self, *options: str, data: bytes) -> bytes:
        return subprocess.run(["zstd", "-q", "-c", *options], input=data, capture_output=True, check=True).stdout

    def test_frames_are_where_the_column_says(self) -> None:
        found = [
            chunkpack.unpack(self.pack[begin:end], length)
            for begin, end, length in zip([0, *self.ends], self.ends, self.lengths)
        ]
        self.assertEqual(found, self.chunks)

    def test_what_is_wrong_is_told(self) -> None:
        check = chunkpack.check
        self.assertEqual(check(self.pack, self.ends, self.lengths), [])
        self.assertEqual(check(self.pack[:-1], self.ends, self.lengths), ["seek table"])
        self.assertEqual(check(self.pack + b"\0", self.ends, self.lengths), ["seek table"])
        ends = [*self.ends]
        ends[1] += 1
        self.assertEqual(
            check(self.pack, ends, self.lengths), ["frame 1: another length", "frame 2: not a frame", "seek table"])

    @unittest.skipUnless(shutil.which("zstd"), "needs zstd")
    def test_zstd_unpacks_it(self) -> None:
        self.assertEqual(self.zstd("-d", data=self.pack), self.content)
        self.assertEqual(self.zstd("-d", data=chunkpack.pack([])[0]), b"")

    @unittest.skipUnless(shutil.which("zstd"), "needs zstd")
    def test_what_zstd_packs_has_the_layout(self) -> None:
        text = b"".join(b"%d bottles\n" % number for number in range(100))
        for level in ("-1", "-3", "-19"):
            data = self.zstd(level, f"--stream-size={len(text)}", data=text)
            self.assertIsNone(chunkpack.unpack(data, len(text)))
            with self.assertRaises(chunkpack.PackError):
                chunkpack.unpack(data + b"\0", len(text))


if __name__ == "__main__":
    unittest.main()
