import ChunkTransfer
import FaultServer
import Testing

/// The bytes of a file as an asynchronous sequence: in order, verified, bounded, and over when nobody wants them any more.
struct VerifiedBytesTests {
  private func stream(_ site: Site, _ change: (inout TransferOptions) -> Void = { _ in }) throws -> VerifiedBytes {
    var options = try Client().options
    change(&options)
    return try VerifiedBytes(of: site.url, options: options)
  }

  private func all(_ stream: VerifiedBytes) async throws(TransferError) -> [UInt8] {
    var bytes: [UInt8] = []
    for try await piece in stream { bytes += piece }
    return bytes
  }

  @Test("every byte comes in its turn, and what was wrong is healed before that")
  func inOrder() async throws {
    let site = try Site(nil, [.flip(Site.path, at: 70_000, times: 1), .flip(Site.path, at: 2_000_000, times: 1)])
    let stream = try stream(site) { $0.memoryBudget = 8 * 65_536 }
    #expect(stream.report == nil)
    let isRight = try await all(stream) == site.publication.bytes
    #expect(isRight)
    let report = try #require(stream.report)
    #expect(report.path == nil)
    #expect(report.fileID == site.publication.fileID)
    #expect(report.discardedBytes == 2 * 65_536)
  }

  @Test(
    "pieces are never empty nor larger than said, and after the last one there is no other", arguments: [0, 1, 300_000])
  func pieces(_ length: Int) async throws {
    let site = try Site(Publication(length: length))
    var iterator = try stream(site).makeAsyncIterator()
    var count = 0
    while let piece = try await iterator.next() {
      #expect((1...65_536).contains(piece.count))
      count += piece.count
    }
    #expect(count == length)
    #expect(try await iterator.next() == nil)
  }

  @Test("whoever takes no more makes the server wait")
  func slowTaker() async throws {
    let site = try Site()
    let stream = try stream(site) { $0.memoryBudget = 8 * 65_536 }
    var iterator = stream.makeAsyncIterator()
    var bytes = try #require(try await iterator.next())
    // Six chunks are the window; one was taken, one waits, one is held by the thread that reads, one is in the pipe.
    let most = UInt64(10 * 65_536)
    let recording = try await site.server.waitUntil { recording in
      let payload = recording.requests(to: Site.path)
      return payload.contains { ($0.served?.upperBound ?? 0) >= 7 * 65_536 }
        && payload.allSatisfy { $0.phase == .finished }
    }
    #expect(recording.requests(to: Site.path).allSatisfy { ($0.served?.upperBound ?? 0) <= most })
    while let piece = try await iterator.next() { bytes += piece }
    let isRight = bytes == site.publication.bytes
    #expect(isRight)
  }

  @Test("letting go of the iterator ends the download")
  func abandoned() async throws {
    let site = try Site()
    let stream = try stream(site) { $0.memoryBudget = 8 * 65_536 }
    for try await piece in stream {
      #expect(!piece.isEmpty)
      break
    }
    // Progress ends with the download.
    for await _ in stream.progress {}
    #expect(stream.report == nil)
  }

  @Test("a cancelled task is told so, and gets nothing that looks like the end")
  func cancelled() async throws {
    let gate = Gate()
    let site = try Site(nil, [.on(.payload, .stall(after: 100_000, .gate(gate)))])
    let stream = try stream(site)
    let going = Task { () -> TransferError? in
      do throws(TransferError) {
        for try await _ in stream {}
        return nil
      } catch {
        return error
      }
    }
    try await site.server.waitUntil { !$0.requests(to: Site.path).isEmpty }
    going.cancel()
    let error = try #require(await going.value)
    #expect(error.code == .cancelled && error.isRetryable)
    #expect(stream.report == nil)
    gate.open()
  }

  @Test("what fails is thrown after the bytes that were right")
  func failure() async throws {
    let site = try Site(nil, [.flip(Site.path, at: 2_000_000)])
    let stream = try stream(site)
    var count = 0
    let error = await #expect(throws: TransferError.self) {
      for try await piece in stream {
        let isRight = piece[...] == site.publication.bytes[count..<count + piece.count]
        #expect(isRight)
        count += piece.count
      }
    }
    #expect(error?.code == .noRightBytes)
    #expect(count <= 2_000_000)
  }

  @Test("without a manifest there is nothing to hand out")
  func unverified() async throws {
    let site = try Site(hasManifest: false)
    let stream = try stream(site)
    let error = await #expect(throws: TransferError.self) { _ = try await all(stream) }
    #expect(error?.code == .notTrusted)
    #expect(throws: TransferError(.invalidRequest, "")) { _ = try self.stream(site) { $0.manifest = .none } }
  }

  @Test("the bytes can be gone through once")
  func twice() async throws {
    let site = try Site()
    let stream = try stream(site)
    var first = stream.makeAsyncIterator()
    var second = stream.makeAsyncIterator()
    let error = await #expect(throws: TransferError.self) { _ = try await second.next() }
    #expect(error?.code == .invalidRequest)
    let piece = try #require(try await first.next())
    let isRight = piece[...] == site.publication.bytes[..<piece.count]
    #expect(isRight)
  }
}
