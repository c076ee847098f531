import ChunkHTTP
import ChunkSystem
import FaultServer
import Testing

/// How fetches end before their body does: cancelled, refused, stopped, or with the fetcher.
extension FetchTests {
  @Test func cancelEndsAStalledBody() async throws {
    let server = try server(.always(.stall(after: 100_000, .forever)))
    let fetcher = try CurlFetcher()
    let receiver = RecordingReceiver()
    let id = fetcher.start(try RangeRequest(server.url()), receiver: receiver)
    await receiver.wait { $0.body.count == 100_000 }
    // The meter counts a piece when the receiver has returned.
    while fetcher.activity(of: id)?.bodyBytes != 100_000 { await Task.yield() }
    let before = try #require(fetcher.activity(of: id))
    #expect(before.isConnected && before.hasHead && !before.isPaused)
    try await server.waitUntil { $0.held == 1 }
    // Nothing comes, and that shows.
    #expect(fetcher.activity(of: id) == before)
    fetcher.cancel(id)
    fetcher.cancel(id)
    #expect(await receiver.end().outcomes == [.cancelled])
    let recording = try await server.waitUntil { $0.finished == 1 }
    #expect(recording.requests.first?.outcome == .clientClosed)
    fetcher.shutdown()
    #expect(receiver.current.outcomes == [.cancelled])
  }

  @Test func cancelWorksBeforeTheHeadAndWhilePaused() async throws {
    let server = try server(.on(.number(1), .holdHead(.forever)))
    let fetcher = try CurlFetcher()
    let silent = RecordingReceiver()
    let first = fetcher.start(try RangeRequest(server.url()), receiver: silent)
    try await server.waitUntil { $0.held == 1 }
    #expect(fetcher.activity(of: first)?.hasHead == false)
    fetcher.cancel(first)
    #expect(await silent.end().outcomes == [.cancelled])

    let paused = RecordingReceiver { _ in
      .accept
    } onBody: { _, _ in
      .pause
    }
    let second = fetcher.start(try RangeRequest(server.url()), receiver: paused)
    await paused.wait { $0.offers == 1 }
    fetcher.cancel(second)
    let end = await paused.end()
    #expect(end.outcomes == [.cancelled])
    #expect(end.offers == 1)
    fetcher.shutdown()
  }

  @Test func shutdownTellsEveryone() async throws {
    let server = try server(.always(.stall(after: 10, .forever)))
    let fetcher = try CurlFetcher(CurlFetcher.Options(loops: 2))
    let receivers = (0..<8).map { _ in RecordingReceiver() }
    for receiver in receivers { _ = fetcher.start(try RangeRequest(server.url()), receiver: receiver) }
    await receivers[0].wait { $0.body.count == 10 }
    fetcher.shutdown()
    #expect(receivers.allSatisfy { $0.current.outcomes == [.cancelled] })
    let late = RecordingReceiver()
    _ = fetcher.start(try RangeRequest(server.url()), receiver: late)
    #expect(late.current.outcomes == [.cancelled])
    fetcher.shutdown()
  }

  @Test func aFetcherThatIsGoneEndsItsFetches() async throws {
    let server = try server(.always(.stall(after: 10, .forever)))
    var fetcher: CurlFetcher? = try CurlFetcher()
    let receiver = RecordingReceiver()
    _ = fetcher?.start(try RangeRequest(server.url()), receiver: receiver)
    await receiver.wait { $0.body.count == 10 }
    fetcher = nil
    #expect(await receiver.end().outcomes == [.cancelled])
  }

  @Test func anUnwantedBodyCostsNextToNothing() async throws {
    let server = try FaultServer(resources: ["/large": Resource(.zeros(length: 1 << 30))])
    let fetcher = try CurlFetcher()
    let receiver = RecordingReceiver { _ in .refuse }
    let end = await fetcher.fetch(try RangeRequest(server.url("/large")), receiver)
    #expect(end.outcomes == [.refused])
    #expect(end.offers == 0)
    let recording = try await server.waitUntil { $0.finished == 1 }
    #expect(recording.requests.first?.outcome == .clientClosed)
    // What the kernels on both sides hold, of 1 GiB.
    #expect(recording.bodyBytesSent < 64 << 20)
    fetcher.shutdown()
  }

  @Test func aShortRefusedBodyKeepsTheConnection() async throws {
    let server = try server(.on(.path("/old"), .redirect(302, to: "/file.bin")))
    let fetcher = try CurlFetcher()
    let refused = await fetcher.fetch(try RangeRequest(server.url("/missing")), RecordingReceiver { _ in .refuse })
    #expect(refused.outcomes == [.refused])
    #expect(refused.head?.status == 404)
    let redirected = await fetcher.fetch(try RangeRequest(server.url("/old")), RecordingReceiver { _ in .refuse })
    #expect(redirected.outcomes == [.refused])
    #expect(redirected.head?.location == "/file.bin")
    #expect(await fetcher.fetch(try RangeRequest(server.url(), range: 0...9)).outcomes == [.complete])
    #expect(server.recording.connections == 1)
    fetcher.shutdown()
  }

  @Test func aRefusedBodyThatDoesNotComeIsNotWaitedFor() async throws {
    let server = try server(.always(.status(404, body: [1, 2, 3]), .holdBody(.forever)))
    let fetcher = try CurlFetcher()
    let end = await fetcher.fetch(try RangeRequest(server.url()), RecordingReceiver { _ in .refuse })
    #expect(end.outcomes == [.refused])
    fetcher.shutdown()
  }

  @Test func stopEndsTheFetch() async throws {
    let server = try server(.always(.stall(after: 500_000, .forever)))
    let fetcher = try CurlFetcher()
    let receiver = RecordingReceiver { _ in
      .accept
    } onBody: { offer, _ in
      offer == 3 ? .stop : .taken
    }
    let end = await fetcher.fetch(try RangeRequest(server.url()), receiver)
    #expect(end.outcomes == [.stopped])
    #expect(end.offers == 3)
    #expect(difference(end.body, content.bytes(in: 0..<UInt64(end.body.count))) == nil)
    fetcher.shutdown()
  }

  @Test func aReceiverMayStartTheNextFetch() async throws {
    let server = try server()
    let fetcher = try CurlFetcher()
    let next = RecordingReceiver()
    let request = try RangeRequest(server.url(), range: 0...9)
    let first = RecordingReceiver(onFinish: { _ in _ = fetcher.start(request, receiver: next) })
    _ = fetcher.start(request, receiver: first)
    #expect(await next.end().outcomes == [.complete])
    fetcher.shutdown()
  }
}
