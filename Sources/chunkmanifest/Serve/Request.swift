internal import ChunkSystem

/// A request for something that may be served, as far as the origin looks at it.
struct Request: Hashable, Sendable {
  enum Method: String, Hashable, Sendable {
    case get = "GET"
    case head = "HEAD"
  }

  let method: Method
  /// As it stands in the request line, not decoded.
  let target: String
  let conditions: Answer.Conditions
  /// The numeric address it came from; empty when there is none.
  let client: String
}

/// What goes back: the answer, and the file its bytes are in.
struct Response: ~Copyable {
  let answer: Answer
  let file: FileDescriptor?

  init(_ answer: Answer, file: consuming FileDescriptor? = nil) {
    self.answer = answer
    self.file = file
  }
}
