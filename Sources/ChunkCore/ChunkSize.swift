/// How many bytes every chunk of a file has but the last: a power of two from 4 KiB to 4 MiB.
public struct ChunkSize: Hashable, Sendable {
  /// The size in bytes.
  public let bytes: Int

  /// 4 KiB.
  public static let minimum = ChunkSize(unchecked: 4 << 10)
  /// 256 KiB, what a builder uses unless told otherwise or the file is very large.
  public static let standard = ChunkSize(unchecked: 256 << 10)
  /// 4 MiB.
  public static let maximum = ChunkSize(unchecked: 4 << 20)

  private init(unchecked bytes: Int) {
    self.bytes = bytes
  }

  /// The chunk size of `bytes` bytes.
  ///
  /// - Returns: `nil` when `bytes` is not a power of two or lies outside ``minimum`` to ``maximum``.
  public init?(bytes: Int) {
    let allowed = Self.minimum.bytes...Self.maximum.bytes
    guard allowed.contains(bytes), bytes & (bytes - 1) == 0 else { return nil }
    self.init(unchecked: bytes)
  }

  /// What a builder uses for a file of `fileLength` bytes: ``standard``, doubled until there are at most 2^20 chunks or
  /// the size is ``maximum``.
  public static func recommended(fileLength: UInt64) -> ChunkSize {
    var bytes = standard.bytes
    while bytes < maximum.bytes, fileLength > UInt64(bytes) << 20 {
      bytes *= 2
    }
    return ChunkSize(unchecked: bytes)
  }
}

extension ChunkSize: Comparable {
  /// Whether `left` is the smaller size.
  public static func < (left: ChunkSize, right: ChunkSize) -> Bool {
    left.bytes < right.bytes
  }
}

extension ChunkSize: CustomStringConvertible {
  /// The size as people write it, as in `256 KiB`.
  public var description: String {
    bytes < 1 << 20 ? "\(bytes >> 10) KiB" : "\(bytes >> 20) MiB"
  }
}
