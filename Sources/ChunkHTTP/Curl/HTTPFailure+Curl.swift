internal import CLibCurl

// Codes of libcurl as sentences, and whether another try can help. The codes are described in libcurl-errors(3).

extension HTTPFailure {
  /// A transfer that failed; nil for one that did not.
  static func transport(_ result: TransferResult, url: HTTPURL) -> HTTPFailure? {
    guard result.code != CURLE_OK else { return nil }
    if result.proxyStatus >= 300 { return refusedByProxy(result.proxyStatus, url: url) }
    return connection(result, url: url) ?? security(result, url: url) ?? setup(result, url: url)
      ?? retryable(.internalError, url, "the transfer failed (\(result.detail)). Try again.")
  }

  /// A request that could not be prepared.
  static func preparation(_ failure: CurlCode, url: HTTPURL) -> HTTPFailure {
    let result = TransferResult(code: failure.code, detail: failure.text, proxyStatus: 0)
    return setup(result, url: url)
      ?? HTTPFailure(
        code: .invalidOption, url: url,
        "the request cannot be made with these options (\(failure.text)). Check them; libcurl may lack one.")
  }

  /// Names, connections and what breaks in the middle.
  private static func connection(_ result: TransferResult, url: HTTPURL) -> HTTPFailure? {
    switch result.code {
    case CURLE_COULDNT_RESOLVE_HOST:
      retryable(.resolve, url, "the name \(url.host) cannot be resolved. Check the address and the network.")
    case CURLE_COULDNT_RESOLVE_PROXY:
      retryable(.proxy, url, "the name of the proxy cannot be resolved. Check the proxy's address and the network.")
    case CURLE_PROXY:
      retryable(.proxy, url, "the proxy does not let the connection through (\(result.detail)).")
    case CURLE_COULDNT_CONNECT:
      retryable(
        .connect, url, "no connection (\(result.detail)). Check the address, the port and the network.")
    case CURLE_OPERATION_TIMEDOUT:
      retryable(
        .connectTimeout, url,
        "no connection in time (\(result.detail)). Check the network, or allow more with --connect-timeout.")
    case CURLE_PARTIAL_FILE:
      retryable(.shortBody, url, "the connection ended before the answer did (\(result.detail)). Try again.")
    case CURLE_GOT_NOTHING: noAnswer(url)
    case CURLE_SEND_ERROR, CURLE_RECV_ERROR, CURLE_SSL_SHUTDOWN_FAILED, CURLE_HTTP2_STREAM, CURLE_AGAIN:
      retryable(.reset, url, "the connection was lost (\(result.detail)). Try again.")
    case CURLE_UNSUPPORTED_PROTOCOL, CURLE_WEIRD_SERVER_REPLY, CURLE_BAD_CONTENT_ENCODING, CURLE_HTTP_RETURNED_ERROR:
      notHTTP(url)
    case CURLE_HTTP2:
      retryable(.protocolViolation, url, "the HTTP/2 connection failed (\(result.detail)). Try again.")
    default: nil
    }
  }

  /// TLS. What a certificate says does not change by asking again.
  private static func security(_ result: TransferResult, url: HTTPURL) -> HTTPFailure? {
    switch result.code {
    case CURLE_PEER_FAILED_VERIFICATION, CURLE_SSL_ISSUER_ERROR, CURLE_SSL_INVALIDCERTSTATUS,
      CURLE_SSL_PINNEDPUBKEYNOTMATCH:
      HTTPFailure(
        code: .certificate, url: url,
        "the server's certificate is not trusted (\(result.detail)). "
          + "If it was issued by an authority of your own, give that one's certificate with --cacert FILE.")
    case CURLE_SSL_CACERT_BADFILE:
      HTTPFailure(
        code: .certificateFile, url: url,
        "the certificates of authorities cannot be read (\(result.detail)). Check the file given with --cacert.")
    case CURLE_SSL_CERTPROBLEM, CURLE_SSL_CRL_BADFILE:
      HTTPFailure(
        code: .certificateFile, url: url,
        "the client certificate or its key cannot be used (\(result.detail)). Check the files.")
    case CURLE_SSL_CLIENTCERT:
      HTTPFailure(code: .certificate, url: url, "the server asks for a client certificate. Give one.")
    case CURLE_SSL_CIPHER:
      HTTPFailure(
        code: .tls, url: url, "server and client have no cipher in common (\(result.detail)). Ask its operator.")
    case CURLE_SSL_CONNECT_ERROR where result.detail.contains("no application protocol"):
      http2Required(url)
    case CURLE_SSL_CONNECT_ERROR:
      retryable(
        .tls, url, "TLS could not be set up (\(result.detail)). Check that the port is one for https, or try again.")
    default: nil
    }
  }

  /// Ourselves: nothing of this gets better by asking again.
  private static func setup(_ result: TransferResult, url: HTTPURL) -> HTTPFailure? {
    switch result.code {
    case CURLE_OUT_OF_MEMORY, CURLE_FAILED_INIT:
      HTTPFailure(code: .noMemory, url: url, "there is not enough memory to go on. Close other programs.")
    case CURLE_INTERFACE_FAILED:
      HTTPFailure(
        code: .invalidOption, url: url, "the network interface cannot be used (\(result.detail)). Check its name.")
    case CURLE_URL_MALFORMAT:
      HTTPFailure(code: .invalidURL, url: url, "libcurl does not take the address (\(result.detail)). Check it.")
    case CURLE_WRITE_ERROR, CURLE_ABORTED_BY_CALLBACK, CURLE_BAD_FUNCTION_ARGUMENT:
      HTTPFailure(
        code: .internalError, url: url, "the transfer ended by a fault of this program (\(result.detail)). Report it.")
    default: nil
    }
  }

  private static func refusedByProxy(_ status: Int, url: HTTPURL) -> HTTPFailure {
    HTTPFailure(
      code: .proxy, url: url,
      status == 407
        ? "the proxy asks for a name and a password (407). Give them in the proxy's URL."
        : "the proxy refuses the connection (\(status)). Check the proxy, or do without it.",
      isRetryable: isRetryable(status: status), status: status)
  }

  private static func retryable(_ code: Code, _ url: HTTPURL, _ sentence: String) -> HTTPFailure {
    HTTPFailure(code: code, url: url, sentence, isRetryable: true)
  }
}
