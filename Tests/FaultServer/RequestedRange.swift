/// What a `Range` header asks for.
package enum RequestedRange: Hashable, Sendable {
  /// `a-b`, both included.
  case bounded(first: UInt64, last: UInt64)
  /// `a-`
  case from(UInt64)
  /// `-n`: the last n bytes.
  case suffix(UInt64)
  /// More than one range; answered as if there were none.
  case several([RequestedRange])
  /// Not understood; answered as if there were none.
  case malformed(String)

  init(header: String) {
    guard header.hasPrefix("bytes=") else {
      self = .malformed(header)
      return
    }
    let parts = header.dropFirst(6).split(separator: ",", omittingEmptySubsequences: false).map { part in
      Self.single(part.drop { $0 == " " })
    }
    let whole = parts.compactMap(\.self)
    if whole.count != parts.count {
      self = .malformed(header)
    } else {
      self = whole.count == 1 ? whole[0] : .several(whole)
    }
  }

  private static func single(_ text: Substring) -> RequestedRange? {
    let ends = text.split(separator: "-", maxSplits: 1, omittingEmptySubsequences: false)
    guard ends.count == 2 else { return nil }
    if ends[0].isEmpty { return UInt64(ends[1]).map { .suffix($0) } }
    guard let first = UInt64(ends[0]) else { return nil }
    if ends[1].isEmpty { return .from(first) }
    guard let last = UInt64(ends[1]), last >= first else { return nil }
    return .bounded(first: first, last: last)
  }

  /// The bytes meant, of a resource of that length.
  func resolved(length: UInt64) -> Resolved {
    switch self {
    case .bounded(let first, let last):
      first < length ? .bytes(first..<(last < length ? last + 1 : length)) : .unsatisfiable
    case .from(let first):
      first < length ? .bytes(first..<length) : .unsatisfiable
    case .suffix(let count):
      count > 0 && length > 0 ? .bytes((length - min(count, length))..<length) : .unsatisfiable
    case .several, .malformed:
      .whole
    }
  }

  /// What becomes of a range once the length is known.
  enum Resolved: Hashable {
    case bytes(Range<UInt64>)
    case unsatisfiable
    case whole
  }
}
