import ChunkTransfer
import FaultServer
import Testing

/// Links that lead elsewhere, and links that expire.
struct RedirectTests {
  private func site(_ rules: [FaultRule]) throws -> Site {
    let site = try Site(nil, rules)
    site.server.setResource(.bytes(site.publication.bytes), at: "/real.bin")
    return site
  }

  @Test("redirects are followed, and ranges then go to where they led", arguments: [301, 302, 303, 307, 308])
  func followed(_ status: Int) async throws {
    let site = try site([.on(.payload, .redirect(status, to: "/real.bin"))])
    var client = try Client()
    client.options.connections = 1
    try await client.fetch(from: site).expectRight(site.publication)
    #expect(site.payload.count == 1)
    #expect(site.server.recording.requests(to: "/real.bin").allSatisfy { $0.status == 206 })
  }

  @Test("the manifest may be redirected too, and to another host")
  func manifestElsewhere() async throws {
    let other = try Site(address: "127.0.0.2")
    let site = try Site(
      nil, [.on(.manifest, .redirect(302, to: other.server.url(Site.manifestPath)))], hasManifest: false)
    try await Client().fetch(from: site).expectRight(site.publication)
    #expect(other.payload.isEmpty)
  }

  enum Refused: CaseIterable {
    case loop, toAFile, toFTP, toNowhere, noLocation

    var action: FaultAction {
      switch self {
      case .loop: .redirect(302, to: Site.path)
      case .toAFile: .redirect(302, to: "file:///etc/passwd")
      case .toFTP: .redirect(302, to: "ftp://127.0.0.1/file.bin")
      case .toNowhere: .redirect(302, to: "http://")
      case .noLocation: .status(302)
      }
    }
  }

  @Test("redirects that lead nowhere safe are refused", arguments: Refused.allCases)
  func refused(_ fault: Refused) async throws {
    let site = try Site(nil, [.on(.payload, fault.action)])
    let error = try await Client().fetch(from: site).expectFailure(.unreachable)
    #expect(error.message.contains(site.server.origin))
    // Each connection goes at most the length of a chain.
    #expect(site.payload.count <= 4 * 11)
  }

  @Test("a link that expires is resolved again once, and no byte is fetched twice", arguments: [1, 4])
  func expires(_ connections: Int) async throws {
    let site = try site([
      .on(.payload, .redirectWithToken(302, to: "/real.bin", uses: connections == 1 ? 1 : 2)),
      .on(.path("/real.bin"), .requireToken),
    ])
    var client = try Client()
    client.options.connections = connections
    try await client.fetch(from: site).expectRight(site.publication)
    let served = site.server.recording.requests(to: "/real.bin").compactMap(\.served).reduce(0) { $0 + $1.count }
    #expect(served == site.publication.bytes.count)
    if connections == 1 { #expect(site.payload.count == 2) }
  }

  @Test("when the original refuses, that is final")
  func originalRefuses() async throws {
    let site = try site([
      .on(.payload && .numbersForPath(1...1), .redirectWithToken(302, to: "/real.bin", uses: 1)),
      .on(.path("/real.bin"), .requireToken),
      .on(.payload && .numberForPath(2...), .status(404)),
    ])
    var client = try Client()
    client.options.connections = 1
    let error = try await client.fetch(from: site).expectFailure(.unreachable)
    #expect(error.message.contains("404"))
    #expect(site.payload.count == 2)
  }

  @Test("where a link led to is gone: the original is asked again")
  func targetIsGone() async throws {
    let second = try Site(address: "127.0.0.3")
    let first = try Site(
      nil, [.on(.payload, .cut(after: 500_000, .close)), .on(.payload && .numberForPath(2...), .holdHead(.forever))],
      address: "127.0.0.2")
    let site = try Site(
      nil,
      [
        .on(.payload && .numbersForPath(1...1), .redirect(302, to: first.url)),
        .on(.payload && .numberForPath(2...), .redirect(302, to: second.url)),
      ])
    var client = try Client()
    client.options.connections = 1
    client.options.retries = 2
    let running = Task { [client] in await client.fetch(from: site) }
    try await first.server.waitUntil { $0.held == 1 }
    // Nobody listens there any more.
    first.server.stop()
    try await running.value.expectRight(site.publication)
    #expect(site.payload.count == 2)
  }
}
