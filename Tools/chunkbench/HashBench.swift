import ChunkCore
import ChunkSystem
import Glibc
import Synchronization

/// Measures every combination of the options once a round, so that what else the machine does hits all of them alike.
struct HashBench {
  private static let chunksAtOnce = LaneHasher.maximumLaneCount
  private static let stripLength = 64 << 10

  private let options: BenchOptions
  private let memory: AlignedBuffer

  init(options: BenchOptions) {
    self.options = options
    memory = AlignedBuffer(capacity: options.memory)
    // Touches every page before the clock runs. Nobody else has the buffer yet.
    unsafe memory.withMutableBytes { bytes in
      for index in bytes.indices { bytes[index] = UInt8(truncatingIfNeeded: index &* 0x9e37_79b9 >> 13) }
    }
  }

  func run() throws -> [HashMeasurement] {
    var measurements: [HashMeasurement] = []
    for way in options.ways {
      for chunkSize in options.chunkSizes where chunkSize <= memory.capacity {
        for threadCount in options.threadCounts {
          measurements += options.kernels.map {
            HashMeasurement(kernel: $0, way: way, chunkSize: chunkSize, threadCount: threadCount)
          }
        }
      }
    }
    for round in 0...options.rounds {
      for index in measurements.indices {
        let sample = try measure(measurements[index])
        if round > 0 { measurements[index].samples.append(sample) }
      }
    }
    return measurements
  }

  private func measure(_ measurement: HashMeasurement) throws -> HashMeasurement.Sample {
    let batchLength = min(Self.chunksAtOnce, memory.capacity / measurement.chunkSize) * measurement.chunkSize
    let batchCount = memory.capacity / batchLength
    let next = SharedCounter()
    let (memory, started, cpuBefore) = (memory, ContinuousClock.now, Self.processCPUTime())
    let threads = try (0..<measurement.threadCount).map { number in
      try DedicatedThread(name: "hash \(number)") {
        while true {
          let batch = next.take()
          guard batch < batchCount else { return }
          Self.hash(memory, batch * batchLength..<(batch + 1) * batchLength, measurement)
        }
      }
    }
    for thread in threads { thread.join() }
    return HashMeasurement.Sample(
      bytes: batchCount * batchLength, wall: started.duration(to: .now), cpu: Self.processCPUTime() - cpuBefore)
  }

  private static func hash(_ memory: AlignedBuffer, _ range: Range<Int>, _ measurement: HashMeasurement) {
    let starts = Array(stride(from: range.lowerBound, to: range.upperBound, by: measurement.chunkSize))
    switch measurement.way {
    case .batch:
      let chunks = starts.map { BenchChunk(memory: memory, range: $0..<$0 + measurement.chunkSize) }
      _ = BatchHasher.digests(of: chunks, kernel: measurement.kernel)
    case .strips:
      var hasher = LaneHasher(kernel: measurement.kernel)
      hasher.reset(laneCount: starts.count)
      // Nobody writes while the benchmark runs.
      unsafe memory.withBytes { bytes in
        for offset in stride(from: 0, to: measurement.chunkSize, by: stripLength) {
          let end = min(offset + stripLength, measurement.chunkSize)
          hasher.update(bytes, ranges: starts.map { $0 + offset..<$0 + end })
        }
      }
      _ = hasher.finalize()
    }
  }

  private static func processCPUTime() -> Duration {
    var time = timespec()
    unsafe clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time)
    return .seconds(time.tv_sec) + .nanoseconds(time.tv_nsec)
  }
}

private final class SharedCounter: Sendable {
  private let value = Atomic(0)

  func take() -> Int {
    value.wrappingAdd(1, ordering: .relaxed).oldValue
  }
}

private final class BenchChunk: ChunkStorage {
  private let memory: AlignedBuffer
  private let range: Range<Int>

  init(memory: AlignedBuffer, range: Range<Int>) {
    self.memory = memory
    self.range = range
  }

  var sealedBytes: UnsafeRawBufferPointer {
    unsafe UnsafeRawBufferPointer(rebasing: memory.bytes[range])
  }
}
