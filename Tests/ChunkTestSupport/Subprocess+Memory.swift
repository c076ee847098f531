package import ChunkSystem

extension Subprocess {
  /// Runs it and waits for its end.
  ///
  /// The kernel counts from before the program was there, so that what starts it has to be small: a Python in between.
  ///
  /// - Returns: What it left behind, without its output, and the most memory that was resident at a time, in bytes.
  package func runMeasuringMemory() async throws(Errno) -> (result: ProcessResult, peakMemory: Int?) {
    let script = """
      import resource, subprocess, sys
      status = subprocess.run(sys.argv[1:], stdout=subprocess.DEVNULL).returncode
      print(resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss * 1024)
      sys.exit(status)
      """
    var measured = self
    measured.executable = Subprocess("python3").executable
    measured.arguments = ["-c", script, executable] + arguments
    let result = try await measured.run()
    return (result, result.outputText.split(separator: "\n").last.flatMap { Int($0) })
  }
}
