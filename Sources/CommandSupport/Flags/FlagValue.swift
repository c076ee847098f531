/// The usual forms of a flag's value. What they throw says what would be right; the parser adds the flag.
package enum FlagValue {
  /// A whole number in decimal, within the range.
  package static func integer(_ text: String, in range: ClosedRange<Int>) throws(UsageError) -> Int {
    guard let number = plainInteger(text), range.contains(number) else {
      throw UsageError("not a whole number from \(range.lowerBound) to \(range.upperBound)")
    }
    return number
  }

  /// A number of bytes, `K`, `M`, `G` and `T` being powers of 1024.
  package static func size(_ text: String) throws(UsageError) -> ByteSize {
    guard let size = ByteSize(text) else { throw UsageError("not a size such as 65536, 256K, 1.5M or 2G") }
    return size
  }

  /// Seconds, with at most nine decimals, from zero to a year.
  package static func seconds(_ text: String) throws(UsageError) -> Duration {
    guard let nanoseconds = DecimalText.scaled(text, by: 1_000_000_000), nanoseconds <= 31_536_000_000_000_000 else {
      throw UsageError("not a number of seconds")
    }
    return .nanoseconds(Int64(nanoseconds))
  }

  /// One of the words of an enumeration.
  package static func word<Word: RawRepresentable<String> & CaseIterable>(
    _ text: String, of type: Word.Type
  ) throws(UsageError) -> Word {
    guard let word = Word(rawValue: text) else {
      let words = Word.allCases.map(\.rawValue)
      throw UsageError(
        "must be one of \(words.joined(separator: ", "))",
        hint: Spelling.nearest(to: text, among: words).map { "did you mean \($0)?" })
    }
    return word
  }

  /// `Int(text)` would take `+4` too.
  private static func plainInteger(_ text: String) -> Int? {
    text.utf8.first == UInt8(ascii: "+") ? nil : Int(text)
  }
}
