internal import CLibZstd

/// Makes the frames of chunks, one after the other. Belongs to one thread.
///
/// The same chunk, level and version of the library give the same frame, whatever was compressed before.
@safe
package struct PackFrameEncoder: ~Copyable {
  // Made here, freed here, and never handed out.
  private let context: OpaquePointer?

  /// Takes a megabyte or two at the lower levels, and up to some 80 MiB at the highest.
  package init(level: PackLevel) {
    unsafe context = ZSTD_createCCtx()
    guard let context = unsafe context else { return }
    // A level that there is is never refused. Nothing else is set: a content size is written, a checksum is not.
    _ = unsafe ZSTD_CCtx_setParameter(context, ZSTD_c_compressionLevel, CInt(level.rawValue))
  }

  deinit {
    unsafe ZSTD_freeCCtx(context)
  }

  /// The frame of a chunk, be it longer than the chunk.
  ///
  /// - Returns: The frame; nil when there is no memory for the work.
  package mutating func frame(_ chunk: Span<UInt8>) -> [UInt8]? {
    guard let context = unsafe context else { return nil }
    let frame = [UInt8](capacity: PackFrame.longest(of: chunk.count)) { output in
      unsafe output.withUnsafeMutableBufferPointer { target, initialized in
        // The library writes at most as many bytes as there is room for.
        let count = unsafe chunk.withUnsafeBytes { input in
          unsafe ZSTD_compress2(context, target.baseAddress, target.count, input.baseAddress, input.count)
        }
        initialized = ZSTD_isError(count) == 0 ? count : 0
      }
    }
    return frame.isEmpty ? nil : frame
  }
}
