package import ChunkCore
package import ChunkSystem

extension PartialFile {
  /// Takes ranges of another file over to the same places: shared where both lie on a file system that can, else copied.
  ///
  /// What arrives counts for nothing until it has been hashed here. What cannot be read is left out.
  ///
  /// - Throws: ``StoreError`` when this file cannot be written.
  package func take(_ ranges: [ByteRange], from source: OpenFile) throws(StoreError) {
    try checkUsable()
    var means = Means.clone
    for range in ranges where !range.isEmpty {
      try take(range, from: source, by: &means)
    }
  }

  /// Shares a range of another file with this one, at another place; false where that cannot be done.
  ///
  /// What arrives counts for nothing until it has been hashed here.
  package func share(_ range: ByteRange, of source: OpenFile, at offset: UInt64) throws(StoreError) -> Bool {
    try checkUsable()
    do throws(Errno) {
      try file.descriptor.clone(from: source.descriptor, offset: range.offset, count: range.count, to: offset)
      return true
    } catch {
      return false
    }
  }

  /// The ways to copy, best first. One that was refused is not tried again.
  private enum Means {
    case clone, kernelCopy, readAndWrite
  }

  private func take(_ range: ByteRange, from source: OpenFile, by means: inout Means) throws(StoreError) {
    if means == .clone {
      do throws(Errno) {
        return try file.descriptor.clone(
          from: source.descriptor, offset: range.offset, count: range.count, to: range.offset)
      } catch {
        // Whatever it was, copying will meet it again and know which side it was on.
        means = .kernelCopy
      }
    }
    var offset = range.offset
    while means == .kernelCopy, offset < range.end {
      do throws(Errno) {
        let count = Int(min(range.end - offset, 1 << 30))
        let copied = try file.descriptor.copy(from: source.descriptor, offset: offset, count: count, to: offset)
        // Some file systems say zero where they mean that they cannot.
        if copied == 0 { means = .readAndWrite }
        offset += UInt64(copied)
      } catch {
        means = .readAndWrite
      }
    }
    try copy(ByteRange(offset: offset, count: range.end - offset), from: source)
  }

  private func copy(_ range: ByteRange, from source: OpenFile) throws(StoreError) {
    if range.isEmpty { return }
    let buffer = AlignedBuffer(capacity: Int(min(range.count, 256 << 10)))
    var offset = range.offset
    while offset < range.end {
      let wanted = Int(min(UInt64(buffer.capacity), range.end - offset))
      guard let count = source.read(wanted, into: buffer, at: offset) else {
        offset += UInt64(wanted)
        continue
      }
      if count == 0 { return }
      do throws(Errno) {
        // The buffer is this function's own.
        try unsafe file.descriptor.pwrite(UnsafeRawBufferPointer(rebasing: buffer.bytes[..<count]), at: offset)
      } catch {
        throw StoreError(error, "cannot write", path: path)
      }
      offset += UInt64(count)
    }
  }
}

extension OpenFile {
  /// - Returns: How many bytes were read; `nil` when they cannot be.
  fileprivate func read(_ count: Int, into buffer: AlignedBuffer, at offset: UInt64) -> Int? {
    do throws(Errno) {
      return try unsafe descriptor.pread(
        into: UnsafeMutableRawBufferPointer(rebasing: buffer.bytes[..<count]), at: offset)
    } catch {
      return nil
    }
  }
}
