internal import ChunkSystem

/// The byte budget of a transfer: so many chunk buffers and no more.
///
/// Memory is allocated when it is first asked for and then used again and again. A buffer comes back by itself when nobody
/// holds it any more. Any thread may call anything.
package final class BufferPool: Sendable {
  private struct State {
    var free: [AlignedBuffer] = []
    var allocated = 0
    /// Those who wait, first come, first served. There are some only while nothing is free.
    var waiting: [Waiter] = []
  }

  private struct Waiter {
    let length: Int
    let receive: @Sendable (ChunkBuffer) -> Void
  }

  /// How many buffers there are at most.
  package let capacity: Int
  /// The size of each.
  package let chunkSize: Int

  private let state = Lock(State())

  /// A pool of as many buffers as `budget` bytes are enough for.
  ///
  /// - Parameters:
  ///   - budget: In bytes.
  ///   - chunkSize: The length of the longest chunk.
  ///   - minimum: How many buffers there are even if the budget is too small for them.
  package init(budget: Int, chunkSize: Int, minimum: Int = 2) {
    precondition(chunkSize > 0 && minimum > 0, "a pool has room for a chunk")
    self.chunkSize = chunkSize
    capacity = max(minimum, budget / chunkSize)
  }

  /// How many buffers could be taken now. By the time the caller looks, it may be another number.
  package var available: Int {
    state.withLock { $0.free.count + capacity - $0.allocated }
  }

  /// An empty buffer for a chunk of `length` bytes, by default of the longest.
  ///
  /// - Returns: `nil` when all are in use.
  package func take(length: Int? = nil) -> ChunkBuffer? {
    let length = checked(length)
    return state.withLock { freeMemory(in: &$0) }.map { ChunkBuffer(memory: $0, length: length, pool: self) }
  }

  /// Hands out a buffer as soon as there is one: before this returns, or later on the thread that let one go, but not
  /// with a lock of the pool held.
  ///
  /// Who gets it and has no use for it any more just lets it go; then the next one who waits gets it, so that nothing is
  /// lost when a wish has become pointless.
  package func whenAvailable(length: Int? = nil, _ receive: @escaping @Sendable (ChunkBuffer) -> Void) {
    let length = checked(length)
    let memory = state.withLock { state in
      let memory = freeMemory(in: &state)
      if memory == nil { state.waiting.append(Waiter(length: length, receive: receive)) }
      return memory
    }
    if let memory { receive(ChunkBuffer(memory: memory, length: length, pool: self)) }
  }

  /// What a buffer does when it goes.
  func takeBack(_ memory: AlignedBuffer) {
    let waiter = state.withLock { state in
      let waiter = state.waiting.isEmpty ? nil : state.waiting.removeFirst()
      if waiter == nil { state.free.append(memory) }
      return waiter
    }
    if let waiter { waiter.receive(ChunkBuffer(memory: memory, length: waiter.length, pool: self)) }
  }

  private func freeMemory(in state: inout State) -> AlignedBuffer? {
    if let memory = state.free.popLast() { return memory }
    guard state.allocated < capacity else { return nil }
    state.allocated += 1
    return AlignedBuffer(capacity: chunkSize)
  }

  private func checked(_ length: Int?) -> Int {
    let length = length ?? chunkSize
    precondition((0...chunkSize).contains(length), "the chunk does not fit")
    return length
  }
}
