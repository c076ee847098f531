/// The strong validator of a served file: device, inode, length and modification time in nanoseconds, in hexadecimal.
///
/// It changes whenever a file is replaced (another inode) or written to (another time). A program that writes in place
/// and then sets the time back, to the nanosecond and at the same length, is not noticed.
struct EntityTag: Hashable, Sendable, CustomStringConvertible {
  /// With its quotation marks, as it stands in the field.
  let description: String

  init(device: UInt64, inode: UInt64, length: UInt64, modifiedNanoseconds: Int64) {
    let parts = [device, inode, length, UInt64(bitPattern: modifiedNanoseconds)].map { String($0, radix: 16) }
    description = "\"\(parts.joined(separator: "-"))\""
  }

  /// Whether a list as in `If-None-Match` names this tag, or is `*`. Weak comparison takes no notice of `W/`
  /// (RFC 9110, section 8.8.3.2). Our tags hold no comma, so a list can be split at them: a foreign tag that does only
  /// falls apart into pieces that match nothing.
  func isNamed(in list: String, weakly: Bool) -> Bool {
    list.split(separator: ",").contains { item in
      var tag = item.drop { $0 == " " || $0 == "\t" }
      while tag.last == " " || tag.last == "\t" { tag.removeLast() }
      if tag == "*" { return true }
      if weakly, tag.hasPrefix("W/") { tag = tag.dropFirst(2) }
      return tag == description
    }
  }
}
