internal import CLibCurl

/// A set of transfers that share a thread, a cache of connections and one of names.
// Sendable by hand, and safe: all but `wakeUp` is called by the loop's thread alone, and libcurl lets any thread call
// that one for as long as the handle lives, which is as long as this object does.
@safe
final class MultiHandle: @unchecked Sendable {
  private let handle: UnsafeMutableRawPointer

  init() throws(CurlCode) {
    guard let handle = unsafe curl_multi_init() else { throw CurlCode(code: CURLE_FAILED_INIT) }
    unsafe self.handle = handle
    // Idle connections kept; by default it would be four for every transfer that runs at the moment.
    _ = unsafe chunk_curl_multi_set_long(handle, CURLMOPT_MAXCONNECTS, 64)
  }

  deinit { _ = unsafe curl_multi_cleanup(handle) }

  /// False when there is no memory for it.
  func add(_ easy: EasyHandle) -> Bool {
    unsafe easy.withHandle { unsafe curl_multi_add_handle(handle, $0) } == CURLM_OK
  }

  /// Ends the transfer if it runs. Not to be called from a callback.
  func remove(_ easy: EasyHandle) {
    _ = unsafe easy.withHandle { unsafe curl_multi_remove_handle(handle, $0) }
  }

  /// Does what can be done without waiting. False when libcurl cannot go on.
  func perform() -> Bool {
    var running: CInt = 0
    return unsafe curl_multi_perform(handle, &running) == CURLM_OK
  }

  /// Waits until there is something to do, someone calls `wakeUp`, or the time is over. False when libcurl cannot.
  func wait(atMost time: Duration) -> Bool {
    unsafe curl_multi_poll(handle, nil, 0, CInt(clamping: time.milliseconds), nil) == CURLM_OK
  }

  /// Ends the current wait, or the next one. From any thread.
  func wakeUp() { _ = unsafe curl_multi_wakeup(handle) }

  /// The next transfer that is over.
  func nextFinished() -> (transfer: Transfer, code: CURLcode)? {
    var left: CInt = 0
    while let message = unsafe curl_multi_info_read(handle, &left) {
      // The message is valid until the next call with the handle, and its private pointer is what `deliver(to:)` set.
      guard unsafe message.pointee.msg == CURLMSG_DONE, let easy = unsafe message.pointee.easy_handle else { continue }
      let code = unsafe message.pointee.data.result
      var context: UnsafeMutableRawPointer?
      guard unsafe chunk_curl_get_pointer(easy, CURLINFO_PRIVATE, &context) == CURLE_OK, let found = unsafe context
      else { continue }
      return (unsafe Unmanaged<Transfer>.fromOpaque(found).takeUnretainedValue(), code)
    }
    return nil
  }
}
