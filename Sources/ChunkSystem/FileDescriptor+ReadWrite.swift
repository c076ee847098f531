internal import Glibc

// Reads and writes here are whole: an interrupted call is started again and a short one is continued.

extension FileDescriptor {
  /// Reads from `offset` until the buffer is full or the file ends. The file position stays.
  ///
  /// - Returns: How many bytes were read: fewer than the buffer has only at the end of the file.
  package func pread(into buffer: inout MutableSpan<UInt8>, at offset: UInt64) throws(Errno) -> Int {
    try unsafe buffer.withUnsafeMutableBytes { bytes throws(Errno) in
      try unsafe pread(into: bytes, at: offset)
    }
  }

  /// The same for memory that is not a span. The memory must be valid during the call, and nobody else may use it.
  @unsafe
  package func pread(into bytes: UnsafeMutableRawBufferPointer, at offset: UInt64) throws(Errno) -> Int {
    guard let start = bytes.baseAddress else { return 0 }
    let position = try Self.position(offset, count: bytes.count)
    var done = 0
    while done < bytes.count {
      // Inside the buffer, as `done` is less than its count and at most the rest is asked for.
      let count = try calls.transfer(.pread, count: bytes.count - done) { count in
        unsafe Glibc.pread(rawValue, start + done, count, position + off_t(done))
      }
      if count == 0 { break }
      done += count
    }
    return done
  }

  /// Reads once from `offset`, and so perhaps fewer bytes than there are. The file position stays.
  ///
  /// The memory must be valid during the call, and nobody else may use it.
  ///
  /// - Returns: How many bytes were read; zero at the end of the file.
  @unsafe
  package func preadOnce(into bytes: UnsafeMutableRawBufferPointer, at offset: UInt64) throws(Errno) -> Int {
    let position = try Self.position(offset, count: bytes.count)
    return try calls.transfer(.pread, count: bytes.count) { count in
      unsafe Glibc.pread(rawValue, bytes.baseAddress, count, position)
    }
  }

  /// Writes all bytes at `offset`. The file position stays.
  package func pwrite(_ bytes: Span<UInt8>, at offset: UInt64) throws(Errno) {
    try unsafe bytes.withUnsafeBytes { bytes throws(Errno) in
      try unsafe pwrite(bytes, at: offset)
    }
  }

  /// The same for memory that is not a span. The memory must be valid, and must not change, during the call.
  @unsafe
  package func pwrite(_ bytes: UnsafeRawBufferPointer, at offset: UInt64) throws(Errno) {
    guard let start = bytes.baseAddress else { return }
    let position = try Self.position(offset, count: bytes.count)
    var done = 0
    while done < bytes.count {
      // Inside the buffer, as `done` is less than its count and at most the rest is asked for.
      let count = try calls.transfer(.pwrite, count: bytes.count - done) { count in
        unsafe Glibc.pwrite(rawValue, start + done, count, position + off_t(done))
      }
      done += try Self.advance(by: count)
    }
  }

  /// Writes the pieces one after the other from `offset` on, with one call where the kernel takes them all.
  ///
  /// The memory must be valid, and must not change, during the call.
  @unsafe
  package func pwritev(_ pieces: [UnsafeRawBufferPointer], at offset: UInt64) throws(Errno) {
    unsafe precondition(pieces.count <= Self.maximumPieces, "too many pieces for one call")
    let total = unsafe pieces.reduce(0) { $0 + $1.count }
    let position = try Self.position(offset, count: total)
    var done = 0
    while done < total {
      let count = try calls.transfer(.pwritev, count: total - done) { count in
        var vectors = unsafe Self.vectors(pieces, from: done, count: count)
        return unsafe Glibc.pwritev(rawValue, &vectors, CInt(vectors.count), position + off_t(done))
      }
      done += try Self.advance(by: count)
    }
  }

  /// How many pieces ``pwritev(_:at:)`` takes: what POSIX calls `IOV_MAX`, on Linux.
  package static var maximumPieces: Int { 1024 }

  /// The part of the pieces that begins `start` bytes in and has `count` bytes.
  private static func vectors(_ pieces: [UnsafeRawBufferPointer], from start: Int, count: Int) -> [iovec] {
    var vectors: [iovec] = unsafe []
    unsafe vectors.reserveCapacity(pieces.count)
    var skip = start
    var rest = count
    for index in unsafe pieces.indices {
      let piece = unsafe pieces[index]
      if skip >= piece.count {
        skip -= piece.count
        continue
      }
      let taken = min(piece.count - skip, rest)
      if taken == 0 { break }
      // The kernel only reads through `iov_base`, whose type says otherwise because readv shares it.
      let start = unsafe UnsafeMutableRawPointer(mutating: piece.baseAddress).map { unsafe $0 + skip }
      unsafe vectors.append(iovec(iov_base: start, iov_len: taken))
      rest -= taken
      skip = 0
    }
    return unsafe vectors
  }

  /// A write that moves nothing and reports nothing would go on for ever.
  private static func advance(by count: Int) throws(Errno) -> Int {
    if count == 0 { throw .ioError }
    return count
  }

  /// The offset as the kernel takes it, checked so that no byte lies beyond what it can address.
  static func position(_ offset: UInt64, count: Int = 0) throws(Errno) -> off_t {
    guard let position = off_t(exactly: offset), !position.addingReportingOverflow(off_t(count)).overflow else {
      throw .fileTooLarge
    }
    return position
  }
}

// MARK: Streams

extension FileDescriptor {
  /// Reads once from where the stream stands.
  ///
  /// - Returns: How many bytes were read; zero is the end.
  package func read(into buffer: inout MutableSpan<UInt8>) throws(Errno) -> Int {
    try unsafe buffer.withUnsafeMutableBytes { bytes throws(Errno) in
      guard let start = bytes.baseAddress else { return 0 }
      return try calls.transfer(.read, count: bytes.count) { count in unsafe Glibc.read(rawValue, start, count) }
    }
  }

  /// Writes all bytes where the stream stands: a pipe, a terminal, a file. Waits as long as the reader makes it wait, also
  /// where someone has set the descriptor to not waiting.
  package func write(_ bytes: Span<UInt8>) throws(Errno) {
    try calls.write(bytes, to: rawValue)
  }
}

extension SystemCalls {
  func write(_ bytes: Span<UInt8>, to descriptor: CInt) throws(Errno) {
    try unsafe bytes.withUnsafeBytes { bytes throws(Errno) in
      guard let start = bytes.baseAddress else { return }
      var done = 0
      while done < bytes.count {
        do throws(Errno) {
          done += try transfer(.write, count: bytes.count - done) { count in
            unsafe Glibc.write(descriptor, start + done, count)
          }
        } catch .wouldBlock {
          // The descriptor is someone else's as well, who wants it not to wait; so wait for it here.
          var wanted = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
          _ = unsafe poll(&wanted, 1, -1)
        }
      }
    }
  }
}
