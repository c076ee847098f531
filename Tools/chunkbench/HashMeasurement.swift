import ChunkCore

/// One combination of kernel, way, chunk size and threads, and what it took.
struct HashMeasurement: Sendable {
  struct Sample: Sendable {
    let bytes: Int
    let wall: Duration
    let cpu: Duration

    /// Bytes a nanosecond, which is GB/s.
    var rate: Double { Double(bytes) / (wall / .nanoseconds(1)) }
    /// CPU seconds for 10^9 bytes.
    var cpuPerGigabyte: Double { cpu / .nanoseconds(1) / Double(bytes) }
  }

  let kernel: HashKernel
  let way: HashWay
  let chunkSize: Int
  let threadCount: Int
  var samples: [Sample] = []

  var json: String {
    let (slowest, median, fastest) = spread
    return """
      {"bench":"hash","kernel":"\(kernel.name)","way":"\(way)","chunk":\(chunkSize),"threads":\(threadCount),\
      "rounds":\(samples.count),"gb_per_s":\(rounded(median.rate)),"slowest":\(rounded(slowest.rate)),\
      "fastest":\(rounded(fastest.rate)),"cpu_s_per_gb":\(rounded(median.cpuPerGigabyte))}
      """
  }

  static func table(_ measurements: [HashMeasurement]) -> String {
    let header = ["kernel", "way", "chunk", "threads", "GB/s", "from", "to", "CPU s/GB"]
    let rows = measurements.map { measurement in
      let (slowest, median, fastest) = measurement.spread
      let numbers = [median.rate, slowest.rate, fastest.rate, median.cpuPerGigabyte].map { "\(rounded($0))" }
      return [
        measurement.kernel.name, measurement.way.rawValue, "\(measurement.chunkSize)", "\(measurement.threadCount)",
      ] + numbers
    }
    let widths = header.indices.map { column in ([header] + rows).map { $0[column].count }.max() ?? 0 }
    return ([header] + rows).map { row in
      zip(row, widths).map { cell, width in cell + String(repeating: " ", count: width - cell.count) }
        .joined(separator: "  ")
    }.joined(separator: "\n")
  }

  private var spread: (slowest: Sample, median: Sample, fastest: Sample) {
    let sorted = samples.sorted { $0.rate < $1.rate }
    return (sorted[0], sorted[sorted.count / 2], sorted[sorted.count - 1])
  }
}

/// With three decimals, as short as it goes.
private func rounded(_ value: Double) -> Double {
  (value * 1000).rounded() / 1000
}
