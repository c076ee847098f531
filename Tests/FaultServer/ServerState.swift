internal import ChunkSystem
internal import Glibc

/// All that the server's threads and the test share, under one lock. Continuations are resumed outside of it.
///
/// The lock is a `Monitor` and not a `Mutex` because the thread sanitizer does not see a `Mutex` that was waited for.
final class ServerState: Sendable {
  /// Opened when the server is to end.
  let stopped = Gate()
  private let contents: Monitor<Contents>
  private let onFinish: @Sendable (RecordedRequest) -> Void

  struct Contents {
    var resources: [String: Resource]
    var script: FaultScript
    var recording = Recording()
    fileprivate var waiters = WaiterList()
    /// How many requests each rule has matched.
    fileprivate var matched: [Int]
    fileprivate var requestsByPath: [String: Int] = [:]
    fileprivate var tokens: [String: Int] = [:]
    /// Body bytes until the next cut that all connections share.
    fileprivate var untilCut: UInt64 = 0
  }

  init(
    resources: [String: Resource], script: FaultScript, onFinish: @escaping @Sendable (RecordedRequest) -> Void
  ) {
    self.onFinish = onFinish
    let contents = Contents(
      resources: resources, script: script, matched: Array(repeating: 0, count: script.rules.count),
      untilCut: script.connections.cut?.every ?? 0)
    self.contents = Monitor(contents)
  }

  /// Reads something without changing anything.
  func read<Value: Sendable>(_ body: (borrowing Contents) -> Value) -> Value {
    contents.read { body($0) }
  }

  /// Changes something and wakes whoever waited for it.
  func change<Value: Sendable>(_ body: (inout Contents) -> Value) -> Value {
    let (value, fulfilled, recording) = contents.change { contents in
      let value = body(&contents)
      let fulfilled = contents.waiters.takeFulfilled(by: contents.recording)
      return (value, fulfilled, fulfilled.isEmpty ? nil : contents.recording)
    }
    if let recording {
      for waiter in fulfilled { waiter.continuation.resume(returning: .success(recording)) }
    }
    return value
  }

  /// Puts another script in force; its rules count from here.
  func setScript(_ script: FaultScript) {
    change { contents in
      contents.script = script
      contents.matched = Array(repeating: 0, count: script.rules.count)
      contents.untilCut = script.connections.cut?.every ?? 0
    }
  }

  /// Ends every wait; the threads see the gate.
  func stop() {
    stopped.open()
    let waiters = contents.change { $0.waiters.takeAll() }
    for waiter in waiters { waiter.continuation.resume(returning: .failure(.stopped)) }
  }

  /// Suspends until the condition holds for the recording.
  func waitUntil(_ isFulfilled: @escaping @Sendable (Recording) -> Bool) async throws(FaultServerError) -> Recording {
    let id = contents.change { $0.waiters.newID() }
    let result = await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        register(Waiter(id: id, isFulfilled: isFulfilled, continuation: continuation))
      }
    } onCancel: {
      // May run before the waiter is registered, which is then turned away.
      let waiter = contents.change { $0.waiters.cancel(id) }
      waiter?.continuation.resume(returning: .failure(.cancelled))
    }
    contents.change { $0.waiters.forget(id) }
    return try result.get()
  }

  private func register(_ waiter: Waiter) {
    let answer: Result<Recording, FaultServerError>? = contents.change { contents in
      if waiter.isFulfilled(contents.recording) { return .success(contents.recording) }
      if stopped.isOpen { return .failure(.stopped) }
      return contents.waiters.add(waiter) ? nil : .failure(.cancelled)
    }
    if let answer { waiter.continuation.resume(returning: answer) }
  }
}

extension ServerState {
  /// Records a request and decides what is answered.
  func begin(_ request: Request, connection: Int) -> (index: Int, answer: Answer, behaviour: Behaviour) {
    let now = Int64(time(nil))
    return change { contents in contents.begin(request, connection: connection, now: now) }
  }

  /// Body bytes have gone to the kernel.
  func sent(_ count: Int, index: Int) {
    change { contents in
      contents.recording.requests[index].bodyBytesSent += UInt64(count)
      contents.recording.bodyBytesSent += UInt64(count)
    }
  }

  /// A pause begins or ends.
  func setHeld(_ isHeld: Bool, index: Int) {
    change { $0.recording.requests[index].phase = isHeld ? .held : .answering }
  }

  func finish(_ outcome: RecordedRequest.Outcome, index: Int) {
    let request = change { contents in
      contents.recording.requests[index].phase = .finished
      contents.recording.requests[index].outcome = outcome
      contents.recording.activeRequests -= 1
      return contents.recording.requests[index]
    }
    onFinish(request)
  }

  /// How many of `count` body bytes may go before the cut that all connections share, and whether it comes right after.
  func takeShare(of count: Int) -> (count: Int, isCut: Bool) {
    contents.change { contents in
      let granted = Int(min(UInt64(count), contents.untilCut))
      contents.untilCut -= UInt64(granted)
      let isCut = contents.untilCut == 0
      if isCut { contents.untilCut = contents.script.connections.cut?.every ?? 0 }
      return (granted, isCut)
    }
  }

  func connectionOpened() -> Int {
    change { contents in
      contents.recording.connections += 1
      contents.recording.openConnections += 1
      contents.recording.mostConnections = max(
        contents.recording.mostConnections, contents.recording.openConnections)
      return contents.recording.connections
    }
  }

  func connectionClosed() {
    change { $0.recording.openConnections -= 1 }
  }
}

extension ServerState.Contents {
  fileprivate mutating func begin(
    _ request: Request, connection: Int, now: Int64
  ) -> (index: Int, answer: Answer, behaviour: Behaviour) {
    let number = recording.requests.count + 1
    requestsByPath[request.path, default: 0] += 1
    recording.activeRequests += 1
    recording.mostActiveRequests = max(recording.mostActiveRequests, recording.activeRequests)
    let context = RequestMatch.Context(
      request: request, number: number, numberForPath: requestsByPath[request.path] ?? 1, connection: connection,
      wanted: wanted(by: request), openConnections: recording.openConnections,
      activeRequests: recording.activeRequests)

    var behaviour = behaviour(for: context)
    settleTokens(&behaviour, request)
    let plan = AnswerPlan(
      request: request, resource: behaviour.resource ?? resources[request.path], behaviour: behaviour, number: number,
      now: now)
    let answer = plan.answer()
    recording.requests.append(
      RecordedRequest(
        number: number, numberForPath: context.numberForPath, connection: connection, request: request, arrived: .now,
        status: answer.status, served: answer.served))
    return (number - 1, answer, behaviour)
  }

  private func wanted(by request: Request) -> Range<UInt64> {
    guard let length = resources[request.path]?.content.length else { return 0..<0 }
    switch request.range?.resolved(length: length) ?? .whole {
    case .bytes(let range): return range
    case .whole: return 0..<length
    case .unsatisfiable: return 0..<0
    }
  }

  private mutating func behaviour(for context: RequestMatch.Context) -> Behaviour {
    var behaviour = Behaviour()
    for (index, rule) in script.rules.enumerated() where rule.match.matches(context) {
      matched[index] += 1
      let turn = matched[index] - rule.skip
      guard turn > 0, turn <= rule.times ?? Int.max else { continue }
      for action in rule.actions { behaviour.add(action) }
    }
    return behaviour
  }

  /// Hands out the token of a redirect, and takes one use of the token that a request brings.
  private mutating func settleTokens(_ behaviour: inout Behaviour, _ request: Request) {
    if case .redirect(let status, let target, let uses?) = behaviour.replacement {
      let token = "t\(tokens.count + 1)"
      tokens[token] = uses
      let joined = target + (target.contains("?") ? "&" : "?") + "token=\(token)"
      behaviour.replacement = .redirect(status, to: joined, tokenUses: nil)
    }
    if behaviour.requiresToken {
      let parts = request.query?.split(separator: "&") ?? []
      let token = parts.first { $0.hasPrefix("token=") }.map { String($0.dropFirst(6)) } ?? ""
      let uses = tokens[token] ?? 0
      if uses > 0 {
        tokens[token] = uses - 1
      } else {
        behaviour.replacement = .status(403, headers: [], body: Array("Link expired\n".utf8))
      }
    }
  }
}
