internal import ChunkSystem

/// Files that are written whole and at once: they have their old content or the new one, whatever happens, and never a part.
package enum DurableFile {
  /// Writes to a temporary file in the same directory, brings it to the medium and renames it over the name.
  ///
  /// - Parameters:
  ///   - output: Where it goes; a stream gets the bytes directly.
  ///   - content: Calls the sink it gets with one piece after the other.
  /// - Throws: ``StoreError``. The temporary file is gone then, and the old file there, unless all that failed was to make
  ///   the new name durable.
  package static func write(
    to output: OutputPath,
    content: (_ sink: (Span<UInt8>) throws(StoreError) -> Void) throws(StoreError) -> Void
  ) throws(StoreError) {
    if output.kind == .stream {
      let stream = try output.openStream()
      return try content { bytes throws(StoreError) in
        try StoreError.wrap("cannot write", path: output.path) { () throws(Errno) in
          try stream.descriptor.write(bytes)
        }
      }
    }
    let directory = try StoreError.wrap("cannot open the directory", path: output.directory) { () throws(Errno) in
      SharedDirectory(try output.files.openDirectory(output.directory))
    }
    let temporary = "\(prefix)\(UInt64.random(in: 0 ... .max))"
    do throws(StoreError) {
      try writeTemporary(temporary, in: directory, output, content)
      try StoreError.wrap("cannot give the file its name", path: output.path) { () throws(Errno) in
        try directory.directory.rename(temporary, to: output.name)
      }
    } catch {
      do throws(Errno) {
        try directory.directory.remove(temporary)
      } catch {}
      throw error
    }
    try StoreError.wrap("cannot make the new name durable", path: output.path) { () throws(Errno) in
      try directory.directory.sync()
    }
  }

  /// What the names of temporary files begin with. One that is left over was left by a process that was killed.
  package static let prefix = ".chunkget-"

  private static func writeTemporary(
    _ name: String, in directory: SharedDirectory, _ output: OutputPath,
    _ content: (_ sink: (Span<UInt8>) throws(StoreError) -> Void) throws(StoreError) -> Void
  ) throws(StoreError) {
    let file = try StoreError.wrap("cannot make a file", path: output.path) { () throws(Errno) in
      OpenFile(try directory.directory.open(name, OpenMode(.write, creation: .always(0o666))))
    }
    var offset: UInt64 = 0
    try content { bytes throws(StoreError) in
      do throws(Errno) {
        try file.descriptor.pwrite(bytes, at: offset)
      } catch {
        throw StoreError(error, "cannot write", path: output.path)
      }
      offset += UInt64(bytes.count)
    }
    try StoreError.wrap("cannot bring the bytes to the medium", path: output.path) { () throws(Errno) in
      try file.descriptor.sync()
    }
  }
}
