import ChunkSystem
import Testing

@Suite struct ErrnoTests {
  @Test(arguments: [
    (Errno.noSpace, "No space left on device (ENOSPC)"),
    (.ioError, "Input/output error (EIO)"),
    (.readOnlyFileSystem, "Read-only file system (EROFS)"),
    (Errno(4095), "Error 4095"),
  ])
  func isASentence(error: Errno, sentence: String) {
    #expect(error.description == sentence)
  }

  @Test func isWhatTheCallLeft() {
    #expect(throws: Errno.noSuchFile) { try FileSystem().open("/no/such/file", .read).close() }
    #expect(throws: Errno.notDirectory) { _ = try FileSystem().openDirectory("/dev/null").descriptor.status() }
  }
}
