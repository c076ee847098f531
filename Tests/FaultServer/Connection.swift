internal import Glibc

/// One accepted socket. Every wait ends with the server, so that stopping never hangs on a client.
struct Connection: ~Copyable {
  /// What ended a wait.
  enum Wakeup {
    case ready
    case timedOut
    case clientClosed
    case stopped
  }

  /// The client went away, or the server is stopping.
  struct Broken: Error {
    let outcome: RecordedRequest.Outcome
  }

  // Not among the names Glibc shows without _GNU_SOURCE: the other side has closed its half.
  private static let clientHungUp: Int16 = 0x2000

  let number: Int
  private let socket: CInt
  private let stopped: Gate
  private var unread: [UInt8] = []
  private var ending: FaultAction.Ending = .close

  /// Takes the socket over.
  init(socket: CInt, number: Int, stopped: Gate) {
    self.socket = socket
    self.number = number
    self.stopped = stopped
    _ = fcntl(socket, F_SETFD, FD_CLOEXEC)
    _ = fcntl(socket, F_SETFL, O_NONBLOCK)
    var on: CInt = 1
    _ = unsafe setsockopt(socket, CInt(IPPROTO_TCP), TCP_NODELAY, &on, socklen_t(MemoryLayout<CInt>.size))
  }

  deinit {
    if ending == .reset {
      var option = linger(l_onoff: 1, l_linger: 0)
      _ = unsafe setsockopt(socket, SOL_SOCKET, SO_LINGER, &option, socklen_t(MemoryLayout<linger>.size))
    } else {
      // Bytes that nobody read would turn the close into a reset. The shutdown makes the end visible even while a child
      // process that is just being started still holds a copy of the descriptor.
      var scratch = [UInt8](repeating: 0, count: 4096)
      while unsafe recv(socket, &scratch, scratch.count, 0) > 0 {}
      _ = shutdown(socket, CInt(SHUT_RDWR))
    }
    close(socket)
  }

  /// How the connection will end when it is given up.
  mutating func endWith(_ ending: FaultAction.Ending) { self.ending = ending }

  /// Waits for a pause of the script to end.
  func wait(for pause: Pause) throws(Broken) {
    let wakeup =
      switch pause {
      case .gate(let gate): poll(0, gate: gate, timeout: nil)
      case .duration(let duration): poll(0, gate: nil, timeout: duration)
      case .forever: poll(0, gate: nil, timeout: nil)
      }
    switch wakeup {
    case .ready, .timedOut: return
    case .clientClosed: throw Broken(outcome: .clientClosed)
    case .stopped: throw Broken(outcome: .stopped)
    }
  }

  /// The bytes of the next head, without the empty line that ends it; nil when the connection ends before it is there.
  mutating func nextHead(limit: Int) -> [UInt8]? {
    var searched = 0
    while true {
      if let end = endOfHead(from: searched) {
        let head = Array(unread[..<end])
        unread.removeFirst(end + 4)
        return head
      }
      guard unread.count < limit else { return nil }
      searched = max(0, unread.count - 3)
      guard poll(Int16(POLLIN), gate: nil, timeout: nil) == .ready, receive() else { return nil }
    }
  }

  private func endOfHead(from start: Int) -> Int? {
    guard unread.count >= 4, start <= unread.count - 4 else { return nil }
    return (start...(unread.count - 4)).first { unread[$0..<($0 + 4)].elementsEqual([13, 10, 13, 10]) }
  }

  private mutating func receive() -> Bool {
    var buffer = [UInt8](repeating: 0, count: 16_384)
    let count = unsafe recv(socket, &buffer, buffer.count, 0)
    guard count > 0 else { return count < 0 && (errno == EAGAIN || errno == EINTR) }
    unread.append(contentsOf: buffer[..<count])
    return true
  }

  /// Gives all of the bytes to the kernel.
  func send(_ bytes: Span<UInt8>) throws(Broken) {
    var done = 0
    while done < bytes.count {
      let count = unsafe bytes.withUnsafeBytes { raw in
        // Inside the span: `done` is less than its count.
        unsafe Glibc.send(socket, raw.baseAddress.map { unsafe $0 + done }, raw.count - done, CInt(MSG_NOSIGNAL))
      }
      let number = errno
      if count >= 0 {
        done += count
      } else if number == EAGAIN {
        switch poll(Int16(POLLOUT), gate: nil, timeout: nil) {
        case .ready, .timedOut: break
        case .clientClosed: throw Broken(outcome: .clientClosed)
        case .stopped: throw Broken(outcome: .stopped)
        }
      } else if number != EINTR {
        throw Broken(outcome: .clientClosed)
      }
    }
  }

  /// Waits for the socket to be ready for `events`, or, when that is 0, for the gate, the time or the client's leaving.
  private func poll(_ events: Int16, gate: Gate?, timeout: Duration?) -> Wakeup {
    let deadline = timeout.map { ContinuousClock.now + $0 }
    while true {
      var entries = [
        pollfd(fd: stopped.readEnd, events: Int16(POLLIN), revents: 0),
        pollfd(fd: socket, events: events == 0 ? Self.clientHungUp : events, revents: 0),
      ]
      if let gate { entries.append(pollfd(fd: gate.readEnd, events: Int16(POLLIN), revents: 0)) }
      let milliseconds = deadline.map { (deadline: ContinuousClock.Instant) in
        max(0, min(60_000, ContinuousClock.now.duration(to: deadline).wholeMilliseconds))
      }
      let count = unsafe Glibc.poll(&entries, nfds_t(entries.count), CInt(milliseconds ?? -1))
      if entries[0].revents != 0 { return .stopped }
      if gate != nil, entries[2].revents != 0 { return .ready }
      if entries[1].revents != 0 { return events == 0 ? .clientClosed : .ready }
      if count == 0, let deadline, ContinuousClock.now >= deadline { return .timedOut }
    }
  }
}

extension Duration {
  /// Rounded up, so that a wait is never shorter than asked for.
  fileprivate var wholeMilliseconds: Int {
    let (seconds, attoseconds) = components
    return Int(seconds) * 1000 + Int((attoseconds + 999_999_999_999_999) / 1_000_000_000_000_000)
  }
}
