import ChunkSystem
import Glibc
import Testing

@Suite struct WorkQueueTests {
  @Test func takesUpToWhatIsAskedInOrder() {
    let queue = WorkQueue<Int>(limit: 10)
    for element in 0..<10 { #expect(queue.tryPush(element)) }
    #expect(!queue.tryPush(10))
    #expect(queue.count == 10)
    #expect(queue.pop(upTo: 4) == [0, 1, 2, 3])
    #expect(queue.tryPush(10))
    #expect(queue.pop(upTo: 100) == [4, 5, 6, 7, 8, 9, 10])
  }

  @Test func isDrainedAfterItWasClosed() {
    let queue = WorkQueue<Int>(limit: 3)
    queue.push(1)
    queue.push(2)
    queue.close()
    #expect(!queue.push(3))
    #expect(!queue.tryPush(3))
    #expect(queue.pop(upTo: 1) == [1])
    #expect(queue.pop(upTo: 5) == [2])
    #expect(queue.pop(upTo: 5) == nil)
  }

  @Test func isEmptyAtTheDeadline() async throws {
    let queue = WorkQueue<Int>(limit: 3)
    let popped = try await DedicatedThread.run(name: "pop") {
      queue.pop(upTo: 1, until: Instant.now.advanced(by: .milliseconds(2)))
    }
    #expect(popped == [])
  }

  @Test func everythingPassesOnceThroughLittleRoom() async throws {
    let queue = WorkQueue<Int>(limit: 2)
    async let producers: Void = {
      await withTaskGroup { group in
        for part in 0..<4 {
          group.addTask {
            _ = try? await DedicatedThread.run(name: "push") {
              for element in 0..<250 { queue.push(part * 250 + element) }
            }
          }
        }
      }
      queue.close()
    }()
    async let first = DedicatedThread.run(name: "pop 1") { queue.all() }
    async let second = DedicatedThread.run(name: "pop 2") { queue.all() }
    let all = try await first + second
    await producers
    #expect(all.sorted() == Array(0..<1000))
  }

  @Test func everythingPassesOnceInBatches() async throws {
    let queue = WorkQueue<Int>(limit: 40, consumers: 2, batch: 16)
    async let pushed: Void = DedicatedThread.run(name: "push") {
      for element in 0..<5000 { queue.push(element) }
      queue.close()
    }
    async let first = DedicatedThread.run(name: "pop 1") { queue.all(upTo: 16) }
    async let second = DedicatedThread.run(name: "pop 2") { queue.all(upTo: 16) }
    let all = try await first + second
    try await pushed
    #expect(all.sorted() == Array(0..<5000))
  }

  /// While one thread is at work another one is woken only for a whole batch; and the first element wakes somebody, always.
  @Test func aSecondThreadIsWokenForAWholeBatch() async throws {
    let queue = WorkQueue<Int>(limit: 40, consumers: 2, batch: 4)
    let taken = Monitor<[Int]>([])
    let mayGoOn = Monitor(false)
    async let consumers: Void = {
      await withTaskGroup { group in
        for number in 0..<2 {
          group.addTask {
            _ = try? await DedicatedThread.run(name: "pop \(number)") {
              while let some = queue.pop(upTo: 16) {
                taken.change { $0.append(some.count) }
                mayGoOn.wait { $0 ? () : nil }
              }
            }
          }
        }
      }
    }()
    try await DedicatedThread.run(name: "push") {
      while queue.waiting < 2 { sched_yield() }
      queue.push(0)
      taken.wait { $0 == [1] ? () : nil }
      for element in 1...4 { queue.push(element) }
      taken.wait { $0.count == 2 ? () : nil }
      mayGoOn.change { $0 = true }
      queue.close()
    }
    await consumers
    #expect(taken.read { $0.sorted() } == [1, 4])
  }

  @Test func closingWakesThoseWhoWait() async throws {
    let queue = WorkQueue<Int>(limit: 1)
    queue.push(0)
    async let pushed = DedicatedThread.run(name: "push") { queue.push(1) }
    async let popped = DedicatedThread.run(name: "pop") { () -> [Int] in
      _ = queue.pop(upTo: 1)
      return queue.all()
    }
    queue.close()
    #expect(try await popped == (pushed ? [1] : []))
  }

  @Test func elementsAreLetGoWhenTaken() {
    final class Marker: Sendable {}
    let queue = WorkQueue<Marker>(limit: 4)
    weak let weakly: Marker? = {
      let marker = Marker()
      queue.push(marker)
      return marker
    }()
    #expect(weakly != nil)
    #expect(queue.pop(upTo: 1)?.count == 1)
    #expect(weakly == nil)
  }

  @Test func anInboxTellsWhenItsReaderIsToBeWoken() {
    let inbox = Inbox<Int>()
    #expect(inbox.post(1))
    #expect(!inbox.post(2))
    #expect(inbox.drain() == [1, 2])
    #expect(inbox.drain() == [])
    #expect(inbox.post(3))
  }
}

extension WorkQueue {
  /// What can be taken until it is closed.
  fileprivate func all(upTo limit: Int = 3) -> [Element] {
    var all: [Element] = []
    while let some = pop(upTo: limit) { all += some }
    return all
  }
}
