/// What the header of a Zstandard frame says (RFC 8878, section 3.1.1.1).
struct ZstdFrameHeader: Hashable, Sendable {
  /// The length of the content, if the header has it.
  let contentSize: UInt64?
  /// How far back in the content the frame may refer.
  let windowSize: UInt64
  /// The dictionary that the content was made with; 0 is none.
  let dictionaryID: UInt32

  /// What a frame begins with, in contrast to a skippable one.
  private static let magic: UInt32 = 0xFD2F_B528

  /// Reads the header that the bytes begin with; nil when they do not, or end before it does.
  init?(_ bytes: Span<UInt8>) {
    guard bytes.count >= 5, bytes.littleEndian(at: 0, as: UInt32.self) == Self.magic else { return nil }
    let descriptor = bytes[4]
    let isSingleSegment = descriptor & 0x20 != 0
    let windowLength = isSingleSegment ? 0 : 1
    let dictionaryLength = [0, 1, 2, 4][Int(descriptor & 3)]
    let sizeLength = [isSingleSegment ? 1 : 0, 2, 4, 8][Int(descriptor >> 6)]
    // One bit is reserved.
    guard descriptor & 0x08 == 0, bytes.count >= 5 + windowLength + dictionaryLength + sizeLength else { return nil }

    dictionaryID = UInt32(bytes.number(at: 5 + windowLength, count: dictionaryLength))
    let size = bytes.number(at: 5 + windowLength + dictionaryLength, count: sizeLength)
    // Two bytes begin where one ends.
    contentSize = sizeLength == 0 ? nil : sizeLength == 2 ? size + 256 : size
    windowSize = isSingleSegment ? size + (sizeLength == 2 ? 256 : 0) : Self.windowSize(bytes[5])
  }

  private static func windowSize(_ descriptor: UInt8) -> UInt64 {
    let base: UInt64 = 1 << (10 + UInt64(descriptor >> 3))
    return base + base / 8 * UInt64(descriptor & 7)
  }
}

extension Span<UInt8> {
  /// The number of `count` bytes at `offset`, the least significant first.
  fileprivate func number(at offset: Int, count: Int) -> UInt64 {
    (0..<count).reduce(0) { $0 | UInt64(self[offset + $1]) << (8 * UInt64($1)) }
  }
}
