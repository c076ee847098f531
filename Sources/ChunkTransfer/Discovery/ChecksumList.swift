internal import ChunkCore

/// A list of SHA-256 digests by file name, as `sha256sum` (GNU) and `sha256` or `shasum --tag` (BSD) write it.
///
///     9f86d081…  name            a digest, a space, a space or an asterisk, a name
///     \9f86d081…  na\nme          the same with line breaks and backslashes in the name escaped
///     SHA256 (name) = 9f86d081…
///
/// Lines of other digests, comments and signatures around the list are passed over: what counts is whether a file is named.
struct ChecksumList: Sendable {
  private let entries: [(name: String, digest: SHA256Digest)]

  /// The longest list that is read.
  static let longest = 16 << 20

  init(_ bytes: [UInt8]) {
    entries = bytes.split(whereSeparator: { $0 == UInt8(ascii: "\n") || $0 == UInt8(ascii: "\r") })
      .compactMap { line in
        ChecksumLine(line).map { (String(decoding: $0.name, as: UTF8.self), $0.digest) }
          ?? Self.tagged(String(decoding: line, as: UTF8.self))
      }
  }

  /// Whether there is no digest in it at all.
  var isEmpty: Bool { entries.isEmpty }

  /// The digests of files of that name, in any directory; more than one only where the list contradicts itself.
  func digests(of name: String) -> Set<SHA256Digest> {
    let exact = entries.filter { $0.name == name }
    let wanted = exact.isEmpty ? entries.filter { $0.name.hasSuffix("/" + name) } : exact
    return Set(wanted.map(\.digest))
  }

  /// The form of BSD, whose names may have parentheses of their own.
  private static func tagged(_ line: String) -> (name: String, digest: SHA256Digest)? {
    let start = "SHA256 ("
    guard line.hasPrefix(start), let end = line.ranges(of: ") = ").last,
      let digest = SHA256Digest(hex: String(line[end.upperBound...]))
    else { return nil }
    return (String(line[..<end.lowerBound].dropFirst(start.count)), digest)
  }
}
