private import CLibCurl

/// The parts of a URL as libcurl's parser sees them: percent-encoded, dot segments resolved.
struct URLParts {
  let scheme: String
  let user: String?
  let password: String?
  /// IPv6 addresses in brackets, with their zone.
  let host: String
  let port: String
  let path: String
  let query: String?
  let fragment: String?

  /// Parses a whole URL.
  init(absolute text: String) throws(URLProblem) {
    let url = try CurlURL()
    try url.set(text)
    self.init(url)
  }

  /// Parses a reference to be resolved against `base`, a whole URL.
  init(reference: String, base: String) throws(URLProblem) {
    let url = try CurlURL()
    try url.set(base)
    try url.set(reference)
    self.init(url)
  }

  private init(_ url: borrowing CurlURL) {
    scheme = url.part(CURLUPART_SCHEME) ?? ""
    user = url.part(CURLUPART_USER)
    password = url.part(CURLUPART_PASSWORD)
    let host = url.part(CURLUPART_HOST) ?? ""
    if let zone = url.part(CURLUPART_ZONEID), host.hasSuffix("]") {
      self.host = "\(host.dropLast())%25\(zone)]"
    } else {
      self.host = host
    }
    port = url.part(CURLUPART_PORT, UInt32(CURLU_DEFAULT_PORT)) ?? ""
    let path = url.part(CURLUPART_PATH) ?? ""
    self.path = path.isEmpty ? "/" : path
    query = url.part(CURLUPART_QUERY).flatMap { $0.isEmpty ? nil : $0 }
    fragment = url.part(CURLUPART_FRAGMENT)
  }
}

/// A parsed URL of libcurl. It is on the heap and owned here alone, so every call with it is valid until `deinit`.
@safe
private struct CurlURL: ~Copyable {
  private let handle: OpaquePointer

  init() throws(URLProblem) {
    guard let handle = unsafe curl_url() else { throw .malformed("there is no memory to look at it") }
    unsafe self.handle = handle
  }

  deinit { unsafe curl_url_cleanup(handle) }

  /// The first URL set must be whole; a later one is resolved against what is there.
  func set(_ text: String) throws(URLProblem) {
    // Bytes beyond ASCII get encoded; schemes are told apart by the caller, who can say more about them.
    let flags = UInt32(CURLU_URLENCODE | CURLU_NON_SUPPORT_SCHEME)
    let code = unsafe curl_url_set(handle, CURLUPART_URL, text, flags)
    switch code {
    case CURLUE_OK: return
    case CURLUE_BAD_SCHEME: throw .noScheme
    default: throw .malformed(unsafe String(cString: curl_url_strerror(code)))
    }
  }

  func part(_ part: CURLUPart, _ flags: UInt32 = 0) -> String? {
    var text: UnsafeMutablePointer<CChar>?
    guard unsafe curl_url_get(handle, part, &text, flags) == CURLUE_OK, let found = unsafe text else { return nil }
    defer { unsafe curl_free(found) }
    return unsafe String(cString: found)
  }
}
