internal import ChunkCore
internal import ChunkStore

/// The manifest of a file that was just downloaded, beside it as `NAME.chunks`.
///
/// It is made of the bytes under the name, read once more: what it says is true of them whoever wrote them. Nothing is signed and
/// no sources are named, since nobody said who may publish it.
struct SavedManifest {
  let output: OutputPath
  let report: TransferReport

  /// Makes and writes it. The file itself is complete by now, and stays whatever happens here.
  func write() throws(TransferError) {
    do throws(StoreError) {
      // A verified file keeps its ID.
      let hashed = try ManifestBuilder().hash(output.path, chunkSize: report.chunkSize)
      let manifest = try encode(hashed)
      if let expected = report.fileID, manifest.fileID != expected {
        throw StoreError(.changed, "is not what was downloaded any more", path: output.path)
      }
      try ManifestFile.write(manifest, to: OutputPath("\(output.path).chunks"))
    } catch {
      throw TransferError(.disk, "The file is complete, but its manifest could not be made: \(error.description)")
    }
  }

  private func encode(_ hashed: HashedFile) throws(StoreError) -> ManifestEncoder {
    let name = ManifestMetadata.isFileName(output.name) ? output.name : nil
    do throws(ManifestError) {
      return try ManifestEncoder(
        geometry: hashed.geometry, chunkIDs: hashed.chunkIDs,
        metadata: ManifestMetadata(name: name, sha256: report.sha256))
    } catch {
      throw StoreError(.notUsable, error.message, path: output.path)
    }
  }
}
