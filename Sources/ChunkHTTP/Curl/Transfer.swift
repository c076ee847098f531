internal import CLibCurl
internal import ChunkSystem

/// A delivery and the handle that brings it. libcurl calls the functions below with it, on the loop's thread, while the
/// handle is in the loop's multi handle; that long the loop holds it.
final class Transfer {
  let id: FetchID
  let easy: EasyHandle
  let delivery: Delivery
  private let meter: FetchMeter
  /// Told when the transfer comes to need the loop's attention: it paused for the rate, or drains.
  private let attention: Attention

  init(id: FetchID, easy: EasyHandle, delivery: Delivery, meter: FetchMeter, attention: Attention) {
    self.id = id
    self.easy = easy
    self.delivery = delivery
    self.meter = meter
    self.attention = attention
  }

  fileprivate func connected() { meter.connected() }

  fileprivate func receive(headerLine line: Span<UInt8>) -> Delivery.Step {
    let step = delivery.receive(headerLine: line)
    if delivery.isDraining { attention.draining.append((id, Instant.now.advanced(by: Attention.longestDrain))) }
    if delivery.head?.refusesVersion == true { easy.forbidReuse() }
    return step
  }

  fileprivate func receive(body: Span<UInt8>) -> Delivery.Step {
    let step = delivery.receive(body: body)
    if step == .pause, delivery.pause == .byRate { attention.waitingForRate.append(id) }
    return step
  }
}

/// What the callbacks of transfers leave for their loop to do.
final class Attention {
  /// How long a refused body is waited for: it is on its way, and a new connection would cost more.
  static let longestDrain = Duration.seconds(1)

  /// The first to come first.
  var draining: [(id: FetchID, deadline: Instant)] = []
  var waitingForRate: [FetchID] = []
}

// Names of these are in the handles that `EasyHandle.deliver(to:)` set up, and each context is the transfer named
// there.

func receiveHeaderLine(
  _ bytes: UnsafeMutablePointer<CChar>, _ size: Int, _ count: Int, _ context: UnsafeMutableRawPointer?
) -> Int {
  unsafe receive(bytes, size * count, context) { transfer, line in transfer.receive(headerLine: line) }
}

func receiveBody(
  _ bytes: UnsafeMutablePointer<CChar>, _ size: Int, _ count: Int, _ context: UnsafeMutableRawPointer?
) -> Int {
  unsafe receive(bytes, size * count, context) { transfer, body in transfer.receive(body: body) }
}

func connectionReady(
  _ context: UnsafeMutableRawPointer?, _ remote: UnsafeMutablePointer<CChar>?, _ local: UnsafeMutablePointer<CChar>?,
  _ remotePort: CInt, _ localPort: CInt
) -> CInt {
  guard let context = unsafe context else { return CURL_PREREQFUNC_ABORT }
  unsafe Unmanaged<Transfer>.fromOpaque(context).takeUnretainedValue().connected()
  return CURL_PREREQFUNC_OK
}

/// Lends the bytes for the time of the call and says what became of them in libcurl's words.
private func receive(
  _ bytes: UnsafeMutablePointer<CChar>, _ count: Int, _ context: UnsafeMutableRawPointer?,
  _ body: (Transfer, Span<UInt8>) -> Delivery.Step
) -> Int {
  guard let context = unsafe context else { return failed(count) }
  let transfer = unsafe Unmanaged<Transfer>.fromOpaque(context).takeUnretainedValue()
  let step = unsafe bytes.withMemoryRebound(to: UInt8.self, capacity: count) { start in
    body(transfer, unsafe UnsafeBufferPointer(start: start, count: count).span)
  }
  return switch step {
  case .goOn: count
  case .pause: Int(CURL_WRITEFUNC_PAUSE)
  case .end: failed(count)
  }
}

/// Any number but the count, and not that of a pause.
private func failed(_ count: Int) -> Int { count == 0 ? 1 : 0 }
