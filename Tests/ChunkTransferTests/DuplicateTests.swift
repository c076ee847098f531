import ChunkHTTP
import FaultServer
import Testing

@testable import ChunkTransfer

/// Mirrors that a server names in `Link: <…>; rel=duplicate` (RFC 6249).
struct DuplicateTests {
  private func link(_ url: String) -> FaultAction { .addHeader("Link", "<\(url)>; rel=duplicate; pri=1") }

  @Test("a mirror that the origin names finishes what the origin breaks off")
  func finishes() async throws {
    let mirror = try Site()
    let site = try Site(
      nil,
      [
        .on(.payload && .numberForPath(1), link(mirror.url), .cut(after: 300_000, .close)),
        .on(.payload && .numberForPath(2...), link(mirror.url), .status(404)),
      ])
    let report = try await Client().fetch(from: site).expectRight(site.publication, discarding: nil)
    #expect(report.sources.map(\.url) == [site.url, mirror.url])
    #expect(mirror.payloadBytesPromised > 2_000_000)
  }

  @Test("the answer that redirects may name it too")
  func redirected() async throws {
    let mirror = try Site()
    let target = try Site(nil, [.on(.payload, .status(404))])
    let site = try Site(nil, [.on(.payload, .redirect(302, to: target.url), link(mirror.url))])
    let report = try await Client().fetch(from: site).expectRight(site.publication, discarding: nil)
    #expect(report.sources.map(\.url) == [site.url, mirror.url])
  }

  @Test("one that is wrong is quarantined like any other")
  func wrong() async throws {
    let mirror = try Site(.older())
    let site = try Site(nil, [.on(.payload, link(mirror.url))])
    let report = try await Client().fetch(from: site).expectRight(site.publication, discarding: nil)
    #expect(report.sources.filter(\.isQuarantined).map(\.url).allSatisfy { $0 == mirror.url })
    // Whatever it gave was of no use.
    #expect(report.sources.last?.receivedBytes == report.discardedBytes)
  }

  @Test("a mirror names no others")
  func onlyTheOrigin() async throws {
    let stranger = try Site()
    let mirror = try Site(nil, [.on(.payload, link(stranger.url))])
    let site = try Site(nil, [.on(.payload, link(mirror.url), .cut(after: 300_000, .close))])
    let report = try await Client().fetch(from: site).expectRight(site.publication, discarding: nil)
    #expect(report.sources.map(\.url) == [site.url, mirror.url])
    #expect(stranger.payload.isEmpty)
  }

  @Test("there are at most 64 sources, and each once")
  func bounds() throws {
    let run = try SchedulerRun(chunks: 8, connections: 2)
    let origin = try #require(run.scheduler.sources.first)
    let places = try (0..<100).map { try HTTPURL("http://mirror\($0 / 2).example/\($0 / 2)") }
    run.scheduler.addDuplicates(places + [origin.url], namedBy: origin.id)
    #expect(run.scheduler.sources.count == 51)
    run.scheduler.addDuplicates(
      try (0..<100).map { try HTTPURL("http://other\($0).example/") }, namedBy: origin.id)
    #expect(run.scheduler.sources.count == 64)
  }

  @Test("without a manifest nothing could tell versions apart, so no mirror is asked")
  func unverified() async throws {
    let mirror = try Site()
    let site = try Site(nil, [.on(.payload, link(mirror.url))])
    var client = try Client()
    client.options.manifest = .none
    let outcome = await client.fetch(from: site)
    #expect(outcome.report?.sources.map(\.url) == [site.url])
    #expect(mirror.payload.isEmpty)
  }
}
