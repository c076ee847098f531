private import CLibCurl
internal import ChunkSystem
private import Synchronization

/// Fetches over libcurl, on threads of its own. Every loop has its connections; what is encrypted goes to the loop that has a
/// connection to spare, or least to do.
///
/// Streams of HTTP/2 have a loop of their own: beside them libcurl 7.88 takes a connection of HTTP/1.1 to the same server, while it
/// is in use, for one that can be shared, and brings the answer of one request to another.
package final class CurlFetcher: RangeFetching, Sendable {
  package struct Options: Hashable, Sendable {
    /// Threads, 1 to 63, beside the one for streams of HTTP/2. One moves about 20 Gbit/s of plain HTTP, which a second one
    /// only slows down, and a quarter of that with TLS; so plain HTTP stays on the first one.
    /// `Spec/decisions/0009-two-loops-decrypt.md` has the figures.
    package var loops: Int
    /// A ceiling for all bodies together; nil for none.
    package var bytesPerSecond: UInt64?

    package init(loops: Int = 2, bytesPerSecond: UInt64? = nil) {
      self.loops = loops
      self.bytesPerSecond = bytesPerSecond
    }
  }

  /// The last one is for streams of HTTP/2.
  private let loops: [CurlLoop]
  private let nextSerial = Atomic<UInt64>(0)
  private let joining = Lock<Void>(())

  package init(_ options: Options = Options()) throws(HTTPFailure) {
    precondition((1...63).contains(options.loops), "1 to 63 loops")
    guard Self.library == CURLE_OK else {
      throw HTTPFailure(code: .internalError, message: "libcurl cannot be initialised.")
    }
    let limit = options.bytesPerSecond.map { RateLimit(bytesPerSecond: $0) }
    var loops: [CurlLoop] = []
    for index in 0...options.loops {
      loops.append(
        try CurlLoop(
          name: "http-\(index)", limit: limit, receiveBufferSize: Self.receiveBufferSize(options.bytesPerSecond)))
    }
    self.loops = loops
  }

  /// Ends every fetch, `.cancelled`, and waits until the threads have ended: no receiver is called afterwards. A
  /// fetch started later is told `.cancelled` at once, by the thread that starts it. May be called again; not from a
  /// receiver. Without this call the threads end by themselves some time after the fetcher is gone.
  package func shutdown() {
    for loop in loops { loop.stop() }
    joining.withLock { _ in for loop in loops { loop.join() } }
  }

  package func start(_ request: RangeRequest, receiver: any ResponseReceiver) -> FetchID {
    let loop = loop(for: request)
    let serial = nextSerial.add(1, ordering: .relaxed).newValue
    let id = FetchID(rawValue: serial << 6 | UInt64(loop))
    if !loops[loop].mailbox.start(id, request, receiver) { receiver.finished(.cancelled) }
    return id
  }

  private func loop(for request: RangeRequest) -> Int {
    if request.options.version == .http2 { return loops.count - 1 }
    guard request.url.scheme == .https else { return 0 }
    let loads = loops.dropLast().map { $0.mailbox.load(for: request.url.origin) }
    // A handshake takes longer than a turn of a loop that is busy.
    let candidates = loads.indices.filter { loads[$0].idleConnections > 0 }
    return (candidates.isEmpty ? Array(loads.indices) : candidates).min { loads[$0].fetches < loads[$1].fetches } ?? 0
  }

  package func resume(_ id: FetchID) { mailbox(of: id)?.post(.resume(id)) }

  package func cancel(_ id: FetchID) { mailbox(of: id)?.post(.cancel(id)) }

  package func activity(of id: FetchID) -> FetchActivity? { mailbox(of: id)?.activity(of: id) }

  /// How many connections were opened for fetches that have ended.
  package var connectionsOpened: Int { loops.reduce(0) { $0 + $1.mailbox.connectionsOpened } }

  private func mailbox(of id: FetchID) -> LoopMailbox? {
    let index = Int(id.rawValue & 63)
    return index < loops.count ? loops[index].mailbox : nil
  }

  /// The library is made ready once for the process, which is as global as it gets here.
  private static let library = curl_global_init(Int(CURL_GLOBAL_DEFAULT))

  /// Large buffers save system calls, and each connection has one: twice as large ones gain nothing. Under a limit a small
  /// one keeps what is read close to what is taken.
  private static func receiveBufferSize(_ bytesPerSecond: UInt64?) -> Int {
    let large = 256 * 1024
    guard let bytesPerSecond else { return large }
    return min(large, max(16 * 1024, Int(clamping: bytesPerSecond / 16)))
  }
}
