import ChunkSystem
import Testing

@Suite struct LockTests {
  @Test func oneThreadAtATime() async throws {
    let lock = Shared()
    try await DedicatedThread.run(name: "lock") {
      DedicatedThread.concurrently(4, name: "competitor") { _ in
        for _ in 0..<2000 { lock.state.withLock { $0 += 1 } }
      }
    }
    #expect(lock.state.withLock { $0 } == 8000)
  }

  @Test func isGivenBackWhenTheBodyFails() {
    let lock = Lock(1)
    #expect(throws: Errno.ioError) { try lock.withLock { _ throws(Errno) in throw .ioError } }
    #expect(lock.withLock { $0 } == 1)
  }

  @Test func letsGoOfWhatItHolds() {
    final class Marker: Sendable {}
    weak let weakly: Marker? = {
      let lock = Lock(Marker())
      return lock.withLock { $0 }
    }()
    #expect(weakly == nil)
  }

  private final class Shared: Sendable {
    let state = Lock(0)
  }
}
