internal import ChunkHTTP
internal import ChunkSystem

/// Something that is read whole from a file or from the network: a list of checksums, a Metalink.
struct SmallDocument {
  /// What messages call it.
  let what: String
  /// The most bytes it may have.
  let longest: Int

  func read(file path: String) throws(TransferError) -> [UInt8] {
    let bytes: [UInt8]
    do throws(Errno) {
      bytes = try FileSystem().read(path, upTo: longest + 1)
    } catch {
      throw TransferError(.notTrusted, "the \(what) \(path) cannot be read: \(error).")
    }
    return try checked(bytes, path)
  }

  func read(_ url: HTTPURL, _ fetch: SmallFetch) throws(TransferError) -> [UInt8] {
    let answer: SmallFetch.Answer
    do throws(SmallFetchError) {
      answer = try fetch.get(url, limit: longest + 1)
    } catch {
      throw TransferError(error)
    }
    guard (200..<300).contains(answer.head.status) else {
      throw TransferError(
        .unreachable, "the \(what) \(url) cannot be read: the server answered \(answer.head.status).")
    }
    return try checked(answer.bytes, url.description)
  }

  private func checked(_ bytes: [UInt8], _ place: String) throws(TransferError) -> [UInt8] {
    guard bytes.count <= longest else {
      throw TransferError(.notTrusted, "the \(what) \(place) cannot be used: longer than \(longest >> 20) MiB.")
    }
    return bytes
  }
}
