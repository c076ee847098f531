import ChunkSystem

@main
enum Main {
  static func main() throws {
    guard let options = BenchOptions(arguments: CommandLine.arguments.dropFirst()) else {
      print(BenchOptions.help)
      return
    }
    let measurements = try HashBench(options: options).run()
    print(options.asJSON ? measurements.map(\.json).joined(separator: "\n") : HashMeasurement.table(measurements))
  }
}
