/// One way to answer other than a good server would.
///
/// Where two rules that apply say something about the same aspect, the first one in the script holds; headers, flips and
/// omissions add up.
package enum FaultAction: Sendable {
  // Instead of the resource.

  /// Another status, with these headers and this body.
  case status(Int, headers: [HeaderLine] = [], body: [UInt8] = [])
  /// A redirect with that status to a path or URL.
  case redirect(Int, to: String)
  /// A redirect to `path?token=…` with a token that is good for so many requests that are checked by `requireToken`.
  case redirectWithToken(Int, to: String, uses: Int)
  /// 403 unless the query has a token that is still good; each request takes one of its uses.
  case requireToken
  /// These bytes instead of an answer; then the connection is closed.
  case raw([UInt8])
  /// No answer at all.
  case noAnswer(Ending)
  /// Another resource under the same path: the file changed.
  case serve(Resource)

  // The head.

  /// Puts a header in the place of all of that name.
  case setHeader(String, String)
  /// One more header line.
  case addHeader(String, String)
  /// No header of that name.
  case dropHeader(String)
  /// So many bytes of further header lines.
  case padHead(bytes: Int)
  case etag(TagFault)
  case contentRange(ContentRangeFault)
  /// Says HTTP/1.0 and closes at the end.
  case http10
  /// `Connection: close`, and does so.
  case closeAfter

  // Which bytes.

  /// 200 and the whole resource, whatever range was asked for.
  case ignoreRange
  /// Starts at the multiple of this at or below the first byte asked for.
  case alignStart(UInt64)
  /// Ends so many bytes early, with at least one byte left, and says so in `Content-Range`.
  case shorten(by: UInt64)
  /// Sends at most so many bytes of what was asked for, and says so in `Content-Range`.
  case limitRange(to: UInt64)
  /// Goes on so many bytes longer, and says so in `Content-Range`.
  case lengthen(by: UInt64)
  /// A `multipart/byteranges` answer with one part.
  case multipart

  // The body.

  /// Only so many bytes of the body, whatever was announced, and then this end.
  case cut(after: UInt64, Ending)
  /// These bytes after the announced body, on a connection that stays open.
  case surplus([UInt8])
  /// The lowest bit of the bytes at these offsets of the resource turned.
  case flip([UInt64])
  /// The bytes in this range of the resource left out, the rest moved up, the announced length unchanged and the
  /// connection closed at the end.
  case omit(Range<UInt64>)
  /// The chunked coding. With a length there is also `Content-Length`, which is not allowed.
  case chunked(withLength: Bool)

  // Time.

  case holdHead(Pause)
  case holdBody(Pause)
  /// Nothing after so many bytes of the body, until the pause ends.
  case stall(after: UInt64, Pause)
  /// So many bytes each time.
  case trickle(bytes: Int, every: Duration)

  /// How a connection ends.
  package enum Ending: Hashable, Sendable {
    /// In an orderly way, so that the client sees the end of the stream.
    case close
    /// With a reset. What was sent but has not arrived may be lost with it.
    case reset
  }

  /// What is wrong with `ETag` and `Last-Modified`.
  package enum TagFault: Hashable, Sendable {
    /// Another strong tag in each answer, as of edge nodes; `If-Range` with a tag then never holds.
    case perRequest
    /// The tag of the resource marked as weak.
    case weak
    /// This text.
    case value(String)
    /// No tag, only the date.
    case none
    /// Neither tag nor date.
    case noValidators
  }

  /// What is wrong with `Content-Range`. The bytes sent are the right ones.
  package enum ContentRangeFault: Hashable, Sendable {
    case missing
    /// The same line twice.
    case duplicated
    /// A second line with this value.
    case conflicting(String)
    /// This text.
    case value(String)
    /// First and last moved by so much.
    case shifted(by: Int64)
    /// This number after the slash.
    case total(UInt64)
    /// `*` after the slash, which is allowed.
    case unknownTotal
    /// Another unit than bytes.
    case unit(String)
  }

  /// `Retry-After` as it can be written.
  package enum RetryAfter: Hashable, Sendable {
    case seconds(Int)
    /// A date so many seconds after the `Date` of the answer.
    case date(secondsFromNow: Int64)
    case text(String)
  }

  /// A status with `Retry-After`.
  package static func status(_ status: Int, retryAfter: RetryAfter) -> FaultAction {
    switch retryAfter {
    case .seconds(let seconds): .status(status, headers: [HeaderLine("Retry-After", String(seconds))])
    case .text(let text): .status(status, headers: [HeaderLine("Retry-After", text)])
    case .date(let seconds): .statusWithRetryDate(status, secondsFromNow: seconds)
    }
  }

  /// A status with a `Retry-After` date so many seconds after the `Date` of the answer.
  case statusWithRetryDate(Int, secondsFromNow: Int64)

  /// The body called compressed, which it is not.
  package static var gzipLabel: FaultAction { .setHeader("Content-Encoding", "gzip") }
  /// A first line that is not HTTP.
  package static var garbageStatusLine: FaultAction { .raw(Array("SPAM/9.9 what? \r\n\r\n".utf8)) }
}
