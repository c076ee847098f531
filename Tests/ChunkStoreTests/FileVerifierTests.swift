import ChunkCore
import ChunkStore
import ChunkSystem
import ChunkTestSupport
import Testing

@Suite struct FileVerifierTests {
  let directory: TemporaryDirectory
  /// More than one group, and a tail.
  let sample: Sample

  init() throws {
    directory = try TemporaryDirectory()
    sample = try Sample(length: 1500 * 4096 + 5)
  }

  func verify(
    _ faults: CallFaults? = nil, progress: HashingProgress = HashingProgress()
  ) async throws -> (FileVerification, [BadChunk]) {
    let bad = Lock<[BadChunk]>([])
    let (path, sample) = (directory.path("file"), sample)
    let verification = try await DedicatedThread.run(name: "verify") {
      Result {
        try FileVerifier(files: FileSystem(faults: faults), threadCount: 3)
          .verify(
            path, geometry: sample.geometry,
            ids: { group in Array(sample.ids[sample.geometry.chunks(inGroup: group).indices]) },
            progress: progress, report: { chunk in bad.withLock { $0.append(chunk) } })
      }
    }.get()
    return (verification, bad.withLock { $0 })
  }

  @Test func aRightFileIsRight() async throws {
    try directory.write(sample.bytes, to: "file")
    let progress = HashingProgress()
    let (verification, bad) = try await verify(progress: progress)
    #expect(verification.isRight)
    #expect(bad.isEmpty)
    #expect(progress.bytesDone == UInt64(sample.bytes.count))
  }

  @Test func badChunksAreListedInOrder() async throws {
    var bytes = sample.bytes
    for number in [1499, 3, 1024, 700, 1500] { bytes[number * 4096] ^= 0x80 }
    try directory.write(bytes, to: "file")
    let (verification, bad) = try await verify()
    #expect(!verification.isRight)
    #expect(verification.badChunkCount == 5)
    #expect(bad.map(\.index.rawValue) == [3, 700, 1024, 1499, 1500])
    for chunk in bad {
      let range = chunk.range.indices
      #expect(chunk.expected == sample.ids[chunk.index.rawValue])
      #expect(chunk.finding == .wrong(found: ChunkID(SHA256Hasher.hash(bytes.span.extracting(range)))))
    }
  }

  @Test func aShorterAndALongerFileAreNotRight() async throws {
    try directory.write(Array(sample.bytes.dropLast(4096)), to: "file")
    let (shorter, bad) = try await verify()
    #expect(shorter.badChunkCount == 2)
    #expect(bad.last?.finding == .absent)
    try directory.write(sample.bytes + [0], to: "file")
    let (longer, none) = try await verify()
    #expect(none.isEmpty)
    #expect(!longer.isRight)
    #expect(longer.length == longer.expectedLength + 1)
  }

  @Test func whatCannotBeReadIsBad() async throws {
    try directory.write(sample.bytes, to: "file")
    let (verification, bad) = try await verify(
      CallFaults(.init(failing: 0, of: .pread, with: .error(.ioError), lasting: true)))
    #expect(verification.badChunkCount == 1501)
    #expect(bad.allSatisfy { $0.finding == .unreadable(.ioError) })
  }

  @Test func canBeStopped() async throws {
    try directory.write(sample.bytes, to: "file")
    let progress = HashingProgress()
    progress.cancel()
    await #expect(throws: StoreError(.cancelled, "", path: "")) { try await verify(progress: progress) }
  }
}

extension Range<ChunkIndex> {
  var indices: Range<Int> { lowerBound.rawValue..<upperBound.rawValue }
}
