import ChunkTestSupport
import FaultServer
import Testing

/// Without a script it is a server as one wants it: otherwise the faults would prove nothing.
@Suite struct GoodBehaviourTests {
  let content = (0..<1000).map { UInt8(truncatingIfNeeded: $0 * 7) }

  @Test func `serves the whole file and keeps the connection`() async throws {
    let server = try FaultServer(content: content)
    let answers = try await onOwnThread { [port = server.port] in
      let client = try RawConnection(port: port)
      client.request()
      let first = try client.answer()
      client.request("HEAD")
      let second = try client.answer(hasBody: false)
      client.request("GET", "/file.bin", "Connection: close")
      return [first, second, try client.answer()].map { ($0.status, $0.body, $0.header("Content-Length")) }
    }
    #expect(answers.map(\.0) == [200, 200, 200])
    #expect(answers.map(\.1) == [content, [], content])
    #expect(answers.map(\.2) == ["1000", "1000", "1000"])
    let recording = try await server.waitUntil { $0.finished == 3 && $0.openConnections == 0 }
    #expect(recording.connections == 1)
    #expect(recording.requests.map(\.method) == ["GET", "HEAD", "GET"])
    #expect(recording.requests.map(\.bodyBytesSent) == [1000, 0, 1000])
    #expect(recording.requests.allSatisfy { $0.outcome == .complete })
  }

  @Test(arguments: [
    ("bytes=0-0", 0..<1), ("bytes=10-19", 10..<20), ("bytes=990-", 990..<1000), ("bytes=-10", 990..<1000),
    ("bytes=990-5000", 990..<1000), ("bytes=-5000", 0..<1000),
  ])
  func `serves single ranges`(header: String, range: Range<Int>) async throws {
    let server = try FaultServer(content: content)
    let answer = try await fetch(server, "Range: \(header)")
    #expect(answer.status == 206)
    #expect(answer.body == Array(content[range]))
    #expect(answer.header("Content-Range") == "bytes \(range.lowerBound)-\(range.upperBound - 1)/1000")
    #expect(server.recording.requests.first?.served == UInt64(range.lowerBound)..<UInt64(range.upperBound))
  }

  @Test(arguments: ["bytes=1000-", "bytes=5000-6000", "bytes=-0"])
  func `answers 416 to what is not there`(header: String) async throws {
    let server = try FaultServer(content: content)
    let answer = try await fetch(server, "Range: \(header)")
    #expect(answer.status == 416)
    #expect(answer.header("Content-Range") == "bytes */1000")
    #expect(answer.body.isEmpty)
  }

  @Test(arguments: ["bytes=5-2", "lines=1-2", "bytes=", "bytes=0-1,5-6", "bytes=x-y"])
  func `answers with all to what it does not do`(header: String) async throws {
    let server = try FaultServer(content: content)
    let answer = try await fetch(server, "Range: \(header)")
    #expect(answer.status == 200)
    #expect(answer.body == content)
  }

  @Test func `keeps to If-Range`() async throws {
    let server = try FaultServer(resources: ["/file.bin": Resource(.bytes(content), etag: "\"a\"")])
    let date = HTTPDateText.string(secondsSince1970: Resource.defaultDate)
    #expect(date == "Mon, 01 Jan 2024 00:00:00 GMT")
    for (condition, status) in [("\"a\"", 206), ("\"b\"", 200), ("W/\"a\"", 200), (date, 206), ("nonsense", 200)] {
      let answer = try await fetch(server, "Range: bytes=0-9", "If-Range: \(condition)")
      #expect(answer.status == status, "\(condition)")
    }
  }

  @Test func `refuses other paths and methods`() async throws {
    let server = try FaultServer(content: content)
    #expect(try await fetch(server, path: "/other").status == 404)
    #expect(try await fetch(server, method: "DELETE").status == 405)
  }

  @Test func `pattern content is the same however it is read`() {
    let content = Content.pattern(length: 3 << 30, seed: 5)
    let whole = content.bytes(in: (2 << 30)..<((2 << 30) + 200_000))
    for start in [0, 1, 4095, 4096, 4101, 65_535, 131_073] {
      let first = UInt64(2 << 30) + UInt64(start)
      #expect(content.bytes(in: first..<(first + 5000)) == Array(whole[start..<(start + 5000)]))
    }
    #expect(content.bytes(in: 0..<4096) != content.bytes(in: 65_536..<69_632))
  }
}

/// One request on a connection of its own.
func fetch(
  _ server: FaultServer, method: String = "GET", path: String = "/file.bin", _ headers: String...
) async throws -> RawConnection.Answer {
  let text = (["\(method) \(path) HTTP/1.1", "Host: x", "Connection: close"] + headers + ["", ""])
    .joined(separator: "\r\n")
  return try await onOwnThread { [port = server.port, address = server.address] in
    let client = try RawConnection(port: port, address: address)
    client.send(text)
    return try client.answer(hasBody: method != "HEAD")
  }
}
