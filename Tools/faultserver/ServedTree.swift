internal import FaultServer
internal import Glibc

/// The regular files below a directory, as they are when the server starts.
struct ServedTree {
  private let root: String

  init(_ root: String) { self.root = root }

  /// Each file under its path, percent-encoded as clients ask for it. Names that begin with a dot are left out, links are
  /// not followed.
  func resources() throws(FaultServerError) -> [String: Resource] {
    var found: [String: Resource] = [:]
    try collect(root, "", &found)
    return found
  }

  private func collect(
    _ directory: String, _ prefix: String, _ found: inout [String: Resource]
  ) throws(FaultServerError) {
    for name in try names(in: directory) where !name.hasPrefix(".") {
      let path = "\(directory)/\(name)"
      var status = stat()
      guard unsafe lstat(path, &status) == 0 else { continue }
      switch status.st_mode & S_IFMT {
      case S_IFDIR: try collect(path, "\(prefix)/\(encoded(name))", &found)
      case S_IFREG:
        let tag = "\"\(String(status.st_mtim.tv_sec, radix: 16))-\(String(status.st_size, radix: 16))\""
        found["\(prefix)/\(encoded(name))"] = Resource(
          try .file(path), etag: tag, lastModified: Int64(status.st_mtim.tv_sec))
      default: continue
      }
    }
  }

  private func names(in directory: String) throws(FaultServerError) -> [String] {
    guard let stream = unsafe opendir(directory) else { throw .cannotRead(directory) }
    defer { unsafe closedir(stream) }
    var names: [String] = []
    while let entry = unsafe readdir(stream) {
      // The entry is valid until the next call, and its name ends with a zero.
      names.append(
        unsafe withUnsafePointer(to: &entry.pointee.d_name) { pointer in
          unsafe pointer.withMemoryRebound(to: CChar.self, capacity: 256) { unsafe String(cString: $0) }
        })
    }
    return names
  }

  /// What stays as it is in a path (RFC 3986): unreserved, and the rest as two hexadecimal digits a byte.
  private func encoded(_ name: String) -> String {
    var result = ""
    for byte in name.utf8 {
      let character = Character(Unicode.Scalar(byte))
      if byte < 128, character.isLetter || character.isNumber || "-._~".contains(character) {
        result.append(character)
      } else {
        result += "%" + (byte < 16 ? "0" : "") + String(byte, radix: 16, uppercase: true)
      }
    }
    return result
  }
}
