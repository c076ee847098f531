internal import ChunkCore
internal import ChunkStore
internal import ChunkSystem

/// The threads that hash what has arrived and put what is right where it belongs.
///
/// Each takes whatever is waiting, up to 16 chunks, and has the kernel hash them side by side: when chunks queue up
/// that is two to three times a single stream, and when they do not it adds no delay. For the same reason a second thread
/// joins only when the first one has left a batch behind, and as long as chunks keep coming a batch is waited for a moment.
final class VerifyStage: Sendable {
  private let queue: WorkQueue<SealedChunk>
  private let threads: [DedicatedThread]

  /// Starts `count` threads. `capacity` chunks can be waiting: as many as there are buffers, so that nobody waits to
  /// push one.
  init(
    threads count: Int, judge: any ChunkJudge, here: SharedChunkSet, capacity: Int,
    post: @escaping @Sendable (EngineEvent) -> Void
  ) throws(Errno) {
    // Never full: there are fewer buffers than that.
    let queue = WorkQueue<SealedChunk>(limit: capacity, consumers: count, batch: Self.batch, patience: Self.patience)
    self.queue = queue
    var threads: [DedicatedThread] = []
    for number in 0..<count {
      threads.append(
        try DedicatedThread(name: "verify-\(number)") {
          while let batch = queue.pop(upTo: Self.batch) { Self.handle(batch, judge: judge, here: here, post: post) }
        })
    }
    self.threads = threads
  }

  /// As many as the widest kernel takes side by side.
  private static let batch = 16
  /// In this time 16 chunks of the usual size come at 16 Gbit/s. Of a slow link nothing is held up for long.
  private static let patience = Duration.milliseconds(2)

  func push(_ chunk: SealedChunk) {
    queue.push(chunk)
  }

  /// Lets the threads finish what is queued, and waits for them.
  func finish() {
    queue.close()
    for thread in threads { thread.join() }
  }

  private static func handle(
    _ batch: [SealedChunk], judge: any ChunkJudge, here: SharedChunkSet,
    post: @Sendable (EngineEvent) -> Void
  ) {
    // A rival may have brought the same chunk first.
    var fresh: [SealedChunk] = []
    for var sealed in batch {
      if here.contains(sealed.chunk) {
        post(.surplus(sealed.arrival))
      } else if sealed.unpack() {
        fresh.append(sealed)
      } else {
        post(.wrong(sealed.arrival, contributors: sealed.filling.contributors))
      }
    }
    guard !fresh.isEmpty else { return }
    do throws(TransferError) {
      for (sealed, verdict) in zip(fresh, try judge.judge(fresh)) {
        switch verdict {
        case .placed:
          here.insert(CollectionOfOne(sealed.chunk))
          let contributors = sealed.filling.contributors
          post(.verified(sealed.arrival, from: contributors.count == 1 ? contributors.first : nil))
        case .wrong:
          post(.wrong(sealed.arrival, contributors: sealed.filling.contributors))
        }
      }
    } catch {
      post(.placingFailed(error))
    }
  }
}

/// What became of a chunk.
enum ChunkOutcome: Sendable {
  /// Right, and where it belongs.
  case placed
  case wrong
}

/// Says of arrived chunks whether they are right, and puts the right ones where they belong. Called from several
/// threads at once. Outcomes come in the order of the chunks.
protocol ChunkJudge: Sendable {
  func judge(_ chunks: [SealedChunk]) throws(TransferError) -> [ChunkOutcome]
}
