/// The header fields of an answer, in the order they came. Names are compared without regard to case; a name may occur
/// more than once.
package struct HeaderFields: Sendable, Sequence, ExpressibleByDictionaryLiteral {
  package struct Field: Hashable, Sendable {
    package let name: String
    /// Without the white space around it.
    package fileprivate(set) var value: String
  }

  private var fields: [Field] = []

  package init() {}

  package init(_ pairs: some Sequence<(key: String, value: String)>) {
    for (name, value) in pairs { append(name: name, value: value) }
  }

  /// Names may be repeated.
  package init(dictionaryLiteral pairs: (String, String)...) {
    for (name, value) in pairs { append(name: name, value: value) }
  }

  package var count: Int { fields.count }

  package func makeIterator() -> IndexingIterator<[Field]> { fields.makeIterator() }

  /// The first value.
  package subscript(name: String) -> String? { fields.first { Self.isSame($0.name, name) }?.value }

  package func values(of name: String) -> [String] {
    fields.compactMap { Self.isSame($0.name, name) ? $0.value : nil }
  }

  /// The value of a field that may stand once: nil without one, and when several differ in any byte. Swift calls strings
  /// equal that Unicode has down as equivalent; to HTTP they are different.
  package func onlyValue(of name: String) -> String? {
    let values = values(of: name)
    guard let first = values.first, values.allSatisfy({ $0.utf8.elementsEqual(first.utf8) }) else { return nil }
    return first
  }

  mutating func append(name: String, value: String) {
    fields.append(Field(name: name, value: value))
  }

  /// A line that goes on in the next one (obsolete line folding, RFC 9112, section 5.2).
  mutating func extendLast(by value: String) {
    guard !fields.isEmpty else { return }
    fields[fields.count - 1].value += (fields[fields.count - 1].value.isEmpty ? "" : " ") + value
  }

  private static func isSame(_ left: String, _ right: String) -> Bool {
    left.utf8.count == right.utf8.count
      && zip(left.utf8, right.utf8).allSatisfy { lowered($0) == lowered($1) }
  }

  private static func lowered(_ byte: UInt8) -> UInt8 { (0x41...0x5A).contains(byte) ? byte | 0x20 : byte }
}
