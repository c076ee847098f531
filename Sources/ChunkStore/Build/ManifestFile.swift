package import ChunkCore

/// `NAME.chunks`, as a publisher writes it.
package enum ManifestFile {
  /// Writes the manifest so that the file has its old content or the new one, whatever happens.
  ///
  /// - Throws: ``StoreError``. No temporary file is left then.
  package static func write(_ manifest: ManifestEncoder, to output: OutputPath) throws(StoreError) {
    try DurableFile.write(to: output) { sink throws(StoreError) in
      try manifest.write(to: sink)
    }
  }
}
