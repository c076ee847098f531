/// The limits of the manifest format that are not in the geometry. A reader refuses what lies beyond them before it
/// allocates anything.
package enum ManifestLimits {
  /// How many sections a manifest may have.
  package static let sections = 16
  /// The length of the metadata in bytes.
  package static let metadataLength = 1 << 20
  /// The length in bytes of all sections together whose types this version does not know.
  package static let unknownLength = 1 << 20
  /// How many sources the metadata may name.
  package static let sources = 64

  /// The length of the longest manifest in bytes: as many chunks as there may be, with every section at its longest.
  package static let totalLength: UInt64 = 807_928_256

  static func checkMetadataLength(_ length: UInt64) throws(ManifestError) {
    guard length <= UInt64(metadataLength) else {
      throw ManifestError(.tooLarge, "the metadata has \(length) bytes; \(metadataLength) are allowed")
    }
  }
}
