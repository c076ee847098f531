/// A JSON value to be written, never read: what the commands report to other programs, one object a line. Members keep
/// the order they were given in.
package enum JSONLine: Sendable {
  case object([(name: String, value: JSONLine)])
  case array([JSONLine])
  case string(String)
  case unsigned(UInt64)
  case signed(Int64)
  case number(Double)
  case bool(Bool)
  case null

  /// The text, without line breaks. Everything a terminal would obey is escaped, so that the line is safe to show.
  /// A number that JSON cannot hold (infinite or undefined) becomes `null`.
  package var text: String {
    var result = ""
    write(to: &result)
    return result
  }

  private func write(to result: inout String) {
    switch self {
    case .object(let members):
      result += "{"
      for (position, member) in members.enumerated() {
        if position > 0 { result += "," }
        Self.write(member.name, to: &result)
        result += ":"
        member.value.write(to: &result)
      }
      result += "}"
    case .array(let values):
      result += "["
      for (position, value) in values.enumerated() {
        if position > 0 { result += "," }
        value.write(to: &result)
      }
      result += "]"
    case .string(let text): Self.write(text, to: &result)
    case .unsigned(let number): result += "\(number)"
    case .signed(let number): result += "\(number)"
    case .number(let number): result += number.isFinite ? "\(number)" : "null"
    case .bool(let bool): result += bool ? "true" : "false"
    case .null: result += "null"
    }
  }

  private static func write(_ text: String, to result: inout String) {
    result += "\""
    for scalar in text.unicodeScalars {
      switch scalar {
      case "\"": result += "\\\""
      case "\\": result += "\\\\"
      case "\n": result += "\\n"
      case "\r": result += "\\r"
      case "\t": result += "\\t"
      default:
        if SafeText.isHazardous(scalar) {
          for unit in UTF16.encode(scalar) ?? UTF16.encodedReplacementCharacter { result += escape(unit) }
        } else {
          result.unicodeScalars.append(scalar)
        }
      }
    }
    result += "\""
  }

  private static func escape(_ unit: UInt16) -> String {
    let digits = String(unit, radix: 16)
    return "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
  }
}

extension JSONLine: ExpressibleByStringLiteral, ExpressibleByDictionaryLiteral, ExpressibleByArrayLiteral,
  ExpressibleByBooleanLiteral, ExpressibleByNilLiteral, ExpressibleByIntegerLiteral
{
  package init(stringLiteral value: String) { self = .string(value) }
  package init(dictionaryLiteral elements: (String, JSONLine)...) { self = .object(elements.map { ($0.0, $0.1) }) }
  package init(arrayLiteral elements: JSONLine...) { self = .array(elements) }
  package init(booleanLiteral value: Bool) { self = .bool(value) }
  package init(nilLiteral: ()) { self = .null }
  package init(integerLiteral value: Int64) { self = .signed(value) }
}
