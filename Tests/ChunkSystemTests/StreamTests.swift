import ChunkSystem
import ChunkTestSupport
import Foundation
import Synchronization
import Testing

@Suite struct StreamTests {
  @Test func aPipeCarriesMoreThanItHolds() async throws {
    let pipe = try FileSystem().openPipe()
    let (reader, writer) = (pipe.reader, pipe.writer)
    let sent = (0..<300_000).map { UInt8(truncatingIfNeeded: $0 &* 7) }
    async let written: Errno? = DedicatedThread.run(name: "write") {
      do throws(Errno) {
        try writer.descriptor.write(sent.span)
        return nil
      } catch {
        return error
      }
    }
    let received = try await DedicatedThread.run(name: "read") { reader.receive(sent.count) }
    #expect(received == sent)
    #expect(try await written == nil)
  }

  @Test func aReaderThatIsGoneIsAnError() async throws {
    await #expect(processExitsWith: .success) {
      Signal.ignoreBrokenPipes()
      let writer = try FileSystem().openPipe().writer
      let byte: [UInt8] = [1]
      #expect(throws: Errno.brokenPipe) { try writer.descriptor.write(byte.span) }
    }
  }

  @Test func standardStreamsWriteWhatTheyGet() async throws {
    let result = try await #require(
      processExitsWith: .success, observing: [\.standardErrorContent, \.standardOutputContent]
    ) {
      try StandardStream.error.write("to standard error")
      try StandardStream.output.write("to standard ")
      let text = Array("output".utf8)
      try StandardStream.output.descriptor().write(text.span)
      #expect(!StandardStream.output.isTerminal)
      #expect(StandardStream.output.columns == nil)
    }
    #expect(String(decoding: result.standardErrorContent, as: UTF8.self).contains("to standard error"))
    #expect(String(decoding: result.standardOutputContent, as: UTF8.self).contains("to standard output"))
  }

  @Test func signalsArriveOnAThreadOfTheirOwn() async throws {
    await #expect(processExitsWith: .success) {
      let seen = Monitor<[Signal]>([])
      let watch = try SignalWatch([.interrupt, .terminate]) { signal in seen.change { $0.append(signal) } }
      kill(getpid(), SIGTERM)
      let first = try await DedicatedThread.run(name: "wait") { seen.wait { $0.first } }
      #expect(first == .terminate)
      kill(getpid(), SIGINT)
      let second = try await DedicatedThread.run(name: "wait") { seen.wait { $0.count == 2 ? $0.last : nil } }
      #expect(second == .interrupt)
      watch.end()
    }
  }

  @Test func afterTheWatchASignalEndsTheProcess() async throws {
    await #expect(processExitsWith: .signal(SIGTERM)) {
      let watch = try SignalWatch([.terminate]) { _ in }
      watch.end()
      Signal.terminate.endProcess()
    }
  }
}

extension OpenFile {
  /// Reads `count` bytes, or fewer if the other side ends or fails.
  fileprivate func receive(_ count: Int) -> [UInt8] {
    var all: [UInt8] = []
    var buffer = [UInt8](repeating: 0, count: 10_000)
    while all.count < count {
      var span = buffer.mutableSpan
      guard let read = try? descriptor.read(into: &span), read > 0 else { break }
      all += buffer[..<read]
    }
    return all
  }
}
