import ChunkCore
import FuzzDriver

/// A manifest put together from what an input says of it, section by section, and then changed in a few bytes.
struct AssembledManifest {
  private var bytes: [UInt8]
  private let cut: Int
  /// Whether nothing is in it that a reader has to refuse.
  private var isGood = true

  init(_ input: inout FuzzInput) {
    cut = Int(input.integer(UInt16.self))
    let chunkSize = 4096 << (Int(input.byte()) % 11)
    let count = input.byte()
    // More than one group is rare, since its two thousand hashes take as long as hundreds of other inputs.
    let chunkCount = count == 0xFF && cut % 16 == 0 ? 1025 : Int(count) % 12
    let lastLength = 1 + Int(input.integer(UInt32.self)) % chunkSize
    let fileLength = chunkCount == 0 ? 0 : (chunkCount - 1) * chunkSize + lastLength
    let seed = input.byte()
    let ids = (0..<chunkCount).flatMap { [seed, UInt8($0 & 255), UInt8($0 >> 8)] + [UInt8](repeating: 0, count: 29) }

    let shape = input.byte()
    var sections: [(type: [UInt8], content: [UInt8])] = []
    sections.append((Array("GRPS".utf8), [UInt8](repeating: 0, count: (chunkCount + 1023) / 1024 * 32)))
    if shape & 1 != 0 {
      sections.append((Array("meta".utf8), input.bytes(atMost: Int(input.integer(UInt16.self)))))
      isGood = false
    }
    sections.append((Array("LEAF".utf8), ids))
    if shape & 2 != 0 { sections.append((Array("weak".utf8), [UInt8](repeating: seed, count: 8 * chunkCount))) }
    if shape & 4 != 0 {
      let step = UInt64(input.byte())
      let ends = (0..<chunkCount).map { UInt64($0 + 1) &* step }
      sections.append((Array("pack".utf8), ends.flatMap(Self.littleEndian)))
      if step == 0, chunkCount > 0 { isGood = false }
    }
    for _ in 0..<shape >> 3 & 7 {
      let type = input.bytes(atMost: 4)
      guard type.count == 4 else { break }
      sections.append((type, input.bytes(atMost: Int(input.byte()))))
      isGood = false
    }

    bytes = [UInt8](repeating: 0, count: 10) + Self.littleEndian(UInt16(sections.count))
    bytes += Self.littleEndian(UInt32(chunkSize)) + Self.littleEndian(UInt64(fileLength))
    bytes += [UInt8](repeating: 0, count: 40)
    var offset = UInt64(64 + 24 * sections.count)
    for section in sections {
      bytes += section.type + Self.littleEndian(UInt32(0))
      bytes += Self.littleEndian(offset) + Self.littleEndian(UInt64(section.content.count))
      offset += UInt64(section.content.count)
    }
    bytes += sections.flatMap(\.content)
    ManifestMending.mend(&bytes)
    change(&input)
  }

  /// Changes as many bytes as the input still names places for, and puts the checks right again for most of them.
  private mutating func change(_ input: inout FuzzInput) {
    guard !input.isAtEnd else { return }
    isGood = false
    let mends = input.byte() % 4 != 0
    while !input.isAtEnd {
      bytes[Int(input.integer(UInt16.self)) % bytes.count] ^= input.byte()
    }
    if mends { ManifestMending.mend(&bytes) }
  }

  func examine() {
    let isManifest = ManifestExamination(bytes: bytes, cut: cut).run()
    mustHold(isManifest || !isGood, "a manifest as it should be is read")
  }

  private static func littleEndian(_ value: some FixedWidthInteger) -> [UInt8] {
    stride(from: 0, to: type(of: value).bitWidth, by: 8).map { UInt8(truncatingIfNeeded: value >> $0) }
  }
}
