package import ChunkCore
internal import ChunkSystem

/// Chunks that the kernel copies out of a store: shared where the file system can, else copied without passing through this
/// process.
///
/// What was refused once is not tried again for this output. Any thread may call anything.
package final class StoreCopy: Sendable {
  private enum Means {
    case clone, kernelCopy, none
  }

  private let store: any ChunkStoring
  private let partial: PartialFile
  private let geometry: ChunkGeometry
  private let means = Lock(Means.clone)

  package init(from store: any ChunkStoring, to partial: PartialFile, geometry: ChunkGeometry) {
    self.store = store
    self.partial = partial
    self.geometry = geometry
  }

  /// Copies chunks to their places and hashes them there. Until it returns nobody else may write to these places.
  ///
  /// - Returns: Those that are right. In the places of the others there may be anything.
  /// - Throws: ``StoreError`` when the output is of no further use.
  package func take(_ chunks: [ExpectedChunk]) throws(StoreError) -> [ChunkIndex] {
    try partial.checkUsable()
    var copied: [ExpectedChunk] = []
    for chunk in chunks {
      if means.withLock({ $0 }) == .none { break }
      if let file = store.file(of: chunk.id), copy(file, to: chunk.index) { copied.append(chunk) }
    }
    // What lies in the file now is what counts, not what lay in the store (I8 of partial-v1.md).
    return partial.right(copied, in: geometry)
  }

  private func copy(_ source: OpenFile, to index: ChunkIndex) -> Bool {
    let range = geometry.range(of: index)
    do throws(Errno) {
      // Of another length it is not the chunk, and the kernel would copy what is there.
      guard try source.descriptor.status().size == range.count else { return false }
    } catch {
      return false
    }
    return switch means.withLock({ $0 }) {
    case .clone: clone(source, range) || kernelCopy(source, range)
    case .kernelCopy: kernelCopy(source, range)
    case .none: false
    }
  }

  private func clone(_ source: OpenFile, _ range: ByteRange) -> Bool {
    do throws(Errno) {
      try partial.file.descriptor.clone(from: source.descriptor, offset: 0, count: range.count, to: range.offset)
      return true
    } catch {
      // Whatever it was, copying will meet it again.
      means.withLock { $0 = .kernelCopy }
      return false
    }
  }

  private func kernelCopy(_ source: OpenFile, _ range: ByteRange) -> Bool {
    var done: UInt64 = 0
    do throws(Errno) {
      while done < range.count {
        let count = try partial.file.descriptor.copy(
          from: source.descriptor, offset: done, count: Int(range.count - done), to: range.offset + done)
        // Some file systems say zero where they mean that they cannot.
        if count == 0 { break }
        done += UInt64(count)
      }
    } catch {}
    if done < range.count { means.withLock { $0 = .none } }
    return done == range.count
  }
}
