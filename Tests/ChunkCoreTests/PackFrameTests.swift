import ChunkCore
import Testing

/// The frame of a chunk: what is taken, and everything that is not.
struct PackFrameTests {
  private let content = (0..<5000).map { UInt8(truncatingIfNeeded: $0 &* $0 >> 3) }

  private func unpack(_ frame: [UInt8], length: Int) -> [UInt8]? {
    var chunk = [UInt8](repeating: 0xAA, count: length)
    var span = chunk.mutableSpan
    return PackFrame.decompress(frame.span, into: &span) ? chunk : nil
  }

  @Test("a frame of its chunk is taken, whatever form its header has", arguments: HandmadeFrame.Size.allCases)
  func taken(size: HandmadeFrame.Size) {
    let length = size == .one ? 200 : 5000
    let frame = HandmadeFrame(content: Array(content.prefix(length)), size: size)
    #expect(unpack(frame.bytes, length: length) == Array(content.prefix(length)))
    var windowed = frame
    // The longest window that is not longer than 5000 bytes: 4 KiB and an eighth.
    windowed.window = size == .one ? nil : 2 << 3 | 1
    #expect(unpack(windowed.bytes, length: length) == Array(content.prefix(length)))
  }

  @Test("an incompressible chunk's frame is longer than the chunk, up to a limit")
  func longest() {
    #expect(PackFrame.longest(of: 1) == 129)
    #expect(PackFrame.longest(of: 4 << 20) == (4 << 20) + (16 << 10) + 128)
    // Empty blocks are allowed and make a frame longer.
    var frame = HandmadeFrame(content: content)
    let most = PackFrame.longest(of: content.count)
    frame.emptyBlocks = (most - frame.bytes.count) / 3
    #expect(unpack(frame.bytes, length: content.count) == content)
    frame.emptyBlocks += 1
    #expect(unpack(frame.bytes, length: content.count) == nil)
  }

  @Test("another length, a dictionary, a long window and an unknown size are refused")
  func headers() {
    let frame = HandmadeFrame(content: content)
    #expect(unpack(frame.bytes, length: 4999) == nil)
    #expect(unpack(frame.bytes, length: 5001) == nil)

    var other = frame
    other.dictionary = 1
    #expect(unpack(other.bytes, length: content.count) == nil)
    other.dictionary = 0
    #expect(unpack(other.bytes, length: content.count) == content, "dictionary 0 is none")
    other = frame
    other.window = 2 << 3 | 2
    #expect(unpack(other.bytes, length: content.count) == nil, "5120 bytes of window for 5000")
    other.window = 31 << 3 | 7
    #expect(unpack(other.bytes, length: content.count) == nil)
    other.window = 0
    other.size = nil
    #expect(unpack(other.bytes, length: content.count) == nil)
    other = frame
    other.reservedBit = true
    #expect(unpack(other.bytes, length: content.count) == nil)
    let tiny = HandmadeFrame(content: [1, 2, 3], size: .four, window: 0)
    #expect(unpack(tiny.bytes, length: 3) == [1, 2, 3], "there is no window below 1 KiB")
  }

  @Test("a size that is not that of the blocks is refused")
  func lies() {
    for claimed in [4999, 5001] {
      var frame = HandmadeFrame(content: content)
      frame.claimedSize = claimed
      #expect(unpack(frame.bytes, length: claimed) == nil)
      #expect(unpack(frame.bytes, length: 5000) == nil)
    }
  }

  @Test("anything before or behind the frame is refused, and so is a part of it")
  func surroundings() {
    let frame = HandmadeFrame(content: content).bytes
    let skippable: [UInt8] = [0x50, 0x2A, 0x4D, 0x18, 1, 0, 0, 0, 0]
    #expect(unpack(frame + [0], length: 5000) == nil)
    #expect(unpack(frame + skippable, length: 5000) == nil)
    #expect(unpack(skippable + frame, length: 5000) == nil)
    #expect(unpack(skippable, length: 0) == nil)
    #expect(unpack(frame + HandmadeFrame(content: []).bytes, length: 5000) == nil)
    let halves = [content[..<2500], content[2500...]].flatMap { HandmadeFrame(content: Array($0)).bytes }
    #expect(unpack(halves, length: 5000) == nil, "two frames")
    for length in [0, 1, 4, 5, 8, 9, 11, 12, 5011, frame.count - 1] {
      #expect(unpack(Array(frame.prefix(length)), length: 5000) == nil, "the first \(length) bytes")
    }
  }

  @Test("a bomb is refused by its header, before anything is unpacked")
  func bomb() {
    // 4 GiB of zeros in blocks of 128 KiB; the chunk has 4 KiB.
    var frame = HandmadeFrame(content: [])
    frame.claimedSize = 4 << 30
    frame.repeatedBlocks = 500
    #expect(unpack(frame.bytes, length: 4096) == nil)
    frame.claimedSize = 4096
    #expect(unpack(frame.bytes, length: 4096) == nil)
  }
}

/// A Zstandard frame of blocks that are not compressed, each part of which can be wrong.
struct HandmadeFrame {
  enum Size: Int, CaseIterable {
    case one, two, four, eight
  }

  var content: [UInt8]
  var size: Size? = .four
  /// The window's descriptor; nil for a single segment.
  var window: UInt8?
  var dictionary: UInt32?
  var claimedSize: Int?
  var emptyBlocks = 0
  /// Blocks of 128 KiB of zeros, told in a byte.
  var repeatedBlocks = 0
  var reservedBit = false
  /// Whether the content, which is one byte again and again, is told so.
  var isRepeated = false

  init(content: [UInt8], size: Size? = .four, window: UInt8? = nil) {
    self.content = content
    self.size = size
    self.window = window
  }

  var bytes: [UInt8] {
    var bytes: [UInt8] = [0x28, 0xB5, 0x2F, 0xFD]
    bytes.append(
      UInt8(size?.rawValue ?? 0) << 6 | (window == nil ? 0x20 : 0) | (reservedBit ? 0x08 : 0)
        | (dictionary == nil ? 0 : 3))
    if let window { bytes.append(window) }
    if let dictionary { bytes += Self.littleEndian(UInt64(dictionary), count: 4) }
    let claimed = UInt64(claimedSize ?? content.count)
    switch size {
    case .one: bytes += Self.littleEndian(claimed, count: 1)
    case .two: bytes += Self.littleEndian(claimed - 256, count: 2)
    case .four: bytes += Self.littleEndian(claimed, count: 4)
    case .eight: bytes += Self.littleEndian(claimed, count: 8)
    case nil: break
    }
    for _ in 0..<emptyBlocks { bytes += block(kind: 0, count: 0, isLast: false) }
    for _ in 0..<repeatedBlocks { bytes += block(kind: 1, count: 128 << 10, isLast: false) + [0] }
    if isRepeated { return bytes + block(kind: 1, count: content.count, isLast: true) + content.prefix(1) }
    return bytes + block(kind: 0, count: content.count, isLast: true) + content
  }

  private func block(kind: UInt64, count: Int, isLast: Bool) -> [UInt8] {
    Self.littleEndian(UInt64(count) << 3 | kind << 1 | (isLast ? 1 : 0), count: 3)
  }

  private static func littleEndian(_ number: UInt64, count: Int) -> [UInt8] {
    (0..<count).map { UInt8(truncatingIfNeeded: number >> (8 * UInt64($0))) }
  }
}
