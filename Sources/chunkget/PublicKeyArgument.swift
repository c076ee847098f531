internal import ChunkSystem
internal import ChunkTransfer
internal import CommandSupport

/// A public key on the command line: the key itself, or a file that holds it.
enum PublicKeyArgument {
  static func key(_ text: String) throws(UsageError) -> VerificationKey {
    if let key = VerificationKey(text) { return key }
    let bytes: [UInt8]
    do throws(Errno) {
      bytes = try FileSystem().read(text, upTo: VerificationKey.longestFile + 1)
    } catch {
      throw UsageError("neither a key (56 characters of Base64) nor a file that can be read: \(error)")
    }
    guard let key = VerificationKey(fileText: String(decoding: bytes, as: UTF8.self)) else {
      throw UsageError("the file holds no public key of minisign's")
    }
    return key
  }
}
