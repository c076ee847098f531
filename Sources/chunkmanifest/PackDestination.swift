internal import ChunkCore
internal import ChunkStore
internal import CommandSupport

/// Where `build --pack` writes a pack: in the directory of the manifest, so that both are published together.
struct PackDestination {
  /// What the manifest says of it.
  let source: ManifestMetadata.Source
  private let output: OutputPath

  /// Looks at what is there, before the file is read.
  init(beside manifest: String, describing file: String) throws(Failure) {
    let name = "\(file.split(separator: "/").last ?? "").zst"
    let directory = manifest.lastIndex(of: "/").map { String(manifest[...$0]) } ?? ""
    do throws(StoreError) {
      output = try OutputPath(directory + name)
    } catch {
      throw Failure(error)
    }
    guard output.path != manifest else {
      throw Failure(.usage, "\(SafeText.escape(manifest)): the manifest and the pack would have one name")
    }
    do throws(ManifestError) {
      source = try ManifestMetadata.Source(kind: .pack, url: URIReference.path(name))
    } catch {
      throw Failure(error, path: file)
    }
  }

  /// - Returns: Where its frames end.
  func write(
    of path: String, _ hashed: HashedFile, level: PackLevel, _ session: HashingSession
  ) throws(Failure) -> [UInt64] {
    try session.run(on: output.path) { progress throws(StoreError) in
      try PackFile().write(of: path, hashed: hashed, level: level, to: output, progress: progress)
    }
  }
}

/// References as URLs have them (RFC 3986).
enum URIReference {
  /// A name as a relative path: everything is percent-encoded that is not unreserved, so that it is nothing but a name.
  static func path(_ name: String) -> String {
    name.utf8.map { byte in
      let isLetter = (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte | 0x20)
      let isDigit = (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte)
      if isLetter || isDigit || "-._~".utf8.contains(byte) { return String(UnicodeScalar(byte)) }
      let digits = String(byte, radix: 16, uppercase: true)
      return digits.count == 1 ? "%0\(digits)" : "%\(digits)"
    }.joined()
  }
}
