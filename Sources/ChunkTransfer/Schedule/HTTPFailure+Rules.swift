internal import ChunkHTTP
internal import ChunkSystem

/// What the rules of the transfer read out of a failure, and the failures that only they know.
extension HTTPFailure {
  /// The server asks for fewer connections.
  var isThrottle: Bool { status == 429 || status == 503 }

  /// It may only mean that a link that was good when it was given has expired, or that what it led to has moved: any
  /// 4xx but those that ask for patience, and a connection that is not made.
  var mayBeExpiredLink: Bool {
    switch status {
    case 408, 416, 425, 429: false
    case .some(400..<500): true
    default: code == .connect || code == .connectTimeout || code == .resolve
    }
  }

  var isSourceChange: Bool { code == .changedSource || code == .wrongTotal }

  /// A success that does not say properly which bytes it sends.
  var isUnusableRange: Bool {
    switch code {
    case .wrongRange, .contentRangeMissing, .contentRangeRepeated, .contentRangeMalformed, .contentLengthConflict,
      .multipart:
      true
    default: false
    }
  }

  /// No byte, or next to none, for as long as one is waited for.
  static func stalled(_ url: HTTPURL, after timeout: Duration) -> HTTPFailure {
    HTTPFailure(
      code: .stalled,
      message: "\(url): no data for \(timeout.wholeSeconds) seconds. The server or the line to it is stuck; try again "
        + "later, or give another source with --mirror.",
      url: url.description, isRetryable: true)
  }

  /// Nothing of what was asked for exists there, the server says.
  static func notSatisfiable(_ head: ResponseHead, total: UInt64?, expected: UInt64) -> HTTPFailure {
    if let total, total != expected {
      return changed(head, "the file there has \(total) bytes now, not \(expected)")
    }
    return HTTPFailure(
      code: .status,
      message:
        "\(head.url): the server refuses a range that the file has (416). It is set up wrongly, or one of several "
        + "servers is; another source can be given with --mirror.",
      url: head.url.description, isRetryable: true, status: 416)
  }

  /// The manifest says of a pack that it is longer.
  static func packEnds(_ head: ResponseHead) -> HTTPFailure {
    HTTPFailure(
      code: .packColumn,
      message: "\(head.url): the pack ends before chunks that the manifest says are in it; it is not used.",
      url: head.url.description, status: head.status)
  }

  /// An answer that is right and next to empty. One that came again and again would be followed for ever.
  static func emptyHanded(_ url: HTTPURL) -> HTTPFailure {
    HTTPFailure(
      code: .emptyHanded,
      message: "\(url): the server sends next to nothing of each range it is asked for. It is set up wrongly; give "
        + "another source with --mirror.",
      url: url.description, isRetryable: true)
  }

  /// A range that does not begin where it was asked to, where that matters.
  static func unusableRange(_ head: ResponseHead) -> HTTPFailure {
    HTTPFailure(
      code: .wrongRange, message: "\(head.url): the server sent other bytes than those it was asked for.",
      url: head.url.description, isRetryable: true, status: head.status)
  }

  /// Another version than the one the transfer began with, where nothing else tells which is wanted.
  static func changed(_ head: ResponseHead, _ reason: String) -> HTTPFailure {
    HTTPFailure(
      code: .changedSource,
      message: "\(head.url): the file changed while it was downloaded: \(reason). Start again to get the new one.",
      url: head.url.description, status: head.status)
  }
}

extension HTTPFailure.Code {
  static let stalled = Self(label: "stalled")
  static let emptyHanded = Self(label: "next to nothing sent")
  static let changedSource = Self(label: "source changed")
}

extension Duration {
  /// Whole seconds, rounded down.
  var wholeSeconds: Int64 { components.seconds }

  var inSeconds: Double {
    Double(components.seconds) + Double(components.attoseconds) * 1e-18
  }
}
