/// Collects the lines of an answer's header until its end. Interim answers (1xx) come first in the same stream of lines
/// and are passed over; what comes after the head, the trailer of a chunked body, is not looked at.
///
/// The bytes of all lines together, interim answers included, are at most `byteLimit`.
package struct HeaderBlock {
  package static let byteLimit = 256 * 1024
  package static let fieldLimit = 1024

  package enum Step: Sendable {
    /// Go on.
    case more
    /// The head is complete. Once only.
    case head(status: Int, version: HTTPVersion, fields: HeaderFields)
    /// Belongs to the trailer.
    case ignored
  }

  /// Why an answer's header cannot be used.
  package enum Problem: Error, Hashable, Sendable {
    case tooLong
    case tooManyFields
    case badStatusLine
    case controlCharacter
    /// A second final answer to one request.
    case secondAnswer
  }

  private enum Phase {
    case statusLine
    case fields(status: Int, version: HTTPVersion)
    case complete
  }

  private var phase = Phase.statusLine
  /// Those of the answer whose lines come. Not in the phase, out of which a change would copy all of them for each line.
  private var fields = HeaderFields()
  private var byteCount = 0

  package init() {}

  /// Takes one line, with or without its line break.
  package mutating func append(line: Span<UInt8>) throws(Problem) -> Step {
    byteCount += line.count
    guard byteCount <= Self.byteLimit else { throw .tooLong }
    var end = line.count
    if end > 0, line[end - 1] == 0x0A { end -= 1 }
    if end > 0, line[end - 1] == 0x0D { end -= 1 }
    let text = try Self.text(line.extracting(0..<end))
    switch phase {
    case .complete:
      guard !text.hasPrefix("HTTP/") else { throw .secondAnswer }
      return .ignored
    case .statusLine:
      phase = try Self.begin(text)
      fields = HeaderFields()
      return .more
    case .fields(let status, let version):
      guard !text.isEmpty else { return finish(status: status, version: version) }
      try Self.append(text, to: &fields)
      return .more
    }
  }

  private mutating func finish(status: Int, version: HTTPVersion) -> Step {
    guard status >= 200 else {
      phase = .statusLine
      return .more
    }
    phase = .complete
    return .head(status: status, version: version, fields: fields)
  }

  private static func begin(_ line: String) throws(Problem) -> Phase {
    var scanner = FieldScanner(line)
    guard scanner.take(word: "HTTP/"), let major = scanner.number(digits: 1...1) else { throw .badStatusLine }
    let minor = scanner.take(".") ? scanner.number(digits: 1...1) : 0
    guard let minor, scanner.spaces() else { throw .badStatusLine }
    guard let status = scanner.number(digits: 3...3), (100...999).contains(status) else { throw .badStatusLine }
    guard scanner.isAtEnd || scanner.spaces() else { throw .badStatusLine }
    return .fields(status: Int(status), version: HTTPVersion(major: Int(major), minor: Int(minor)))
  }

  private static func append(_ line: String, to fields: inout HeaderFields) throws(Problem) {
    if line.utf8.first == 0x20 || line.utf8.first == 0x09 {
      fields.extendLast(by: trimmed(line[...]))
      return
    }
    // A line that is no field carries nothing that could be used, and curl lets it pass too.
    guard let colon = line.utf8.firstIndex(of: 0x3A), HeaderSyntax.isToken(line[..<colon]) else { return }
    guard fields.count < fieldLimit else { throw .tooManyFields }
    fields.append(name: String(line[..<colon]), value: trimmed(line[line.utf8.index(after: colon)...]))
  }

  private static func text(_ line: Span<UInt8>) throws(Problem) -> String {
    var bytes: [UInt8] = []
    bytes.reserveCapacity(line.count)
    for index in line.indices {
      let byte = line[index]
      guard byte != 0, byte != 0x0A, byte != 0x0D else { throw .controlCharacter }
      bytes.append(byte)
    }
    return String(decoding: bytes, as: UTF8.self)
  }

  private static func trimmed(_ text: Substring) -> String {
    var bytes = text.utf8
    while let first = bytes.first, first == 0x20 || first == 0x09 { bytes.removeFirst() }
    while let last = bytes.last, last == 0x20 || last == 0x09 { bytes.removeLast() }
    return String(Substring(bytes))
  }
}
