/// What will be sent, decided before the first byte of it goes.
struct Answer {
  /// Nil when what is sent is no HTTP answer; `body` is then all of it.
  var status: Int?
  /// The head up to and with the empty line.
  var head: [UInt8] = []
  var body: [Segment] = []
  var isChunked = false
  /// How the connection ends after the answer; nil keeps it.
  var ending: FaultAction.Ending?
  /// The bytes of the resource that the head promises.
  var served: Range<UInt64>?

  /// A part of the body.
  enum Segment {
    case literal([UInt8])
    case content(Content, Range<UInt64>)

    var length: UInt64 {
      switch self {
      case .literal(let bytes): UInt64(bytes.count)
      case .content(_, let range): range.upperBound - range.lowerBound
      }
    }
  }
}

/// Decides an answer. Pure: the request, what is there, and the faults in; what will be sent out.
struct AnswerPlan {
  let request: Request
  let resource: Resource?
  let behaviour: Behaviour
  /// Of the request, for tags that differ each time.
  let number: Int
  /// Seconds since 1970.
  let now: Int64

  private static let boundary = "part-of-the-answer"

  func answer() -> Answer {
    if let replacement = behaviour.replacement { return replaced(by: replacement) }
    guard request.method == "GET" || request.method == "HEAD" else {
      return plain(405, [HeaderLine("Allow", "GET, HEAD")], Array("Method not allowed\n".utf8))
    }
    guard let resource else { return plain(404, [], Array("Not found\n".utf8)) }
    return represented(resource)
  }

  private func replaced(by replacement: Behaviour.Replacement) -> Answer {
    switch replacement {
    case .status(let status, let headers, let body): plain(status, headers, body)
    case .statusWithRetryDate(let status, let seconds):
      plain(status, [HeaderLine("Retry-After", HTTPDateText.string(secondsSince1970: now + seconds))], [])
    case .redirect(let status, let target, _): plain(status, [HeaderLine("Location", target)], [])
    case .raw(let bytes): Answer(body: [.literal(bytes)], ending: .close)
    case .nothing(let ending): Answer(ending: ending)
    }
  }

  private func plain(_ status: Int, _ headers: [HeaderLine], _ body: [UInt8]) -> Answer {
    var answer = Answer(status: status, body: [.literal(body)])
    finish(&answer, headers + [HeaderLine("Content-Type", "text/plain")])
    return answer
  }

  private func represented(_ resource: Resource) -> Answer {
    let length = resource.content.length
    let tag = tag(of: resource)
    let date = behaviour.tag == .noValidators ? nil : resource.lastModified.map(HTTPDateText.string)
    var headers = [HeaderLine("Content-Type", resource.mediaType)]
    if resource.acceptsRanges { headers.append(HeaderLine("Accept-Ranges", "bytes")) }
    if let tag { headers.append(HeaderLine("ETag", tag)) }
    if let date { headers.append(HeaderLine("Last-Modified", date)) }

    var wanted = RequestedRange.Resolved.whole
    if let range = request.range, resource.acceptsRanges, !behaviour.ignoresRange, holds(tag: tag, date: date) {
      wanted = range.resolved(length: length)
    }
    switch wanted {
    case .unsatisfiable:
      var answer = Answer(status: 416, body: [.literal([])])
      finish(&answer, headers + contentRangeLines("bytes */\(length)"))
      return answer
    case .whole:
      var answer = Answer(status: 200, body: segments(resource.content, 0..<length), served: 0..<length)
      finish(&answer, headers, announced: length)
      return answer
    case .bytes(let asked):
      let range = adjusted(asked, length: length)
      var answer = Answer(status: 206, body: segments(resource.content, range), served: range)
      if behaviour.isMultipart {
        wrapInPart(&answer, range, of: resource)
        headers[0].value = "multipart/byteranges; boundary=\(Self.boundary)"
        finish(&answer, headers)
      } else {
        headers += contentRangeLines(range: range, length: length)
        finish(&answer, headers, announced: range.upperBound - range.lowerBound)
      }
      return answer
    }
  }

  private func tag(of resource: Resource) -> String? {
    switch behaviour.tag {
    case nil: resource.etag
    case .perRequest: "\"edge-\(number)\""
    case .weak: resource.etag.map { "W/" + $0 }
    case .value(let text): text
    case .some(.none), .noValidators: nil
    }
  }

  /// `If-Range` holds when it is the strong tag or the very date (RFC 9110, 13.1.5); without one ranges are free.
  private func holds(tag: String?, date: String?) -> Bool {
    guard let condition = request.header("If-Range") else { return true }
    if condition.hasPrefix("\"") { return condition == tag }
    return condition == date
  }

  private func adjusted(_ asked: Range<UInt64>, length: UInt64) -> Range<UInt64> {
    var first = asked.lowerBound
    var end = asked.upperBound
    if let unit = behaviour.alignment { first = first / unit * unit }
    if let count = behaviour.lengthening { end = min(length, end + count) }
    if let count = behaviour.rangeLimit { end = min(end, first + max(1, count)) }
    if let count = behaviour.shortening { end = end - first > count ? end - count : first + 1 }
    return first..<end
  }

  /// The range without what is left out.
  private func segments(_ content: Content, _ range: Range<UInt64>) -> [Answer.Segment] {
    var rest = [range]
    for omission in behaviour.omissions {
      rest = rest.flatMap { part in
        let gap = omission.clamped(to: part)
        return gap.isEmpty ? [part] : [part.lowerBound..<gap.lowerBound, gap.upperBound..<part.upperBound]
      }
    }
    return rest.filter { !$0.isEmpty }.map { .content(content, $0) }
  }

  private func wrapInPart(_ answer: inout Answer, _ range: Range<UInt64>, of resource: Resource) {
    let lines = [
      "--\(Self.boundary)", "Content-Type: \(resource.mediaType)",
      "Content-Range: bytes \(range.lowerBound)-\(range.upperBound - 1)/\(resource.content.length)", "", "",
    ]
    answer.body.insert(.literal(Array(lines.joined(separator: "\r\n").utf8)), at: 0)
    answer.body.append(.literal(Array("\r\n--\(Self.boundary)--\r\n".utf8)))
  }

  private func contentRangeLines(range: Range<UInt64>, length: UInt64) -> [HeaderLine] {
    let first = range.lowerBound
    let last = range.upperBound - 1
    let value =
      switch behaviour.contentRange {
      case .shifted(let distance): "bytes \(Int64(first) + distance)-\(Int64(last) + distance)/\(length)"
      case .total(let total): "bytes \(first)-\(last)/\(total)"
      case .unknownTotal: "bytes \(first)-\(last)/*"
      case .unit(let unit): "\(unit) \(first)-\(last)/\(length)"
      default: "bytes \(first)-\(last)/\(length)"
      }
    return contentRangeLines(value)
  }

  private func contentRangeLines(_ value: String) -> [HeaderLine] {
    let line = HeaderLine("Content-Range", value)
    return switch behaviour.contentRange {
    case .missing: []
    case .duplicated: [line, line]
    case .conflicting(let other): [line, HeaderLine("Content-Range", other)]
    case .value(let text): [HeaderLine("Content-Range", text)]
    default: [line]
    }
  }

  /// Framing, the head's own faults and its bytes. `announced` is what the head says of the length where the body has
  /// another one.
  private func finish(_ answer: inout Answer, _ headers: [HeaderLine], announced: UInt64? = nil) {
    let sent = answer.body.reduce(0) { $0 + $1.length }
    let announced = announced ?? sent
    var headers = headers
    headers.append(HeaderLine("Date", HTTPDateText.string(secondsSince1970: now)))
    answer.isChunked = behaviour.chunked != nil
    if answer.isChunked { headers.append(HeaderLine("Transfer-Encoding", "chunked")) }
    if behaviour.chunked != .alone { headers.append(HeaderLine("Content-Length", String(announced))) }
    // A body shorter than announced has no other end than that of the connection.
    let isShort = sent < announced && request.method != "HEAD"
    if behaviour.isHTTP10 || behaviour.closesAfter || request.wantsClose || isShort { answer.ending = .close }
    if answer.ending != nil, !isShort || request.wantsClose { headers.append(HeaderLine("Connection", "close")) }
    if request.method == "HEAD" { answer.body = [] }
    if !behaviour.surplus.isEmpty { answer.body.append(.literal(behaviour.surplus)) }
    answer.head = head(status: answer.status ?? 200, faulty(headers))
  }

  private func faulty(_ headers: [HeaderLine]) -> [HeaderLine] {
    let replaced = behaviour.setHeaders.map { $0.name } + behaviour.droppedHeaders
    var result = headers.filter { header in !replaced.contains { header.isNamed($0) } }
    result += behaviour.setHeaders + behaviour.addedHeaders
    var padding = behaviour.headPadding
    while padding > 0 {
      let count = min(padding, 4096)
      result.append(HeaderLine("X-Padding", String(repeating: "x", count: count)))
      padding -= count
    }
    return result
  }

  private func head(status: Int, _ headers: [HeaderLine]) -> [UInt8] {
    let version = behaviour.isHTTP10 ? "HTTP/1.0" : "HTTP/1.1"
    let lines = ["\(version) \(status) \(Self.reason(status))"] + headers.map { "\($0.name): \($0.value)" } + ["", ""]
    return Array(lines.joined(separator: "\r\n").utf8)
  }

  private static func reason(_ status: Int) -> String {
    switch status {
    case 200: "OK"
    case 206: "Partial Content"
    case 301: "Moved Permanently"
    case 302: "Found"
    case 307: "Temporary Redirect"
    case 308: "Permanent Redirect"
    case 401: "Unauthorized"
    case 403: "Forbidden"
    case 404: "Not Found"
    case 405: "Method Not Allowed"
    case 410: "Gone"
    case 416: "Range Not Satisfiable"
    case 429: "Too Many Requests"
    case 500: "Internal Server Error"
    case 502: "Bad Gateway"
    case 503: "Service Unavailable"
    case 504: "Gateway Timeout"
    default: "Status"
    }
  }
}
