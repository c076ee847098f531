import ChunkCore
import FuzzDriver

/// Reads bytes as a manifest in every way there is, and compares what the ways say.
struct ManifestExamination {
  let bytes: [UInt8]
  /// After how many bytes a reader by prefix is cut off, and which chunk is looked at more closely.
  let cut: Int

  /// Returns whether the bytes are a manifest.
  @discardableResult
  func run() -> Bool {
    let prefix = Result { () throws(ManifestError) in try readPrefix() }
    switch Result(catching: { () throws(ManifestError) in try Manifest.decode(whole: bytes.span, expecting: nil) }) {
    case .success((let manifest, let pages)):
      agrees(manifest, with: prefix)
      mustHold(manifest.totalLength == UInt64(bytes.count), "a manifest is as long as it says")
      holds(pages, of: manifest)
      encodesAgain(manifest, pages)
      cutOff(manifest)
      return true
    case .failure(let error):
      isRefused(with: error.code, prefix)
      return false
    }
  }

  /// Reads as a client does: header and table, then what they say is needed.
  private func readPrefix() throws(ManifestError) -> Manifest {
    let needed = try UnverifiedManifest.neededPrefixLength(bytes.span.extracting(first: min(448, bytes.count)))
    mustHold(needed <= 1_700_000, "the prefix is bounded, and not \(needed)")
    return try UnverifiedManifest(prefix: bytes.span.extracting(first: min(needed, bytes.count)))
      .verified(expecting: nil)
  }

  private func agrees(_ manifest: Manifest, with prefix: Result<Manifest, ManifestError>) {
    guard case .success(let other) = prefix else {
      fatalError("does not hold: what is read whole is read by its prefix, and not \(prefix)")
    }
    mustHold(other.fileID == manifest.fileID, "both ways give one file ID")
    mustHold(other.groupRoots == manifest.groupRoots, "both ways give the same group roots")
    mustHold(other.metadata == manifest.metadata, "both ways give the same metadata")
    mustHold(other.sections == manifest.sections, "both ways give the same sections")
  }

  /// What is found in the prefix is found first in the whole too, unless the whole has not the length it should.
  private func isRefused(with code: ManifestError.Code, _ prefix: Result<Manifest, ManifestError>) {
    switch prefix {
    case .success:
      let later: [ManifestError.Code] = [
        .truncated, .trailingBytes, .checksumMismatch, .invalidPack, .pageMismatch,
      ]
      mustHold(later.contains(code), "a manifest with a good prefix is not refused as \(code)")
    case .failure(let error):
      let length: [ManifestError.Code] = [.truncated, .trailingBytes]
      mustHold(error.code == code || length.contains(code), "one way says \(code), the other \(error.code)")
    }
  }

  private func holds(_ pages: [LeafPage], of manifest: Manifest) {
    mustHold(pages.map(\.group) == Array(manifest.groupRoots.indices), "there is a page for each group")
    for page in pages {
      mustHold(page.chunks == manifest.geometry.chunks(inGroup: page.group), "a page holds the chunks of its group")
    }
    let count = manifest.geometry.chunkCount
    // Proofs cost a page of hashes each.
    guard count > 0, count <= 64 else { return }
    let chunk = ChunkIndex(cut % count)
    let proof = manifest.proof(of: chunk, in: pages[0])
    mustHold(proof.verify(id: pages[0][chunk], root: manifest.root), "a proof leads to the root")
    let other = ChunkID(manifest.root)
    mustHold(!proof.verify(id: other, root: manifest.root), "a proof is of one ID only")
  }

  /// A manifest has one spelling: of the sections an encoder writes, it writes the same again.
  private func encodesAgain(_ manifest: Manifest, _ pages: [LeafPage]) {
    let written: [SectionType] = [.groupRoots, .metadata, .leaves]
    guard manifest.sections.sections.allSatisfy({ written.contains($0.type) }) else { return }
    // This one may be there, and is left out by a writer.
    if let metadata = manifest.metadata, metadata.isEmpty { return }
    do {
      let encoder = try ManifestEncoder(
        geometry: manifest.geometry, chunkIDs: pages.flatMap(\.ids), metadata: manifest.metadata)
      mustHold(encoder.encode() == bytes, "a manifest that is encoded again is the same")
      mustHold(encoder.fileID == manifest.fileID, "a manifest that is encoded again has the same file ID")
    } catch {
      fatalError("does not hold: what was read can be written, and not: \(error)")
    }
  }

  /// A prefix is read when it is long enough, and is truncated when it is not; only the right pin fits.
  private func cutOff(_ manifest: Manifest) {
    do {
      let needed = try UnverifiedManifest.neededPrefixLength(bytes.span)
      let length = cut % (bytes.count + 1)
      let prefix = Result { () throws(ManifestError) in
        try UnverifiedManifest(prefix: bytes.span.extracting(first: length))
      }
      switch prefix {
      case .success(let unverified):
        mustHold(length >= needed, "a prefix of \(length) bytes is too short, \(needed) are needed")
        _ = try unverified.verified(expecting: manifest.fileID)
        let pinned = FileID(
          fileLength: manifest.geometry.fileLength ^ 1, chunkSize: manifest.geometry.chunkSize, root: manifest.root)
        mustHold(
          code { () throws(ManifestError) in _ = try unverified.verified(expecting: pinned) } == .pinMismatch,
          "another pin does not fit")
      case .failure(let error):
        mustHold(length < needed, "a prefix of \(length) bytes is enough, \(needed) are needed")
        mustHold(error.code == (length < 8 ? .notAManifest : .truncated), "a prefix is truncated, not \(error.code)")
      }
    } catch {
      fatalError("does not hold: what was read whole is read again, and not: \(error)")
    }
  }

  private func code(_ body: () throws(ManifestError) -> Void) -> ManifestError.Code? {
    do {
      try body()
      return nil
    } catch {
      return error.code
    }
  }
}
