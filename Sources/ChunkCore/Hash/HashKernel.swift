internal import CHashKernels

/// A way to compute SHA-256 of several messages at once.
///
/// All of them give the same digests; they differ in speed and in what they need from the CPU.
package struct HashKernel: Hashable, Sendable {
  /// Sixteen messages in the lanes of AVX-512 registers.
  package static let avx512 = HashKernel(name: "avx512", engine: CHK_AVX512)
  /// Four interleaved streams of the x86 SHA instructions.
  package static let shaNI = HashKernel(name: "shani", engine: CHK_SHANI)
  /// Four interleaved streams of the ARMv8 SHA-256 instructions.
  package static let armv8 = HashKernel(name: "armv8", engine: CHK_ARMV8)
  /// Eight messages in the lanes of AVX2 registers.
  package static let avx2 = HashKernel(name: "avx2", engine: CHK_AVX2)
  /// One message after the other through OpenSSL. Runs everywhere.
  package static let openSSL = HashKernel(name: "openssl", engine: nil)

  /// What ``available`` is chosen from, the fastest first.
  private static let all = [avx512, shaNI, armv8, avx2, openSSL]

  /// The kernels that this CPU can run, the fastest first; the last is ``openSSL``.
  package static let available = all.filter(\.isAvailable)

  /// The kernel to use: the fastest, unless the environment variable `CHUNKGET_HASH_KERNEL` names another one.
  package static let best = choose(requested: requestedName, from: available)

  /// What `CHUNKGET_HASH_KERNEL` calls the kernel.
  package let name: String

  /// The kernel in C, or `nil` for OpenSSL.
  let engine: chk_kernel?

  /// How many messages the kernel takes at a time; with fewer at hand some of its speed is lost.
  package var lanes: Int {
    engine.map(chk_width) ?? 1
  }

  private var isAvailable: Bool {
    engine.map(chk_available) ?? true
  }

  /// The kernel called `requested`, the first of `available` when nothing is requested, and OpenSSL when the request
  /// cannot be met: whoever forces a kernel does so because another one is suspected.
  package static func choose(requested: String?, from available: [HashKernel]) -> HashKernel {
    guard let requested, !requested.isEmpty else { return available.first ?? .openSSL }
    return available.first { kernel in kernel.name == requested } ?? .openSSL
  }

  private static var requestedName: String? {
    // A C string of the environment, copied before anything else happens. Nothing in this package changes the environment.
    guard let name = unsafe chk_requested_kernel() else { return nil }
    return unsafe String(cString: name)
  }
}
