package import ChunkCore
package import ChunkSystem

/// A manifest in a file, verified as far as its root; its pages are verified as they are read.
package struct StoredManifest: Sendable {
  package let manifest: Manifest
  /// The file with its directory.
  package let path: String
  private let file: OpenFile

  /// - Parameters:
  ///   - file: The open file.
  ///   - path: What messages call it.
  ///   - id: The file it has to be of; `nil` for any.
  /// - Throws: ``StoreError/Code/damaged`` when it is no manifest, not of that file, or not whole.
  package init(_ file: OpenFile, path: String, expecting id: FileID? = nil) throws(StoreError) {
    self.file = file
    self.path = path
    let size = try StoreError.wrap("cannot look at it", path: path) { () throws(Errno) in
      try file.descriptor.status().size
    }
    manifest = try Self.beginning(of: file, size: size, path, expecting: id)
    guard manifest.totalLength == size else {
      throw StoreError(.damaged, "the manifest has \(size) bytes and not \(manifest.totalLength)", path: path)
    }
  }

  /// Reads everything in front of the leaf pages, and verifies it.
  private static func beginning(
    of file: OpenFile, size: UInt64, _ path: String, expecting id: FileID?
  ) throws(StoreError) -> Manifest {
    var prefix = try read(file, upTo: min(size, UInt64(UnverifiedManifest.firstReadLength)), path)
    do throws(ManifestError) {
      let needed = UInt64(try UnverifiedManifest.neededPrefixLength(prefix.span))
      let more = Result { () throws(StoreError) in
        needed > prefix.count ? try read(file, upTo: min(size, needed), path) : prefix
      }
      if case .success(let bytes) = more { prefix = bytes }
      return try UnverifiedManifest(prefix: prefix.span).verified(expecting: id)
    } catch {
      throw StoreError(damaged: error, path: path)
    }
  }

  /// The IDs of a group.
  package func page(group: Int) throws(StoreError) -> LeafPage {
    let bytes = try Self.read(file, manifest.leafPageRange(group: group), path)
    do throws(ManifestError) {
      return try manifest.leafPage(group: group, bytes: bytes.span)
    } catch {
      throw StoreError(damaged: error, path: path)
    }
  }

  /// Calls `body` with every chunk that is not zeros, which a store need not have.
  package func forEachChunk(
    _ body: (_ chunk: ExpectedChunk, _ length: Int) throws(StoreError) -> Void
  ) throws(StoreError) {
    for group in 0..<manifest.geometry.groupCount {
      let page = try page(group: group)
      for index in page.chunks {
        let length = manifest.geometry.length(of: index)
        if page[index] == ZeroChunk.id(length: length) { continue }
        try body(ExpectedChunk(index: index, id: page[index]), length)
      }
    }
  }

  /// Reads every page. Half a second for a million chunks.
  ///
  /// - Throws: ``StoreError/Code/damaged`` when one does not verify.
  package func verify() throws(StoreError) {
    for group in 0..<manifest.geometry.groupCount { _ = try page(group: group) }
  }

  /// Hands all of it on, as it lies there.
  package func write(to sink: (Span<UInt8>) throws(StoreError) -> Void) throws(StoreError) {
    var offset: UInt64 = 0
    while offset < manifest.totalLength {
      let count = min(manifest.totalLength - offset, 1 << 20)
      let bytes = try Self.read(file, ByteRange(offset: offset, count: count), path)
      try sink(bytes.span)
      offset += count
    }
  }

  private static func read(_ file: OpenFile, upTo count: UInt64, _ path: String) throws(StoreError) -> [UInt8] {
    try read(file, ByteRange(offset: 0, count: count), path)
  }

  private static func read(_ file: OpenFile, _ range: ByteRange, _ path: String) throws(StoreError) -> [UInt8] {
    var bytes = [UInt8](repeating: 0, count: Int(range.count))
    do throws(Errno) {
      var span = bytes.mutableSpan
      guard try file.descriptor.pread(into: &span, at: range.offset) == bytes.count else {
        throw Errno.ioError
      }
    } catch {
      throw StoreError(error, "cannot read", path: path)
    }
    return bytes
  }
}

extension StoreError {
  init(damaged error: ManifestError, path: String) {
    self.init(.damaged, "\(error.message); it is not used", path: path)
  }
}
