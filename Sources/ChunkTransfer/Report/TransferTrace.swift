/// Something that happened to the bytes of a download, for whoever wants to tell the story afterwards. Told by the thread that
/// decides, in order, when it happens; sources go by their place in the order of preference.
package enum TransferTrace: Sendable {
  /// The file is known to have so many chunks. Told again when the publisher has replaced it.
  case began(chunks: Int)
  /// Chunks were found on this machine, right.
  case found(chunks: [Int], bytes: UInt64)
  /// A chunk came from a source, right; nil when several brought a part of it.
  case verified(chunk: Int, bytes: UInt64, source: Int?)
  /// All bytes of a chunk came, and it was wrong.
  case wrong(chunk: Int, sources: [Int])
  /// A request failed. The reason has text from outside in it.
  case failed(source: Int, reason: String)
}
