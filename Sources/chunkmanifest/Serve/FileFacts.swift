/// What is known of a served file without reading it, at the moment it was opened.
struct FileFacts: Hashable, Sendable {
  /// The last component of the path it was asked for by.
  let name: String
  let length: UInt64
  let tag: EntityTag
  let modified: ModificationDate
}
