import ChunkSystem
import Glibc

/// The reading end of a FIFO. Its calls block.
final class FIFOReader: Sendable {
  private let descriptor: Lock<CInt>

  /// Waits for a writer.
  init(_ path: String) throws {
    let descriptor = unsafe open(path, O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else { throw Failed() }
    self.descriptor = Lock(descriptor)
  }

  deinit { close() }

  func close() {
    descriptor.withLock { descriptor in
      if descriptor >= 0 { _ = Glibc.close(descriptor) }
      descriptor = -1
    }
  }

  func readAll() throws -> [UInt8] {
    var all: [UInt8] = []
    while true {
      let piece = try read(upTo: 65_536)
      if piece.isEmpty { return all }
      all += piece
    }
  }

  func read(upTo limit: Int) throws -> [UInt8] {
    let descriptor = descriptor.withLock { $0 }
    var piece = [UInt8](repeating: 0, count: limit)
    let count = unsafe Glibc.read(descriptor, &piece, limit)
    guard count >= 0 else { throw Failed() }
    piece.removeLast(limit - count)
    return piece
  }

  private struct Failed: Error {}
}
