/// The IDs of chunks that are nothing but zeros: what a hole in a sparse file reads as.
package enum ZeroChunk {
  /// The SHA-256 of as many zeros as each chunk size has bytes, so that a file full of holes costs no hashing and threads
  /// share nothing that changes. The tests compute them again.
  private static let ofChunkSize = [
    4096: "ad7facb2586fc6e966c004d7d1d16b024f5805ff7cb47c7a85dabd8b48892ca7",
    8192: "9f1dcbc35c350d6027f98be0f5c8b43b42ca52b7604459c0c42be3aa88913d47",
    16384: "4fe7b59af6de3b665b67788cc2f99892ab827efae3a467342b3bb4e3bc8e5bfe",
    32768: "c35020473aed1b4642cd726cad727b63fff2824ad68cedd7ffb73c7cbd890479",
    65536: "de2f256064a0af797747c2b97505dc0b9f3df0de4f489eac731c23ae9ca9cc31",
    131072: "fa43239bcee7b97ca62f007cc68487560a39e19f74f3dde7486db3f98df8e471",
    262144: "8a39d2abd3999ab73c34db2476849cddf303ce389b35826850f9a700589b4a90",
    524288: "07854d2fef297a06ba81685e660c332de36d5d18d546927d30daad6d7fda1541",
    1048576: "30e14955ebf1352266dc2ff8067e68104607e750abb9d3b36582b8af909fcb58",
    2097152: "5647f05ec18958947d32874eeb788fa396a05d0bab7c1b71f112ceb7e9b31eee",
    4194304: "bb9f8df61474d25e71fa00722318cd387396ca1736605e1248821cc0de3d3af8",
  ].compactMapValues { SHA256Digest(hex: $0).map { ChunkID($0) } }

  private static let zeros = [UInt8](repeating: 0, count: 64 << 10)

  /// The SHA-256 of `length` zero bytes. Any thread may ask. Only another length than that of a chunk size is hashed: of
  /// each file, the tail.
  ///
  /// - Precondition: `length` is not negative.
  package static func id(length: Int) -> ChunkID {
    precondition(length >= 0, "a length is not negative")
    return ofChunkSize[length] ?? ChunkID(digest(length: length))
  }

  private static func digest(length: Int) -> SHA256Digest {
    var hasher = SHA256Hasher()
    var left = length
    while left > 0 {
      let piece = min(left, zeros.count)
      hasher.update(zeros.span.extracting(first: piece))
      left -= piece
    }
    return hasher.finalize()
  }
}
