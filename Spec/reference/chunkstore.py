#!/usr/bin/env python3
"""Reads a store by store-v1.md: obviously right rather than fast, and without any code of the implementation.

    chunkstore.py check DIR           list what is wrong and what manifests want in vain; nothing is changed
    chunkstore.py export DIR ID OUT   write the file with this ID from the store alone

Exit status: 0 all right, 1 something is wrong or missing, 2 usage, 3 a manifest is not to be trusted or DIR is no store.

Python 3.11 and its standard library; for chunks in compressed form it runs the `zstd` command.
"""

import argparse
import pathlib
import re
import subprocess
import sys
from collections.abc import Iterator

import chunkref

FORMAT = b"chunk store 1\n"
LONGEST_CHUNK = 4 << 20
ZSTD_MAGIC = bytes.fromhex("28b52ffd")
CHUNK_NAME = re.compile(r"([0-9a-f]{64})(\.zst)?")
MANIFEST_NAME = re.compile(r"(chunks1-[0-9a-f]{64})\.chunks")


class NoStore(Exception):
    """The directory is no store of this version."""


def open_store(path: str) -> pathlib.Path:
    store = pathlib.Path(path)
    if not (store / "format").is_file() or (store / "format").read_bytes() != FORMAT:
        raise NoStore(f"{path} is no store of version 1")
    return store


def decompress(data: bytes) -> bytes | None:
    """The content of exactly one frame of at most 4 MiB; None for anything else."""
    if data[:4] != ZSTD_MAGIC or len(data) > LONGEST_CHUNK:
        return None
    # -M bounds the window; what is longer than a chunk is refused by its length.
    with subprocess.Popen(
        ["zstd", "-q", "-d", "-c", "-M4194304"], stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL
    ) as process:
        output, _ = process.communicate(data)
    return output if process.returncode == 0 and len(output) <= LONGEST_CHUNK else None


def content(path: pathlib.Path) -> bytes | None:
    """What a file of `chunks` says its chunk is: a claim. None when it says nothing."""
    if path.is_symlink() or not path.is_file():
        return None
    data = path.read_bytes()
    return decompress(data) if path.suffix == ".zst" else data


def chunk(store: pathlib.Path, identifier: bytes, length: int) -> bytes | None:
    """The chunk, hashed (S1), the plain form first; None when it is missing (S2)."""
    if identifier == chunkref.zero_chunk_id(length):
        return bytes(length)
    name = identifier.hex()
    for suffix in ("", ".zst"):
        data = content(store / "chunks" / name[:2] / (name + suffix))
        if data is not None and len(data) == length and chunkref.sha256(data) == identifier:
            return data
    return None


def chunk_files(store: pathlib.Path) -> Iterator[tuple[pathlib.Path, bytes]]:
    """Every file that is named like a chunk and lies in the folder for it."""
    for path in sorted((store / "chunks").glob("*/*")):
        match = CHUNK_NAME.fullmatch(path.name)
        if match and path.parent.name == path.name[:2]:
            yield path, bytes.fromhex(match[1])


def read_manifest(store: pathlib.Path, text: str) -> tuple[chunkref.Manifest, list[bytes]]:
    pin = chunkref.parse_file_id(text)
    return chunkref.read_whole((store / "manifests" / f"{text}.chunks").read_bytes(), pin)


def lengths(manifest: chunkref.Manifest, count: int) -> list[int]:
    size, length = manifest.header.chunk_size, manifest.header.file_length
    return [min(size, length - index * size) for index in range(count)]


def check(store: pathlib.Path) -> list[str]:
    findings = []
    for path, identifier in chunk_files(store):
        data = content(path)
        if data is None or chunkref.sha256(data) != identifier:
            findings.append(f"wrong {path.name}")
    for path in sorted((store / "manifests").iterdir()):
        match = MANIFEST_NAME.fullmatch(path.name)
        if not match:
            continue
        manifest, identifiers = read_manifest(store, match[1])
        for identifier, length in zip(identifiers, lengths(manifest, len(identifiers))):
            if chunk(store, identifier, length) is None:
                findings.append(f"missing {identifier.hex()} of {match[1]}")
    return findings


def export(store: pathlib.Path, text: str, output: pathlib.Path) -> list[str]:
    manifest, identifiers = read_manifest(store, text)
    chunks = [chunk(store, *wanted) for wanted in zip(identifiers, lengths(manifest, len(identifiers)))]
    missing = [f"missing {identifier.hex()}" for identifier, data in zip(identifiers, chunks) if data is None]
    if not missing:
        output.write_bytes(b"".join(data for data in chunks if data is not None))
    return missing


def main() -> int:
    parser = argparse.ArgumentParser(description="A second reader of chunk stores.")
    commands = parser.add_subparsers(dest="command", required=True)
    command = commands.add_parser("check")
    command.add_argument("directory")
    command = commands.add_parser("export")
    command.add_argument("directory")
    command.add_argument("id")
    command.add_argument("output", type=pathlib.Path)
    arguments = parser.parse_args()
    try:
        store = open_store(arguments.directory)
        findings = check(store) if arguments.command == "check" else export(store, arguments.id, arguments.output)
    except (NoStore, chunkref.ManifestError) as error:
        print(error, file=sys.stderr)
        return 3
    for finding in findings:
        print(finding)
    return 1 if findings else 0


if __name__ == "__main__":
    sys.exit(main())
