package import ChunkSystem

/// Where a file is to go, and what is there now.
package struct OutputPath: Sendable {
  package enum Kind: Hashable, Sendable {
    /// Nothing is there, or something a finished file may replace: a regular file, or a symbolic link, which is replaced
    /// and not followed.
    case file
    /// A FIFO or a character device, or a link to one: it gets the bytes in order, and nothing beside it.
    case stream
  }

  /// The path as it was given.
  package let path: String
  /// The directory that holds it: everything before the name, `.` where that is nothing.
  package let directory: String
  /// The last component.
  package let name: String
  package let kind: Kind
  /// The regular file that is there under the name; a link is not followed.
  package let existing: FileStatus?

  /// Where the file lies until it is complete, and the last component of that.
  package var partialPath: String { "\(path).part" }
  var partialName: String { "\(name).part" }

  /// Nothing is there of the file, nor of one that was to become it.
  package var hasNothing: Bool {
    guard existing == nil else { return false }
    do throws(StoreError) {
      return try Self.status(partialPath, files, followsLinks: false) == nil
    } catch {
      return false
    }
  }

  let files: FileSystem

  /// How many bytes a name may have, so that the names beside it fit what file systems allow: 255.
  package static let maximumNameLength = 242

  /// Looks at what the path stands for. Nothing is made or opened.
  ///
  /// - Throws: ``StoreError/Code/notUsable`` when the name cannot be that of a file, or stands for something else than
  ///   ``Kind`` has; ``StoreError/Code/missing`` when there is no such directory.
  package init(_ path: String, files: FileSystem = FileSystem()) throws(StoreError) {
    let slash = path.utf8.lastIndex(of: UInt8(ascii: "/"))
    name = slash.map { String(path[path.index(after: $0)...]) } ?? path
    directory = slash.map { $0 == path.startIndex ? "/" : String(path[..<$0]) } ?? "."
    self.path = path
    self.files = files
    if let problem = Self.problem(withName: name) { throw StoreError(.notUsable, problem, path: path) }

    // The directory is looked at first, so that the message can tell which of the two is missing.
    let directory = directory
    let parent = try StoreError.wrap("cannot use the directory", path: directory) { () throws(Errno) in
      try files.status(directory)
    }
    guard parent.kind == .directory else {
      throw StoreError(.notUsable, "not a directory", path: directory)
    }
    let found = try Self.status(path, files, followsLinks: false)
    switch found?.kind {
    case nil, .regular: (kind, existing) = (.file, found)
    case .symbolicLink:
      kind = try Self.kind(ofWhatIsBehindTheLink: path, files)
      existing = nil
    case .fifo, .characterDevice: (kind, existing) = (.stream, nil)
    case .directory: throw StoreError(.notUsable, "is a directory; give the name of a file", path: path)
    case .other: throw StoreError(.notUsable, "is neither a file, a FIFO nor a character device", path: path)
    }
  }

  /// Opens a stream for writing. Waits until a FIFO has a reader, or until `isStopped`.
  ///
  /// - Throws: ``StoreError/Code/cancelled`` when it was stopped.
  package func openStream(isStopped: () -> Bool = { false }) throws(StoreError) -> OpenFile {
    while true {
      do throws(Errno) {
        // Waiting inside the call could not be ended. Writes wait by themselves.
        return OpenFile(try files.open(path, OpenMode(.write, waits: false)))
      } catch .noSuchAddress {
        if isStopped() { throw StoreError(.cancelled, "was not opened, as nobody reads it", path: path) }
        DedicatedThread.pause(for: .milliseconds(50))
      } catch {
        throw StoreError(error, "cannot open", path: path)
      }
    }
  }

  /// Opens the regular file that is there now for reading.
  ///
  /// - Returns: The file and what it is; `nil` when there is none, also when it went since ``existing`` was looked at.
  package func openExisting() throws(StoreError) -> (file: OpenFile?, status: FileStatus?) {
    do throws(Errno) {
      let file = try files.open(path, OpenMode(.read, followsLinks: false, waits: false))
      let status = try file.status()
      return status.kind == .regular ? (OpenFile(file), status) : (nil, nil)
    } catch .noSuchFile {
      return (nil, nil)
    } catch .tooManyLinks {
      return (nil, nil)
    } catch {
      throw StoreError(error, "cannot open", path: path)
    }
  }

  /// The regular file that is there now under the name, as ``existing`` was when this value was made.
  package func existingNow() throws(StoreError) -> FileStatus? {
    guard let found = try Self.status(path, files, followsLinks: false), found.kind == .regular else { return nil }
    return found
  }

  private static func problem(withName name: String) -> String? {
    switch name {
    case "": "the path ends without the name of a file"
    case ".", "..": "is a directory; give the name of a file"
    case _ where name.utf8.count > maximumNameLength:
      "the name has \(name.utf8.count) bytes; \(maximumNameLength) leave room for the names beside it"
    case _ where name.utf8.contains(0): "the name has a zero byte"
    default: nil
    }
  }

  private static func status(
    _ path: String, _ files: FileSystem, followsLinks: Bool
  ) throws(StoreError) -> FileStatus? {
    do throws(Errno) {
      return try files.status(path, followsLinks: followsLinks)
    } catch .noSuchFile {
      return nil
    } catch {
      throw StoreError(error, "cannot look at it", path: path)
    }
  }

  /// `/dev/stdout` is a link, and nobody who names it wants it to become a file. A link to a directory is more likely a
  /// slip than a wish.
  private static func kind(ofWhatIsBehindTheLink path: String, _ files: FileSystem) throws(StoreError) -> Kind {
    let behind: FileStatus?
    do throws(Errno) {
      behind = try files.status(path)
    } catch {
      return .file
    }
    switch behind?.kind {
    case .fifo, .characterDevice: return .stream
    case .directory: throw StoreError(.notUsable, "is a link to a directory; give the name of a file", path: path)
    default: return .file
    }
  }
}
