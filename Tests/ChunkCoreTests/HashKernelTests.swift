import CHashKernels
import ChunkCore
import Glibc
import Testing

@Suite struct HashKernelTests {
  @Test func alwaysHasOpenSSLAsTheLastResort() {
    #expect(HashKernel.available.last == .openSSL)
    #expect(HashKernel.available.contains(.best))
  }

  @Test func takesTheFastestUnlessAsked() {
    #expect(HashKernel.choose(requested: nil, from: [.shaNI, .avx2, .openSSL]) == .shaNI)
    #expect(HashKernel.choose(requested: "", from: [.avx512, .openSSL]) == .avx512)
    #expect(HashKernel.choose(requested: nil, from: []) == .openSSL)
  }

  @Test(arguments: [
    ("avx512", HashKernel.avx512), ("avx2", .avx2), ("shani", .shaNI), ("armv8", .armv8), ("openssl", .openSSL),
  ])
  func takesTheOneThatIsAskedFor(name: String, kernel: HashKernel) {
    let all: [HashKernel] = [.avx512, .shaNI, .armv8, .avx2, .openSSL]
    #expect(kernel.name == name)
    #expect(HashKernel.choose(requested: name, from: all) == kernel)
    #expect(HashKernel.choose(requested: name, from: [.openSSL]) == .openSSL)
  }

  @Test(arguments: ["AVX2", "scalar", "best", " avx2", "avx2\n"])
  func takesOpenSSLWhenTheRequestMeansNothing(name: String) {
    #expect(HashKernel.choose(requested: name, from: [.avx2, .openSSL]) == .openSSL)
  }

  @Test(arguments: HashKernel.available.map(\.name) + ["nonsense"])
  func canBeForcedByTheEnvironment(name: String) async {
    // In a process of its own, where nobody has asked for the best kernel yet.
    await #expect(processExitsWith: .success) { [name = name as String] in
      unsafe setenv("CHUNKGET_HASH_KERNEL", name, 1)
      #expect(HashKernel.best.name == (name == "nonsense" ? "openssl" : name))
    }
  }

  @Test func knowsItsWidth() {
    #expect(HashKernel.avx512.lanes == 16)
    #expect(HashKernel.avx2.lanes == 8)
    #expect(HashKernel.shaNI.lanes == 4)
    #expect(HashKernel.armv8.lanes == 4)
    #expect(HashKernel.openSSL.lanes == 1)
  }

  @Test(arguments: [CHK_SCALAR, CHK_AVX512, CHK_AVX2, CHK_SHANI, CHK_ARMV8].filter(chk_available))
  func neverPicksAnEngineThatIsNotThere(kernel: chk_kernel) {
    for active in 1...Int(CHK_MAX_WIDTH) {
      #expect(chk_available(chk_engine(kernel, active)))
    }
    #expect(chk_engine(kernel, chk_width(kernel)) == kernel)
  }
}
