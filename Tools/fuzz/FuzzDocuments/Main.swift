import FuzzDriver

@main
enum Main {
  static func main() { unsafe FuzzDriver.run(testOneInput) }
}

/// What libFuzzer calls for every input.
@_cdecl("LLVMFuzzerTestOneInput")
public func testOneInput(_ bytes: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
  unsafe FuzzDriver.test(bytes, count) { input in
    switch input.byte() % 4 {
    case 0: examineSignature(input.rest())
    case 1: examineKeys(input.rest())
    case 2: examineMetalink(input.rest())
    default: examineLockFile(input.rest())
    }
  }
}
