internal import ChunkSystem

/// What a process has written to one of its streams so far, as bytes and as lines that can be waited for.
final class CollectedStream: Sendable {
  private struct State {
    var bytes: [UInt8] = []
    /// Where each complete line begins and ends.
    var lines: [Range<Int>] = []
    var lineStart = 0
    var hasEnded = false
    var nextID = 0
    var waiters: [Int: CheckedContinuation<Void, Never>] = [:]

    mutating func takeWaiters() -> [CheckedContinuation<Void, Never>] {
      defer { waiters = [:] }
      return Array(waiters.values)
    }
  }

  private let state = Monitor(State())

  var bytes: [UInt8] { state.read { $0.bytes } }

  func append(_ bytes: ArraySlice<UInt8>) {
    wake { state in
      for byte in bytes {
        if byte == 10 {
          state.lines.append(state.lineStart..<state.bytes.count)
          state.lineStart = state.bytes.count + 1
        }
        state.bytes.append(byte)
      }
    }
  }

  /// No more comes; a last line without an end counts as one.
  func end() {
    wake { state in
      if state.lineStart < state.bytes.count { state.lines.append(state.lineStart..<state.bytes.count) }
      state.hasEnded = true
    }
  }

  /// The line with that number, from 0, as soon as it is there; nil when the stream ends before, or the task is cancelled.
  func line(_ index: Int) async -> String? {
    while !Task.isCancelled {
      let (line, hasEnded) = state.change { state in
        (index < state.lines.count ? Array(state.bytes[state.lines[index]]) : nil, state.hasEnded)
      }
      if let line { return String(decoding: line, as: UTF8.self) }
      if hasEnded { return nil }
      await change(after: index)
    }
    return nil
  }

  /// Suspends until there are more than `count` lines, the stream has ended, or the task is cancelled.
  private func change(after count: Int) async {
    let id = state.change { state in
      state.nextID += 1
      return state.nextID
    }
    await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        let mustWait = state.change { state in
          // Looked at under the lock: a cancellation that comes later finds the waiter.
          guard state.lines.count <= count, !state.hasEnded, !Task.isCancelled else { return false }
          state.waiters[id] = continuation
          return true
        }
        if !mustWait { continuation.resume() }
      }
    } onCancel: {
      state.change { $0.waiters.removeValue(forKey: id) }?.resume()
    }
  }

  private func wake(_ change: (inout State) -> Void) {
    let waiters = state.change { state in
      change(&state)
      return state.takeWaiters()
    }
    for waiter in waiters { waiter.resume() }
  }
}

/// The lines of a stream from the first one on, those to come included; ends with the stream or the task.
package struct ProcessLines: AsyncSequence, Sendable {
  let stream: CollectedStream

  package struct AsyncIterator: AsyncIteratorProtocol {
    let stream: CollectedStream
    var index = 0

    package mutating func next() async -> String? {
      defer { index += 1 }
      return await stream.line(index)
    }
  }

  package func makeAsyncIterator() -> AsyncIterator { AsyncIterator(stream: stream) }
}
