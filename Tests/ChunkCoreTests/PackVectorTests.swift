import ChunkCore
import Testing

/// Frames and seek tables against those of the reference.
struct PackVectorTests {
  private struct Vectors: Decodable {
    struct Pack: Decodable {
      let content: VectorContent
      let chunkSize: Int
      let ends: [UInt64]
      let packLength: Int
      let packSHA256: String
      let pack: HexBytes?
    }

    struct Frame: Decodable {
      let name: String
      let frame: HexBytes
      let length: Int
      let isTaken: Bool
    }

    let packs: [Pack]
    let frames: [Frame]
  }

  private func unpack(_ frame: Span<UInt8>, length: Int) -> [UInt8]? {
    var chunk = [UInt8](repeating: 0xAA, count: length)
    var span = chunk.mutableSpan
    return PackFrame.decompress(frame, into: &span) ? chunk : nil
  }

  @Test("what a reader takes, and nothing else")
  func frames() throws {
    for vector in try SpecVectors.load("pack.json", as: Vectors.self).frames {
      let frame = vector.frame.bytes
      #expect((unpack(frame.span, length: vector.length) != nil) == vector.isTaken, "\(vector.name)")
    }
  }

  /// What the README of the vectors says that such a pack is made of.
  private func frame(_ chunk: [UInt8]) -> [UInt8] {
    var frame = HandmadeFrame(content: chunk)
    frame.isRepeated = Set(chunk).count == 1
    return frame.bytes
  }

  @Test("packs have the layout of the reference")
  func packs() throws {
    for vector in try SpecVectors.load("pack.json", as: Vectors.self).packs {
      let content = vector.content.bytes
      let size = try #require(ChunkSize(bytes: vector.chunkSize))
      let geometry = try ChunkGeometry(fileLength: UInt64(content.count), chunkSize: size)
      let table = SeekTable(geometry)
      var (pack, entries, ends): ([UInt8], [UInt8], [UInt64]) = ([], [], [])
      for chunk in geometry.chunks {
        let range = geometry.range(of: chunk)
        let plain = Array(content[Int(range.offset)..<Int(range.end)])
        let frame = frame(plain)
        #expect(unpack(frame.span, length: plain.count) == plain)
        pack += frame
        ends.append(UInt64(pack.count))
        entries += SeekTable.entry(frame: UInt64(frame.count), chunk: plain.count)
      }
      pack += table.beginning + entries + table.end
      #expect(table.length == UInt64(entries.count + 17))
      #expect(ends.suffix(vector.ends.count) == vector.ends[...])
      #expect(pack.count == vector.packLength)
      #expect(SHA256Hasher.hash(pack.span).hex == vector.packSHA256)
      if let expected = vector.pack?.bytes { #expect(pack == expected) }
    }
  }

  @Test("a chunk that is compressed comes out again, at every level", arguments: [1, 3, 9, 19, 22])
  func roundTrip(level: Int) throws {
    var encoder = PackFrameEncoder(level: try #require(PackLevel(level)))
    var again = PackFrameEncoder(level: try #require(PackLevel(level)))
    let random = VectorContent.block(0, seed: "level").bytes
    for length in [1, 2, 255, 256, 257, 4096, 128 << 10, 128 << 10 | 1, 3_000_000, 4 << 20] {
      let text = (0..<length).map { UInt8(truncatingIfNeeded: $0 >> 4 ^ $0 >> 11) }
      let noise = (0..<length).map { random[$0 % 31] &+ UInt8(truncatingIfNeeded: $0 &* $0 >> 7) }
      for content in [text, noise] {
        let frame = encoder.frame(content.span)
        let made = try #require(frame)
        #expect(made.count <= PackFrame.longest(of: length))
        // By contents, as a comparison of long arrays that fails takes for ever to print.
        let found = unpack(made.span, length: length)
        #expect(found.map { SHA256Hasher.hash($0.span) } == SHA256Hasher.hash(content.span), "\(length) bytes")
      }
    }
    // Whatever came before.
    let last = [UInt8](repeating: 7, count: 5000)
    let (first, second) = (encoder.frame(last.span), again.frame(last.span))
    #expect(first == second)
  }

  @Test("levels")
  func levels() {
    #expect(PackLevel(0) == nil && PackLevel(23) == nil && PackLevel(-1) == nil)
    #expect(PackLevel(3) == .standard)
  }
}
