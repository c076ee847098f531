internal import ChunkSystem
package import ChunkCore

/// A file beside a partial that saves work for the next run. It may be lost, cut or full of noise at any time: whoever reads it
/// has to check what it says.
package final class SideFile: Sendable {
  package enum Kind: String, Hashable, Sendable, CaseIterable {
    /// `NAME.part.chunks`: the manifest, sparse where it was not read yet.
    case manifest = "chunks"
    /// `NAME.part.learned`: what was seen of a file without a manifest.
    case learned
  }

  /// The file with its directory.
  package let path: String

  private let file: OpenFile
  /// Keeps the lock under which the file may be touched.
  private let partial: PartialFile

  init(path: String, file: OpenFile, partial: PartialFile) {
    self.path = path
    self.file = file
    self.partial = partial
  }

  /// Its length in bytes; zero when that is not to be had.
  package var length: UInt64 {
    do throws(Errno) {
      return try file.descriptor.status().size
    } catch {
      return 0
    }
  }

  /// The bytes of a range; what was never written reads as zeros.
  ///
  /// - Returns: `nil` when the file is too short, or cannot be read.
  package func read(_ range: ByteRange) -> [UInt8]? {
    // Nothing is allocated for a length the file does not have.
    guard range.end <= length, let count = Int(exactly: range.count) else { return nil }
    var bytes = [UInt8](repeating: 0, count: count)
    do throws(Errno) {
      var span = bytes.mutableSpan
      guard try file.descriptor.pread(into: &span, at: range.offset) == count else { return nil }
    } catch {
      return nil
    }
    return bytes
  }

  /// Writes bytes to their place, not durably.
  package func write(_ bytes: Span<UInt8>, at offset: UInt64) throws(StoreError) {
    do throws(Errno) {
      try file.descriptor.pwrite(bytes, at: offset)
    } catch {
      throw StoreError(error, "cannot write", path: path)
    }
  }

  /// Cuts the file, or makes it longer with a hole.
  package func setLength(_ length: UInt64) throws(StoreError) {
    do throws(Errno) {
      try file.descriptor.truncate(to: length)
    } catch {
      throw StoreError(error, "cannot set the length", path: path)
    }
  }
}

extension PartialFile {
  /// Opens a file beside this one, or makes an empty one.
  ///
  /// - Throws: ``StoreError``, with ``StoreError/Code/notUsable`` when something else has the name: a link, a directory, a file
  ///   with other names or of another user. It is left alone; the transfer goes on without.
  package func openSideFile(_ kind: SideFile.Kind) throws(StoreError) -> SideFile {
    try checkUsable()
    let name = "\(name).\(kind.rawValue)"
    let path = "\(path).\(kind.rawValue)"
    let mode = OpenMode(.readWrite, creation: .ifMissing(0o600), followsLinks: false, waits: false)
    let (file, isOurs) = try StoreError.wrap("cannot open", path: path) { () throws(Errno) in
      let file = OpenFile(try directory.directory.open(name, mode))
      return (file, try file.descriptor.status().isOurs)
    }
    guard isOurs else { throw StoreError(.notUsable, "is not a file of this user alone; it is left alone", path: path) }
    return SideFile(path: path, file: file, partial: self)
  }

  /// Makes an empty file beside this one in place of what is there.
  ///
  /// - Throws: ``StoreError``, as ``openSideFile(_:)``; with ``StoreError/Code/notUsable`` also when what is there stays.
  package func renewSideFile(_ kind: SideFile.Kind) throws(StoreError) -> SideFile {
    removeSideFile(kind)
    let file = try openSideFile(kind)
    guard file.length == 0 else { throw StoreError(.notUsable, "cannot be replaced", path: file.path) }
    return file
  }

  /// Removes the files beside this one that are ours. One that cannot be removed stays: it is checked before it is believed.
  func removeSideFiles() {
    for kind in SideFile.Kind.allCases { removeSideFile(kind) }
  }

  private func removeSideFile(_ kind: SideFile.Kind) {
    let name = "\(name).\(kind.rawValue)"
    do throws(Errno) {
      if let status = try directory.directory.status(name), status.isOurs { try directory.directory.remove(name) }
    } catch {}
  }

  /// Removes what a run left beside an output whose partial is gone: one that was killed between its rename and its end. An
  /// existing partial is left alone with what is beside it. That something cannot be removed is no error.
  package static func removeOrphans(of output: OutputPath) {
    do throws(StoreError) {
      let name = output.partialName
      let isOrphaned = try StoreError.wrap("cannot look at the directory", path: output.directory) { () throws(Errno) in
        let directory = try output.files.openDirectory(output.directory)
        var hasSideFiles = false
        for kind in SideFile.Kind.allCases where try directory.status("\(name).\(kind.rawValue)") != nil {
          hasSideFiles = true
        }
        return hasSideFiles ? try directory.status(name) == nil : false
      }
      guard isOrphaned else { return }
      let partial = try open(for: output)
      // Somebody else may have begun in between, and left something.
      if partial.lengthFound == 0 { try partial.discard() }
    } catch {}
  }
}

extension FileStatus {
  fileprivate var isOurs: Bool { kind == .regular && linkCount == 1 && owner == FileSystem.effectiveUser }
}
