internal import CLibCurl

/// libcurl's own word for what went wrong in a call that sets something up.
struct CurlCode: Error {
  let code: CURLcode

  /// Throws what is not success.
  static func check(_ code: CURLcode) throws(CurlCode) {
    guard code == CURLE_OK else { throw CurlCode(code: code) }
  }

  var text: String { unsafe String(cString: curl_easy_strerror(code)) }
}

/// What libcurl says about a transfer that is over.
struct TransferResult {
  let code: CURLcode
  /// Its sentence about this transfer, or about the code where it has none.
  let detail: String
  /// The proxy's answer to CONNECT; 0 where it was not asked.
  let proxyStatus: Int
}
