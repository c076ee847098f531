internal import ChunkSystem
internal import Glibc

/// The bytes of a resource: in memory, made on the fly, or in a file.
///
/// Read by several connections at once, hence the sendable closure. Reading costs whatever the closure costs.
package struct Content: Sendable {
  /// How many bytes there are.
  package let length: UInt64
  private let fill: @Sendable (_ offset: UInt64, _ bytes: inout MutableSpan<UInt8>) -> Void

  /// Content of `length` bytes that a function writes for any offset; many GiB of it take no memory.
  package init(length: UInt64, fill: @escaping @Sendable (_ offset: UInt64, _ bytes: inout MutableSpan<UInt8>) -> Void)
  {
    self.length = length
    self.fill = fill
  }

  /// Bytes held in memory.
  package static func bytes(_ bytes: [UInt8]) -> Content {
    Content(length: UInt64(bytes.count)) { offset, target in
      target.copy(from: bytes, at: Int(offset))
    }
  }

  /// A made-up file of any length without memory to speak of: one block of noise repeated, with the offset written into
  /// every 4096th place, so that no two chunks are alike and a chunk in the wrong place shows.
  package static func pattern(length: UInt64, seed: UInt64 = 1) -> Content {
    let block = noise(count: 1 << 16, seed: seed)
    return Content(length: length) { offset, target in
      var done = 0
      while done < target.count {
        let position = offset + UInt64(done)
        let start = Int(position % UInt64(block.count))
        let count = min(block.count - start, target.count - done)
        target.copy(from: block, at: start, count: count, to: done)
        done += count
      }
      stamp(&target, at: offset)
    }
  }

  /// Zeros, as of a sparse file.
  package static func zeros(length: UInt64) -> Content {
    let block = [UInt8](repeating: 0, count: 1 << 16)
    return Content(length: length) { _, target in
      var done = 0
      while done < target.count {
        let count = min(block.count, target.count - done)
        target.copy(from: block, at: 0, count: count, to: done)
        done += count
      }
    }
  }

  /// A file, read when it is asked for, with the length it has now. Bytes that are no longer there read as zeros.
  package static func file(_ path: String) throws(FaultServerError) -> Content {
    let file = try OpenFile(path)
    return Content(length: file.length) { offset, target in
      file.read(at: offset, into: &target)
    }
  }

  /// Writes the content from `offset` on into all of `bytes`, which must not reach past the end.
  package func read(at offset: UInt64, into bytes: inout MutableSpan<UInt8>) {
    precondition(offset + UInt64(bytes.count) <= length)
    fill(offset, &bytes)
  }

  /// The bytes of one range as an array; for tests to compare with.
  package func bytes(in range: Range<UInt64>) -> [UInt8] {
    var result = [UInt8](repeating: 0, count: Int(range.upperBound - range.lowerBound))
    var span = result.mutableSpan
    read(at: range.lowerBound, into: &span)
    return result
  }

  /// All bytes; only for content that fits.
  package var all: [UInt8] { bytes(in: 0..<length) }

  private static func noise(count: Int, seed: UInt64) -> [UInt8] {
    var state = seed
    var result = [UInt8]()
    result.reserveCapacity(count)
    while result.count < count {
      // splitmix64
      state &+= 0x9E37_79B9_7F4A_7C15
      var word = (state ^ (state >> 30)) &* 0xBF58_476D_1CE4_E5B9
      word = (word ^ (word >> 27)) &* 0x94D0_49BB_1331_11EB
      word ^= word >> 31
      for shift in stride(from: 0, to: 64, by: 8) { result.append(UInt8(truncatingIfNeeded: word >> UInt64(shift))) }
    }
    return result
  }

  /// The offset, little-endian, at every multiple of 4096 that any part of the span covers.
  private static func stamp(_ target: inout MutableSpan<UInt8>, at offset: UInt64) {
    let end = offset + UInt64(target.count)
    var place = offset / 4096 * 4096
    while place < end {
      for byte in 0..<UInt64(8) where place + byte >= offset && place + byte < end {
        target[Int(place + byte - offset)] = UInt8(truncatingIfNeeded: place >> (8 * byte))
      }
      place += 4096
    }
  }
}

/// A file that stays open as long as some content reads it.
private final class OpenFile: Sendable {
  let length: UInt64
  private let descriptor: CInt

  init(_ path: String) throws(FaultServerError) {
    let descriptor = unsafe open(path, O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else { throw FaultServerError(call: "open \(path)", Errno(errno)) }
    var status = stat()
    guard unsafe fstat(descriptor, &status) == 0 else {
      let number = Errno(errno)
      close(descriptor)
      throw FaultServerError(call: "fstat \(path)", number)
    }
    self.descriptor = descriptor
    length = UInt64(status.st_size)
  }

  deinit { close(descriptor) }

  func read(at offset: UInt64, into target: inout MutableSpan<UInt8>) {
    unsafe target.withUnsafeMutableBytes { bytes in
      var done = 0
      while done < bytes.count {
        // Inside the buffer: `done` never exceeds its count.
        let count = unsafe pread(
          descriptor, bytes.baseAddress.map { unsafe $0 + done }, bytes.count - done, off_t(offset) + off_t(done))
        guard count > 0 else { break }
        done += count
      }
      for index in done..<bytes.count { unsafe bytes[index] = 0 }
    }
  }
}

extension MutableSpan<UInt8> {
  /// Copies `count` bytes of the array, or as many as fill the rest of the span, to position `target`.
  mutating func copy(from source: [UInt8], at start: Int, count: Int? = nil, to target: Int = 0) {
    let count = count ?? self.count - target
    precondition(start >= 0 && target >= 0 && start + count <= source.count && target + count <= self.count)
    unsafe withUnsafeMutableBytes { bytes in
      unsafe source.withUnsafeBytes { source in
        // Both ranges were checked above.
        guard count > 0, let to = bytes.baseAddress, let from = source.baseAddress else { return }
        unsafe (to + target).copyMemory(from: from + start, byteCount: count)
      }
    }
  }
}
