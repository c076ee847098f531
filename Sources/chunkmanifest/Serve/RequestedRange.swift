/// What a `Range` field asks for of a file of known length (RFC 9110, section 14.1.2).
enum RequestedRange: Hashable, Sendable {
  /// The whole file: no field, one that is not understood, or several ranges, which may be answered with everything.
  case whole
  /// These bytes, all of them inside the file.
  case part(Range<UInt64>)
  /// Well-formed, but nothing of it is inside the file.
  case unsatisfiable

  init(_ field: String?, length: UInt64) {
    self = field.flatMap { Self.parse($0, length: length) } ?? .whole
  }

  private static func parse(_ field: String, length: UInt64) -> RequestedRange? {
    let halves = field.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
    guard halves.count == 2, halves[0].lowercased() == "bytes" else { return nil }
    let range = trimmed(halves[1])
    let ends = range.split(separator: "-", maxSplits: 1, omittingEmptySubsequences: false)
    guard ends.count == 2, ends[0].isEmpty || isNumber(ends[0]), ends[1].isEmpty || isNumber(ends[1]) else {
      return nil
    }
    switch (ends[0].isEmpty, ends[1].isEmpty) {
    case (true, true):
      return nil
    case (true, false):
      // The last n bytes. Of the empty file these are all of it, which no Content-Range can say.
      let count = saturated(ends[1])
      if count == 0 { return .unsatisfiable }
      return length == 0 ? .whole : .part(length - min(count, length)..<length)
    case (false, _):
      let first = saturated(ends[0])
      let last = ends[1].isEmpty ? UInt64.max : saturated(ends[1])
      if last < first { return nil }
      return first < length ? .part(first..<min(last, length - 1) + 1) : .unsatisfiable
    }
  }

  private static func trimmed(_ text: Substring) -> Substring {
    let isSpace = { (character: Character) in character == " " || character == "\t" }
    var text = text.drop(while: isSpace)
    while text.last.map(isSpace) == true { text.removeLast() }
    return text
  }

  private static func isNumber(_ text: Substring) -> Bool {
    text.utf8.allSatisfy { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }
  }

  /// A number of more than 64 bits lies behind every file, as the largest of 64 bits does.
  private static func saturated(_ digits: Substring) -> UInt64 { UInt64(digits) ?? .max }
}
