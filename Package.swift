// swift-tools-version: 6.2
import PackageDescription

let strict: [SwiftSetting] = [
  .swiftLanguageMode(.v6),
  .strictMemorySafety(),
  .treatAllWarnings(as: .error),
  .treatWarning("ExplicitSendable", as: .error),
  .enableUpcomingFeature("ExistentialAny"),
  .enableUpcomingFeature("InternalImportsByDefault"),
  .enableUpcomingFeature("MemberImportVisibility"),
  .enableUpcomingFeature("NonisolatedNonsendingByDefault"),
  .enableUpcomingFeature("InferIsolatedConformances"),
  .enableUpcomingFeature("ImmutableWeakCaptures"),
]

// With CHUNKGET_FUZZ set, as Tools/fuzz/run has it, everything is built for libFuzzer and there are targets for it.
let isFuzzing = Context.environment["CHUNKGET_FUZZ"] != nil
// The targets themselves are not what inputs are to be found for.
let fuzzerFlags: [SwiftSetting] = [.unsafeFlags(["-sanitize=address"])]
let swiftFuzzing: [SwiftSetting] = isFuzzing ? [.unsafeFlags(["-sanitize=fuzzer,address"])] : []
let cFuzzing: [CSetting] = isFuzzing ? [.unsafeFlags(["-fsanitize=fuzzer-no-link,address"])] : []

// SwiftPM compiles C at -O0 in debug builds; the hash kernels are then 6 to 25 times slower and the tests with them.
let kernelFlags: [CSetting] = [.unsafeFlags(["-O3"])]

func library(_ name: String, _ dependencies: [Target.Dependency]) -> Target {
  .target(name: name, dependencies: dependencies, swiftSettings: strict + swiftFuzzing)
}

func support(_ name: String, _ dependencies: [Target.Dependency]) -> Target {
  .target(name: name, dependencies: dependencies, path: "Tests/\(name)", swiftSettings: strict)
}

func tests(_ name: String, _ dependencies: [Target.Dependency]) -> Target {
  .testTarget(name: name, dependencies: dependencies, swiftSettings: strict)
}

/// One of libFuzzer's programs. Linked with lld, since gold fails on what it adds.
func fuzzer(_ name: String, _ dependencies: [Target.Dependency]) -> Target {
  .executableTarget(
    name: name, dependencies: dependencies + ["FuzzDriver"], path: "Tools/fuzz/\(name)",
    swiftSettings: strict + fuzzerFlags,
    linkerSettings: [.unsafeFlags(["-sanitize=fuzzer,address", "-use-ld=lld"])])
}

let package = Package(
  name: "chunkget",
  products: [
    .library(name: "ChunkTransfer", targets: ["ChunkTransfer"]),
    .executable(name: "chunkget", targets: ["chunkget"]),
    .executable(name: "chunkmanifest", targets: ["chunkmanifest"]),
  ],
  targets: [
    // Debian's C libraries, each with its typed setters in its own header.
    .systemLibrary(name: "CLibCurl", pkgConfig: "libcurl", providers: [.apt(["libcurl4-openssl-dev"])]),
    .systemLibrary(name: "CLibCrypto", pkgConfig: "libcrypto", providers: [.apt(["libssl-dev"])]),
    .systemLibrary(name: "CLibExpat", pkgConfig: "expat", providers: [.apt(["libexpat1-dev"])]),
    .systemLibrary(name: "CLibSodium", pkgConfig: "libsodium", providers: [.apt(["libsodium-dev"])]),
    .systemLibrary(name: "CLibZstd", pkgConfig: "libzstd", providers: [.apt(["libzstd-dev"])]),
    .systemLibrary(name: "CMicrohttpd", pkgConfig: "libmicrohttpd", providers: [.apt(["libmicrohttpd-dev"])]),
    // Calls that need _GNU_SOURCE or are macros.
    .target(name: "CLinuxShims", cSettings: cFuzzing),
    // Multi-buffer SHA-256, chosen at run time.
    .target(name: "CHashKernels", cSettings: kernelFlags + cFuzzing),

    // The kernel, typed: descriptors, durability, holes, locks, threads, aligned buffers.
    library("ChunkSystem", ["CLinuxShims"]),
    // Pure: bytes in, values out. IDs, geometry, Merkle, manifest codec, hashing, signatures.
    library("ChunkCore", ["CLibCrypto", "CLibSodium", "CLibZstd", "CHashKernels"]),
    // Verified bytes to and from disk: partial, scan, manifest building.
    library("ChunkStore", ["ChunkCore", "ChunkSystem"]),
    // One ranged GET, done well; knows nothing of chunks.
    library("ChunkHTTP", ["CLibCurl", "ChunkSystem"]),
    // The story: discovery, plan, scheduler, sources, retry, progress.
    library("ChunkTransfer", ["ChunkHTTP", "ChunkStore", "ChunkCore", "ChunkSystem", "CLibExpat"]),
    // Flags, help, progress line, exit codes.
    library("CommandSupport", ["ChunkSystem"]),

    .executableTarget(
      name: "chunkget",
      dependencies: ["ChunkTransfer", "ChunkStore", "ChunkCore", "ChunkSystem", "CommandSupport"],
      swiftSettings: strict),
    .executableTarget(
      name: "chunkmanifest",
      dependencies: ["ChunkStore", "ChunkCore", "ChunkSystem", "CommandSupport", "CMicrohttpd"],
      swiftSettings: strict),

    // The server that misbehaves on purpose, and what the tests share.
    support("FaultServer", ["ChunkSystem"]),
    .target(name: "CTestShims", path: "Tests/CTestShims"),
    support("ChunkTestSupport", ["CTestShims", "ChunkCore", "ChunkSystem", "ChunkStore", "ChunkHTTP"]),
    .executableTarget(
      name: "faultserver", dependencies: ["FaultServer", "CommandSupport", "ChunkSystem"], path: "Tools/faultserver",
      swiftSettings: strict),

    // How fast this machine hashes, by kernel, chunk size and threads.
    .executableTarget(
      name: "chunkbench", dependencies: ["ChunkCore", "ChunkSystem"], path: "Tools/chunkbench", swiftSettings: strict),

    tests("FaultServerTests", ["FaultServer", "ChunkTestSupport", "faultserver"]),
    tests("ChunkSystemTests", ["ChunkSystem", "ChunkTestSupport"]),
    tests("ChunkCoreTests", ["ChunkCore", "CHashKernels", "ChunkSystem", "ChunkTestSupport"]),
    tests("ChunkStoreTests", ["ChunkStore", "ChunkTestSupport"]),
    tests("ChunkHTTPTests", ["ChunkHTTP", "ChunkSystem", "FaultServer", "ChunkTestSupport"]),
    tests("ChunkTransferTests", ["ChunkTransfer", "FaultServer", "ChunkTestSupport"]),
    tests("CommandTests", ["CommandSupport", "FaultServer", "ChunkTestSupport", "chunkget", "chunkmanifest"]),
  ]
)

if isFuzzing {
  package.targets += [
    .target(name: "FuzzDriver", path: "Tools/fuzz/FuzzDriver", swiftSettings: strict + fuzzerFlags),
    fuzzer("FuzzManifest", ["ChunkCore"]),
    fuzzer("FuzzHeaders", ["ChunkHTTP"]),
    fuzzer("FuzzDocuments", ["ChunkTransfer", "ChunkHTTP", "ChunkCore"]),
  ]
}
