internal import ChunkCore
internal import ChunkHTTP
internal import ChunkSystem

extension ManifestPages {
  /// The weak hashes of these groups' chunks, which nothing vouches for; nil when there are none to be had: then nothing is
  /// found by them.
  ///
  /// - Precondition: The groups are not none.
  func weakHashes(groups: Range<Int>) throws(TransferError) -> [UInt64]? {
    guard let range = manifest.weakRange(groups: groups) else { return nil }
    do throws(TransferError) {
      guard let bytes = try column(in: range), UInt64(bytes.count) == range.count else { return nil }
      return Manifest.weakHashes(bytes.span)
    } catch {
      if error.code == .cancelled { throw error }
      return nil
    }
  }

  /// The bytes of a part of a column, which nothing vouches for; nil when they are not to be had.
  func column(in range: ByteRange) throws(TransferError) -> [UInt8]? {
    if let bytes = located.prefix.slice(range, startingAt: 0) { return bytes }
    switch located.place {
    case .memory: return nil
    case .file(let path):
      do throws(Errno) {
        return try FileSystem().read(path, at: range.offset, upTo: Int(range.count))
      } catch {
        return nil
      }
    case .url(let url, let validator):
      var bytes: [UInt8] = []
      while UInt64(bytes.count) < range.count {
        let answer = try get(url, from: range.offset + UInt64(bytes.count), to: range.end, validator)
        if answer.head.status == 200 { return answer.bytes.slice(range, startingAt: 0) }
        guard answer.head.status == 206, !answer.bytes.isEmpty else { return nil }
        bytes += answer.bytes
      }
      return bytes.slice(range, startingAt: range.offset)
    }
  }
}

extension [UInt8] {
  /// The bytes of a range of a file of which these begin at `start`; nil when they do not reach that far.
  fileprivate func slice(_ range: ByteRange, startingAt start: UInt64) -> [UInt8]? {
    guard range.offset >= start, range.end - start <= UInt64(count) else { return nil }
    return Array(self[Int(range.offset - start)..<Int(range.end - start)])
  }
}
