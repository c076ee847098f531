internal import ChunkStore
internal import ChunkSystem

/// Where a downloaded file goes. `Sendable`.
public enum Destination: Sendable, Equatable, CustomStringConvertible {
  /// A file of this path, which appears only when it is complete; or, when the path is that of a FIFO or a character
  /// device, that stream, written to in order.
  case path(String)
  /// Standard output, in order.
  case standardOutput

  /// The path, or `-`.
  public var description: String {
    switch self {
    case .path(let path): path
    case .standardOutput: "-"
    }
  }

  /// Links to whatever standard output is. Where that is a regular file, taking the link for one that stands at the name
  /// of the output would replace a device.
  private static let namesOfStandardOutput = ["/dev/stdout", "/dev/fd/1", "/proc/self/fd/1"]

  /// What is there now.
  func resolve() throws(TransferError) -> Output {
    guard case .path(let path) = self, !Self.namesOfStandardOutput.contains(path) else {
      return .stream { _ throws(StoreError) in try StandardStream.output.openFile() }
    }
    do throws(StoreError) {
      let output = try OutputPath(path)
      switch output.kind {
      case .file: return .file(output)
      case .stream: return .stream { isStopped throws(StoreError) in try output.openStream(isStopped: isStopped) }
      }
    } catch {
      throw TransferError(error)
    }
  }
}

/// A destination that was looked at.
enum Output: Sendable {
  case file(OutputPath)
  /// A stream, opened only when there is something to write; that may take long, and is given up when told so.
  case stream(@Sendable (_ isStopped: () -> Bool) throws(StoreError) -> OpenFile)
  /// Nowhere but the store.
  case store
}

extension StandardStream {
  fileprivate func openFile() throws(StoreError) -> OpenFile {
    do throws(Errno) {
      return OpenFile(try descriptor())
    } catch {
      throw StoreError(.other, "cannot be written to: \(error)", path: "standard output")
    }
  }
}
