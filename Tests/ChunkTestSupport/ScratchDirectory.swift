package import ChunkSystem
private import Foundation

/// An empty directory for one test, removed with everything in it when the value goes.
package final class ScratchDirectory: Sendable {
  package let path: String

  package init() throws {
    let url = FileManager.default.temporaryDirectory.appending(path: "chunkget-test-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: url, withIntermediateDirectories: false)
    path = url.path
  }

  deinit {
    try? FileManager.default.removeItem(atPath: path)
  }

  package func path(_ name: String) -> String { "\(path)/\(name)" }

  /// Makes, or replaces, a file.
  package func write(_ bytes: [UInt8], to name: String) throws {
    try Data(bytes).write(to: URL(filePath: path(name)))
  }

  /// The bytes of a file; `nil` when there is none.
  package func read(_ name: String) -> [UInt8]? {
    FileManager.default.contents(atPath: path(name)).map { [UInt8]($0) }
  }

  /// The names in the directory, sorted.
  package var names: [String] {
    ((try? FileManager.default.contentsOfDirectory(atPath: path)) ?? []).sorted()
  }

  package func makeLink(_ name: String, to destination: String) throws {
    try FileManager.default.createSymbolicLink(atPath: path(name), withDestinationPath: destination)
  }

  package func makeHardLink(_ name: String, to other: String) throws {
    try FileManager.default.linkItem(atPath: path(other), toPath: path(name))
  }

  package func makeFifo(_ name: String) throws {
    guard unsafe mkfifo(path(name), 0o600) == 0 else { throw CocoaError(.fileWriteUnknown) }
  }

  package func remove(_ name: String) throws {
    try FileManager.default.removeItem(atPath: path(name))
  }

  /// Gives a file to another user, which only the superuser may.
  package func give(_ name: String, toUser user: UInt32) throws {
    guard unsafe chown(path(name), user, user) == 0 else { throw CocoaError(.fileWriteNoPermission) }
  }

  package func open(_ name: String, _ mode: OpenMode, through files: FileSystem = FileSystem()) throws -> OpenFile {
    OpenFile(try files.open(path(name), mode))
  }
}
