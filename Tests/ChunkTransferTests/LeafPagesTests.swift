import ChunkCore
import ChunkSystem
import ChunkTestSupport
import Testing

@testable import ChunkTransfer

/// How many groups may be open, and who need not wait for room.
struct LeafPagesTests {
  private let manifest: Manifest
  private let pages: LeafPages

  init() throws {
    // Fifty groups of zeros; which chunks are outstanding is for the tests to say.
    let geometry = try ChunkGeometry(fileLength: 50 * 1024 * 4096, chunkSize: .minimum)
    let ids = geometry.chunks.map { _ in ZeroChunk.id(length: 4096) }
    let bytes = try ManifestEncoder(geometry: geometry, chunkIDs: ids).encode()
    manifest = try UnverifiedManifest(prefix: bytes.span).verified(expecting: nil)
    pages = LeafPages(geometry: geometry, maximum: 4)
  }

  private func open(_ groups: some Sequence<Int>) throws {
    for group in groups {
      let page = try #require(manifest.zeroLeafPage(group: group))
      pages.open(page, outstanding: Array(page.chunks.prefix(2)))
    }
  }

  private func complete(_ group: Int) {
    for chunk in manifest.geometry.chunks(inGroup: group).prefix(2) { pages.completed(chunk) }
  }

  @Test("below and near the lowest open group there always is room, elsewhere for so many")
  func room() throws {
    try open([20, 21, 22])
    #expect(pages.waitForRoom(for: 40))
    try open([40])
    for group in [0, 19, 20, 23] { #expect(pages.waitForRoom(for: group)) }
  }

  @Test("who waits goes on when a group is done, and learns when it is over")
  func waiting() async throws {
    try open([10, 20, 30, 40])
    async let later = onOwnThread { [pages] in pages.waitForRoom(for: 41) }
    complete(20)
    #expect(try await later)
    try open([41])
    async let never = onOwnThread { [pages] in pages.waitForRoom(for: 42) }
    pages.close()
    #expect(try await !never)
  }

  @Test("IDs are known as long as one of the group's chunks is outstanding")
  func ids() throws {
    let chunk = ChunkIndex(5 * 1024)
    #expect(pages.id(of: chunk) == nil)
    try open([5])
    pages.completed(chunk)
    pages.completed(chunk)
    #expect(pages.id(of: chunk) == ZeroChunk.id(length: 4096))
    pages.completed(chunk.advanced(by: 1))
    #expect(pages.id(of: chunk) == nil)
  }
}
