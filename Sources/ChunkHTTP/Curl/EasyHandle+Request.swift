internal import CLibCurl

extension EasyHandle {
  /// Writes the request into a handle that has been reset.
  func prepare(_ request: RangeRequest, receiveBufferSize: Int) throws(CurlCode) {
    try setConduct(receiveBufferSize: receiveBufferSize)
    try setResource(request)
    try setConnection(request.options)
    try setSecurity(request)
    try setCredentials(request)
  }

  /// What is the same for all requests, whatever the options say.
  private func setConduct(receiveBufferSize: Int) throws(CurlCode) {
    try set(CURLOPT_PROTOCOLS_STR, "http,https")
    try set(CURLOPT_REDIR_PROTOCOLS_STR, "http,https")
    // Redirects are for `RedirectChain` to decide.
    try set(CURLOPT_FOLLOWLOCATION, false)
    try set(CURLOPT_NOSIGNAL, true)
    // A look-up that still runs is left behind when a transfer is cancelled; waiting for it would hold up all others.
    try set(CURLOPT_QUICK_EXIT, true)
    try set(CURLOPT_SUPPRESS_CONNECT_HEADERS, true)
    try set(CURLOPT_HTTP09_ALLOWED, false)
    // A coding nobody asked for is refused by its name; until then its bytes are what was sent.
    try set(CURLOPT_HTTP_CONTENT_DECODING, false)
    try set(CURLOPT_BUFFERSIZE, receiveBufferSize)
    try set(CURLOPT_TCP_KEEPALIVE, true)
    try set(CURLOPT_TCP_KEEPIDLE, 30)
    try set(CURLOPT_TCP_KEEPINTVL, 15)
  }

  private func setResource(_ request: RangeRequest) throws(CurlCode) {
    try set(CURLOPT_URL, request.url.text)
    switch request.method {
    case .get: try set(CURLOPT_HTTPGET, true)
    case .head: try set(CURLOPT_NOBODY, true)
    }
    var lines = ["Accept-Encoding: identity"]
    if let range = request.range {
      try set(CURLOPT_RANGE, "\(range.lowerBound)-\(range.upperBound)")
      if let version = request.ifRange, version.isStrong { lines.append("If-Range: \(version.fieldValue)") }
    }
    let fields = request.headers + (request.applicableCredentials?.headers ?? [])
    // libcurl's way to say that a field is there and empty.
    lines += fields.map { $0.value.isEmpty ? "\($0.name);" : "\($0.name): \($0.value)" }
    try set(CURLOPT_HTTPHEADER, lines)
    // Those are for the server; a proxy gets none of them.
    try set(CURLOPT_HEADEROPT, Int(CURLHEADER_SEPARATE))
    try set(CURLOPT_USERAGENT, request.options.userAgent)
  }

  private func setConnection(_ options: ConnectionOptions) throws(CurlCode) {
    try set(CURLOPT_CONNECTTIMEOUT_MS, options.connectTimeout.milliseconds)
    switch options.version {
    case .http1: try set(CURLOPT_HTTP_VERSION, CURL_HTTP_VERSION_1_1)
    case .http2:
      try set(CURLOPT_HTTP_VERSION, CURL_HTTP_VERSION_2TLS)
      try set(CURLOPT_PIPEWAIT, true)
    case .http2Alone:
      try set(CURLOPT_HTTP_VERSION, CURL_HTTP_VERSION_2TLS)
      try set(CURLOPT_FRESH_CONNECT, true)
      try set(CURLOPT_FORBID_REUSE, true)
    }
    switch options.proxy {
    case .environment: break
    case .none: try set(CURLOPT_PROXY, "")
    case .url(let url): try set(CURLOPT_PROXY, url)
    }
    try set(CURLOPT_PROXYUSERNAME, options.proxyUser?.user)
    try set(CURLOPT_PROXYPASSWORD, options.proxyUser?.password)
    try set(CURLOPT_RESOLVE, options.resolve)
    try set(CURLOPT_INTERFACE, options.interface)
    try set(CURLOPT_UNIX_SOCKET_PATH, options.unixSocket)
    switch options.addressFamily {
    case .any: try set(CURLOPT_IPRESOLVE, Int(CURL_IPRESOLVE_WHATEVER))
    case .v4: try set(CURLOPT_IPRESOLVE, Int(CURL_IPRESOLVE_V4))
    case .v6: try set(CURLOPT_IPRESOLVE, Int(CURL_IPRESOLVE_V6))
    }
  }

  private func setSecurity(_ request: RangeRequest) throws(CurlCode) {
    try set(CURLOPT_SSL_VERIFYPEER, 1)
    try set(CURLOPT_SSL_VERIFYHOST, 2)
    try set(CURLOPT_SSLVERSION, CURL_SSLVERSION_TLSv1_2)
    try set(CURLOPT_CAINFO, request.options.caFile)
    try set(CURLOPT_PROXY_CAINFO, request.options.caFile)
    if let certificate = request.applicableCredentials?.clientCertificate {
      try set(CURLOPT_SSLCERT, certificate.certificateFile)
      try set(CURLOPT_SSLKEY, certificate.keyFile)
    }
  }

  private func setCredentials(_ request: RangeRequest) throws(CurlCode) {
    if let user = request.applicableCredentials?.user ?? request.url.credentials {
      try set(CURLOPT_USERNAME, user.user)
      try set(CURLOPT_PASSWORD, user.password)
      return
    }
    switch request.options.netrc {
    case .off: break
    case .home: try set(CURLOPT_NETRC, Int(CURL_NETRC_OPTIONAL.rawValue))
    case .file(let path):
      try set(CURLOPT_NETRC, Int(CURL_NETRC_OPTIONAL.rawValue))
      try set(CURLOPT_NETRC_FILE, path)
    }
  }
}

extension Duration {
  /// Whole milliseconds, rounded up, at least one and no more than libcurl takes.
  var milliseconds: Int {
    let (seconds, attoseconds) = components
    guard seconds < 1_000_000 else { return 1_000_000_000 }
    return max(1, Int(seconds) * 1000 + Int((attoseconds + 999_999_999_999_999) / 1_000_000_000_000_000))
  }
}
