internal import Glibc

/// Where things of this package are while its tests run.
package enum PackagePaths {
  /// The package's directory, found from this very file.
  package static let root: String = {
    let parts = #filePath.split(separator: "/").dropLast(3)
    return "/" + parts.joined(separator: "/")
  }()

  /// The directory of what was built: that of the test bundle that runs now.
  package static let products: String = {
    var buffer = [CChar](repeating: 0, count: 4096)
    // With Swift Testing the process is the bundle itself or a runner of the toolchain that was given its path.
    let bundle = CommandLine.arguments.first { $0.hasSuffix(".xctest") }
    if let bundle, let slash = bundle.lastIndex(of: "/") { return String(bundle[..<slash]) }
    let count = unsafe readlink("/proc/self/exe", &buffer, buffer.count)
    let executable = String(decoding: buffer.prefix(max(0, count)).map { UInt8(bitPattern: $0) }, as: UTF8.self)
    return executable.lastIndex(of: "/").map { String(executable[..<$0]) } ?? "."
  }()

  /// An executable of this package. Its test target must depend on it, else it may be old or absent.
  package static func product(_ name: String) -> String { "\(products)/\(name)" }
}
