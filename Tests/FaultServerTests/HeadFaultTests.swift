import ChunkTestSupport
import FaultServer
import Testing

/// What can be wrong with a head, and with which bytes it announces.
@Suite struct HeadFaultTests {
  let content = SeededBytes.make(count: 10_000)

  @Test(arguments: [
    (FaultAction.ContentRangeFault.missing, []),
    (.duplicated, ["bytes 100-199/10000", "bytes 100-199/10000"]),
    (.conflicting("bytes 0-99/10000"), ["bytes 100-199/10000", "bytes 0-99/10000"]),
    (.value("bytes a-b/c"), ["bytes a-b/c"]),
    (.shifted(by: -50), ["bytes 50-149/10000"]),
    (.total(5), ["bytes 100-199/5"]),
    (.unknownTotal, ["bytes 100-199/*"]),
    (.unit("lines"), ["lines 100-199/10000"]),
  ])
  func `Content-Range`(fault: FaultAction.ContentRangeFault, lines: [String]) async throws {
    let answer = try await answer("bytes=100-199", .contentRange(fault))
    #expect(answer.status == 206)
    #expect(answer.all("Content-Range") == lines)
    #expect(answer.body == Array(content[100..<200]))
  }

  @Test(arguments: [
    (FaultAction.alignStart(4096), 4096..<6000), (.shorten(by: 100), 5000..<5900), (.shorten(by: 9999), 5000..<5001),
    (.limitRange(to: 10), 5000..<5010), (.lengthen(by: 50), 5000..<6050), (.lengthen(by: 99_999), 5000..<10_000),
  ])
  func `another range than asked for`(action: FaultAction, range: Range<Int>) async throws {
    let answer = try await answer("bytes=5000-5999", action)
    #expect(answer.header("Content-Range") == "bytes \(range.lowerBound)-\(range.upperBound - 1)/10000")
    #expect(answer.body == Array(content[range]))
  }

  @Test func `a multipart answer`() async throws {
    let answer = try await answer("bytes=0-9", .multipart)
    #expect(answer.status == 206)
    #expect(answer.header("Content-Type") == "multipart/byteranges; boundary=part-of-the-answer")
    #expect(answer.header("Content-Range") == nil)
    let part =
      "--part-of-the-answer\r\nContent-Type: application/octet-stream\r\nContent-Range: bytes 0-9/10000\r\n\r\n"
    #expect(answer.body == Array(part.utf8) + content[..<10] + Array("\r\n--part-of-the-answer--\r\n".utf8))
  }

  @Test(
    arguments: [
      (.weak, "W/\"v\"", true), (.value("unquoted"), "unquoted", true), (.none, nil, true), (.noValidators, nil, false),
    ] as [(FaultAction.TagFault, String?, Bool)])
  func `validators`(fault: FaultAction.TagFault, tag: String?, hasDate: Bool) async throws {
    let answer = try await answer("bytes=0-9", .etag(fault))
    #expect(answer.header("ETag") == tag)
    #expect((answer.header("Last-Modified") != nil) == hasDate)
  }

  @Test func `tags of edge nodes never agree`() async throws {
    let server = try FaultServer(content: content, script: FaultScript([.always(.etag(.perRequest))]))
    let first = try #require(try await fetch(server).header("ETag"))
    let second = try await fetch(server, "Range: bytes=0-9", "If-Range: \(first)")
    #expect(second.header("ETag") != first)
    #expect(second.status == 200)
  }

  @Test func `headers set, added, dropped and padded`() async throws {
    let answer = try await answer(
      "bytes=0-9", .gzipLabel, .setHeader("content-type", "text/html"), .addHeader("X", "1"), .dropHeader("ETag"),
      .padHead(bytes: 10_000))
    #expect(answer.header("Content-Encoding") == "gzip")
    #expect(answer.all("Content-Type") == ["text/html"])
    #expect(answer.header("X") == "1")
    #expect(answer.header("ETag") == nil)
    #expect(answer.all("X-Padding").reduce(0) { $0 + $1.utf8.count } == 10_000)
    #expect(answer.body == Array(content[..<10]))
  }

  @Test func `answers that are none`() async throws {
    let server = try FaultServer(
      content: content,
      script: FaultScript([
        .on(.number(1), .garbageStatusLine), .on(.number(2), .noAnswer(.close)), .on(.number(3), .noAnswer(.reset)),
      ]))
    var results: [(bytes: [UInt8], end: RawConnection.End)] = []
    for _ in 0..<3 {
      results.append(
        try await onOwnThread { [port = server.port] in
          let client = try RawConnection(port: port)
          client.request()
          return client.rest()
        })
    }
    #expect(String(decoding: results[0].bytes, as: UTF8.self).hasPrefix("SPAM/9.9"))
    #expect(results.map(\.end) == [.closed, .closed, .reset])
    #expect(results[1].bytes.isEmpty && results[2].bytes.isEmpty)
    #expect(server.recording.requests.map(\.status) == [nil, nil, nil])
  }

  @Test func `redirects, and links that run out`() async throws {
    let server = try FaultServer(
      resources: ["/data": .bytes(content)],
      script: FaultScript([
        .on(.path("/plain"), .redirect(301, to: "/data")),
        .on(.path("/file"), .redirectWithToken(302, to: "/data", uses: 2)),
        .on(.path("/data"), .requireToken),
      ]))
    #expect(try await fetch(server, path: "/plain").header("Location") == "/data")
    #expect(try await fetch(server, path: "/data").status == 403)
    let redirect = try await fetch(server, path: "/file")
    #expect(redirect.status == 302)
    let link = try #require(redirect.header("Location"))
    var statuses: [Int] = []
    for _ in 0..<3 { statuses.append(try await fetch(server, path: link).status) }
    #expect(statuses == [200, 200, 403])
    let fresh = try #require(try await fetch(server, path: "/file").header("Location"))
    #expect(fresh != link)
    #expect(try await fetch(server, path: fresh).status == 200)
  }

  @Test func `a link that expires and a file that changes`() async throws {
    let other = SeededBytes.make(count: 500)
    let server = try FaultServer(
      resources: ["/a": .bytes(content), "/b": .bytes(content)],
      script: FaultScript([.expire("/a", after: 1), .on(.path("/b") && .numberForPath(2...), .serve(.bytes(other)))]))
    #expect(try await fetch(server, path: "/a").status == 200)
    #expect(try await fetch(server, path: "/a").status == 403)
    let before = try await fetch(server, path: "/b")
    let after = try await fetch(server, path: "/b")
    #expect(before.body == content)
    #expect(after.body == other)
    #expect(before.header("ETag") != after.header("ETag"))
  }

  private func answer(_ range: String, _ actions: FaultAction...) async throws -> RawConnection.Answer {
    let rules = actions.map { FaultRule.always($0) }
    let server = try FaultServer(
      resources: ["/file.bin": Resource(.bytes(content), etag: "\"v\"")], script: FaultScript(rules))
    return try await fetch(server, "Range: \(range)")
  }
}
