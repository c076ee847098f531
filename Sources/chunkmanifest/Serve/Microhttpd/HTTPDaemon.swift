internal import CMicrohttpd

/// A running libmicrohttpd. Its threads call the responder; it is stopped, and they are joined, when the value goes.
@safe struct HTTPDaemon: ~Copyable {
  typealias Responder = @Sendable (Request) -> Response

  private let handle: OpaquePointer
  /// What the threads get as their context. Lives as long as they do.
  private let context: Context

  /// Bounds of what strangers can make it hold.
  private static let maximumConnections: CUnsignedInt = 512
  private static let idleSeconds: CUnsignedInt = 60

  /// Nil when the library has no memory or no threads.
  init?(listener: consuming ListeningSocket, threads: Int, responder: @escaping Responder) {
    let context = Context(responder)
    let pointer = unsafe Unmanaged.passUnretained(context).toOpaque()
    let started = unsafe cmicrohttpd_start(
      listener.release(), CUnsignedInt(max(2, threads)), Self.maximumConnections, Self.idleSeconds, answerRequest,
      pointer)
    guard let started = unsafe started else { return nil }
    unsafe handle = started
    self.context = context
  }

  deinit {
    unsafe MHD_stop_daemon(handle)
  }
}

private final class Context: Sendable {
  let responder: HTTPDaemon.Responder

  init(_ responder: @escaping HTTPDaemon.Responder) {
    self.responder = responder
  }
}

/// Called by the library's threads: once when the fields of a request are there, and again for its body and its end. The answer
/// is queued at the end, since an earlier one would close the connection.
private func answerRequest(
  context: UnsafeMutableRawPointer?, connection: OpaquePointer?, target: UnsafePointer<CChar>?,
  method: UnsafePointer<CChar>?, version: UnsafePointer<CChar>?, body: UnsafePointer<CChar>?,
  bodyLength: UnsafeMutablePointer<Int>?, requestContext: UnsafeMutablePointer<UnsafeMutableRawPointer?>?
) -> MHD_Result {
  guard let context = unsafe context, let connection = unsafe connection, let target = unsafe target,
    let method = unsafe method, let bodyLength = unsafe bodyLength, let requestContext = unsafe requestContext
  else { return .NO }
  let exchange = unsafe Exchange(connection: connection)
  guard let method = unsafe Request.Method(rawValue: String(cString: method)) else {
    return exchange.send(Response(.refusal(405, fields: [Answer.Field(name: "Allow", value: "GET, HEAD")])))
  }
  if unsafe requestContext.pointee == nil {
    unsafe requestContext.pointee = context
    return .YES
  }
  if unsafe bodyLength.pointee > 0 {
    // A GET has no use for a body; it is taken and dropped.
    unsafe bodyLength.pointee = 0
    return .YES
  }
  // `HTTPDaemon` holds the context until the threads that call this are joined.
  let responder = unsafe Unmanaged<Context>.fromOpaque(context).takeUnretainedValue().responder
  return exchange.send(responder(exchange.request(method, target: unsafe String(cString: target))))
}
