import ChunkHTTP
import FuzzDriver

/// An answer from its first line on, and what is made of it for some request.
struct AnswerExamination {
  private let request: RangeRequest
  private let answer: [UInt8]

  init(_ input: inout FuzzInput) {
    let shape = input.byte()
    let first = input.integer(UInt64.self)
    let (last, overflows) = first.addingReportingOverflow(input.integer(UInt64.self))
    let total = input.integer(UInt64.self)
    do {
      request = RangeRequest(
        url: try HTTPURL("https://a.example/f?token=hidden"),
        range: shape & 1 != 0 ? first...(overflows ? first : last) : nil,
        knownTotal: shape & 2 != 0 ? total : nil)
    } catch {
      fatalError("a good URL is refused: \(error)")
    }
    answer = input.rest()
  }

  func run() {
    guard let (status, version, fields) = readHead(answer) else { return }
    mustHold((200...999).contains(status), "only a final answer ends a head, not \(status)")
    mustHold(fields.count <= HeaderBlock.fieldLimit, "the number of fields is limited")
    for field in fields {
      mustHold(!field.name.isEmpty && !field.name.utf8.contains { $0 <= 0x20 || $0 >= 0x7F }, "a name is a token")
      mustHold(!field.value.utf8.contains { [0x00, 0x0A, 0x0D].contains($0) }, "a value is one line")
    }
    let head = ResponseHead(status: status, version: version, url: request.url, headers: fields)
    if let wait = head.retryAfter { mustHold(.zero <= wait && wait <= RetryAfter.longest, "a wait is bounded") }
    if let validator = head.validator { holds(validator) }
    placesBytes(RangeAnswer.judge(head, for: request), head)
  }

  /// What is kept of an answer is accepted when it is read back.
  private func holds(_ validator: Validator) {
    let kept = Validator(
      fieldValue: validator.fieldValue, isEntityTag: validator.isEntityTag, isStrong: validator.isStrong)
    mustHold(kept == validator, "a validator that was kept is read back: \(validator)")
    mustHold(validator.isSameVersion(as: validator) == validator.isStrong, "a strong validator is that of itself")
  }

  /// Bytes begin at or before the first one asked for, reach to it, and end within the resource.
  private func placesBytes(_ answer: RangeAnswer, _ head: ResponseHead) {
    let asked = request.range?.lowerBound ?? 0
    switch answer {
    case .body(let start, let length, let total):
      mustHold(head.status == 206, "a part comes with 206, not \(head.status)")
      let (end, overflows) = start.addingReportingOverflow(length)
      mustHold(!overflows && length > 0, "a body of \(length) bytes from \(start) on is one")
      mustHold(start <= asked && asked < end, "the byte \(asked) lies in a body from \(start) to \(end)")
      for limit in [total, request.knownTotal] {
        mustHold(end <= limit ?? .max, "a body up to \(end) ends within \(limit ?? 0) bytes")
      }
      mustHold(
        total == nil || request.knownTotal == nil || total == request.knownTotal, "a total that is known is the one")
      mustHold(head.contentLength == nil || head.contentLength == length, "the length is the one announced")
    case .wholeBody(let length):
      mustHold([200, 203].contains(head.status), "the whole comes with 200, not \(head.status)")
      mustHold(
        length == nil || request.knownTotal == nil || length == request.knownTotal,
        "the whole has the known total, not \(length ?? 0)")
    case .notSatisfiable: mustHold(request.range != nil, "only a range is not satisfiable")
    case .redirect(let location): holds(redirect: location)
    case .unusable(let failure), .status(let failure):
      mustHold(!failure.message.contains("hidden"), "a failure shows no secret: \(failure)")
      mustHold(failure.status == head.status, "a failure has the status of its answer")
    }
  }

  private func holds(redirect location: String) {
    var chain = RedirectChain(start: request.url)
    do {
      let target = try chain.follow(location)
      mustHold(target.scheme == .https && chain.current == target, "a redirect stays with https")
      mustHold(
        target.credentials == nil || target.origin == request.url.origin || location.utf8.contains(0x40),
        "credentials do not go elsewhere")
    } catch {
      mustHold(!error.isRetryable, "a redirect that is refused is not tried again")
    }
  }
}

/// Reads an answer line by line. nil when it has no complete head.
func readHead(_ bytes: [UInt8]) -> (status: Int, version: HTTPVersion, fields: HeaderFields)? {
  var block = HeaderBlock()
  var result: (status: Int, version: HTTPVersion, fields: HeaderFields)?
  var rest = bytes[...]
  while !rest.isEmpty {
    let line = Array(rest.prefix((rest.firstIndex(of: 0x0A) ?? rest.endIndex - 1) + 1 - rest.startIndex))
    rest = rest.dropFirst(line.count)
    guard let step = try? block.append(line: line.span) else { return result }
    switch step {
    case .more: mustHold(result == nil, "nothing is missing after the head")
    case .ignored: mustHold(result != nil, "nothing is ignored before the head")
    case .head(let status, let version, let fields):
      mustHold(result == nil, "there is one head")
      result = (status, version, fields)
    }
  }
  return result
}
