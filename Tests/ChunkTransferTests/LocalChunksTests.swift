import ChunkCore
import ChunkStore
import ChunkSystem
import ChunkTestSupport
import FaultServer
import Testing

@testable import ChunkTransfer

/// Chunks that a place on this machine has: they come from there, and the network is asked for the others only.
struct LocalChunksTests {
  private func client(_ places: [FakePlace]) throws -> Client {
    var client = try Client()
    client.options.localPlaces = places
    return client
  }

  private func served(_ site: Site) -> Set<Int> {
    Set(site.payload.compactMap(\.served).flatMap { Int($0.lowerBound) / 65_536...(Int($0.upperBound) - 1) / 65_536 })
  }

  @Test("what a place has all of needs no payload request")
  func everything() async throws {
    let site = try Site()
    let client = try client([FakePlace(site.publication, has: Set(0..<49))])
    let report = try await client.fetch(from: site).expectRight(site.publication)
    #expect(report.reusedBytes == report.length)
    #expect(site.payload.isEmpty)
  }

  @Test("exactly the chunks that no place has, or has right, are fetched; the first place that has one gives it")
  func mixed() async throws {
    let site = try Site()
    let first = FakePlace(site.publication, has: Set(0..<20), wrong: [3, 4, 48])
    let second = FakePlace(site.publication, has: Set(10..<30).union([4]))
    let client = try client([first, second])
    let report = try await client.fetch(from: site).expectRight(site.publication)
    #expect(served(site) == Set(30..<49).union([3]))
    #expect(first.delivered == Set(0..<20).subtracting([3, 4]))
    #expect(second.delivered == Set(20..<30).union([4]))
    #expect(report.reusedBytes == 29 * 65_536)
  }

  @Test("what is on disk already is not asked of a place; what is wrong there is")
  func partialFirst() async throws {
    let site = try Site()
    let place = FakePlace(site.publication, has: Set(0..<49))
    let client = try client([place])
    var bytes = site.publication.bytes
    bytes[5 * 65_536] ^= 1
    let beginning = Array(bytes[..<(20 * 65_536)])
    try client.scratch.write(beginning, to: Client.name + ".part")
    try await client.fetch(from: site).expectRight(site.publication)
    #expect(site.payload.isEmpty)
    #expect(place.delivered == Set(20..<49).union([5]))
  }

  @Test("the network does not wait for a place that is slow to deliver")
  func slowPlace() async throws {
    let site = try Site()
    let gate = Gate()
    let client = try client([FakePlace(site.publication, has: Set(0..<10), gate: gate)])
    async let outcome = client.fetch(from: site)
    _ = try await site.server.waitUntil { recording in
      let payload = recording.requests(to: Site.path)
      let bytes = payload.filter { $0.phase == .finished }.compactMap(\.served).reduce(0) { $0 + $1.count }
      return bytes == site.publication.bytes.count - 10 * 65_536
    }
    gate.open()
    try await outcome.expectRight(site.publication)
  }

  @Test("a stream gets its chunks in order from both sides, whatever the memory", arguments: [1, 8, 256])
  func stream(buffers: Int) async throws {
    Signal.ignoreBrokenPipes()
    let site = try Site()
    let odd = Set((0..<49).filter { $0 % 2 == 1 })
    let first = FakePlace(site.publication, has: odd, wrong: [7, 8, 9])
    var client = try client([first, FakePlace(site.publication, has: [9])])
    client.options.memoryBudget = buffers * 65_536
    let path = client.scratch.path(Client.name)
    try client.scratch.makeFifo(Client.name)
    async let outcome = client.fetch(from: site)
    let bytes = try await onOwnThread { try FIFOReader(path).readAll() }
    let isRight = bytes == site.publication.bytes
    #expect(isRight)
    let report = try #require(await outcome.report)
    #expect(report.reusedBytes == 24 * 65_536 - 65_536)
    #expect(served(site).isDisjoint(with: odd.subtracting([7])))
  }

  @Test("a body of the whole file waits for chunks that a place is about to deliver, and passes over them")
  func wholeBody() async throws {
    let site = try Site(nil, [.on(.payload, .ignoreRange)])
    let place = FakePlace(site.publication, has: [0, 1, 17, 48], wrong: [1])
    let report = try await client([place]).fetch(from: site).expectRight(site.publication, discarding: nil)
    #expect(report.reusedBytes == 2 * 65_536 + 777)
    #expect(place.delivered == [0, 17, 48])
  }

  @Test("cancelled while a place delivers, or is about to find out what it has, it ends", arguments: [true, false])
  func cancelled(whileDelivering: Bool) async throws {
    let site = try Site()
    let place = FakePlace(
      site.publication, has: Set(0..<49), gate: whileDelivering ? Gate() : nil,
      findingOut: whileDelivering ? nil : Gate())
    let client = try client([place])
    let download = try client.download(site.url)
    let running = Task { await client.run(download) }
    try await onOwnThread { place.waitUntilCalled() }
    running.cancel()
    try await running.value.expectFailure(.cancelled)
  }

  @Test("a place that cannot write ends the download with what is wrong")
  func destinationFails() async throws {
    let site = try Site()
    let failing = FakePlace(site.publication, has: [4], failure: TransferError(.disk, "the disk is gone"))
    let error = try await client([failing]).fetch(from: site).expectFailure(.disk)
    #expect(error.message == "the disk is gone")
  }
}

/// A place that has some chunks of a publication, some of them wrong, and waits at a gate if it has one.
private final class FakePlace: LocalChunks {
  private let publication: Publication
  private let has: Set<Int>
  private let wrong: Set<Int>
  private let gate: Gate?
  private let findingOut: Gate?
  private let failure: TransferError?
  private let state = Monitor<(delivered: Set<Int>, isCalled: Bool)>(([], false))

  init(
    _ publication: Publication, has: Set<Int>, wrong: Set<Int> = [], gate: Gate? = nil, findingOut: Gate? = nil,
    failure: TransferError? = nil
  ) {
    self.publication = publication
    self.has = has.union(wrong)
    self.wrong = wrong
    self.gate = gate
    self.findingOut = findingOut
    self.failure = failure
  }

  var delivered: Set<Int> { state.read { $0.delivered } }

  func waitUntilCalled() {
    state.wait { $0.isCalled ? () : nil }
  }

  private func wait(at gate: Gate?, _ isStopped: () -> Bool) {
    guard let gate else { return }
    state.change { $0.isCalled = true }
    while !gate.isOpen, !isStopped() { DedicatedThread.pause(for: .milliseconds(1)) }
  }

  func candidates(
    among chunks: [ExpectedChunk], isStopped: @escaping @Sendable () -> Bool
  ) throws(TransferError) -> [ExpectedChunk] {
    wait(at: findingOut, isStopped)
    return chunks.filter { has.contains($0.index.rawValue) }
  }

  func deliver(_ chunks: [ExpectedChunk], to delivery: LocalDelivery) throws(TransferError) -> [ChunkIndex] {
    wait(at: gate, delivery.isStopped)
    if let failure { throw failure }
    let placed = try delivery.place(chunks) { chunk, buffer in
      let index = chunk.index.rawValue
      guard has.contains(index) else { return false }
      var bytes = Array(publication.bytes[publication.range(ofChunk: index)])
      if wrong.contains(index) { bytes[0] ^= 1 }
      return buffer.append(bytes.span) == bytes.count
    }
    state.change { $0.delivered.formUnion(placed.map(\.rawValue)) }
    return placed
  }
}
