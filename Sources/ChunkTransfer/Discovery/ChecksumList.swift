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
      .compactMap { Self.entry(of: String(decoding: $0, as: UTF8.self)) }
  }

  /// Whether there is no digest in it at all.
  var isEmpty: Bool { entries.isEmpty }

  /// The digests of files of that name, in any directory; more than one only where the list contradicts itself.
  func digests(of name: String) -> Set<SHA256Digest> {
    let exact = entries.filter { $0.name == name }
    let wanted = exact.isEmpty ? entries.filter { $0.name.hasSuffix("/" + name) } : exact
    return Set(wanted.map(\.digest))
  }

  private static func entry(of line: String) -> (name: String, digest: SHA256Digest)? {
    if line.hasPrefix("SHA256 ("), let close = line.range(of: ") = ") {
      guard let digest = SHA256Digest(hex: String(line[close.upperBound...])) else { return nil }
      return (String(line[line.index(line.startIndex, offsetBy: 8)..<close.lowerBound]), digest)
    }
    let isEscaped = line.hasPrefix("\\")
    let text = isEscaped ? line.dropFirst() : line[...]
    guard text.utf8.count > 66, let digest = SHA256Digest(hex: String(text.prefix(64))) else { return nil }
    let rest = text.dropFirst(64)
    guard rest.hasPrefix("  ") || rest.hasPrefix(" *") else { return nil }
    let name = String(rest.dropFirst(2))
    return (isEscaped ? unescape(name) : name, digest)
  }

  private static func unescape(_ name: String) -> String {
    var result = ""
    var isAfterBackslash = false
    for character in name {
      if isAfterBackslash {
        result.append(character == "n" ? "\n" : character == "r" ? "\r" : character)
        isAfterBackslash = false
      } else if character == "\\" {
        isAfterBackslash = true
      } else {
        result.append(character)
      }
    }
    return result
  }
}

extension String {
  /// The last place of a text; `Foundation` has this, and is not needed for anything else here.
  fileprivate func range(of text: String) -> Range<String.Index>? {
    ranges(of: text).last
  }
}
