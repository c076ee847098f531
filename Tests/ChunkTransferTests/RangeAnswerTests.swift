import ChunkTestSupport
import ChunkTransfer
import FaultServer
import Testing

/// Ranges as servers really do them.
struct RangeAnswerTests {
  enum Oddity: CaseIterable {
    case alignedDown, shorter, atMost100KiB, longer, unknownTotal
    case tagPerRequest, weakTag, noValidators
    case closing, chunked

    var action: FaultAction {
      switch self {
      case .alignedDown: .alignStart(40_000)
      case .shorter: .shorten(by: 10)
      case .atMost100KiB: .limitRange(to: 102_400)
      case .longer: .lengthen(by: 50_000)
      case .unknownTotal: .contentRange(.unknownTotal)
      case .tagPerRequest: .etag(.perRequest)
      case .weakTag: .etag(.weak)
      case .noValidators: .etag(.noValidators)
      case .closing: .closeAfter
      case .chunked: .chunked(withLength: false)
      }
    }

    /// Whether it sends bytes that were not asked for.
    var sendsMore: Bool { self == .alignedDown || self == .longer }
  }

  @Test(
    "answers that differ from the request, or say less than they could, are used as they are",
    arguments: Oddity.allCases)
  func odd(_ oddity: Oddity) async throws {
    let site = try Site(nil, [.on(.payload, oddity.action)])
    try await Client().fetch(from: site).expectRight(site.publication, discarding: oddity.sendsMore ? nil : 0)
    // With a manifest nothing depends on validators.
    #expect(site.payload.allSatisfy { $0.header("If-Range") == nil })
    #expect(site.payload.allSatisfy { $0.header("Accept-Encoding") == "identity" })
    #expect(site.hasOneRangeFieldAtMost)
  }

  enum Unusable: CaseIterable {
    case noContentRange, twoContentRanges, conflict, garbage, shiftedUp, shiftedDown, otherUnit, multipart, inverted
    case beyondTheEnd

    var action: FaultAction {
      switch self {
      case .noContentRange: .contentRange(.missing)
      case .twoContentRanges: .contentRange(.duplicated)
      case .conflict: .contentRange(.conflicting("bytes 0-1/2"))
      case .garbage: .contentRange(.value("bytes one to two"))
      case .shiftedUp: .contentRange(.shifted(by: 1))
      case .shiftedDown: .contentRange(.value("bytes 0-0/3146505"))
      case .otherUnit: .contentRange(.unit("lines"))
      case .multipart: .multipart
      case .inverted: .contentRange(.value("bytes 500-400/3146505"))
      case .beyondTheEnd: .contentRange(.value("bytes 0-99999999/*"))
      }
    }
  }

  @Test(
    "ranges that cannot be used are refused with their head, and the file comes whole", arguments: Unusable.allCases)
  func unusable(_ fault: Unusable) async throws {
    let site = try Site(nil, [.on(.payload && .ranged, fault.action)])
    try await Client().fetch(from: site).expectRight(site.publication)
    #expect(site.payload.count { $0.range == nil } == 1)
    #expect(site.payload.last?.range == nil)
  }

  @Test("one unusable answer among good ones costs one more request", arguments: Unusable.allCases)
  func unusableOnce(_ fault: Unusable) async throws {
    let site = try Site(nil, [.on(.payload && .ranged, fault.action, skip: 1, times: 1)])
    var client = try Client()
    client.options.connections = 1
    try await client.fetch(from: site).expectRight(site.publication)
    #expect(site.payload.allSatisfy { $0.range != nil })
  }

  @Test("a coding nobody asked for is refused, whatever the request was")
  func coded() async throws {
    let site = try Site(nil, [.on(.payload, .gzipLabel)])
    let error = try await Client().fetch(from: site).expectFailure(.unreachable)
    #expect(error.message.contains(site.url) && error.message.contains("gzip"))
  }

  @Test("another total length means another version: nothing is read, and nothing is written")
  func otherTotal() async throws {
    let site = try Site(nil, [.on(.payload, .contentRange(.total(4_000_000)))])
    let error = try await Client().fetch(from: site).expectFailure(.sourceChanged)
    #expect(error.message.contains("4000000"))
  }

  // MARK: No ranges

  @Test("a server that ignores ranges sends one stream, verified as it passes")
  func ignoresRanges() async throws {
    let site = try Site(nil, [.on(.payload, .ignoreRange)])
    try await Client().fetch(from: site).expectRight(site.publication)
    // Nothing was discarded: the others were refused when their heads came.
    #expect(site.payload.count <= 4)
  }

  @Test("resuming at a server that ignores ranges keeps what is here", arguments: [0, 1, 20, 48])
  func ignoresRangesOnResume(_ chunks: Int) async throws {
    let site = try Site(nil, [.on(.payload, .ignoreRange)])
    let client = try Client()
    let kept = chunks * site.publication.chunkSize
    try client.scratch.write(Array(site.publication.bytes[..<kept]), to: "out.bin.part")
    // What passes before it was hashed on disk is taken from the stream.
    let report = try await client.fetch(from: site).expectRight(site.publication, discarding: nil)
    #expect(report.reusedBytes <= kept && report.discardedBytes <= kept)
  }

  @Test("a server that forgets how to give ranges is read as one stream from then on", arguments: [1, 2, 3])
  func forgetsRanges(_ after: Int) async throws {
    // The answers before break off within a chunk, so that the stream meets a chunk that has begun.
    let site = try Site(
      nil,
      [
        .on(.payload && .numberForPath((after + 1)...), .ignoreRange),
        .on(.payload, .cut(after: 100_000, .close), times: after),
      ])
    var client = try Client()
    client.options.connections = 1
    let report = try await client.fetch(from: site).expectRight(site.publication, discarding: nil)
    #expect(report.sources.allSatisfy { $0.wrongChunks.isEmpty })
    #expect(report.discardedBytes <= UInt64(after * 100_000))
  }

  @Test("one of several nodes ignores ranges: the others are used, and nothing is read twice")
  func oneNodeIgnoresRanges() async throws {
    let site = try Site(nil, [.on(.payload && .numbersForPath(2...2), .ignoreRange)])
    var client = try Client()
    client.options.connections = 1
    try await client.fetch(from: site).expectRight(site.publication)
    #expect(site.payload.count { $0.status == 200 } == 1)
  }

  @Test("a stream that breaks is started again only while it gets further", arguments: [200_000, 2_000_000])
  func streamBreaks(_ length: Int) async throws {
    let site = try Site(nil, [.on(.payload, .ignoreRange, .cut(after: UInt64(length), .close))])
    var client = try Client()
    client.options.retries = 2
    client.options.connections = 1
    let error = try await client.fetch(from: site).expectFailure(.unreachable)
    #expect(error.isRetryable)
    #expect(site.payload.count <= 8)
  }

  @Test("a stream that breaks once is read again from its beginning, and what came is passed over")
  func streamBreaksOnce() async throws {
    let site = try Site(nil, [.on(.payload, .ignoreRange), .on(.payload, .cut(after: 2_000_000, .close), times: 1)])
    var client = try Client()
    client.options.connections = 1
    let report = try await client.fetch(from: site).expectRight(site.publication, discarding: nil)
    #expect(report.discardedBytes <= 2_100_000)
  }

  // MARK: 416

  @Test("a range that exists and is refused once is asked for again", arguments: ["bytes */3146505", "bytes */*", ""])
  func notSatisfiableOnce(_ contentRange: String) async throws {
    let fields = contentRange.isEmpty ? [] : [HeaderLine("Content-Range", contentRange)]
    let site = try Site(nil, [.on(.payload && .ranged, .status(416, headers: fields), times: 1)])
    try await Client().fetch(from: site).expectRight(site.publication)
  }

  @Test("a range that exists and is always refused is a fault of the server")
  func neverSatisfiable() async throws {
    let fields = [HeaderLine("Content-Range", "bytes */3146505")]
    let site = try Site(nil, [.on(.payload && .ranged, .status(416, headers: fields))])
    var client = try Client()
    client.options.retries = 2
    try await client.fetch(from: site).expectFailure(.unreachable)
  }

  @Test("a 416 with another length means that the source changed")
  func shorterNow() async throws {
    let fields = [HeaderLine("Content-Range", "bytes */1000")]
    let site = try Site(nil, [.on(.payload && .ranged, .status(416, headers: fields))])
    try await Client().fetch(from: site).expectFailure(.sourceChanged)
  }
}
