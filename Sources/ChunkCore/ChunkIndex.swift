/// The place of a chunk in its file, counted from zero. Not a count, and not an offset in bytes.
///
/// Strideable, so that a `Range<ChunkIndex>` can be iterated.
public struct ChunkIndex: Hashable, Sendable {
  /// The number; never negative.
  public let rawValue: Int

  /// The chunk at place `rawValue`.
  ///
  /// - Precondition: `rawValue` is not negative.
  public init(_ rawValue: Int) {
    precondition(rawValue >= 0, "a chunk index is not negative")
    self.rawValue = rawValue
  }
}

extension ChunkIndex: Strideable {
  /// How many places `other` is after this one.
  public func distance(to other: ChunkIndex) -> Int {
    other.rawValue - rawValue
  }

  /// The chunk `places` after this one.
  ///
  /// - Precondition: The result is not negative.
  public func advanced(by places: Int) -> ChunkIndex {
    ChunkIndex(rawValue + places)
  }

  /// Whether `left` comes first in the file.
  public static func < (left: ChunkIndex, right: ChunkIndex) -> Bool {
    left.rawValue < right.rawValue
  }
}

extension ChunkIndex: CustomStringConvertible {
  /// The number in decimal.
  public var description: String { String(rawValue) }
}
