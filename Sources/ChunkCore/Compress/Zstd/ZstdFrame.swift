internal import CLibZstd

/// A Zstandard frame (RFC 8878) that lies in memory, whole.
enum ZstdFrame {
  /// The size of the content, as the header has it.
  ///
  /// - Returns: `nil` when the bytes are anything else than exactly one frame, skippable ones included, when it wants a dictionary
  ///   or a window that is longer than the content, or does not say the size.
  static func contentSize(of frame: Span<UInt8>) -> UInt64? {
    guard let header = ZstdFrameHeader(frame), header.dictionaryID == 0, let size = header.contentSize,
      header.windowSize <= max(size, shortestWindow)
    else { return nil }
    // The library reads `frame.count` bytes, which there are, and keeps nothing.
    let length = unsafe frame.withUnsafeBytes { unsafe ZSTD_findFrameCompressedSize($0.baseAddress, $0.count) }
    return ZSTD_isError(length) == 0 && length == frame.count ? size : nil
  }

  /// No window can be said to be shorter, unless it is all of the content.
  private static let shortestWindow: UInt64 = 1 << 10

  /// Unpacks a frame into memory that its content fills exactly.
  ///
  /// - Returns: Whether it does. If not, what the memory holds is not known.
  static func decompress(_ frame: Span<UInt8>, into target: inout MutableSpan<UInt8>) -> Bool {
    let room = target.count
    // The library writes at most `room` bytes, and refuses a frame that has more.
    let count = unsafe target.withUnsafeMutableBytes { output in
      unsafe frame.withUnsafeBytes { input in
        unsafe ZSTD_decompress(output.baseAddress, room, input.baseAddress, input.count)
      }
    }
    return ZSTD_isError(count) == 0 && count == room
  }

  /// One frame with its content size in the header; `nil` when it would have more than `limit` bytes.
  static func compress(_ content: Span<UInt8>, level: CInt, atMost limit: Int) -> [UInt8]? {
    let frame = [UInt8](capacity: max(0, limit)) { output in
      unsafe output.withUnsafeMutableBufferPointer { target, initialized in
        // The library writes at most as many bytes as there is room for, and says when that is too few.
        let count = unsafe content.withUnsafeBytes { input in
          unsafe ZSTD_compress(target.baseAddress, target.count, input.baseAddress, input.count, level)
        }
        initialized = ZSTD_isError(count) == 0 ? count : 0
      }
    }
    return frame.isEmpty ? nil : frame
  }
}
