internal import CLibCurl

/// One transfer of libcurl, used again and again: after `reset` it keeps its memory and nothing else.
///
/// Of one thread only. Both allocations live as long as the object, so every call here is one with a valid handle. What
/// libcurl does not copy, the lists, is kept until the next reset.
@safe
final class EasyHandle {
  private let handle: UnsafeMutableRawPointer
  /// Where libcurl puts its sentence about a failure; it knows the address.
  private let errorText: UnsafeMutablePointer<CChar>
  private var lists: [StringList] = []

  init() throws(CurlCode) {
    guard let handle = unsafe curl_easy_init() else { throw CurlCode(code: CURLE_FAILED_INIT) }
    unsafe self.handle = handle
    unsafe errorText = .allocate(capacity: Int(CURL_ERROR_SIZE))
    unsafe errorText.initialize(repeating: 0, count: Int(CURL_ERROR_SIZE))
  }

  deinit {
    unsafe curl_easy_cleanup(handle)
    unsafe errorText.deallocate()
  }

  /// Forgets all options and the last transfer.
  func reset() throws(CurlCode) {
    unsafe curl_easy_reset(handle)
    lists = []
    unsafe errorText.pointee = 0
    try unsafe CurlCode.check(chunk_curl_set_pointer(handle, CURLOPT_ERRORBUFFER, errorText))
  }

  func set(_ option: CURLoption, _ value: Int) throws(CurlCode) {
    try unsafe CurlCode.check(chunk_curl_set_long(handle, option, value))
  }

  func set(_ option: CURLoption, _ value: Bool) throws(CurlCode) { try set(option, value ? 1 : 0) }

  func set(_ option: CURLoption, _ value: String) throws(CurlCode) {
    // A string with a NUL would mean another one to libcurl.
    guard !value.utf8.contains(0) else { throw CurlCode(code: CURLE_BAD_FUNCTION_ARGUMENT) }
    try unsafe CurlCode.check(chunk_curl_set_string(handle, option, value))
  }

  /// No string leaves the option as it is.
  func set(_ option: CURLoption, _ value: String?) throws(CurlCode) {
    if let value { try set(option, value) }
  }

  func set(_ option: CURLoption, _ values: [String]) throws(CurlCode) {
    guard !values.isEmpty else { return }
    let list = try StringList(values)
    lists.append(list)
    try unsafe CurlCode.check(chunk_curl_set_list(handle, option, list.first))
  }

  /// Has the object told about the answer. It must outlive the transfer; the caller holds it until then.
  func deliver(to transfer: Transfer) throws(CurlCode) {
    let context = unsafe Unmanaged.passUnretained(transfer).toOpaque()
    try unsafe CurlCode.check(chunk_curl_set_pointer(handle, CURLOPT_PRIVATE, context))
    try unsafe CurlCode.check(chunk_curl_set_pointer(handle, CURLOPT_HEADERDATA, context))
    try unsafe CurlCode.check(chunk_curl_set_pointer(handle, CURLOPT_WRITEDATA, context))
    try unsafe CurlCode.check(chunk_curl_set_pointer(handle, CURLOPT_PREREQDATA, context))
    try unsafe CurlCode.check(chunk_curl_set_data_callback(handle, CURLOPT_HEADERFUNCTION, receiveHeaderLine))
    try unsafe CurlCode.check(chunk_curl_set_data_callback(handle, CURLOPT_WRITEFUNCTION, receiveBody))
    try unsafe CurlCode.check(chunk_curl_set_ready_callback(handle, connectionReady))
  }

  /// Has the connection closed after the transfer. May be called from a callback.
  func forbidReuse() {
    // Where it does not work, the connection is used again and refuses again, which is no worse than before.
    _ = unsafe chunk_curl_set_long(handle, CURLOPT_FORBID_REUSE, 1)
  }

  /// Ends a pause. What was held back is delivered before this returns.
  func unpause() throws(CurlCode) { try unsafe CurlCode.check(curl_easy_pause(handle, CURLPAUSE_CONT)) }

  /// How many connections the transfer opened.
  var connectionsOpened: Int { value(CURLINFO_NUM_CONNECTS) }

  /// What is to be said about the transfer, which ended with the code.
  func result(_ code: CURLcode) -> TransferResult {
    let detail = unsafe String(cString: errorText)
    return TransferResult(
      code: code, detail: detail.isEmpty ? CurlCode(code: code).text : detail,
      proxyStatus: value(CURLINFO_HTTP_CONNECTCODE))
  }

  /// Lends the handle.
  func withHandle<Result>(_ body: (UnsafeMutableRawPointer) -> Result) -> Result { unsafe body(handle) }

  private func value(_ info: CURLINFO) -> Int {
    var value = 0
    guard unsafe chunk_curl_get_long(handle, info, &value) == CURLE_OK else { return 0 }
    return value
  }
}

/// A linked list of strings, copied; freed with the object.
@safe
private final class StringList {
  private(set) var first: UnsafeMutablePointer<curl_slist>?

  init(_ values: [String]) throws(CurlCode) {
    for value in values {
      guard !value.utf8.contains(0) else { throw CurlCode(code: CURLE_BAD_FUNCTION_ARGUMENT) }
      guard let extended = unsafe curl_slist_append(first, value) else { throw CurlCode(code: CURLE_OUT_OF_MEMORY) }
      unsafe first = extended
    }
  }

  deinit { unsafe curl_slist_free_all(first) }
}
