// swift-tools-version: 6.2
import PackageDescription

// A package is known by the name of its directory, and a clone may have any.
let repository = Context.packageDirectory.split(separator: "/").dropLast(2).last.map { String($0).lowercased() }

let package = Package(
  name: "sample",
  dependencies: [.package(path: "../..")],
  targets: [
    .executableTarget(
      name: "sample",
      dependencies: [.product(name: "ChunkTransfer", package: repository ?? "chunkget")],
      swiftSettings: [.swiftLanguageMode(.v6), .treatAllWarnings(as: .error)])
  ]
)
