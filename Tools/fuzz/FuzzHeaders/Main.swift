import FuzzDriver

@main
enum Main {
  static func main() { unsafe FuzzDriver.run(testOneInput) }
}

/// What libFuzzer calls for every input.
@_cdecl("LLVMFuzzerTestOneInput")
public func testOneInput(_ bytes: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
  unsafe FuzzDriver.test(bytes, count) { input in
    switch input.byte() % 6 {
    case 0: examineContentRange(input.rest())
    case 1: examineDates(&input)
    case 2: AnswerExamination(&input).run()
    case 3: examineVersions(input.rest())
    case 4: examineURLs(input.rest())
    default: examineSentField(input.rest())
    }
  }
}
