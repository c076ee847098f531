internal import ChunkCore
internal import ChunkHTTP

/// Names one Range request for the time it is open.
struct RequestID: Hashable, Sendable, Comparable {
  let rawValue: Int

  static func < (left: RequestID, right: RequestID) -> Bool { left.rawValue < right.rawValue }
}

/// Names a source: its place in the order in which sources became known.
struct SourceID: Hashable, Sendable, Comparable {
  let rawValue: Int

  static func < (left: SourceID, right: SourceID) -> Bool { left.rawValue < right.rawValue }
}

/// One Range request, as the engine has to send it.
struct SpanRequest: Sendable, Equatable {
  let id: RequestID
  let source: SourceID
  /// Where to send it: the source's own URL, or what that was last resolved to.
  let url: HTTPURL
  /// What its answer is.
  let form: SpanForm
  /// The chunks that are wanted from it.
  let chunks: Range<ChunkIndex>
  /// First byte of the file that is asked for: past the start of the first chunk when part of that chunk is here already.
  let firstByte: UInt64
  /// One past the last byte of the file that is asked for.
  let endByte: UInt64
  /// The whole file from byte 0, without a Range header: all that this source can do, or all that is wanted.
  let isWholeFile: Bool
  /// The server speaks nothing else.
  let usesHTTP2: Bool
  /// The request that gave up the tail of its span to this one: it is to stop in front of `chunks`.
  var shortens: RequestID?
}

extension SpanRequest {
  /// The same request, sent elsewhere.
  func moved(to url: HTTPURL) -> SpanRequest {
    SpanRequest(
      id: id, source: source, url: url, form: form, chunks: chunks, firstByte: firstByte, endByte: endByte,
      isWholeFile: isWholeFile, usesHTTP2: usesHTTP2)
  }
}

/// What the engine must do after an event. Actions stand in the order in which they have to be done.
enum SchedulerAction: Sendable, Equatable {
  /// End the request; its `ended` event still comes.
  case cancel(RequestID)
  /// Read the body that starts at byte 0 although a range was asked for.
  case acceptWholeBody(RequestID)
  /// Send the same request to where the answer pointed.
  case follow(RequestID, url: HTTPURL)
  /// Only wrong chunks came: fetch the manifest once more, past caches.
  case recheckManifest
  /// Every chunk is here.
  case finish
  /// Nothing more can be done.
  case fail(TransferError)
}

/// How a request ended, as far as the rules of the transfer distinguish it.
enum RequestEnd: Sendable {
  /// All of the span was delivered, or all that was asked of it after a split.
  case complete
  /// We ended it (a race was lost, the transfer is over).
  case cancelled
  /// The source failed; the failure says whether trying again makes sense.
  case failed(HTTPFailure)
  /// The source has no bytes for the first chunk of the span.
  case missing
  /// The bytes of this source are those of another version.
  case changed(HTTPFailure)
}
