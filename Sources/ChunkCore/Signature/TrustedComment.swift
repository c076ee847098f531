/// What a signer says of a manifest beside its bytes: signed, and therefore to be compared.
package struct TrustedComment: Hashable, Sendable {
  /// The comment as it is signed.
  package let bytes: [UInt8]
  /// The name of the signed file.
  package let file: String?
  package let fileID: String?
  package let version: UInt64?

  /// What a signer here says.
  ///
  /// - Parameters:
  ///   - file: The name of the manifest, without its directory.
  ///   - fileID: What the manifest describes.
  ///   - version: A number that grows, so that an old manifest cannot be passed off as the newest.
  /// - Throws: ``SignatureError`` with the code `nameNotSignable` when the name has control characters.
  package init(file: String, fileID: FileID, version: UInt64? = nil) throws(SignatureError) {
    guard !file.unicodeScalars.contains(where: { $0.properties.generalCategory == .control }) else {
      throw SignatureError(.nameNotSignable, "a name with control characters cannot be signed; rename the manifest")
    }
    let number = version.map { ["version:\($0)"] } ?? []
    let members = ["file:\(file)", "id:\(fileID)"] + number + ["hashed"]
    bytes = Array(members.joined(separator: "\t").utf8)
    self.file = file
    self.fileID = fileID.description
    self.version = version
  }

  /// Reads a comment, of this program or another.
  ///
  /// - Throws: ``SignatureError`` with the code `signatureMalformed` when it is ambiguous.
  init(bytes: [UInt8]) throws(SignatureError) {
    self.bytes = bytes
    guard let text = String(validating: bytes, as: UTF8.self) else {
      throw SignatureError(.signatureMalformed, "the trusted comment of the signature is not UTF-8")
    }
    var members: [Substring: Substring] = [:]
    for member in text.split(separator: "\t") {
      guard let colon = member.firstIndex(of: ":"), ["file", "id", "version"].contains(member[..<colon]) else {
        continue
      }
      guard members.updateValue(member[member.index(after: colon)...], forKey: member[..<colon]) == nil else {
        throw SignatureError(.signatureMalformed, "the trusted comment of the signature says two things of one kind")
      }
    }
    // Some signers write the path they were given.
    file = members["file"].map { String($0.split(separator: "/", omittingEmptySubsequences: false).last ?? $0) }
    fileID = members["id"].map(String.init)
    version = try members["version"].map { text throws(SignatureError) in
      guard let number = UInt64(text), "\(number)" == text else {
        throw SignatureError(.signatureMalformed, "the version in the trusted comment of the signature is no number")
      }
      return number
    }
  }
}
