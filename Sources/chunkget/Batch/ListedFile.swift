internal import ChunkCore
internal import CommandSupport

/// An entry of the list that `-i` names: a URL, and what is said of its file in the indented lines below it.
struct ListedFile: Sendable {
  var url: String
  /// More URLs of the same file.
  var mirrors: [String] = []
  var output: String?
  var directory: String?
  var sha256: SHA256Digest?
  var id: FileID?
  var manifest: String?
  /// Where it stands in the list, from 1.
  let line: Int
}

extension ListedFile {
  /// Bytes that a list may have at most.
  static let longestList = 16 << 20

  /// The entries of a list in aria2's form:
  ///
  ///     # comment
  ///     https://example.org/image.iso⇥https://mirror.example/image.iso
  ///       out=debian.iso
  ///       checksum=sha-256=9f86…
  ///
  /// - Throws: What is wrong with the first line that is not understood, with its number.
  static func read(_ path: String) throws(UsageError) -> [ListedFile] {
    let name = path == "-" ? "standard input" : SafeText.escape(path)
    guard let lines = try TextInput.lines(of: path, limit: longestList) else {
      throw UsageError("\(name): there is no such file")
    }
    return try parse(lines, of: name)
  }

  /// As `read`, of the lines of what is called `name`.
  static func parse(_ lines: [Substring], of name: String) throws(UsageError) -> [ListedFile] {
    var files: [ListedFile] = []
    var seen: Set<Substring> = []
    for (position, line) in lines.enumerated() {
      let number = position + 1
      let text = line.trimmingBlanks()
      if text.isEmpty || text.first == "#" { continue }
      do throws(UsageError) {
        if line.first == " " || line.first == "\t" {
          guard !files.isEmpty else { throw UsageError("belongs to no URL; there is none above it") }
          try files[files.count - 1].set(text, &seen)
        } else {
          files.append(try ListedFile(text, line: number))
          seen = []
        }
      } catch {
        throw UsageError("\(name), line \(number): \(error.message)", hint: error.hint)
      }
    }
    return files
  }

  /// URLs with tabs between them, as in aria2's lists.
  private init(_ text: Substring, line: Int) throws(UsageError) {
    let places = text.split(separator: "\t").map { $0.trimmingBlanks() }.filter { !$0.isEmpty }.map(String.init)
    for place in places where place.contains(" ") || !place.contains("://") {
      throw UsageError("not a URL: \(SafeText.escape(place))", hint: "what belongs to a URL is indented below it")
    }
    url = places[0]
    mirrors = Array(places.dropFirst())
    self.line = line
  }

  private mutating func set(_ text: Substring, _ seen: inout Set<Substring>) throws(UsageError) {
    let parts = text.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
    let key = parts[0].trimmingBlanks()
    guard parts.count == 2 else { throw UsageError("no value: \(SafeText.escape(text)) is not NAME=VALUE") }
    let value = String(parts[1].trimmingBlanks())
    guard !value.isEmpty else { throw UsageError("\(SafeText.escape(key)) is empty") }
    if key != "mirror", !seen.insert(key).inserted { throw UsageError("a second \(SafeText.escape(key)) for one URL") }
    switch key {
    case "out": output = value
    case "dir": directory = value
    case "checksum": sha256 = try Self.digest(value)
    case "id":
      guard let id = FileID(value) else { throw UsageError("not a file ID (chunks1- and 64 hex digits)") }
      self.id = id
    case "manifest": manifest = value
    case "mirror": mirrors.append(value)
    default:
      throw UsageError(
        "nothing is called \(SafeText.escape(key)) here; there are \(Self.keys.joined(separator: ", "))",
        hint: Spelling.nearest(to: String(key), among: Self.keys).map { "did you mean \($0)?" })
    }
  }

  private static let keys = ["out", "dir", "checksum", "id", "manifest", "mirror"]

  private static func digest(_ value: String) throws(UsageError) -> SHA256Digest {
    let parts = value.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
    guard parts[0].lowercased() == "sha-256", parts.count == 2 else {
      throw UsageError("checksum is of a kind that is not known here", hint: "sha-256=HEX is")
    }
    guard let digest = SHA256Digest(hex: String(parts[1])) else {
      throw UsageError("not a SHA-256 (64 hex digits)")
    }
    return digest
  }
}
