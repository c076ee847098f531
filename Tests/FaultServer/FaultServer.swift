internal import ChunkSystem

/// An HTTP/1.1 server inside the test process that does what a script says, however wrong that is.
///
/// It serves GET and HEAD with single ranges, keep-alive, validators and `If-Range`. It has threads of its own (one that
/// accepts, one a connection), so that it never needs Swift's cooperative pool. All functions may be called from anywhere.
package final class FaultServer: Sendable {
  /// The path under which `init(content:)` puts its bytes.
  package static let defaultPath = "/file.bin"

  /// Where it listens, on `address`.
  package let port: UInt16
  /// An IPv4 address; all of 127/8 is this machine, so 127.0.0.2 is another host as far as URLs go.
  package let address: String
  private let state: ServerState
  private let thread: Monitor<DedicatedThread?>

  /// Starts a server for several paths, on a free port unless told. `onFinish` is called on the thread of the connection
  /// when a request is over.
  package init(
    resources: [String: Resource], script: FaultScript = FaultScript(), address: String = "127.0.0.1", port: UInt16 = 0,
    onFinish: @escaping @Sendable (RecordedRequest) -> Void = { _ in }
  ) throws(FaultServerError) {
    let state = ServerState(resources: resources, script: script, onFinish: onFinish)
    let acceptor = try Acceptor(state: state, address: address, port: port)
    self.state = state
    self.port = acceptor.port
    self.address = address
    do throws(Errno) {
      thread = Monitor(try DedicatedThread(name: "fault server") { acceptor.run() })
    } catch {
      throw FaultServerError(call: "start of a thread", error)
    }
  }

  /// Starts a server with one file at `/file.bin`.
  package convenience init(content: [UInt8], script: FaultScript = FaultScript()) throws(FaultServerError) {
    try self.init(resources: [Self.defaultPath: .bytes(content)], script: script)
  }

  deinit { stop() }

  /// Scheme, address and port.
  package var origin: String { "http://\(address):\(port)" }

  /// The URL of a path.
  package func url(_ path: String = FaultServer.defaultPath) -> String { origin + path }

  /// What has happened up to now.
  package var recording: Recording { state.read { $0.recording } }

  /// Puts something under a path, or takes it away. Answers under way are not changed.
  package func setResource(_ resource: Resource?, at path: String) {
    state.change { $0.resources[path] = resource }
  }

  /// Another script from now on; its rules count from here, the recording goes on.
  package func setScript(_ script: FaultScript) { state.setScript(script) }

  /// Suspends until the recording fulfils the condition, which is asked after every change, and returns the recording of
  /// that moment. Throws `.cancelled` with the task, and `.stopped` when the server stops before.
  @discardableResult
  package func waitUntil(
    _ isFulfilled: @escaping @Sendable (Recording) -> Bool
  ) async throws(FaultServerError) -> Recording {
    try await state.waitUntil(isFulfilled)
  }

  /// Breaks off all connections and returns when every thread has ended. The port is free then.
  package func stop() {
    state.stop()
    thread.change { thread in
      thread?.join()
      thread = nil
    }
  }
}
