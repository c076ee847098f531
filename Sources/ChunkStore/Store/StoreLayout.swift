package import ChunkCore

/// The names of everything in a store, relative to its directory.
///
/// Source: `Spec/store-v1.md`, section 1.
package enum StoreLayout {
  /// The content of ``format``.
  static let formatLine = Array("chunk store 1\n".utf8)
  static let format = "format"
  static let lock = "lock"
  static let chunks = "chunks"
  static let manifests = "manifests"
  static let pins = "pins"
  static let leases = "leases"
  static let temporary = "tmp"

  static let folders = [chunks, manifests, pins, leases, temporary]
  /// What may lie in a directory that is, or is about to be, a store.
  static let names = Set(folders + [format, lock])

  /// How a chunk lies in the store.
  package enum Form: String, Hashable, Sendable, CaseIterable {
    case plain = ""
    case compressed = ".zst"
  }

  static func fanOut(_ id: ChunkID) -> String { "\(chunks)/\(id.hex.prefix(2))" }

  /// Where a chunk lies.
  package static func chunk(_ id: ChunkID, _ form: Form) -> String {
    let name = id.hex
    return "\(chunks)/\(name.prefix(2))/\(name)\(form.rawValue)"
  }

  /// All folders of chunks.
  static let fanOuts: [String] = (0..<256).map { number in
    "\(chunks)/\(number < 16 ? "0" : "")\(String(number, radix: 16))"
  }

  /// What a name in a folder of chunks stands for; `nil` for one that counts for nothing.
  static func chunk(named name: String, in fanOut: String) -> (id: ChunkID, form: Form)? {
    guard name.utf8.count >= 64, let form = Form(rawValue: String(name.dropFirst(64))),
      let id = ChunkID(hex: String(name.prefix(64))), id.hex == name.prefix(64), Self.fanOut(id) == fanOut
    else { return nil }
    return (id, form)
  }

  static func manifest(_ id: FileID) -> String { "\(manifests)/\(id).chunks" }

  static func fileID(ofManifest name: String) -> FileID? {
    name.hasSuffix(".chunks") ? fileID(named: String(name.dropLast(7))) : nil
  }

  static func pin(_ id: FileID) -> String { "\(pins)/\(id)" }

  /// The ID that a name is, in the one spelling it has in a store.
  static func fileID(named name: String) -> FileID? {
    FileID(name).flatMap { "\($0)" == name ? $0 : nil }
  }

  /// A name nobody else has.
  static func newName() -> String {
    [UInt64.random(in: 0 ... .max), UInt64.random(in: 0 ... .max)].map { word in
      let digits = String(word, radix: 16)
      return String(repeating: "0", count: 16 - digits.count) + digits
    }.joined()
  }
}
