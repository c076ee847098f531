import ChunkSystem
import ChunkCore
import FoundationEssentials

/// The committed vectors of the Spec, made by its Python reference.
enum SpecVectors {
  /// The file of that name in `Spec/vectors`.
  static func load<Content: Decodable>(_ name: String, as type: Content.Type) throws -> Content {
    let directory = URL(filePath: #filePath).deletingLastPathComponent()
      .appending(path: "../../Spec/vectors").standardizedFileURL
    return try JSONDecoder().decode(type, from: Data(contentsOf: directory.appending(path: name)))
  }
}

/// Bytes written as hexadecimal digits.
struct HexBytes: Decodable {
  let bytes: [UInt8]

  init(from decoder: any Decoder) throws {
    let container = try decoder.singleValueContainer()
    let digits = Array(try container.decode(String.self).utf8)
    var bytes: [UInt8] = []
    for position in stride(from: 0, to: digits.count, by: 2) {
      let pair = String(decoding: digits[position..<min(position + 2, digits.count)], as: UTF8.self)
      guard pair.utf8.count == 2, let byte = UInt8(pair, radix: 16) else {
        throw DecodingError.dataCorruptedError(in: container, debugDescription: "not hexadecimal")
      }
      bytes.append(byte)
    }
    self.bytes = bytes
  }
}

/// The bytes of a file, told by how they are made.
struct VectorContent: Decodable {
  let kind: String
  let seed: String?
  let length: Int

  /// The longest beginning of each stream that was asked for so far: many vectors share one.
  private static let streams = Lock<[String: [UInt8]]>([:])

  /// Block `index` of the stream of `seed`: the SHA-256 of the seed and the index.
  static func block(_ index: Int, seed: String) -> SHA256Digest {
    let counter = (0..<8).map { UInt8(truncatingIfNeeded: UInt64(index) >> (8 * $0)) }
    return SHA256Hasher.hash((Array(seed.utf8) + counter).span)
  }

  /// The first bytes of the stream of `seed`, `length` of them or more.
  private static func stream(seed: String, length: Int) -> [UInt8] {
    streams.withLock { streams in
      if let known = streams[seed], known.count >= length { return known }
      var bytes = [UInt8](repeating: 0, count: (length + 31) / 32 * 32)
      var target = bytes.mutableSpan
      var hasher = SHA256Hasher()
      let prefix = Array(seed.utf8)
      var counter = [UInt8](repeating: 0, count: 8)
      for index in 0..<target.count / 32 {
        for position in 0..<4 { counter[position] = UInt8(truncatingIfNeeded: index >> (8 * position)) }
        hasher.update(prefix.span)
        hasher.update(counter.span)
        hasher.finalizeAndReset().write(into: &target, at: index * 32)
      }
      streams[seed] = bytes
      return bytes
    }
  }

  /// The content.
  var bytes: [UInt8] {
    seed.map { Array(Self.stream(seed: $0, length: length).prefix(length)) } ?? [UInt8](repeating: 0, count: length)
  }

  /// The chunk IDs of the content.
  func chunkIDs(_ geometry: ChunkGeometry) -> [ChunkID] {
    let content = seed.map { Self.stream(seed: $0, length: length) } ?? [UInt8](repeating: 0, count: length)
    return geometry.chunks.map { chunk in
      let range = geometry.range(of: chunk)
      return ChunkID(SHA256Hasher.hash(content.span.extracting(Int(range.offset)..<Int(range.end))))
    }
  }
}

/// The name of the error that `body` throws, `nil` when it throws none.
func errorName(_ body: () throws(ManifestError) -> Void) -> String? {
  do throws(ManifestError) {
    try body()
    return nil
  } catch {
    return error.code.description
  }
}
