import ChunkSystem
import Synchronization
import Testing

@Suite struct ThreadTests {
  @Test func returnsWhatItsBodyReturns() async throws {
    let value = try await DedicatedThread.run(name: "a name longer than fifteen bytes") { 42 }
    #expect(value == 42)
    #expect(DedicatedThread.processorCount > 0)
  }

  @Test func joinWaitsForTheEndOfTheBody() async throws {
    let seen = try await DedicatedThread.run(name: "outer") {
      let count = Atomic(0)
      withUnsafeThreads(8) { count.add(1, ordering: .relaxed) }
      return count.load(ordering: .relaxed)
    }
    #expect(seen == 8)
  }

  @Test func aMonitorWaitsForAChange() async throws {
    let monitor = Monitor(0)
    let waiter = Task { try await DedicatedThread.run(name: "waiter") { monitor.wait { $0 >= 3 ? $0 : nil } } }
    for _ in 0..<3 { monitor.change { $0 += 1 } }
    #expect(try await waiter.value == 3)
  }

  @Test func aMonitorEndsAtTheDeadline() async throws {
    let monitor = Monitor(0)
    let end = Instant.now.advanced(by: .milliseconds(5))
    let result: Int? = try await DedicatedThread.run(name: "waiter") { monitor.wait(until: end) { _ in nil } }
    #expect(result == nil)
    #expect(Instant.now >= end)
  }

  @Test func instantsAreComparedByTime() {
    let now = Instant.now
    #expect(now.advanced(by: .seconds(2)) > now)
    #expect(now.duration(to: now.advanced(by: .milliseconds(1500))) == .milliseconds(1500))
    #expect(Instant.now >= now)
  }
}

/// Runs `body` on `count` threads and returns when all have ended.
private func withUnsafeThreads(_ count: Int, _ body: @escaping @Sendable () -> Void) {
  let threads = (0..<count).compactMap { try? DedicatedThread(name: "inner \($0)", body) }
  for thread in threads {
    thread.join()
    thread.join()
  }
}
