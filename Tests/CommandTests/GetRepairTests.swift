import ChunkTestSupport
import FaultServer
import Testing

/// Only what is not right on disk comes over the network.
@Suite struct GetRepairTests {
  static let path = "/" + Publication.name

  @Test func `of a finished file with three damaged chunks exactly those are fetched`() async throws {
    let publication = try await Publication(count: (3 << 20) + 500)
    let server = try publication.server()
    let directory = try TemporaryDirectory()
    let output = try directory.write(publication.content, to: Publication.name)
    let last = publication.chunkCount - 1
    for chunk in [0, 20, last] { try TestFile.flip(output, at: UInt64(publication.range(of: chunk).lowerBound + 10)) }
    let run = try await GetRun([server.url()], in: directory)
    let done = try #require(run.done, "\(run)")
    #expect(done.fetched == publication.bytes(in: [0, 20, last]))
    #expect(done.reused == publication.content.count - publication.bytes(in: [0, 20, last]))
    #expect(done.discarded == 0)
    let requests = server.recording.requests(to: Self.path)
    #expect(publication.chunksServed(requests) == [0, 20, last])
    #expect(requests.compactMap(\.served).reduce(0) { $0 + $1.count } == done.fetched)
    #expect(try publication.isComplete(output))
    #expect(try directory.names() == [Publication.name])
  }

  @Test func `while a repair fails the finished file stays as it is`() async throws {
    let publication = try await Publication(count: 1 << 20)
    let server = try publication.server([.flip(Self.path, at: 70_000)])
    let directory = try TemporaryDirectory()
    let output = try directory.write(publication.content, to: Publication.name)
    try TestFile.flip(output, at: 70_001)
    let before = try TestFile.read(output)
    let run = try await GetRun([server.url()], in: directory)
    #expect(run.status == 6, "\(run)")
    let isUntouched = try TestFile.read(output) == before
    #expect(isUntouched)
  }

  @Test func `a right file needs no payload request`() async throws {
    let publication = try await Publication(count: (1 << 20) + 1)
    let server = try publication.server()
    let directory = try TemporaryDirectory()
    try directory.write(publication.content, to: Publication.name)
    let run = try await GetRun([server.url()], in: directory)
    #expect(run.done?.reused == publication.content.count, "\(run)")
    #expect(run.done?.requests == 0)
    #expect(server.recording.requests(to: Self.path).isEmpty)
    #expect(try directory.names() == [Publication.name])
  }

  @Test(arguments: [1, 70_000])
  func `a longer file is cut, without a payload request`(excess: Int) async throws {
    let publication = try await Publication(count: 1 << 20)
    let server = try publication.server()
    let directory = try TemporaryDirectory()
    try directory.write(publication.content + [UInt8](repeating: 5, count: excess), to: Publication.name)
    let run = try await GetRun([server.url()], in: directory)
    #expect(run.status == 0, "\(run)")
    #expect(server.recording.requests(to: Self.path).isEmpty)
    #expect(try publication.isComplete(directory.path(Publication.name)))
  }

  @Test func `no-clobber leaves another file alone`() async throws {
    let publication = try await Publication(count: 100_000)
    let directory = try TemporaryDirectory()
    try directory.write([1, 2, 3], to: Publication.name)
    let server = try publication.server()
    let run = try await GetRun(["--no-clobber", server.url()], in: directory)
    #expect(run.status != 0)
    #expect(try TestFile.read(directory.path(Publication.name)) == [1, 2, 3])
  }

  // MARK: Zeros

  @Test func `chunks of zeros are never fetched and stay holes`() async throws {
    let publication = try await Publication(Self.holey())
    let zeros = Set((0..<publication.chunkCount).filter { publication.isZero($0) })
    #expect(zeros.count > publication.chunkCount / 2)
    let server = try publication.server()
    let directory = try TemporaryDirectory()
    let run = try await GetRun([server.url()], in: directory)
    #expect(run.status == 0, "\(run)")
    let output = directory.path(Publication.name)
    #expect(try publication.isComplete(output))
    #expect(publication.chunksServed(server.recording.requests(to: Self.path)).isDisjoint(with: zeros))
    #expect(run.done?.fetched == publication.content.count - publication.bytes(in: zeros))
    let data = publication.content.count - publication.bytes(in: zeros)
    #expect(Int(try TestFile.allocatedBytes(output)) <= data + 65_536)
  }

  @Test func `a file of nothing but zeros`() async throws {
    let publication = try await Publication([UInt8](repeating: 0, count: 300_000))
    let server = try publication.server()
    let directory = try TemporaryDirectory()
    let run = try await GetRun([server.url()], in: directory)
    #expect(run.done?.requests == 0, "\(run)")
    #expect(try publication.isComplete(directory.path(Publication.name)))
    let piped = try await GetRun(["-o", "-", server.url()])
    #expect(piped.result.output.isSame(as: publication.content))
  }

  @Test func `a sparse file of more than 4 GiB comes quickly and stays sparse`() async throws {
    let length = (4 << 30) + (1 << 20) + 5 as UInt64
    let data: [(offset: UInt64, bytes: [UInt8])] = [0, (2 << 30) - 3, (4 << 30) - 70_000, length - 9].map { offset in
      var random = SeededRandom(seed: offset)
      return (offset, random.bytes(count: Int(min(100_000, length - offset))))
    }
    let home = try TemporaryDirectory()
    let source = try home.write([], to: Publication.name)
    try TestFile.truncate(source, to: length)
    for (offset, bytes) in data { try TestFile.overwrite(source, at: offset, with: bytes) }
    _ = try await Publication.build(source, chunkSize: 256 << 10)
    let server = try FaultServer(
      resources: [
        Self.path: Resource(try .file(source)), Self.path + ".chunks": .bytes(try TestFile.read(source + ".chunks")),
      ])
    let directory = try TemporaryDirectory()
    let run = try await GetRun([server.url()], in: directory)
    let done = try #require(run.done, "\(run)")
    let output = directory.path(Publication.name)
    #expect(try TestFile.size(output) == length)
    for (offset, bytes) in data {
      let isRight = try TestFile.read(output, at: offset, count: bytes.count) == bytes
      #expect(isRight, "at \(offset)")
    }
    #expect(try TestFile.dataBytes(output) <= 8 * (256 << 10))
    #expect(try TestFile.allocatedBytes(output) <= 8 * (256 << 10) + 65_536)
    #expect(try #require(done.fetched) <= 8 * (256 << 10))
    // Reading it all again finds it right.
    let again = try await GetRun([server.url()], in: directory)
    #expect(again.done?.requests == 0, "\(again)")
  }

  /// Data at both ends and in the middle, partly in chunks that are zeros otherwise.
  private static func holey() -> [UInt8] {
    var content = [UInt8](repeating: 0, count: (3 << 20) + 10_000)
    var random = SeededRandom(seed: 11)
    for (offset, count) in [(0, 70_000), ((1 << 20) + 65_535, 2), (2 << 20, 65_536)] {
      content.replaceSubrange(offset..<offset + count, with: random.bytes(count: count))
    }
    return content
  }
}
