import Glibc

/// What libFuzzer calls for every input: the bytes, lent for the call, and how many there are.
package typealias FuzzEntry = @convention(c) (UnsafePointer<UInt8>?, Int) -> CInt

/// libFuzzer's own main loop. There is no header that declares it; all its arguments are integers and pointers, which
/// Swift passes as C does.
@_silgen_name("LLVMFuzzerRunDriver")
private func runDriver(
  _ count: UnsafeMutablePointer<CInt>,
  _ arguments: UnsafeMutablePointer<UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>>,
  _ entry: FuzzEntry
) -> CInt

package enum FuzzDriver {
  /// Whether the check that always fails one day is on, by which `Tools/fuzz/run --self-check` sees that crashes are
  /// found. No seed fails it, and mutations soon do.
  package static let hasPlantedBug = unsafe getenv("CHUNKGET_FUZZ_PLANT") != nil

  /// Runs libFuzzer with the arguments of the command line.
  package static func run(_ entry: FuzzEntry) -> Never {
    var count = CommandLine.argc
    var arguments = unsafe CommandLine.unsafeArgv
    // Both live until the process ends.
    exit(unsafe runDriver(&count, &arguments, entry))
  }

  /// Hands a copy of an input to `body`: reading beyond the end of a copy is seen by AddressSanitizer.
  package static func test(
    _ bytes: UnsafePointer<UInt8>?, _ count: Int, _ body: (inout FuzzInput) -> Void
  ) -> CInt {
    // libFuzzer says that there are `count` bytes.
    var input = FuzzInput(unsafe Array(UnsafeBufferPointer(start: bytes, count: count)))
    body(&input)
    return 0
  }
}

/// Crashes, so that libFuzzer keeps the input, when something that is always true is not.
package func mustHold(_ condition: Bool, _ claim: @autoclosure () -> String) {
  if !condition { fatalError("does not hold: \(claim())") }
}
