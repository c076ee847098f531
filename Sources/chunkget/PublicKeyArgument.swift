internal import ChunkSystem
internal import ChunkTransfer
internal import CommandSupport

/// A public key on the command line: the key itself, or a file that holds it.
enum PublicKeyArgument {
  static func key(_ text: String) throws(UsageError) -> VerificationKey {
    if let key = VerificationKey(text) { return key }
    let bytes: [UInt8]
    do throws(Errno) {
      bytes = try read(text)
    } catch {
      throw UsageError("neither a key (56 characters of Base64) nor a file that can be read: \(error)")
    }
    guard let key = VerificationKey(fileText: String(decoding: bytes, as: UTF8.self)) else {
      throw UsageError("the file holds no public key of minisign's")
    }
    return key
  }

  /// The first bytes: more than any file of a key has.
  private static func read(_ path: String) throws(Errno) -> [UInt8] {
    let file = try FileSystem().open(path, OpenMode(.read, waits: false))
    var bytes = [UInt8](repeating: 0, count: VerificationKey.longestFile + 1)
    var span = bytes.mutableSpan
    let count = try file.pread(into: &span, at: 0)
    bytes.removeLast(bytes.count - count)
    return bytes
  }
}
