import Glibc

/// A client that sends exactly what it is told and shows exactly what comes back. Everything blocks.
final class RawConnection: Sendable {
  /// How the server's side of the connection ended.
  enum End: Equatable, Sendable {
    case closed
    case reset
    case failed(CInt)
  }

  /// An answer with a body of the announced length, or as much of it as came.
  struct Answer: Sendable {
    let statusLine: String
    let headers: [(name: String, value: String)]
    var body: [UInt8]
    /// Set when the connection ended before the answer did.
    var end: End?

    var status: Int { statusLine.split(separator: " ").dropFirst().first.flatMap { Int($0) } ?? 0 }
    func header(_ name: String) -> String? { all(name).first }
    func all(_ name: String) -> [String] {
      headers.filter { $0.name.lowercased() == name.lowercased() }.map(\.value)
    }
  }

  struct Failure: Error {
    let call: String
    let number: CInt
  }

  private let socket: CInt

  init(port: UInt16, address: String = "127.0.0.1") throws {
    socket = Glibc.socket(AF_INET, CInt(SOCK_STREAM.rawValue), 0)
    // Only so that a broken server fails the test and does not hang it.
    var limit = timeval(tv_sec: 60, tv_usec: 0)
    _ = unsafe setsockopt(socket, SOL_SOCKET, SO_RCVTIMEO, &limit, socklen_t(MemoryLayout<timeval>.size))
    var name = sockaddr_in()
    name.sin_family = sa_family_t(AF_INET)
    name.sin_port = port.bigEndian
    _ = unsafe inet_pton(AF_INET, address, &name.sin_addr)
    let result = unsafe withUnsafePointer(to: &name) { pointer in
      // A sockaddr_in is handed over as the sockaddr it begins with, with its own size.
      unsafe pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { generic in
        unsafe connect(socket, generic, socklen_t(MemoryLayout<sockaddr_in>.size))
      }
    }
    guard result == 0 else { throw Failure(call: "connect", number: errno) }
  }

  deinit { close(socket) }

  func send(_ text: String) {
    let bytes = Array(text.utf8)
    _ = unsafe Glibc.send(socket, bytes, bytes.count, CInt(MSG_NOSIGNAL))
  }

  /// Sends a request with an empty `Host` and these header lines.
  func request(_ method: String = "GET", _ target: String = "/file.bin", _ headers: String...) {
    send((["\(method) \(target) HTTP/1.1", "Host: x"] + headers + ["", ""]).joined(separator: "\r\n"))
  }

  /// The next answer, its body read as far as `Content-Length` tells; none is expected after HEAD.
  func answer(hasBody: Bool = true) throws -> Answer {
    var head: [UInt8] = []
    while !head.suffix(4).elementsEqual([13, 10, 13, 10]) {
      let (byte, end) = read(1)
      if let end { throw Failure(call: "head ended by \(end)", number: 0) }
      head += byte
    }
    let lines = String(decoding: head, as: UTF8.self).components
    let headers = lines.dropFirst().compactMap { line -> (name: String, value: String)? in
      guard let colon = line.firstIndex(of: ":") else { return nil }
      return (String(line[..<colon]), String(line[line.index(after: colon)...].drop { $0 == " " }))
    }
    var answer = Answer(statusLine: lines.first ?? "", headers: headers, body: [])
    guard hasBody else { return answer }
    if let length = answer.header("Content-Length").flatMap({ Int($0) }), answer.header("Transfer-Encoding") == nil {
      (answer.body, answer.end) = read(length)
    }
    return answer
  }

  /// Everything up to the end of the stream.
  func rest() -> (bytes: [UInt8], end: End) {
    let (bytes, end) = read(Int.max)
    return (bytes, end ?? .closed)
  }

  /// So many bytes, or fewer and how the stream ended.
  func read(_ count: Int) -> (bytes: [UInt8], end: End?) {
    var result: [UInt8] = []
    var buffer = [UInt8](repeating: 0, count: min(count, 65_536))
    while result.count < count {
      let got = unsafe recv(socket, &buffer, min(buffer.count, count - result.count), 0)
      let number = errno
      guard got > 0 else { return (result, got == 0 ? .closed : number == ECONNRESET ? .reset : .failed(number)) }
      result += buffer[..<got]
    }
    return (result, nil)
  }
}

extension String {
  fileprivate var components: [String] {
    split(separator: "\r\n", omittingEmptySubsequences: true).map(String.init)
  }
}
