internal import ChunkCore
internal import ChunkStore
internal import ChunkSystem
internal import CommandSupport

/// What somebody has who would download: the chunks of a file, known from its manifest or by hashing it.
struct HeldChunks: Sendable {
  /// What lies at multiples of the chunk size.
  let index: SeedIndex
  /// Groups that are the same as those of the wanted file.
  let sameGroups: Set<Int>
  /// The ID of the last bytes, as many as the wanted file's last chunk has.
  let end: ChunkID?
  /// What has chunks by name.
  let store: FileStore?

  /// Those of a store.
  init(storeAt path: String) throws(Failure) {
    do throws(StoreError) { store = try FileStore.open(path) } catch { throw Failure(error) }
    index = SeedIndex(prefixes: [])
    sameGroups = []
    end = nil
  }

  /// Those of the file that `held` describes.
  init(_ held: StoredManifest, for wanted: Manifest, path: String) throws(Failure) {
    let geometry = held.manifest.geometry
    guard geometry.chunkSize == wanted.geometry.chunkSize else {
      throw Failure(
        .usage,
        "\(SafeText.escape(path)): cut into chunks of \(geometry.chunkSize.bytes) bytes, and the other one into chunks of "
          + "\(wanted.geometry.chunkSize.bytes); give the file itself")
    }
    let zeros = ZeroChunk.id(length: geometry.chunkSize.bytes)
    var prefixes: [UInt64] = []
    for group in 0..<geometry.groupCount {
      for id in held.ids(ofGroup: group).prefix(SeedIndex.maximumCount - prefixes.count) {
        prefixes.append(SeedIndex.prefix(of: id, zeros: zeros))
      }
    }
    index = SeedIndex(prefixes: prefixes)
    let shared = min(geometry.groupCount, wanted.geometry.groupCount)
    sameGroups = Set((0..<shared).filter { held.manifest.groupRoots[$0] == wanted.groupRoots[$0] })
    store = nil
    end = geometry.groupCount == 0 ? nil : held.ids(ofGroup: geometry.groupCount - 1).last
  }

  /// Those of a file, hashed as a download hashes a seed.
  init(fileAt path: String, for wanted: Manifest, progress: HashingProgress) throws(StoreError) {
    let input = try InputFile(path)
    let same = Lock<Set<Int>>([])
    index = SeedScan(input, chunkSize: wanted.geometry.chunkSize).run(isStopped: { progress.isCancelled }) {
      group, ids in
      guard group < wanted.geometry.groupCount, wanted.leafPage(group: group, ids: ids) != nil else { return }
      same.withLock { _ = $0.insert(group) }
    }
    if progress.isCancelled { throw StoreError(.cancelled, "the comparison was stopped", path: path) }
    sameGroups = same.withLock { $0 }
    store = nil
    end = try Self.end(of: input, count: wanted.geometry.fileLength % UInt64(wanted.geometry.chunkSize.bytes))
  }

  private static func end(of input: InputFile, count: UInt64) throws(StoreError) -> ChunkID? {
    guard count > 0, count <= input.status.size else { return nil }
    var bytes = [UInt8](repeating: 0, count: Int(count))
    var span = bytes.mutableSpan
    do throws(Errno) {
      guard try input.file.descriptor.pread(into: &span, at: input.status.size - count) == bytes.count else {
        return nil
      }
    } catch {
      throw StoreError(error, "cannot read", path: input.path)
    }
    return ChunkID(SHA256Hasher.hash(bytes.span))
  }
}
