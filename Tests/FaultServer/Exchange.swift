/// Sends one answer as the script wants it, and records what really went.
struct Exchange {
  let state: ServerState
  let index: Int
  let answer: Answer
  let behaviour: Behaviour

  /// Ends the exchange after the body bytes that were sent so far.
  private enum Stop: Error {
    case broken(RecordedRequest.Outcome)
    case cut(FaultAction.Ending)
  }

  /// Sends everything; says whether the connection can be used again.
  func perform(on connection: inout Connection, untilCut: inout UInt64?) -> Bool {
    do throws(Stop) {
      try send(on: connection, untilCut: &untilCut)
      state.finish(.complete, index: index)
      if let ending = answer.ending { connection.endWith(ending) }
      return answer.ending == nil
    } catch {
      switch error {
      case .broken(let outcome): state.finish(outcome, index: index)
      case .cut(let ending):
        connection.endWith(ending)
        state.finish(.cut, index: index)
      }
      return false
    }
  }

  private func send(on connection: borrowing Connection, untilCut: inout UInt64?) throws(Stop) {
    if let pause = behaviour.holdHead { try hold(pause, connection) }
    if !answer.head.isEmpty { try raw(answer.head, connection) }
    if let pause = behaviour.holdBody { try hold(pause, connection) }
    var position: UInt64 = 0
    for segment in answer.body {
      var done: UInt64 = 0
      while done < segment.length {
        try stallIfDue(at: position, connection)
        let wish = portion(at: position, of: segment.length - done)
        guard wish > 0 else { throw .cut(behaviour.cut?.ending ?? .close) }
        let share = allowance(for: wish, untilCut: &untilCut)
        let bytes = bytes(of: segment, at: done, count: share.count)
        try body(bytes, connection)
        done += UInt64(share.count)
        position += UInt64(share.count)
        if let ending = share.cut { throw .cut(ending) }
        if let trickle = behaviour.trickle { try hold(.duration(trickle.every), connection) }
      }
    }
    try stallIfDue(at: position, connection)
    if let cut = behaviour.cut, cut.after <= position { throw .cut(cut.ending) }
    if answer.isChunked { try raw(Array("0\r\n\r\n".utf8), connection) }
  }

  /// How much goes next: up to a buffer, a drop of the trickle, the place of the stall or that of the cut.
  private func portion(at position: UInt64, of rest: UInt64) -> Int {
    var count = min(rest, 65_536)
    if let trickle = behaviour.trickle { count = min(count, UInt64(max(1, trickle.bytes))) }
    if let stall = behaviour.stall, stall.after > position { count = min(count, stall.after - position) }
    if let cut = behaviour.cut { count = min(count, cut.after > position ? cut.after - position : 0) }
    return Int(count)
  }

  private func allowance(for wish: Int, untilCut: inout UInt64?) -> (count: Int, cut: FaultAction.Ending?) {
    guard let cut = state.read({ $0.script.connections.cut }) else { return (wish, nil) }
    switch cut.scope {
    case .server:
      let share = state.takeShare(of: wish)
      return (share.count, share.isCut ? cut.ending : nil)
    case .connection:
      let left = untilCut ?? cut.every
      let count = Int(min(UInt64(wish), left))
      untilCut = left - UInt64(count)
      return (count, left == UInt64(count) ? cut.ending : nil)
    }
  }

  private func bytes(of segment: Answer.Segment, at start: UInt64, count: Int) -> [UInt8] {
    switch segment {
    case .literal(let literal):
      return Array(literal[Int(start)..<(Int(start) + count)])
    case .content(let content, let range):
      let first = range.lowerBound + start
      var result = content.bytes(in: first..<(first + UInt64(count)))
      for flip in behaviour.flips where flip >= first && flip - first < UInt64(count) {
        result[Int(flip - first)] ^= 1
      }
      return result
    }
  }

  private func stallIfDue(at position: UInt64, _ connection: borrowing Connection) throws(Stop) {
    guard let stall = behaviour.stall, stall.after == position else { return }
    try hold(stall.pause, connection)
  }

  private func hold(_ pause: Pause, _ connection: borrowing Connection) throws(Stop) {
    state.setHeld(true, index: index)
    do throws(Connection.Broken) {
      try connection.wait(for: pause)
    } catch {
      throw .broken(error.outcome)
    }
    state.setHeld(false, index: index)
  }

  private func body(_ bytes: [UInt8], _ connection: borrowing Connection) throws(Stop) {
    guard answer.isChunked else {
      try raw(bytes, connection)
      return state.sent(bytes.count, index: index)
    }
    let framed = Array("\(String(bytes.count, radix: 16))\r\n".utf8) + bytes + [13, 10]
    try raw(framed, connection)
    state.sent(bytes.count, index: index)
  }

  private func raw(_ bytes: [UInt8], _ connection: borrowing Connection) throws(Stop) {
    do throws(Connection.Broken) {
      try connection.send(bytes.span)
    } catch {
      throw .broken(error.outcome)
    }
  }
}
