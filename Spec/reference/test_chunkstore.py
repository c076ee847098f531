"""Checks the reader of stores against stores that are made here, by the page and by hand."""

import hashlib
import pathlib
import random
import shutil
import subprocess
import sys
import tempfile
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).parent))

import chunkref
import chunkstore

CHUNK = 4096


class StoreTests(unittest.TestCase):
    def setUp(self) -> None:
        directory = tempfile.TemporaryDirectory()
        self.addCleanup(directory.cleanup)
        self.path = pathlib.Path(directory.name)
        self.store = self.path / "store"
        self.content = random.Random(1).randbytes(5 * CHUNK) + bytes(CHUNK) + b"the end"
        (self.path / "file").write_bytes(self.content)
        data = chunkref.build(self.path / "file", CHUNK, "file", False)
        manifest, self.identifiers = chunkref.read_whole(data)
        self.id = chunkref.file_id_text(manifest.file_id)
        (self.store / "manifests").mkdir(parents=True)
        (self.store / "format").write_bytes(chunkstore.FORMAT)
        (self.store / "manifests" / f"{self.id}.chunks").write_bytes(data)
        for start in range(0, len(self.content), CHUNK):
            self.put(self.content[start : start + CHUNK])

    def place(self, identifier: str) -> pathlib.Path:
        return self.store / "chunks" / identifier[:2] / identifier

    def put(self, chunk: bytes) -> None:
        path = self.place(hashlib.sha256(chunk).hexdigest())
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(chunk)

    def test_a_store_gives_back_the_file(self) -> None:
        self.assertEqual(chunkstore.check(self.store), [])
        self.assertEqual(chunkstore.export(self.store, self.id, self.path / "out"), [])
        self.assertEqual((self.path / "out").read_bytes(), self.content)

    def test_zeros_need_not_be_there(self) -> None:
        self.place(chunkref.zero_chunk_id(CHUNK).hex()).unlink()
        self.assertEqual(chunkstore.export(self.store, self.id, self.path / "out"), [])

    def test_a_name_is_not_believed(self) -> None:
        name = self.identifiers[1].hex()
        self.place(name).write_bytes(bytes(CHUNK))
        self.assertEqual(
            chunkstore.check(self.store), [f"wrong {name}", f"missing {name} of {self.id}"])
        self.assertEqual(chunkstore.export(self.store, self.id, self.path / "out"), [f"missing {name}"])
        self.assertFalse((self.path / "out").exists())

    @unittest.skipUnless(shutil.which("zstd"), "needs zstd")
    def test_either_form_will_do(self) -> None:
        chunk = self.content[:CHUNK]
        name = hashlib.sha256(chunk).hexdigest()
        compressed = subprocess.run(["zstd", "-q", "-c"], input=chunk, capture_output=True, check=True).stdout
        self.place(name + ".zst").write_bytes(compressed[:-1])
        self.assertEqual(chunkstore.check(self.store), [f"wrong {name}.zst"])
        self.place(name + ".zst").write_bytes(compressed)
        self.place(name).unlink()
        self.assertEqual(chunkstore.check(self.store), [])
        self.assertEqual(chunkstore.export(self.store, self.id, self.path / "out"), [])

    def test_another_directory_is_no_store(self) -> None:
        (self.store / "format").write_bytes(b"chunk store 2\n")
        with self.assertRaises(chunkstore.NoStore):
            chunkstore.open_store(str(self.store))


if __name__ == "__main__":
    unittest.main()
