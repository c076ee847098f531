import ChunkHTTP
import FuzzDriver

func examineContentRange(_ bytes: [UInt8]) {
  guard let range = ContentRange(String(decoding: bytes, as: UTF8.self)) else { return }
  mustHold(range.isSane, "a range is within the resource: \(range)")
  mustHold(ContentRange(range.plainText) == range, "a range means the same in its plain form: \(range)")
  if FuzzDriver.hasPlantedBug, let total = range.total {
    mustHold(total % 7 != 4, "the planted bug: some totals are impossible")
  }
}

extension ContentRange {
  /// The numbers can be used without another look.
  var isSane: Bool {
    let largest = UInt64(Int64.max)
    return switch self {
    case .range(let first, let last, let total):
      first <= last && last < (total ?? .max) && max(last, total ?? 0) <= largest
    case .unsatisfied(let total): total <= largest
    }
  }

  fileprivate var plainText: String {
    switch self {
    case .range(let first, let last, let total): "bytes \(first)-\(last)/\(total.map { "\($0)" } ?? "*")"
    case .unsatisfied(let total): "bytes */\(total)"
    }
  }
}

func examineDates(_ input: inout FuzzInput) {
  // To the year 9999, which is as far as an answer can say.
  let now = HTTPDate(secondsSince1970: Int64(input.integer(UInt32.self)) * 59)
  let text = String(decoding: input.rest(), as: UTF8.self)
  if let date = HTTPDate(text, now: now), date.isOfFourDigits {
    mustHold(HTTPDate(date.description) == date, "a date is read as it is written: \(date)")
  }
  if let date = HTTPDate(text), date.isOfFourDigits {
    mustHold(HTTPDate(date.description) == date, "a date is read as it is written: \(date)")
  }
  for date in [now, nil] {
    guard let wait = RetryAfter.parse(text, date: date) else { continue }
    mustHold(.zero <= wait && wait <= RetryAfter.longest, "a wait is bounded, and not \(wait)")
  }
}

extension HTTPDate {
  /// Whether it lies in the years 1000 to 9999.
  fileprivate var isOfFourDigits: Bool { (-30_610_224_000..<253_402_300_800).contains(secondsSince1970) }
}

/// Two entity tags that say the same version are the same to the last byte, and a tag is kept as it came.
func examineVersions(_ bytes: [UInt8]) {
  let tags = bytes.split(separator: 0x0A, omittingEmptySubsequences: false).prefix(2).map { Array($0) }
  let validators = tags.map { tag in
    readHead(Array("HTTP/1.1 200 OK\nETag: ".utf8) + tag + [0x0A, 0x0A]).flatMap { Validator(headers: $0.fields) }
  }
  for (tag, validator) in zip(tags, validators) {
    guard let validator else { continue }
    mustHold(Array(validator.fieldValue.utf8) == trimmed(tag), "a tag is kept as it came: \(validator)")
  }
  guard validators.count == 2, let first = validators[0], let second = validators[1] else { return }
  let isSame = first.isSameVersion(as: second)
  mustHold(isSame == second.isSameVersion(as: first), "it does not matter which version is compared with which")
  mustHold(
    !isSame || trimmed(tags[0]) == trimmed(tags[1]), "different tags are different versions: \(first), \(second)")
}

/// Without the line break and the white space around it.
private func trimmed(_ value: [UInt8]) -> [UInt8] {
  let isSpace: (UInt8) -> Bool = { $0 == 0x20 || $0 == 0x09 }
  let line = value.last == 0x0D ? value.dropLast() : value[...]
  return line.drop(while: isSpace).reversed().drop(while: isSpace).reversed()
}

/// A field that is sent cannot become two.
func examineSentField(_ bytes: [UInt8]) {
  guard let field = try? HeaderField(line: String(decoding: bytes, as: UTF8.self)) else { return }
  mustHold(
    !field.name.isEmpty && field.name.utf8.allSatisfy { (0x21...0x7E).contains($0) && $0 != 0x3A }, "a name is a token")
  mustHold(!field.value.utf8.contains { [0x00, 0x0A, 0x0D].contains($0) }, "a value is one line")
}
