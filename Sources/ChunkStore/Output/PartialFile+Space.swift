package import ChunkCore
internal import ChunkSystem

extension PartialFile {
  /// Makes the file as long as it will be in the end: cuts what is too long, and adds a hole to what is too short.
  package func setLength(_ length: UInt64) throws(StoreError) {
    try checkUsable()
    try wrap("cannot give the file its length") { () throws(Errno) in
      if try file.descriptor.status().size != length { try file.descriptor.truncate(to: length) }
    }
  }

  /// Reserves room on the disk for what will be written, so that a full disk shows at the beginning.
  ///
  /// Reserved bytes still are a hole to a scan. Where the file system cannot reserve, nothing happens.
  ///
  /// - Parameter ranges: All that will hold data in the end, with what holds it already: the whole file, less what stays a
  ///   hole. Ascending.
  /// - Throws: ``StoreError/Code/diskFull`` when there is not enough room. Then nothing stays reserved, and the message
  ///   says how much is needed.
  package func preallocate(_ ranges: [ByteRange]) throws(StoreError) {
    try checkUsable()
    let (needed, free) = try room(for: ranges)
    if needed > free { throw full(needed: needed, free: free) }
    // There it takes the memory now, page by page, and costs more than all the writing.
    if isInMemory { return }
    let holes = try holes(in: ranges)
    for range in ranges where !range.isEmpty {
      do throws(Errno) {
        try file.descriptor.allocate(offset: range.offset, count: range.count)
      } catch .noSpace, .diskQuotaExceeded {
        giveBack(holes)
        throw full(needed: needed, free: try room(for: ranges).free)
      } catch let error where error.meansUnsupported {
        return
      } catch {
        giveBack(holes)
        throw StoreError(error, "cannot reserve room", path: path)
      }
    }
  }

  /// Gives back what was reserved of holes that will stay holes. Where that cannot be done nothing happens.
  package func leaveHoles(_ holes: [ByteRange]) {
    giveBack(holes)
  }

  /// Makes the bytes of the range zeros, by a hole where there can be one. Bytes beyond the end of the file are not added.
  package func clear(_ range: ByteRange) throws(StoreError) {
    try checkUsable()
    try wrap("cannot clear a part of the file") { () throws(Errno) in
      try clearRange(range)
    }
  }

  /// The next run of bytes that holds data, at or after `offset`; `nil` when there is none. Without holes in the file
  /// system, all is data.
  package func nextData(from offset: UInt64) throws(StoreError) -> ByteRange? {
    try checkUsable()
    return try wrap("cannot look for data") { () throws(Errno) in
      guard let start = try file.descriptor.nextData(from: offset),
        let end = try file.descriptor.nextHole(from: start), end > start
      else { return nil }
      return ByteRange(offset: start, count: end - start)
    }
  }

  func clearRange(_ range: ByteRange) throws(Errno) {
    let end = min(range.end, try file.descriptor.status().size)
    guard range.offset < end, let data = try file.descriptor.nextData(from: range.offset), data < end else { return }
    do throws(Errno) {
      return try file.descriptor.punchHole(offset: range.offset, count: end - range.offset)
    } catch let error where error.meansUnsupported {
      let zeros = [UInt8](repeating: 0, count: Int(min(end - range.offset, 256 << 10)))
      var offset = range.offset
      while offset < end {
        let piece = zeros.span.extracting(first: Int(min(UInt64(zeros.count), end - offset)))
        try file.descriptor.pwrite(piece, at: offset)
        offset += UInt64(piece.count)
      }
    }
  }

  private var isInMemory: Bool {
    do throws(Errno) { return try file.descriptor.isInMemory() } catch { return false }
  }

  private func room(for ranges: [ByteRange]) throws(StoreError) -> (needed: UInt64, free: UInt64) {
    try wrap("cannot find out how much room there is") { () throws(Errno) in
      let wanted = ranges.reduce(0) { $0 + $1.count }
      let allocated = try file.descriptor.status().allocated
      return (wanted - min(wanted, allocated), try file.descriptor.freeSpace())
    }
  }

  private func holes(in ranges: [ByteRange]) throws(StoreError) -> [ByteRange] {
    try wrap("cannot look for holes") { () throws(Errno) in
      var holes: [ByteRange] = []
      for range in ranges {
        var offset = range.offset
        while offset < range.end {
          let data = min(try file.descriptor.nextData(from: offset) ?? range.end, range.end)
          if data > offset { holes.append(ByteRange(offset: offset, count: data - offset)) }
          guard data < range.end, let hole = try file.descriptor.nextHole(from: data), hole > data else { break }
          offset = hole
        }
      }
      return holes
    }
  }

  /// Frees what was reserved in vain. There was no data in these holes before, and with the lock held there is none now.
  private func giveBack(_ holes: [ByteRange]) {
    for hole in holes {
      do throws(Errno) {
        try file.descriptor.punchHole(offset: hole.offset, count: hole.count)
      } catch {
        // A reservation that stays is room this file can use later.
      }
    }
  }

  private func full(needed: UInt64, free: UInt64) -> StoreError {
    StoreError(
      .diskFull, "the disk is full: \(needed) bytes are needed, \(free) are free; what is there is kept", path: path)
  }
}
