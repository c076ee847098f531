internal import ChunkCore
internal import ChunkSystem
internal import CommandSupport

/// A manifest file that has been read and checked to its last byte. Takes twice the memory of the file: 64 bytes a chunk.
struct StoredManifest: Sendable {
  let manifest: Manifest
  /// The BLAKE2b digest, of 64 bytes, of the file: what is signed.
  var hash: [UInt8] { BLAKE2b.hash(bytes.span, .bytes64) }
  private let bytes: [UInt8]
  private let pages: [LeafPage]

  /// The IDs of a group's chunks.
  func ids(ofGroup group: Int) -> [ChunkID] { pages[group].ids }

  /// Where the frames of the pack lie, by groups; nil when the manifest has no such column.
  ///
  /// - Throws: What is impossible about it.
  func packedFrames() throws(ManifestError) -> [PackedFrames]? {
    guard manifest.describesPack else { return nil }
    var frames: [PackedFrames] = []
    for group in 0..<manifest.geometry.groupCount {
      guard let range = manifest.packRange(groups: group..<group + 1) else { return nil }
      let column = bytes.span.extracting(Int(range.offset)..<Int(range.end))
      frames.append(try manifest.packedFrames(groups: group..<group + 1, bytes: column))
    }
    return frames
  }

  /// Fails for what cannot be read, is no manifest, or is not the one that is pinned.
  init(_ path: String, expecting pinned: FileID? = nil) throws(Failure) {
    let file = try ManifestInput(path)
    // What is no manifest may be of any length, so the beginning decides how much is read.
    let beginning = try file.bytes(upTo: UInt64(UnverifiedManifest.firstReadLength))
    let needed = try Failure.check(path) { () throws(ManifestError) in
      try UnverifiedManifest.neededPrefixLength(beginning.span)
    }
    let prefix = needed <= beginning.count ? beginning : try file.bytes(upTo: UInt64(needed))
    let length = try Failure.check(path) { () throws(ManifestError) in
      try UnverifiedManifest(prefix: prefix.span.extracting(first: needed)).totalLength
    }
    // One byte more than there should be shows a file that is too long.
    let whole = try file.bytes(upTo: length + 1)
    (manifest, pages) = try Failure.check(path) { () throws(ManifestError) in
      try Manifest.decode(whole: whole.span, expecting: pinned)
    }
    bytes = whole
  }
}

/// The bytes of a manifest file.
private struct ManifestInput: ~Copyable {
  private let path: String
  private let file: FileDescriptor
  private let size: UInt64

  init(_ path: String) throws(Failure) {
    let file = try Failure.access(path) { () throws(Errno) in
      try FileSystem().open(path, OpenMode(.read, waits: false))
    }
    let status = try Failure.access(path) { () throws(Errno) in try file.status() }
    guard status.kind == .regular else {
      throw Failure(.failure, "\(SafeText.escape(path)): is not a regular file")
    }
    self.path = path
    self.file = file
    size = status.size
  }

  /// The first `limit` bytes, or all there are.
  func bytes(upTo limit: UInt64) throws(Failure) -> [UInt8] {
    var bytes = [UInt8](repeating: 0, count: Int(min(limit, size)))
    var span = bytes.mutableSpan
    let count: Int
    do throws(Errno) {
      count = try file.pread(into: &span, at: 0)
    } catch {
      throw Failure(error, path: path)
    }
    bytes.removeLast(bytes.count - count)
    return bytes
  }
}

extension Failure {
  /// Runs what reads a manifest, and says of an error which file it is about.
  fileprivate static func check<Result>(
    _ path: String, _ body: () throws(ManifestError) -> Result
  ) throws(Failure) -> Result {
    do throws(ManifestError) { return try body() } catch { throw Failure(error, path: path) }
  }

  fileprivate static func access<Result: ~Copyable>(
    _ path: String, _ body: () throws(Errno) -> Result
  ) throws(Failure) -> Result {
    do throws(Errno) { return try body() } catch { throw Failure(error, path: path) }
  }
}
