internal import CMicrohttpd
internal import ChunkSystem

/// One request and its answer on a connection of libmicrohttpd. Exists during a callback only, on that thread.
@safe struct Exchange: ~Copyable {
  private let connection: OpaquePointer

  /// The connection must be the one of the callback this is made in.
  @unsafe init(connection: OpaquePointer) {
    unsafe self.connection = connection
  }

  func request(_ method: Request.Method, target: String) -> Request {
    Request(
      method: method, target: target,
      conditions: Answer.Conditions(
        range: field("Range"), ifRange: field("If-Range"), ifMatch: field("If-Match"),
        ifNoneMatch: field("If-None-Match"), ifModifiedSince: field("If-Modified-Since"),
        ifUnmodifiedSince: field("If-Unmodified-Since")),
      client: client)
  }

  /// Hands the response to the library, which sends it after the callback, the bytes of a file with `sendfile(2)`.
  func send(_ response: consuming Response) -> MHD_Result {
    let answer = response.answer
    guard let message = unsafe Self.message(response) else { return .NO }
    defer { unsafe MHD_destroy_response(message) }
    for field in answer.fields {
      guard unsafe MHD_add_response_header(message, field.name, field.value) == .YES else { return .NO }
    }
    return unsafe MHD_queue_response(connection, CUnsignedInt(answer.status), message)
  }

  /// The library's own counted reference to the response; nil when there is no memory.
  private static func message(_ response: consuming Response) -> OpaquePointer? {
    switch response.answer.body {
    case .text(let text):
      let bytes = Array(text.utf8)
      // MUST_COPY: the library does not write to the bytes, and is done with them when it returns.
      return unsafe bytes.withUnsafeBytes { bytes in
        unsafe MHD_create_response_from_buffer(
          bytes.count, UnsafeMutableRawPointer(mutating: bytes.baseAddress), .RESPMEM_MUST_COPY)
      }
    case .file(let range):
      guard let file = response.file else { return nil }
      let message = unsafe MHD_create_response_from_fd_at_offset64(
        UInt64(range.count), file.rawValue, range.lowerBound)
      // From now on the library closes the file; without a message it stays ours to close.
      if unsafe message != nil { _ = file.release() }
      return unsafe message
    }
  }

  /// The first field of this name, nil when there is none. Text that is not UTF-8 is repaired, and then means nothing.
  private func field(_ name: String) -> String? {
    unsafe MHD_lookup_connection_value(connection, .HEADER_KIND, name).map { unsafe String(cString: $0) }
  }

  private var client: String {
    unsafe withUnsafeTemporaryAllocation(of: CChar.self, capacity: 64) { buffer in
      guard let text = buffer.baseAddress, unsafe cmicrohttpd_client(connection, text, 64) != 0 else {
        return ""
      }
      return unsafe String(cString: text)
    }
  }
}
