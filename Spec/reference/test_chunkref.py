"""Checks the reference against roots that neither implementation made, and against itself."""

import contextlib
import io
import pathlib
import random
import sys
import tempfile
import unittest
from unittest import mock

sys.path.insert(0, str(pathlib.Path(__file__).parent))

import chunkref
import chunkrejects
import chunkvectors
from chunkvectors import CHUNK, Content


class MerkleTests(unittest.TestCase):
    def test_roots_of_certificate_transparency(self) -> None:
        leaves = [bytes.fromhex(leaf) for leaf in chunkvectors.EXTERNAL_LEAVES]
        for size, root in enumerate(chunkvectors.EXTERNAL_ROOTS):
            self.assertEqual(chunkref.tree_root(leaves[:size]).hex(), root)

    def test_root_of_group_roots_is_the_root_of_all(self) -> None:
        for size in (0, 1, 1023, 1024, 1025, 2047, 2048, 2049, 3072, 5000):
            leaves = chunkvectors.leaves(size)
            self.assertEqual(chunkref.subtree_root(chunkref.group_roots(leaves)), chunkref.tree_root(leaves))

    def test_every_proof_verifies_at_its_place_only(self) -> None:
        for size in range(1, 34):
            leaves = chunkvectors.leaves(size)
            root = chunkref.tree_root(leaves)
            for index, leaf in enumerate(leaves):
                path = chunkref.inclusion_path(index, leaves)
                for place in range(size + 1):
                    self.assertEqual(chunkref.verify_inclusion(place, size, leaf, path, root), place == index)
                for other in leaves:
                    self.assertEqual(chunkref.verify_inclusion(index, size, other, path, root), other == leaf)

    def test_a_proof_does_not_bind_the_size(self) -> None:
        leaves = chunkvectors.leaves(3)
        path, root = chunkref.inclusion_path(0, leaves), chunkref.tree_root(leaves)
        self.assertTrue(chunkref.verify_inclusion(0, 4, leaves[0], path, root))

    def test_a_path_has_at_most_as_many_hashes_as_the_tree_has_levels(self) -> None:
        for size in range(1, 34):
            leaves = chunkvectors.leaves(size)
            longest = max(len(chunkref.inclusion_path(index, leaves)) for index in range(size))
            self.assertEqual(longest, (size - 1).bit_length())


class ManifestTests(unittest.TestCase):
    def test_what_is_built_is_read_back(self) -> None:
        for case in chunkvectors.manifest_cases():
            with self.subTest(case.name):
                content = case.content.bytes()
                data = case.manifest()
                manifest, chunk_ids = chunkref.read_whole(data)
                self.assertEqual(manifest.header.file_length, len(content))
                self.assertEqual(chunk_ids, chunkvectors.chunk_ids(content, case.chunk_size))
                self.assertEqual(manifest.header.root, chunkref.tree_root(chunk_ids))
                self.assertEqual(manifest.metadata, case.metadata)
                self.assertEqual(manifest.total_length, len(data))

    def test_pages_read_alone_are_the_chunk_ids(self) -> None:
        data = chunkrejects.BASES["groups"]
        _, chunk_ids = chunkref.read_whole(data)
        manifest = chunkref.read_prefix(data[: chunkref.needed_prefix(data)])
        pages = []
        for group in range(manifest.header.group_count):
            place = manifest.page_range(group)
            pages += manifest.read_page(group, data[place.start : place.stop])
        self.assertEqual(pages, chunk_ids)

    def test_a_longer_prefix_reads_the_same(self) -> None:
        data = chunkrejects.BASES["full"]
        shortest = chunkref.read_prefix(data[: chunkref.needed_prefix(data)])
        for length in range(chunkref.needed_prefix(data), len(data) + 1):
            self.assertEqual(chunkref.read_prefix(data[:length]), shortest)

    def test_the_layout_by_hand(self) -> None:
        """The manifest of three bytes, put together without the code that makes manifests."""
        chunk_id = chunkref.sha256(b"abc")
        root = chunkref.sha256(b"\0" + chunk_id)
        self.assertEqual(chunk_id.hex(), "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad")
        expected = (
            b"\x89CHK\r\n\x1a\n"
            + bytes.fromhex("0100 0200 00000400 0300000000000000 00040000 00000000")
            + root
            + b"GRPS"
            + chunkref.sha256(root)[:4]
            + bytes.fromhex("7000000000000000 2000000000000000")
            + b"LEAF"
            + chunkref.sha256(chunk_id)[:4]
            + bytes.fromhex("9000000000000000 2000000000000000")
            + root
            + chunk_id
        )
        self.assertEqual(chunkref.assemble(3, 256 << 10, [chunk_id]), expected)
        identifier = chunkref.sha256(b"chunks/1" + bytes.fromhex("0300000000000000 0000040000000000") + root)
        self.assertEqual(chunkref.read_whole(expected, identifier)[0].file_id, identifier)

    def test_noise_is_refused_and_nothing_else_happens(self) -> None:
        generator = random.Random(1)
        bases = [chunkrejects.BASES[name] for name in ("small", "full", "empty")]
        for _ in range(5000):
            data = bytearray(generator.choice(bases))
            for _ in range(generator.randint(1, 4)):
                values = (0, 1, 0x7F, 0x80, 0xFF, generator.randrange(256))
                data[generator.randrange(8, len(data))] = generator.choice(values)
            data = data[: generator.randint(8, len(data))] if generator.random() < 0.2 else data
            try:
                chunkref.read_whole(bytes(data))
            except chunkref.ManifestError:
                pass


class MetadataTests(unittest.TestCase):
    def test_canonical_form(self) -> None:
        value = {"name": "ö\"\\\n\x1f\x7f/", "comment": "\u2028\U0001f600"}
        text = '{"comment":"\u2028\U0001f600","name":"ö\\"\\\\\\n\\u001f\x7f/"}'
        self.assertEqual(chunkref.canonical_json(value), text.encode("utf-8"))

    def test_deep_nesting_is_refused(self) -> None:
        for data in (b"[" * (1 << 20), b'{"a":' * (1 << 17)):
            with self.assertRaises(chunkref.ManifestError):
                chunkref.parse_metadata(data)


class CommandTests(unittest.TestCase):
    def setUp(self) -> None:
        directory = tempfile.TemporaryDirectory()
        self.addCleanup(directory.cleanup)
        self.file = pathlib.Path(directory.name, "file.bin")
        self.manifest = pathlib.Path(directory.name, "file.bin.chunks")
        self.content = Content("stream", 3 * CHUNK + 7, "command").bytes()
        self.file.write_bytes(self.content)

    def run_command(self, *arguments: object) -> tuple[int, str]:
        output = io.StringIO()
        with (
            mock.patch.object(sys, "argv", ["chunkref.py", *map(str, arguments)]),
            contextlib.redirect_stdout(output),
            contextlib.redirect_stderr(output),
        ):
            try:
                return chunkref.main(), output.getvalue()
            except SystemExit as exit:
                return int(exit.code or 0), output.getvalue()

    def test_build_show_verify(self) -> None:
        built = self.run_command("build", self.file, self.manifest, "--chunk-size", CHUNK, "--sha256")
        self.assertEqual(built, (0, ""))
        expected = chunkref.assemble(
            len(self.content),
            CHUNK,
            chunkvectors.chunk_ids(self.content, CHUNK),
            {"name": "file.bin", "sha256": chunkref.sha256(self.content).hex()},
        )
        self.assertEqual(self.manifest.read_bytes(), expected)
        identifier = chunkref.file_id_text(chunkref.read_whole(expected)[0].file_id)
        status, output = self.run_command("show", self.manifest)
        self.assertEqual(status, 0)
        self.assertIn(identifier, output)
        self.assertEqual(self.run_command("verify", self.file, self.manifest, "--id", identifier), (0, ""))

    def test_differences_are_listed(self) -> None:
        self.run_command("build", self.file, self.manifest, "--chunk-size", CHUNK)
        self.file.write_bytes(self.content[:CHUNK] + b"?" + self.content[CHUNK + 1 : -1])
        status, output = self.run_command("verify", self.file, self.manifest)
        self.assertEqual(status, 1)
        self.assertIn(f"length {len(self.content) - 1}, expected {len(self.content)}", output)
        self.assertEqual([line.split()[1] for line in output.splitlines() if line.startswith("chunk")], ["1", "3"])

    def test_mistakes(self) -> None:
        self.run_command("build", self.file, self.manifest)
        self.assertEqual(self.run_command("verify", self.file, self.manifest, "--id", "0" * 64)[0], 3)
        self.assertEqual(self.run_command("verify", self.file, self.manifest, "--id", "0")[0], 2)
        self.assertEqual(self.run_command("build", self.file, self.manifest, "--chunk-size", 5000)[0], 2)
        self.assertEqual(self.run_command("show", self.file)[0], 3)
        self.assertEqual(self.run_command("show", self.file.with_name("absent"))[0], 1)
        self.assertEqual(self.run_command()[0], 2)


if __name__ == "__main__":
    unittest.main()
