internal import ChunkCore
internal import ChunkStore
internal import CommandSupport

/// What a download of a file would take of somebody who has another one.
struct Difference {
  struct Part {
    private(set) var chunks = 0
    private(set) var bytes: UInt64 = 0

    mutating func add(_ length: Int) {
      chunks += 1
      bytes += UInt64(length)
    }
  }

  /// Chunks that are at the same place.
  private(set) var kept = Part()
  /// Chunks that are at another place.
  private(set) var moved = Part()
  /// Chunks that a store has.
  private(set) var stored = Part()
  /// Chunks of zeros.
  private(set) var zeros = Part()
  /// Chunks that have to be fetched.
  private(set) var fetched = Part()
  /// The bytes of chunks that have to be fetched, of each its frame or itself, whichever is shorter; nil when the manifest tells of no pack that can be used.
  private(set) var packedBytes: UInt64?
  /// Bytes of the manifest that have to be read: those before the chunk IDs, and pages of groups that are not the same.
  private(set) var manifestBytes: UInt64

  init(of wanted: StoredManifest, from held: HeldChunks) {
    let manifest = wanted.manifest
    manifestBytes = manifest.geometry.groupCount == 0 ? manifest.totalLength : manifest.leafPageRange(group: 0).offset
    let frames = (try? wanted.packedFrames()) ?? nil
    packedBytes = frames.map { _ in 0 }
    for group in 0..<manifest.geometry.groupCount {
      let isSame = held.sameGroups.contains(group)
      if !isSame, manifest.zeroLeafPage(group: group) == nil {
        manifestBytes += manifest.leafPageRange(group: group).count
      }
      for (chunk, id) in zip(manifest.geometry.chunks(inGroup: group), wanted.ids(ofGroup: group)) {
        let before = fetched.chunks
        add(chunk, id, isSame: isSame, held, manifest.geometry)
        if let frames, fetched.chunks > before {
          let plain = UInt64(manifest.geometry.length(of: chunk))
          packedBytes = (packedBytes ?? 0) + min(frames[group][chunk].count, plain)
        }
      }
    }
  }

  private mutating func add(
    _ chunk: ChunkIndex, _ id: ChunkID, isSame: Bool, _ held: HeldChunks, _ geometry: ChunkGeometry
  ) {
    let length = geometry.length(of: chunk)
    if id == ZeroChunk.id(length: length) {
      zeros.add(length)
    } else if isSame {
      kept.add(length)
    } else if let place = held.index.place(of: id, own: chunk.rawValue) {
      if place == chunk.rawValue { kept.add(length) } else { moved.add(length) }
    } else if held.store?.contains(id) == true {
      stored.add(length)
    } else if length < geometry.chunkSize.bytes, id == held.end {
      moved.add(length)
    } else {
      fetched.add(length)
    }
  }
}

extension Difference {
  private var parts: [(name: String, part: Part)] {
    [("same place", kept), ("other place", moved), ("in the store", stored), ("zeros", zeros), ("to fetch", fetched)]
  }

  /// A line for each kind of chunks, and one for the manifest.
  var text: String {
    let lines = parts.map { name, part in
      "\(TextWidth.fit(name, toColumns: 13))\(part.chunks) chunks, \(part.bytes) bytes (\(ByteSize(bytes: part.bytes)))"
    }
    let manifest =
      "\(TextWidth.fit("manifest", toColumns: 13))\(manifestBytes) bytes (\(ByteSize(bytes: manifestBytes)))"
    let pack = packedBytes.map { bytes in
      "\(TextWidth.fit("with a pack", toColumns: 13))\(bytes) bytes (\(ByteSize(bytes: bytes)))"
    }
    return (lines + [pack, manifest].compactMap { $0 }).map { $0 + "\n" }.joined()
  }

  var json: JSONLine {
    func object(_ part: Part) -> JSONLine {
      ["chunks": .unsigned(UInt64(part.chunks)), "bytes": .unsigned(part.bytes)]
    }
    return [
      "samePlace": object(kept), "otherPlace": object(moved), "inStore": object(stored), "zeros": object(zeros),
      "toFetch": object(fetched), "packedBytes": packedBytes.map { .unsigned($0) } ?? nil,
      "manifestBytes": .unsigned(manifestBytes),
    ]
  }
}
