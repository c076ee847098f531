import ChunkHTTP
import ChunkSystem
import ChunkTestSupport
import FaultServer
import Glibc
import Testing

/// Which thread a request is for, and whose connections it finds there.
extension TLSTests {
  /// Requests that are all under way at the same time.
  ///
  /// - Returns: How many threads brought the answers.
  private func threads(_ fetcher: CurlFetcher, _ server: NginxServer, count: Int) async throws -> Int {
    let seen = Lock(Set<pthread_t>())
    let receivers = (0..<count).map { _ in
      RecordingReceiver { _ in
        seen.withLock { _ = $0.insert(pthread_self()) }
        return .accept
      } onBody: { offer, _ in
        offer == 1 ? .pause : .taken
      }
    }
    let fetches = try receivers.map { fetcher.start(try request(server, range: 0...999), receiver: $0) }
    for receiver in receivers { await receiver.wait { $0.offers == 1 } }
    for (fetch, receiver) in zip(fetches, receivers) {
      fetcher.resume(fetch)
      #expect(await receiver.end().outcomes == [.complete])
    }
    return seen.withLock(\.count)
  }

  @Test func `what is encrypted is shared by the loops, and no connection lies idle beside a new one`() async throws {
    let server = try NginxServer(.directory(directory.path), scheme: .https(authority))
    let fetcher = try CurlFetcher(CurlFetcher.Options(loops: 2))
    #expect(try await threads(fetcher, server, count: 1) == 1)
    #expect(try await threads(fetcher, server, count: 3) == 2)
    // From 3 down, over 1 and 2, and up again: there are connections for all of them.
    for count in [1, 2, 3, 1, 3, 2, 2, 3] { _ = try await threads(fetcher, server, count: count) }
    #expect(fetcher.connectionsOpened == 3)
    fetcher.shutdown()
  }

  @Test func `a connection that was cut is not counted on`() async throws {
    let server = try NginxServer(.directory(directory.path), scheme: .https(authority))
    let fetcher = try CurlFetcher(CurlFetcher.Options(loops: 2))
    let receivers = (0..<2).map { _ in
      RecordingReceiver { _ in
        .accept
      } onBody: { offer, _ in
        offer == 1 ? .pause : .taken
      }
    }
    let fetches = try receivers.map { fetcher.start(try request(server), receiver: $0) }
    for receiver in receivers { await receiver.wait { $0.offers == 1 } }
    fetcher.cancel(fetches[0])
    #expect(await receivers[0].end().outcomes == [.cancelled])
    fetcher.resume(fetches[1])
    #expect(await receivers[1].end().outcomes == [.complete])
    _ = try await threads(fetcher, server, count: 1)
    #expect(fetcher.connectionsOpened == 2, "the one of the other loop is used")
    fetcher.shutdown()
  }

  @Test func `what is not encrypted stays on one`() async throws {
    let server = try NginxServer(.directory(directory.path))
    let fetcher = try CurlFetcher(CurlFetcher.Options(loops: 2))
    #expect(try await threads(fetcher, server, count: 8) == 1)
    fetcher.shutdown()
  }

  @Test func `many at once on two loops bring their own bytes`() async throws {
    let server = try NginxServer(.directory(directory.path), scheme: .https(authority))
    let fetcher = try CurlFetcher(CurlFetcher.Options(loops: 2))
    let receivers = (0..<64).map { _ in RecordingReceiver() }
    for (index, receiver) in receivers.enumerated() {
      let start = UInt64(index) * 10_000
      _ = fetcher.start(try request(server, range: start...(start + 9_999)), receiver: receiver)
    }
    for (index, receiver) in receivers.enumerated() {
      let end = await receiver.end()
      #expect(end.outcomes == [.complete])
      #expect(difference(end.body, Array(content[index * 10_000..<(index + 1) * 10_000])) == nil)
    }
    fetcher.shutdown()
    #expect(receivers.allSatisfy { $0.current.outcomes.count == 1 })
  }

  @Test func `streams and connections of their own to one server never get each other's bytes`() async throws {
    let server = try NginxServer(.directory(directory.path), scheme: .https(authority))
    let fetcher = try CurlFetcher()
    for round in 0..<40 {
      var receivers: [(Int, RecordingReceiver)] = []
      for index in 0..<24 {
        let version: ConnectionOptions.Version = index < 4 ? .http1 : .http2
        let start = (round % 8) * 24_000 + index * 1000
        let receiver = RecordingReceiver()
        let range = UInt64(start)...UInt64(start + 999)
        _ = fetcher.start(try request(server, version, range: range), receiver: receiver)
        receivers.append((start, receiver))
        // Four at a time, so that some find connections that are idle and some find ones that are in use.
        if index % 4 == 3 { await receivers[receivers.count - 4].1.wait { !$0.outcomes.isEmpty } }
      }
      for (start, receiver) in receivers {
        let end = await receiver.end()
        #expect(end.outcomes == [.complete])
        #expect(difference(end.body, Array(content[start..<start + 1000])) == nil)
      }
    }
    fetcher.shutdown()
  }

  @Test func `a shutdown tells those of all loops`() async throws {
    let server = try NginxServer(.directory(directory.path), scheme: .https(authority))
    let fetcher = try CurlFetcher(CurlFetcher.Options(loops: 2))
    let receivers = (0..<8).map { _ in
      RecordingReceiver { _ in
        .accept
      } onBody: { _, _ in
        .pause
      }
    }
    for receiver in receivers { _ = fetcher.start(try request(server), receiver: receiver) }
    for receiver in receivers { await receiver.wait { $0.offers == 1 } }
    fetcher.shutdown()
    #expect(receivers.allSatisfy { $0.current.outcomes == [.cancelled] })
  }
}
