package import ChunkCore
internal import ChunkStore
package import ChunkSystem

/// What the partial of a download has of its file, looked at from outside: no lock is taken, and nothing is changed.
package struct PartialStatus: Sendable {
  /// The partial.
  package let path: String
  package let fileID: FileID
  package let geometry: ChunkGeometry
  /// What is here, hashed now.
  package private(set) var map: ChunkMap
  package private(set) var rightChunks = 0
  package private(set) var rightBytes: UInt64 = 0
  /// Chunks of which nobody can say, as the part of the manifest with their IDs has not come yet.
  package private(set) var unknownChunks = 0
  /// Whether a download holds the lock.
  package let isRunning: Bool
  /// The other processes that have the partial open.
  package let holders: [FileHolder]

  /// Hashes what is there of a file. Blocks until that is done.
  ///
  /// - Parameter path: The partial, or the file it is going to be.
  /// - Throws: `invalidRequest` when there is none, `notTrusted` when there is no manifest beside it, `disk` when one of the two
  ///   cannot be read.
  package init(of path: String) throws(TransferError) {
    let part = path.hasSuffix(".part") ? path : "\(path).part"
    let opened = try Self.open(part)
    let manifest = try Self.manifest(beside: part)
    self.path = part
    (fileID, geometry) = (manifest.fileID, manifest.geometry)
    (isRunning, holders) = (opened.isLocked, FileSystem().holders(of: opened.status.identity))
    map = ChunkMap(chunkCount: manifest.geometry.chunkCount)
    let scan = ParallelScan(geometry: geometry, file: opened.file)
    for group in 0..<geometry.groupCount { try look(at: group, of: manifest, in: opened, scan) }
  }

  // MARK: What there is

  private struct Opened {
    let file: OpenFile
    let status: FileStatus
    let isLocked: Bool
  }

  private static func open(_ part: String) throws(TransferError) -> Opened {
    do throws(Errno) {
      let file = OpenFile(try FileSystem().open(part, OpenMode(.read, followsLinks: false, waits: false)))
      let status = try file.descriptor.status()
      guard status.kind == .regular else { throw Errno.isDirectory }
      return Opened(file: file, status: status, isLocked: try file.descriptor.isLocked())
    } catch .noSuchFile {
      throw TransferError(.invalidRequest, "\(part): there is none, so no download of that file has been broken off.")
    } catch {
      throw TransferError(.disk, "\(part): cannot be read: \(error).")
    }
  }

  private static func manifest(beside part: String) throws(TransferError) -> Manifest {
    let bytes: [UInt8]
    do throws(Errno) {
      bytes = try FileSystem().read("\(part).chunks", upTo: UnverifiedManifest.longestPrefix)
    } catch {
      throw TransferError(
        .notTrusted, "\(part).chunks: \(error). Without a manifest beside it nobody can say what of \(part) is right.")
    }
    do throws(ManifestError) {
      return try UnverifiedManifest(prefix: bytes.span).verified(expecting: nil)
    } catch {
      throw TransferError(.notTrusted, "\(part).chunks: is no manifest: \(error.message)")
    }
  }

  // MARK: Hashing

  private mutating func look(
    at group: Int, of manifest: Manifest, in opened: Opened, _ scan: ParallelScan
  ) throws(TransferError) {
    let chunks = geometry.chunks(inGroup: group)
    let within = chunks.filter { geometry.range(of: $0).offset < opened.status.size }
    let contents = try scan.contents(of: within, isStopped: { false })
    // A group of which all is here makes up its own page.
    guard let page = manifest.leafPage(group: group, contents: contents) ?? kept(group, manifest) else {
      unknownChunks += chunks.count
      return
    }
    for chunk in within where contents[chunk]?.id(length: geometry.length(of: chunk)) == page[chunk] {
      map.add(chunk)
      rightChunks += 1
      rightBytes += UInt64(geometry.length(of: chunk))
    }
  }

  private func kept(_ group: Int, _ manifest: Manifest) -> LeafPage? {
    let range = manifest.leafPageRange(group: group)
    guard let bytes = try? FileSystem().read("\(path).chunks", at: range.offset, upTo: Int(range.count)) else {
      return nil
    }
    return (try? manifest.leafPage(group: group, bytes: bytes.span)) ?? manifest.zeroLeafPage(group: group)
  }
}
