import ChunkCore
import ChunkStore
import ChunkSystem
import ChunkTestSupport
import Testing

/// What is found of a pack that is not the one that the manifest tells of.
@Suite struct PackVerifierTests {
  let directory: TemporaryDirectory
  let packed: PackedFile

  init() async throws {
    directory = try TemporaryDirectory()
    try directory.write(try Sample(length: 1100 * 4096 + 9, zeros: 2..<7).bytes, to: "file")
    let (path, target) = (directory.path("file"), directory.path("file.zst"))
    packed = try await DedicatedThread.run(name: "pack") {
      Result {
        let hashed = try ManifestBuilder().hash(path, chunkSize: ChunkSize(bytes: 4096))
        let ends = try PackFile().write(of: path, hashed: hashed, level: .standard, to: OutputPath(target))
        return PackedFile(hashed: hashed, ends: ends)
      }
    }.get()
  }

  private func verify() async throws -> (verification: PackVerification, bad: [BadFrame]) {
    try await packed.verify(directory.path("file.zst"))
  }

  @Test func aFrameThatIsDamagedIsTold() async throws {
    // In the content of an incompressible chunk, and in the header of another.
    try TestFile.flip(directory.path("file.zst"), at: packed.ends[0] - 100, packed.ends[1050] + 1)
    let (verification, bad) = try await verify()
    #expect(bad.map(\.index.rawValue) == [0, 1051])
    #expect(bad.last?.finding == .notTaken)
    guard case .wrong = bad.first?.finding else {
      Issue.record("\(bad)")
      return
    }
    #expect(!verification.isRight && verification.badFrameCount == 2 && verification.hasSeekTable)
    #expect(bad.first?.range == ByteRange(offset: 0, count: packed.ends[0]))
  }

  @Test func aSeekTableThatDisagreesIsTold() async throws {
    let end = try #require(packed.ends.last)
    let size = try TestFile.size(directory.path("file.zst"))
    for offset in [end, end + 4, end + 8, end + 8 + 8 * 1060 + 2, size - 9, size - 5, size - 1] {
      try TestFile.flip(directory.path("file.zst"), at: offset)
      let (verification, bad) = try await verify()
      #expect(bad.isEmpty && !verification.hasSeekTable && !verification.isRight, "byte \(offset)")
      try TestFile.flip(directory.path("file.zst"), at: offset)
    }
    #expect(try await verify().verification.isRight)
  }

  @Test func aPackThatEndsEarlyOrLateIsTold() async throws {
    let size = try TestFile.size(directory.path("file.zst"))
    try TestFile.truncate(directory.path("file.zst"), to: size + 1)
    var found = try await verify()
    #expect(found.bad.isEmpty && !found.verification.hasSeekTable)
    #expect(found.verification.length == size + 1 && found.verification.expectedLength == size)
    try TestFile.truncate(directory.path("file.zst"), to: packed.ends[1098])
    found = try await verify()
    #expect(found.bad.map(\.index.rawValue) == [1099, 1100])
    #expect(found.bad.allSatisfy { $0.finding == .absent })
    try TestFile.truncate(directory.path("file.zst"), to: 0)
    found = try await verify()
    #expect(found.bad.count == 1101)
  }

  @Test func aColumnThatDisagreesIsTold() async throws {
    var other = packed
    other.ends[500] -= 1
    let (verification, bad) = try await other.verify(directory.path("file.zst"))
    #expect(bad.map(\.index.rawValue) == [500, 501])
    #expect(bad.allSatisfy { $0.finding == .notTaken })
    #expect(!verification.hasSeekTable)
  }

  @Test func framesInAnotherOrderAreWrongChunks() async throws {
    let path = directory.path("file.zst")
    let whole = try TestFile.read(path)
    let (start, middle, end) = (Int(packed.ends[9]), Int(packed.ends[10]), Int(packed.ends[11]))
    // Both are incompressible and so of one length.
    try #require(middle - start == end - middle)
    try directory.write(
      Array(whole[..<start]) + whole[middle..<end] + whole[start..<middle] + whole[end...], to: "file.zst")
    let (_, bad) = try await verify()
    #expect(bad.map(\.index.rawValue) == [10, 11])
    #expect(bad.first?.finding == .wrong(packed.hashed.chunkIDs[11]))
  }
}
