import ChunkSystem
import ChunkTestSupport
import Glibc

/// `chunkmanifest serve`, at work on a directory of its own until the value goes.
final class RunningOrigin: Sendable {
  let directory: TemporaryDirectory
  private let scratch: TemporaryDirectory
  let process: RunningProcess
  let url: String
  let port: UInt16

  /// - Throws: What the command said when it does not serve.
  init(_ flags: String..., fill: (TemporaryDirectory) throws -> Void = { _ in }) async throws {
    directory = try TemporaryDirectory()
    scratch = try TemporaryDirectory()
    try fill(directory)
    process = try Subprocess("chunkmanifest", ["serve", "--port", "0"] + flags + [directory.path]).start()
    var lines = process.outputLines.makeAsyncIterator()
    guard let line = await lines.next(), let url = line.split(separator: " ").last, url.hasPrefix("http://"),
      let port = UInt16(url.dropLast().split(separator: ":").last ?? "")
    else { throw NotServing(description: await process.result.errorText) }
    self.url = String(url)
    self.port = port
  }

  struct NotServing: Error, CustomStringConvertible { let description: String }

  /// What curl makes of a path: its answer's head and body.
  func curl(_ path: String, _ flags: String...) async throws -> CurlAnswer {
    var program = Subprocess(
      "curl", ["--silent", "--include", "--path-as-is", "--max-time", "60"] + flags + [url + path])
    let file = scratch.path("\(UInt64.random(in: 0 ... .max))")
    program.output = .file(file)
    _ = try await program.run()
    return CurlAnswer(try TestFile.read(file))
  }

  /// Everything that comes back for these bytes until the server closes the connection.
  func exchange(_ text: String) async throws -> String {
    let port = port
    let bytes = try await onOwnThread { try sendAndReceive(Array(text.utf8), port: port) }
    return String(decoding: bytes, as: UTF8.self)
  }
}

/// A message as `curl --include` prints it.
struct CurlAnswer: Sendable {
  let status: Int
  let head: String
  let body: [UInt8]

  init(_ output: [UInt8]) {
    let end = output.indices.first { output[$0...].starts(with: Array("\r\n\r\n".utf8)) } ?? output.endIndex
    head = String(decoding: output[..<end], as: UTF8.self)
    body = Array(output[end...].dropFirst(4))
    status = head.split(separator: " ").dropFirst().first.flatMap { Int($0) } ?? 0
  }

  /// The value of a field, nil when the answer has none.
  subscript(_ name: String) -> String? {
    for line in head.split(whereSeparator: \.isNewline) where line.lowercased().hasPrefix("\(name.lowercased()): ") {
      return String(line.dropFirst(name.count + 2))
    }
    return nil
  }
}

private func sendAndReceive(_ request: [UInt8], port: UInt16) throws(Errno) -> [UInt8] {
  let number = socket(AF_INET, CInt(SOCK_STREAM.rawValue) | CInt(SOCK_CLOEXEC.rawValue), 0)
  guard number >= 0 else { throw Errno(errno) }
  defer { close(number) }
  // Only so that a server that does not answer fails the test and does not hang it.
  var limit = timeval(tv_sec: 60, tv_usec: 0)
  _ = unsafe setsockopt(number, SOL_SOCKET, SO_RCVTIMEO, &limit, socklen_t(MemoryLayout<timeval>.size))
  var address = sockaddr_in()
  address.sin_family = sa_family_t(AF_INET)
  address.sin_port = port.bigEndian
  address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
  let connected = unsafe withUnsafePointer(to: &address) { pointer in
    // A sockaddr_in is handed over as the sockaddr it begins with, with its own size.
    unsafe pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
      unsafe connect(number, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
    }
  }
  guard connected == 0 else { throw Errno(errno) }
  guard unsafe send(number, request, request.count, CInt(MSG_NOSIGNAL)) == request.count else { throw Errno(errno) }
  var answer: [UInt8] = []
  var buffer = [UInt8](repeating: 0, count: 65_536)
  while true {
    let count = unsafe recv(number, &buffer, buffer.count, 0)
    guard count >= 0 else { throw Errno(errno) }
    if count == 0 { return answer }
    answer += buffer[..<count]
  }
}
