import ChunkCore
import ChunkSystem
import ChunkTestSupport
import ChunkTransfer
import FaultServer
import Testing

/// Files that are longer than the disk has room for, and mostly holes.
struct SparseTests {
  static let chunkSize = 4 << 20

  /// A file with a little more in it than the disk can hold, and the chunks that are not zeros.
  private func server(
    in home: TemporaryDirectory, length: UInt64, dataIn chunks: [Int]
  ) throws -> FaultServer {
    let path = try home.write([], to: "file.bin")
    try TestFile.truncate(path, to: length)
    let size = try #require(ChunkSize(bytes: Self.chunkSize))
    let geometry = try ChunkGeometry(fileLength: length, chunkSize: size)
    var ids = geometry.chunks.map { ZeroChunk.id(length: geometry.length(of: $0)) }
    for chunk in chunks {
      let range = geometry.range(of: ChunkIndex(chunk))
      let bytes = [UInt8](repeating: UInt8(truncatingIfNeeded: chunk) | 1, count: Int(range.count))
      try TestFile.overwrite(path, at: range.offset, with: bytes)
      ids[chunk] = ChunkID(SHA256Hasher.hash(bytes.span))
    }
    let manifest = try ManifestEncoder(geometry: geometry, chunkIDs: ids).encode()
    return try FaultServer(
      resources: [Site.path: Resource(try .file(path)), Site.manifestPath: .bytes(manifest)])
  }

  /// Longer than what is free, by a GiB.
  private func tooLong(_ directory: TemporaryDirectory) throws -> UInt64 {
    try directory.write([1], to: "probe")
    let free = try FileSystem().open(directory.path("probe"), .read).freeSpace()
    try directory.remove("probe")
    return free + (1 << 30) + 3
  }

  @Test("holes need no room: what is there fits, though the whole would not")
  func fits() async throws {
    let client = try Client()
    let length = try tooLong(client.scratch)
    let home = try TemporaryDirectory()
    let server = try server(in: home, length: length, dataIn: [0, 7, Int(length / UInt64(Self.chunkSize))])
    let report = try #require(await client.fetch(server.url()).report)
    #expect(report.length == length)
    #expect(report.fetchedBytes == UInt64(2 * Self.chunkSize) + length % UInt64(Self.chunkSize))
    let path = client.scratch.path(Client.name)
    #expect(try TestFile.read(path, at: UInt64(7 * Self.chunkSize), count: 3) == [7, 7, 7])
    #expect(try TestFile.allocatedBytes(path) <= UInt64(3 * Self.chunkSize) + 65_536)
  }

  @Test("what does not fit even so is refused before any of it is fetched, and the room is given back")
  func doesNotFit() async throws {
    let client = try Client()
    let length = try tooLong(client.scratch)
    let size = try #require(ChunkSize(bytes: Self.chunkSize))
    let geometry = try ChunkGeometry(fileLength: length, chunkSize: size)
    // No chunk is zeros, whatever they are.
    let noZeros: [UInt8] = [1]
    let id = ChunkID(SHA256Hasher.hash(noZeros.span))
    let ids = geometry.chunks.map { _ in id }
    let manifest = try ManifestEncoder(geometry: geometry, chunkIDs: ids).encode()
    let server = try FaultServer(
      resources: [Site.path: Resource(.pattern(length: length)), Site.manifestPath: .bytes(manifest)])
    let error = try await client.fetch(server.url()).expectFailure(.disk)
    #expect(error.message.contains("\(length) bytes are needed"), "\(error)")
    #expect(server.recording.requests(to: Site.path).isEmpty)
    #expect(try TestFile.allocatedBytes(client.scratch.path(Client.name + ".part")) <= 65_536)
  }
}
