/// One thing the server has under a path.
package struct Resource: Sendable {
  /// What it holds.
  package var content: Content
  /// The entity tag as it goes on the wire, quotes included, or nil for none.
  package var etag: String?
  /// Seconds since 1970, or nil for no `Last-Modified`.
  package var lastModified: Int64?
  /// Its media type.
  package var mediaType: String
  /// Whether ranges are offered at all; without, `Accept-Ranges` is not sent and every answer is whole.
  package var acceptsRanges: Bool

  /// 2024-01-01 00:00:00 GMT, old enough to be a strong validator.
  package static let defaultDate: Int64 = 1_704_067_200

  /// A resource with a strong tag and a date unless told otherwise.
  package init(
    _ content: Content, etag: String? = "\"v1\"", lastModified: Int64? = Resource.defaultDate,
    mediaType: String = "application/octet-stream", acceptsRanges: Bool = true
  ) {
    self.content = content
    self.etag = etag
    self.lastModified = lastModified
    self.mediaType = mediaType
    self.acceptsRanges = acceptsRanges
  }

  /// Bytes in memory, with a tag made from them, so that other bytes have another tag.
  package static func bytes(_ bytes: [UInt8]) -> Resource {
    Resource(.bytes(bytes), etag: "\"\(String(fingerprint(bytes), radix: 16))\"")
  }

  /// FNV-1a over the length and the bytes, eight at a time, since tests run without optimisation.
  private static func fingerprint(_ bytes: [UInt8]) -> UInt64 {
    var hash: UInt64 = 0xCBF2_9CE4_8422_2325 ^ UInt64(bytes.count)
    func mix(_ word: UInt64) { hash = (hash ^ word) &* 0x100_0000_01B3 }
    unsafe bytes.withUnsafeBytes { raw in
      let words = raw.count / 8
      // Every word read lies inside the buffer, which need not be aligned.
      for index in 0..<words { mix(unsafe raw.loadUnaligned(fromByteOffset: index * 8, as: UInt64.self)) }
      for index in (words * 8)..<raw.count { mix(UInt64(unsafe raw[index])) }
    }
    return hash
  }
}
