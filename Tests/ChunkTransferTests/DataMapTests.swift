import ChunkCore
import ChunkStore
import ChunkSystem
import ChunkTestSupport
import Testing

@testable import ChunkTransfer

/// What of a partial has data, as both passes of the survey see it.
struct DataMapTests {
  let directory: TemporaryDirectory
  let geometry: ChunkGeometry
  let partial: PartialFile

  init() throws {
    directory = try TemporaryDirectory()
    // Three groups, the last one short.
    geometry = try ChunkGeometry(fileLength: 2100 * 4096 + 5, chunkSize: .minimum)
    partial = try PartialFile.open(for: OutputPath(directory.path("file")))
    try partial.setLength(geometry.fileLength)
  }

  private func write(_ chunk: Int) throws {
    let bytes = [UInt8](repeating: 1, count: geometry.length(of: ChunkIndex(chunk)))
    try partial.write(unverified: bytes.span, at: UInt64(chunk) * 4096)
  }

  @Test("what the second pass hears is what the first one heard, whatever happened in between")
  func bothPassesHearTheSame() throws {
    for chunk in [0, 5, 1023, 1024, 1500, 2100] { try write(chunk) }
    let map = DataMap(geometry: geometry, partial: partial)
    let first = try (0..<3).map { try map.chunksWithData(inGroup: $0).map(\.rawValue) }
    #expect(first == [[0, 5, 1023], [1024, 1500], [2100]])
    try write(700)
    try write(1025)
    try partial.clear(ByteRange(offset: 0, count: 4096))
    let second = try (0..<3).map { try map.chunksWithData(inGroup: $0).map(\.rawValue) }
    #expect(second == first)
  }

  @Test("passes that are apart hear the same too")
  func inAnyOrder() throws {
    for chunk in [1000, 1001, 1030, 2050] { try write(chunk) }
    let map = DataMap(geometry: geometry, partial: partial)
    let late = try map.chunksWithData(inGroup: 2)
    let early = try map.chunksWithData(inGroup: 0)
    #expect(early.map(\.rawValue) == [1000, 1001])
    #expect(late.map(\.rawValue) == [2050])
    try write(3)
    #expect(try map.chunksWithData(inGroup: 0) == early)
    #expect(try map.chunksWithData(inGroup: 1).map(\.rawValue) == [1030])
    #expect(try map.chunksWithData(inGroup: 2) == late)
  }

  @Test("reserved room that was read is settled once, and the download ends")
  func reservedAndRead() async throws {
    // The pages that reading leaves in the cache make reserved room look like data, until they go.
    let site = try Site()
    let client = try Client()
    for _ in 0..<20 {
      let path = client.scratch.path(Client.name)
      do {
        let begun = try PartialFile.open(for: OutputPath(path))
        try begun.setLength(UInt64(site.publication.bytes.count))
        try begun.preallocate([ByteRange(offset: 0, count: UInt64(site.publication.bytes.count))])
        let beginning = Array(site.publication.bytes[..<900_000])
        try begun.write(unverified: beginning.span, at: 0)
        _ = client.scratch.read(Client.name + ".part")
      }
      try await client.fetch(from: site).expectRight(site.publication)
      try client.scratch.remove(Client.name)
    }
  }
}
