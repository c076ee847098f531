/// How hard a pack is compressed: a level of zstd.
package struct PackLevel: Hashable, Sendable {
  package let rawValue: Int

  /// zstd's own default: higher ones cost far more time than they save.
  package static let standard = PackLevel(unchecked: 3)
  /// The levels there are. Those above 19 take more memory, as much as a chunk is long many times over, and no decoder minds.
  package static let range = 1...22

  /// The level of that number; nil when there is no such.
  package init?(_ rawValue: Int) {
    guard Self.range.contains(rawValue) else { return nil }
    self.rawValue = rawValue
  }

  private init(unchecked rawValue: Int) {
    self.rawValue = rawValue
  }
}
