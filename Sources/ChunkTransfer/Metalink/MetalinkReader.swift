internal import ChunkCore

/// Makes files of what a Metalink 4 document (RFC 5854) consists of. What it does not need it passes over.
final class MetalinkReader: XMLReceiver {
  private(set) var files: [MetalinkFile] = []

  /// The names of the elements that are open; `?` for those of other namespaces.
  private var path: [String] = []
  /// Of the innermost element.
  private var attributes: [String: String] = [:]
  private var text = ""
  private var file: MetalinkFile?
  private var pieces: MetalinkFile.Pieces?

  private static let namespace = "urn:ietf:params:xml:ns:metalink "
  private static let formerNamespace = "http://www.metalinker.org/ "
  private static let mostFiles = 256
  private static let mostPlaces = 1024
  private static let longestText = 8192
  private static let lowestPriority = 999_999

  func elementBegan(_ name: String, attributes: [String: String]) throws(XMLProblem) {
    path.append(name.hasPrefix(Self.namespace) ? String(name.dropFirst(Self.namespace.count)) : "?")
    self.attributes = attributes
    text = ""
    switch path {
    case ["metalink", "file"]: file = try newFile()
    case ["metalink", "file", "pieces"] where attributes["type"] == "sha-256": pieces = try newPieces()
    case ["metalink"]: break
    default:
      guard path.count > 1 else {
        throw XMLProblem(
          name.hasPrefix(Self.formerNamespace) ? "it is of version 3, and version 4 is needed" : "it is no Metalink")
      }
    }
  }

  func charactersCame(_ text: String) throws(XMLProblem) {
    self.text += text
    guard self.text.utf8.count <= Self.longestText else {
      throw XMLProblem("it holds a text longer than any there needs")
    }
  }

  func elementEnded() throws(XMLProblem) {
    switch path {
    case ["metalink", "file", "size"]: try set(\.length, UInt64(word), "size")
    case ["metalink", "file", "hash"] where attributes["type"] == "sha-256":
      try set(\.sha256, SHA256Digest(hex: word), "SHA-256")
    case ["metalink", "file", "url"]: try addPlace()
    case ["metalink", "file", "pieces", "hash"] where pieces != nil:
      guard let digest = SHA256Digest(hex: word) else { throw XMLProblem("the hash of a piece is none") }
      pieces?.digests.append(digest)
    case ["metalink", "file", "pieces"]:
      if pieces != nil { try set(\.pieces, pieces, "list of pieces", differs: { _, _ in true }) }
      pieces = nil
    case ["metalink", "file"]:
      if let file { files.append(file) }
      file = nil
    default: break
    }
    path.removeLast()
    text = ""
  }

  /// The text without white space around it.
  private var word: String {
    String(text.drop(while: \.isWhitespace).reversed().drop(while: \.isWhitespace).reversed())
  }

  private func newFile() throws(XMLProblem) -> MetalinkFile {
    guard files.count < Self.mostFiles else { throw XMLProblem("it has more than \(Self.mostFiles) files") }
    guard let file = MetalinkFile(name: attributes["name"] ?? "") else {
      throw XMLProblem("a file in it has a name that is more, or less, than the name of a file")
    }
    guard !files.contains(where: { $0.name == file.name }) else { throw XMLProblem("two files in it have one name") }
    return file
  }

  private func newPieces() throws(XMLProblem) -> MetalinkFile.Pieces {
    guard let length = attributes["length"].flatMap({ Int($0) }), length > 0 else {
      throw XMLProblem("its pieces have no length")
    }
    return MetalinkFile.Pieces(length: length)
  }

  private func addPlace() throws(XMLProblem) {
    let priority = attributes["priority"].flatMap { Int($0) } ?? Self.lowestPriority
    guard file?.places.count ?? 0 < Self.mostPlaces else { throw XMLProblem("a file in it has too many URLs") }
    file?.places.append((priority, word))
  }

  /// Notes what is said once, or twice in the same way.
  private func set<Value: Equatable>(
    _ member: WritableKeyPath<MetalinkFile, Value?>, _ value: Value?, _ name: String
  ) throws(XMLProblem) {
    try set(member, value, name, differs: !=)
  }

  private func set<Value>(
    _ member: WritableKeyPath<MetalinkFile, Value?>, _ value: Value?, _ name: String, differs: (Value, Value) -> Bool
  ) throws(XMLProblem) {
    guard let value else { throw XMLProblem("the \(name) of a file in it is none") }
    if let before = file?[keyPath: member], differs(before, value) {
      throw XMLProblem("it says two things of the \(name) of a file")
    }
    file?[keyPath: member] = value
  }
}
