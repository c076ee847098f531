internal import ChunkCore
internal import FoundationEssentials

extension LockFile {
  /// Reads the text of a lock file.
  ///
  /// - Throws: `TransferError.Code.notTrusted` for everything that is none.
  package init(json: [UInt8]) throws(TransferError) {
    self.init()
    let content: Content
    do {
      content = try JSONDecoder().decode(Content.self, from: Data(json))
    } catch {
      throw Self.refusal("it is not JSON of the right form")
    }
    guard content.format == Self.format else { throw Self.refusal("its format is not '\(Self.format)'") }
    for entry in content.downloads {
      let file = try entry.file()
      guard !downloads.contains(where: { $0.url == file.url }) else { throw Self.refusal("\(file.url) is there twice") }
      set(file)
    }
  }

  /// The text of the lock file: the same for the same downloads.
  package var json: [UInt8] {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
    let content = Content(format: Self.format, downloads: downloads.map { Entry($0) })
    // Strings and integers can always be written.
    guard let data = try? encoder.encode(content) else { preconditionFailure("a lock file that cannot be written") }
    return Array(data) + [UInt8(ascii: "\n")]
  }

  private static func refusal(_ reason: String) -> TransferError {
    TransferError(.notTrusted, "this is no lock file that can be used: \(reason).")
  }

  /// The members as they stand in the file.
  private struct Content: Codable {
    var format: String
    var downloads: [Entry]
  }

  private struct Entry: Codable {
    var url: String
    var length: UInt64
    var id: String?
    var chunkSize: Int?
    var sha256: String?

    init(_ file: LockedFile) {
      url = file.url
      length = file.length
      id = file.fileID?.description
      chunkSize = file.chunkSize?.bytes
      sha256 = file.sha256?.hex
    }

    func file() throws(TransferError) -> LockedFile {
      let fileID = try value(id, "id") { FileID($0) }
      let chunkSize = try value(chunkSize, "chunkSize") { ChunkSize(bytes: $0) }
      let sha256 = try value(sha256, "sha256") { SHA256Digest(hex: $0) }
      guard fileID != nil || sha256 != nil else { throw refusal("neither 'id' nor 'sha256'") }
      guard (fileID == nil) == (chunkSize == nil) else { throw refusal("only one of 'id' and 'chunkSize'") }
      return LockedFile(url: url, length: length, fileID: fileID, chunkSize: chunkSize, sha256: sha256)
    }

    private func value<Text, Value>(
      _ text: Text?, _ member: String, _ parse: (Text) -> Value?
    ) throws(TransferError) -> Value? {
      guard let text else { return nil }
      guard let value = parse(text) else { throw refusal("no usable '\(member)'") }
      return value
    }

    private func refusal(_ what: String) -> TransferError { LockFile.refusal("the entry of \(url) has \(what)") }
  }
}
