/// The path of a request, decoded and checked: what may be looked for below the served directory.
///
/// Components are never empty, `.` or `..`, and begin with no dot: hidden files are often secrets, and are not served
/// under their own name.
struct RequestTarget: Hashable, Sendable {
  /// Relative to the served directory, without a slash at either end. Empty for the directory itself.
  let path: String

  enum Refusal: Error, Hashable, Sendable {
    /// Not a target that HTTP knows, or with a wrong escape.
    case malformed
    /// Well-formed, and nothing that is ever served.
    case notServed
  }

  /// Reads what stands in the request line: `/a/b?query`, or `http://host/a/b` as a proxy would send it. The query is
  /// ignored. Escapes must be complete, and none may stand for a slash or NUL, which cannot be in a name.
  init(_ text: String) throws(Refusal) {
    guard text.utf8.count <= Self.maximumLength, let raw = Self.pathPart(of: text) else { throw .malformed }
    var components: [String] = []
    // Slashes in a row count as one: a base URL with a slash at its end, and a name, are joined like that every day.
    for part in raw.split(separator: "/") {
      let name = try Self.decode(part)
      guard !name.hasPrefix(".") else { throw .notServed }
      components.append(name)
    }
    path = components.joined(separator: "/")
  }

  /// Longer than any path the kernel takes, escaped.
  private static let maximumLength = 3 * 4096

  private static func pathPart(of text: String) -> Substring? {
    let target = text.prefix { $0 != "?" && $0 != "#" }
    if target.hasPrefix("/") { return target }
    guard target.lowercased().hasPrefix("http://") else { return nil }
    let afterScheme = target.dropFirst("http://".count)
    return afterScheme[(afterScheme.firstIndex(of: "/") ?? afterScheme.endIndex)...]
  }

  private static func decode(_ part: Substring) throws(Refusal) -> String {
    var bytes: [UInt8] = []
    var rest = part.utf8[...]
    while let byte = rest.popFirst() {
      guard byte == UInt8(ascii: "%") else {
        bytes.append(byte)
        continue
      }
      guard let high = rest.popFirst().flatMap(hexValue), let low = rest.popFirst().flatMap(hexValue) else {
        throw .malformed
      }
      let decoded = high << 4 | low
      guard decoded != 0, decoded != UInt8(ascii: "/") else { throw .malformed }
      bytes.append(decoded)
    }
    // Names are text here; a name in another coding cannot be asked for.
    guard let name = String(validating: bytes, as: UTF8.self) else { throw .notServed }
    return name
  }

  private static func hexValue(_ byte: UInt8) -> UInt8? {
    switch byte {
    case UInt8(ascii: "0")...UInt8(ascii: "9"): byte - UInt8(ascii: "0")
    case UInt8(ascii: "a")...UInt8(ascii: "f"): byte - UInt8(ascii: "a") + 10
    case UInt8(ascii: "A")...UInt8(ascii: "F"): byte - UInt8(ascii: "A") + 10
    default: nil
    }
  }
}
