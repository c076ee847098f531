/// What identifies a version of a resource: its entity tag, or the date of its last change where it has no tag.
package struct Validator: Hashable, Sendable {
  /// As it was received, which is how it must be sent back.
  package let fieldValue: String
  /// False for a modification date.
  package let isEntityTag: Bool
  /// Whether equal validators mean equal bytes.
  package let isStrong: Bool

  /// The validator of an answer; nil when it has none.
  ///
  /// A tag that is not quoted, or not the only one, is none, and neither is one that holds bytes that are not UTF-8: it
  /// could not be sent back as it came. A modification date is strong (RFC 9110, section
  /// 8.8.2.2) when it is a minute or more before the answer's `Date`; or a second or more, when nothing says that a
  /// cache was in between and so one clock made both.
  package init?(headers: HeaderFields) {
    if headers["ETag"] != nil {
      guard let tag = headers.onlyValue(of: "ETag"), let isStrong = Self.strength(entityTag: tag) else { return nil }
      self.init(fieldValue: tag, isEntityTag: true, isStrong: isStrong)
      return
    }
    guard let text = headers.onlyValue(of: "Last-Modified") else { return nil }
    let date = headers["Date"].flatMap { HTTPDate($0) }
    guard let modified = HTTPDate(text, now: date) else { return nil }
    let age = date.map { $0.secondsSince1970 - modified.secondsSince1970 } ?? 0
    let passedCache = ["Age", "Via", "X-Cache"].contains { headers[$0] != nil }
    self.init(fieldValue: text, isEntityTag: false, isStrong: age >= (passedCache ? 60 : 1))
  }

  /// A validator that was kept. nil when it could not have come from an answer.
  package init?(fieldValue: String, isEntityTag: Bool, isStrong: Bool) {
    guard HeaderSyntax.isFieldValue(fieldValue) else { return nil }
    guard isEntityTag ? Self.strength(entityTag: fieldValue) == isStrong : HTTPDate(fieldValue) != nil else {
      return nil
    }
    self.fieldValue = fieldValue
    self.isEntityTag = isEntityTag
    self.isStrong = isStrong
  }

  /// Strong comparison (RFC 9110, section 8.8.3.2): true only when the bytes are the same.
  package func isSameVersion(as other: Validator) -> Bool { isStrong && self == other }

  /// Whether both are the same to the last byte, which is more than equality of strings asks for.
  package static func == (left: Validator, right: Validator) -> Bool {
    left.isStrong == right.isStrong && left.isEntityTag == right.isEntityTag
      && left.fieldValue.utf8.elementsEqual(right.fieldValue.utf8)
  }

  /// Whether the tag is strong; nil when it is no entity tag.
  private static func strength(entityTag: String) -> Bool? {
    let isWeak = entityTag.hasPrefix("W/")
    // Where bytes were not UTF-8 this stands in their place, and they are lost.
    guard !entityTag.unicodeScalars.contains("\u{FFFD}") else { return nil }
    let bytes = Array((isWeak ? entityTag.dropFirst(2) : entityTag[...]).utf8)
    guard bytes.count >= 2, bytes.first == 0x22, bytes.last == 0x22 else { return nil }
    // Spaces are not allowed, but sent, and change nothing.
    guard bytes.dropFirst().dropLast().allSatisfy({ $0 >= 0x20 && $0 != 0x22 && $0 != 0x7F }) else { return nil }
    return !isWeak
  }
}
