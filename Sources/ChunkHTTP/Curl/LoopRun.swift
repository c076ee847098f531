internal import CLibCurl
internal import ChunkSystem

/// The life of a loop's thread: everything libcurl does happens in `run`, and so do all calls of receivers.
///
/// Invariants:
/// 1. A transfer is in `transfers` exactly as long as its handle is in the multi handle.
/// 2. A transfer leaves both in `end` only, which tells its receiver; no callback of libcurl calls that.
/// 3. When `run` returns, every receiver has been told, and nobody else will be.
final class LoopRun {
  private let mailbox: LoopMailbox
  private let multi: MultiHandle
  private let limit: RateLimit?
  private let receiveBufferSize: Int
  private let attention = Attention()
  private var transfers: [FetchID: Transfer] = [:]
  private var idleHandles: [EasyHandle] = []
  private var isStopping = false

  init(mailbox: LoopMailbox, multi: MultiHandle, limit: RateLimit?, receiveBufferSize: Int) {
    self.mailbox = mailbox
    self.multi = multi
    self.limit = limit
    self.receiveBufferSize = receiveBufferSize
  }

  func run() {
    while true {
      for command in mailbox.drain() { perform(command) }
      if isStopping { break }
      resumeWithinRate()
      guard multi.perform() else { break }
      endFinished()
      endDraining()
      guard multi.wait(atMost: longestWait) else { break }
    }
    let late = mailbox.close()
    for transfer in Array(transfers.values) { end(transfer, endOutcome) }
    for case .start(let id, let request, let receiver, let meter) in late {
      mailbox.ended(id, connectionsOpened: 0, isConnectionKept: false)
      Delivery(request: request, receiver: receiver, meter: meter, limit: nil).finish(endOutcome)
    }
  }

  private func perform(_ command: LoopCommand) {
    switch command {
    case .start(let id, let request, let receiver, let meter):
      start(id, request, Delivery(request: request, receiver: receiver, meter: meter, limit: limit), meter)
    case .resume(let id):
      if let transfer = transfers[id], transfer.delivery.pause == .byReceiver { resume(transfer) }
    case .cancel(let id):
      if let transfer = transfers[id] { end(transfer, .cancelled) }
    case .stop: isStopping = true
    }
  }

  // MARK: Begin and end

  private func start(_ id: FetchID, _ request: RangeRequest, _ delivery: Delivery, _ meter: FetchMeter) {
    do throws(CurlCode) {
      let easy = try resetHandle()
      let transfer = Transfer(id: id, easy: easy, delivery: delivery, meter: meter, attention: attention)
      try easy.prepare(request, receiveBufferSize: receiveBufferSize)
      try easy.deliver(to: transfer)
      guard multi.add(easy) else { throw CurlCode(code: CURLE_OUT_OF_MEMORY) }
      transfers[id] = transfer
    } catch {
      mailbox.ended(id, connectionsOpened: 0, isConnectionKept: false)
      delivery.finish(.failed(.preparation(error, url: request.url)))
    }
  }

  private func resetHandle() throws(CurlCode) -> EasyHandle {
    let easy = if let idle = idleHandles.popLast() { idle } else { try EasyHandle() }
    try easy.reset()
    return easy
  }

  private func end(_ transfer: Transfer, _ outcome: FetchOutcome) {
    let connections = transfer.easy.connectionsOpened
    multi.remove(transfer.easy)
    transfers[transfer.id] = nil
    // After a transfer that broke off, or whose connection others still use, libcurl may keep a receive buffer, and then does not
    // let its size be set again.
    let letsGo = outcome == .complete && !transfer.delivery.isMultiplexed
    if letsGo, idleHandles.count < 64 { idleHandles.append(transfer.easy) }
    mailbox.ended(transfer.id, connectionsOpened: connections, isConnectionKept: outcome == .complete)
    transfer.delivery.finish(outcome)
  }

  private func endFinished() {
    while let (transfer, code) = multi.nextFinished() { end(transfer, code) }
  }

  private func end(_ transfer: Transfer, _ code: CURLcode) {
    let failure = HTTPFailure.transport(transfer.easy.result(code), url: transfer.delivery.url)
    end(transfer, transfer.delivery.outcome(transport: failure))
  }

  /// A refused body that does not come is not waited for any longer.
  private func endDraining() {
    while let first = attention.draining.first, transfers[first.id] == nil || first.deadline <= .now {
      attention.draining.removeFirst()
      if let transfer = transfers[first.id] { end(transfer, transfer.delivery.outcome(transport: nil)) }
    }
  }

  /// What is told to those that run when the loop ends: as a rule because it was asked to.
  private var endOutcome: FetchOutcome {
    isStopping ? .cancelled : .failed(HTTPFailure(code: .internalError, message: "The network library cannot go on."))
  }

  // MARK: Pauses

  private func resume(_ transfer: Transfer) {
    transfer.delivery.resume()
    do throws(CurlCode) {
      try transfer.easy.unpause()
    } catch {
      end(transfer, error.code)
    }
  }

  /// Goes on with transfers that wait for the rate, the first to come first, while there is any of it.
  private func resumeWithinRate() {
    guard let limit, !attention.waitingForRate.isEmpty else { return }
    var waiting = attention.waitingForRate[...]
    attention.waitingForRate = []
    while let id = waiting.first, limit.isOpen {
      waiting.removeFirst()
      if let transfer = transfers[id] { resume(transfer) }
    }
    attention.waitingForRate.insert(contentsOf: waiting, at: 0)
  }

  /// libcurl knows its own deadlines; these are ours.
  private var longestWait: Duration {
    var wait = Duration.seconds(60)
    if let limit, !attention.waitingForRate.isEmpty { wait = min(wait, limit.delay) }
    if let first = attention.draining.first { wait = min(wait, Instant.now.duration(to: first.deadline)) }
    return wait
  }
}
