import ChunkCore
import ChunkStore
import ChunkSystem
import ChunkTestSupport
import Testing

/// What only a real file system can show: one that is full, and one that shares blocks.
@Suite struct FileSystemTests {
  @Test(.enabled(if: MountedFileSystem.isPossible(.tmpfs), "no file system can be mounted here"))
  func aFullDiskKeepsWhatIsThere() throws {
    let disk = try MountedFileSystem(.tmpfs, megabytes: 1)
    let sample = try Sample(length: 400 * 4096)
    let path = "\(disk.path)/file"
    let partial = try PartialFile.open(for: OutputPath(path))
    try partial.setLength(sample.geometry.fileLength)
    let error = try #require(throws: StoreError.self) {
      try partial.preallocate([ByteRange(offset: 0, count: sample.geometry.fileLength)])
    }
    #expect(error.code == .diskFull)
    #expect(error.message.contains("\(400 * 4096) bytes are needed"))
    #expect(try partial.file.descriptor.status().allocated == 0)

    // Without a reservation the disk fills up in the middle of a write.
    var written = 0
    #expect(throws: StoreError(.diskFull, "", path: "")) {
      for first in stride(from: 0, to: 400, by: 16) {
        try partial.write(sample.verified(first..<first + 16), in: sample.geometry)
        written += 16
      }
    }
    #expect(written > 100)
    #expect(sample.rightChunks(in: partial.file).starts(with: 0..<written))
  }

  @Test(.enabled(if: MountedFileSystem.isPossible(.xfs), "no xfs can be made and mounted here"))
  func whatCanBeSharedIsNotCopied() throws {
    let disk = try MountedFileSystem(.xfs, megabytes: 320)
    let sample = try Sample(length: 300 * 4096 + 17)
    let seed = OpenFile(try FileSystem().open("\(disk.path)/seed", OpenMode(.readWrite, creation: .always(0o600))))
    try seed.descriptor.pwrite(sample.bytes.span, at: 0)
    let faults = CallFaults()
    let partial = try PartialFile.open(for: OutputPath("\(disk.path)/file", files: FileSystem(faults: faults)))
    try partial.setLength(sample.geometry.fileLength)
    let ranges = [0..<100, 100..<101, 200..<301].map { numbers in
      sample.geometry.range(of: ChunkIndex(numbers.lowerBound)..<ChunkIndex(numbers.upperBound))
    }
    try partial.take(ranges, from: seed)
    #expect(faults.count(of: .clone) == 3)
    #expect(faults.count(of: .copyFileRange) == 0)
    #expect(faults.count(of: .pwrite) == 0)
    #expect(sample.rightChunks(in: partial.file) == Array(0..<101) + Array(200..<301))
  }

  @Test(.enabled(if: MountedFileSystem.isPossible(.xfs), "no xfs can be made and mounted here"))
  func blocksAreSharedWithAnotherPlace() throws {
    let disk = try MountedFileSystem(.xfs, megabytes: 320)
    let sample = try Sample(length: 300 * 4096 + 17)
    let seed = OpenFile(try FileSystem().open("\(disk.path)/seed", OpenMode(.readWrite, creation: .always(0o600))))
    try seed.descriptor.pwrite(sample.bytes.span, at: 5 * 4096)
    let partial = try PartialFile.open(for: OutputPath("\(disk.path)/file"))
    try partial.setLength(sample.geometry.fileLength)
    #expect(try partial.share(ByteRange(offset: 15 * 4096, count: 90 * 4096), of: seed, at: 10 * 4096))
    #expect(try partial.share(ByteRange(offset: 305 * 4096, count: 17), of: seed, at: 300 * 4096))
    // A place that is no block of the file system's cannot be shared.
    #expect(try !partial.share(ByteRange(offset: 1, count: 4096), of: seed, at: 0))
    #expect(sample.rightChunks(in: partial.file) == Array(10..<100) + [300])
  }
}
