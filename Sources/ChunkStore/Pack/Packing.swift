internal import ChunkCore
internal import ChunkSystem

/// Frames of chunks that follow one another.
struct PackPiece: Sendable {
  var bytes: [UInt8] = []
  var frameLengths: [Int] = []
}

/// Compresses the chunks of a file on several threads and hands the frames out in order.
///
/// A thread that is ahead waits: no more than a few pieces a thread are in memory.
struct Packing {
  let input: InputFile
  let geometry: ChunkGeometry
  let level: PackLevel
  let progress: HashingProgress

  /// Calls `body` with one piece after the other, on the calling thread.
  ///
  /// - Throws: What `body` throws; ``StoreError`` when the file cannot be read, or there are no threads.
  func run(_ threadCount: Int, _ body: (PackPiece) throws(StoreError) -> Void) throws(StoreError) {
    let line = PackLine(geometry: geometry, limit: 2 * threadCount)
    let threads = try start(threadCount, line)
    defer {
      line.stop()
      for thread in threads { thread.join() }
    }
    while let piece = try line.next() { try body(piece) }
  }

  private func start(_ threadCount: Int, _ line: PackLine) throws(StoreError) -> [DedicatedThread] {
    var threads: [DedicatedThread] = []
    for number in 0..<threadCount {
      do throws(Errno) {
        threads.append(try DedicatedThread(name: "pack \(number)") { [self] in work(line) })
      } catch {
        // One is enough to get done.
        if threads.isEmpty { throw StoreError(error, "cannot start a thread", path: input.path) }
      }
    }
    return threads
  }

  private func work(_ line: PackLine) {
    var packer = ChunkPacker(self)
    while let (number, chunks) = line.take() {
      do throws(StoreError) {
        if progress.isCancelled { throw StoreError(.cancelled, "the packing was stopped", path: input.path) }
        line.put(try packer.pack(chunks), number)
        progress.add(geometry.range(of: chunks).count)
      } catch {
        line.fail(error)
      }
    }
  }
}

/// What one thread has for it.
private struct ChunkPacker: ~Copyable {
  let input: InputFile
  let geometry: ChunkGeometry
  var encoder: PackFrameEncoder
  let buffer: AlignedBuffer
  var holes: HoleFinder
  /// The frame of a whole chunk of zeros, once there was one.
  var zeros: [UInt8]?

  init(_ packing: Packing) {
    input = packing.input
    geometry = packing.geometry
    encoder = PackFrameEncoder(level: packing.level)
    buffer = AlignedBuffer(capacity: packing.geometry.chunkSize.bytes)
    holes = HoleFinder(length: packing.input.status.size)
  }

  mutating func pack(_ chunks: Range<ChunkIndex>) throws(StoreError) -> PackPiece {
    var piece = PackPiece()
    for chunk in chunks {
      let frame = try frame(geometry.range(of: chunk))
      piece.bytes += frame
      piece.frameLengths.append(frame.count)
    }
    return piece
  }

  private mutating func frame(_ range: ByteRange) throws(StoreError) -> [UInt8] {
    let isZeros = range.count == UInt64(buffer.capacity) && holes.isHole(range, in: input.file.descriptor)
    if isZeros, let zeros { return zeros }
    let count: Int
    do throws(Errno) {
      // The buffer is this thread's own.
      let target = unsafe UnsafeMutableRawBufferPointer(rebasing: buffer.bytes[..<Int(range.count)])
      count = try unsafe input.file.descriptor.pread(into: target, at: range.offset)
    } catch {
      throw StoreError(error, "cannot read at byte \(range.offset)", path: input.path)
    }
    guard count == Int(range.count) else { throw input.changed }
    guard let frame = unsafe buffer.withBytes({ encoder.frame($0.extracting(first: count)) }) else {
      throw StoreError(
        .other, "cannot compress at byte \(range.offset): there is not enough memory", path: input.path)
    }
    if isZeros { zeros = frame }
    return frame
  }
}
