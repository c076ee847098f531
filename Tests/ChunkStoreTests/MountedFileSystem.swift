import ChunkSystem
import ChunkTestSupport
import Foundation

/// A small file system of its own for a test, where the machine lets tests mount one.
final class MountedFileSystem: Sendable {
  enum Kind: String {
    case tmpfs, xfs
  }

  let path: String
  private let scratch: TemporaryDirectory

  /// Whether one of this kind can be made here.
  static func isPossible(_ kind: Kind) -> Bool {
    (try? MountedFileSystem(kind, megabytes: kind == .xfs ? 320 : 4)) != nil
  }

  init(_ kind: Kind, megabytes: Int) throws {
    scratch = try TemporaryDirectory()
    path = scratch.path("mounted")
    try FileSystem().makeDirectory(path)
    switch kind {
    case .tmpfs:
      try Self.run("mount", "-t", "tmpfs", "-o", "size=\(megabytes)m", "tmpfs", path)
    case .xfs:
      let image = scratch.path("image")
      try scratch.open("image", OpenMode(.write, creation: .always(0o600))).descriptor.truncate(
        to: UInt64(megabytes) << 20)
      try Self.run("mkfs.xfs", "-q", image)
      try Self.run("mount", "-o", "loop", image, path)
    }
  }

  deinit {
    // With nobody left who looks into it. Lazily, as a crashed test may have left something open.
    try? Self.run("umount", "-l", path)
  }

  private struct Failed: Error {}

  private static func run(_ words: String...) throws {
    let process = Process()
    process.executableURL = URL(filePath: "/usr/bin/env")
    process.arguments = words
    process.environment = ["PATH": "/usr/sbin:/usr/bin:/sbin:/bin"]
    process.standardError = FileHandle.nullDevice
    try process.run()
    process.waitUntilExit()
    if process.terminationStatus != 0 { throw Failed() }
  }
}
