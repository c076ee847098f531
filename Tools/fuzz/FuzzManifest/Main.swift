import FuzzDriver

@main
enum Main {
  static func main() { unsafe FuzzDriver.run(testOneInput) }
}

/// What libFuzzer calls for every input.
@_cdecl("LLVMFuzzerTestOneInput")
public func testOneInput(_ bytes: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
  unsafe FuzzDriver.test(bytes, count) { input in
    switch input.byte() % 5 {
    case 0:
      let cut = Int(input.integer(UInt16.self))
      ManifestExamination(bytes: input.rest(), cut: cut).run()
    case 1:
      let cut = Int(input.integer(UInt16.self))
      var bytes = input.rest()
      ManifestMending.mend(&bytes)
      ManifestExamination(bytes: bytes, cut: cut).run()
    case 2: AssembledManifest(&input).examine()
    case 3: examineMetadata(input.rest())
    default: examinePage(&input)
    }
  }
}
