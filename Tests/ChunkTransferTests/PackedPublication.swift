import FaultServer

@testable import ChunkCore

/// A file with a pack, of which the manifest says what is where.
struct PackedPublication: Sendable {
  static let packPath = "/file.bin.zst"
  static let chunkSize = 4096

  let file: Publication
  let pack: [UInt8]
  let frameEnds: [UInt64]

  /// A file of chunks that differ from one another. Of each 128 the first 64 can be compressed, the others not; the last chunk is
  /// a short one. `source` is what the manifest says of the pack's place, and `claiming` of where frames end; nil for nothing.
  init(
    chunks: Int = 300, source: String? = "file.bin.zst",
    claiming: (([UInt64]) -> [UInt64])? = { $0 }, changingFrames: (Int, [UInt8]) -> [UInt8] = { $1 }
  ) throws {
    let noise = Content.pattern(length: UInt64(chunks * Self.chunkSize), seed: 7).bytes(
      in: 0..<UInt64(chunks * Self.chunkSize))
    var bytes: [UInt8] = []
    var pack: [UInt8] = []
    var ends: [UInt64] = []
    for chunk in 0..<chunks {
      let whole = chunk == chunks - 1 ? 777 : Self.chunkSize
      let content: [UInt8] =
        Self.isCompressible(chunk)
        ? Array(Array("this is line \(chunk) of many that are alike\n".utf8).cycled(to: whole))
        : Array(noise[chunk * Self.chunkSize..<chunk * Self.chunkSize + whole])
      bytes += content
      let frame = ZstdFrame.compress(content.span, level: 3, atMost: PackFrame.longest(of: whole)) ?? []
      pack += changingFrames(chunk, frame)
      ends.append(UInt64(pack.count))
    }
    self.pack = pack
    frameEnds = ends
    file = try Publication(
      bytes, chunkSize: Self.chunkSize, sources: source.map { [$0] } ?? [], kind: .pack,
      frameEnds: claiming.map { $0(ends) })
  }

  /// A frame of these bytes.
  static func frame(of content: [UInt8]) -> [UInt8] {
    ZstdFrame.compress(content.span, level: 3, atMost: PackFrame.longest(of: content.count)) ?? []
  }

  static func isCompressible(_ chunk: Int) -> Bool { chunk / 64 % 2 == 0 }

  var compressibleChunks: [Int] { (0..<frameEnds.count).filter(Self.isCompressible) }

  /// How long the frames of these chunks are.
  func frameBytes(_ chunks: [Int]) -> Int {
    chunks.reduce(0) { $0 + Int(frameEnds[$1] - ($1 == 0 ? 0 : frameEnds[$1 - 1])) }
  }

  func plainBytes(_ chunks: [Int]) -> Int { chunks.reduce(0) { $0 + file.range(ofChunk: $1).count } }

  /// A site with all of it.
  func site(_ rules: [FaultRule] = [], connections: ConnectionFaults = ConnectionFaults()) throws -> Site {
    let site = try Site(file, rules, connections: connections)
    site.server.setResource(.bytes(pack), at: Self.packPath)
    return site
  }
}

extension [UInt8] {
  /// These bytes again and again, `count` in all.
  fileprivate func cycled(to count: Int) -> [UInt8] { (0..<count).map { self[$0 % self.count] } }
}

extension Site {
  var packRequests: [RecordedRequest] { server.recording.requests(to: PackedPublication.packPath) }
}

extension RequestMatch {
  static var pack: RequestMatch { .path(PackedPublication.packPath) }
}
