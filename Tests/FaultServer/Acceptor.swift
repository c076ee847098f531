internal import ChunkSystem
internal import Glibc

/// Accepts connections on a thread of its own, gives each its thread, and joins them all.
final class Acceptor: Sendable {
  let port: UInt16
  private let state: ServerState
  private let socket: CInt
  /// Rung by connections that end, so that their threads are joined and, under a limit, the next one is let in.
  private let doorbell: Doorbell
  private let finished = Monitor<[Int]>([])

  /// Binds and listens. Nothing is accepted before `run`.
  init(state: ServerState, address: String, port wanted: UInt16) throws(FaultServerError) {
    (socket, port) = try Self.listen(address: address, port: wanted)
    self.state = state
    doorbell = Doorbell()
  }

  deinit { close(socket) }

  private static func listen(address: String, port: UInt16) throws(FaultServerError) -> (CInt, UInt16) {
    var name = sockaddr_in()
    name.sin_family = sa_family_t(AF_INET)
    name.sin_port = port.bigEndian
    guard unsafe inet_pton(AF_INET, address, &name.sin_addr) == 1 else {
      throw FaultServerError(.system, "\(address) is not an IPv4 address")
    }
    let listener = Glibc.socket(AF_INET, CInt(SOCK_STREAM.rawValue), 0)
    guard listener >= 0 else { throw FaultServerError(call: "socket", Errno(errno)) }
    _ = fcntl(listener, F_SETFD, FD_CLOEXEC)
    _ = fcntl(listener, F_SETFL, O_NONBLOCK)
    var on: CInt = 1
    _ = unsafe setsockopt(listener, SOL_SOCKET, SO_REUSEADDR, &on, socklen_t(MemoryLayout<CInt>.size))
    var size = socklen_t(MemoryLayout<sockaddr_in>.size)
    let result = unsafe withUnsafeMutablePointer(to: &name) { pointer in
      // A sockaddr_in is handed over as the sockaddr it begins with, with its own size.
      unsafe pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { generic in
        unsafe bind(listener, generic, size) == 0 && Glibc.listen(listener, 256) == 0
          && getsockname(listener, generic, &size) == 0
      }
    }
    guard result else {
      let number = Errno(errno)
      close(listener)
      throw FaultServerError(call: "listen on \(address):\(port)", number)
    }
    return (listener, UInt16(bigEndian: name.sin_port))
  }

  /// Runs until the server is stopped, and returns when the last connection's thread has been joined.
  func run() {
    var threads: [Int: DedicatedThread] = [:]
    while !state.stopped.isOpen {
      let faults = state.read { ($0.script.connections, $0.recording.openConnections) }
      let mayAccept = faults.1 < faults.0.limit ?? Int.max
      let isReady = wait(forClient: mayAccept)
      doorbell.quieten()
      for number in finished.change({ numbers in
        defer { numbers = [] }
        return numbers
      }) { threads.removeValue(forKey: number)?.join() }
      guard isReady else { continue }
      if let pause = faults.0.acceptPause { waitForPause(pause) }
      if !state.stopped.isOpen, let (number, thread) = acceptOne(faults.0) { threads[number] = thread }
    }
    for thread in threads.values { thread.join() }
  }

  /// True when a client is at the door and may come in.
  private func wait(forClient mayAccept: Bool) -> Bool {
    var entries = [state.stopped.readEnd, doorbell.readEnd, socket].map {
      pollfd(fd: $0, events: Int16(POLLIN), revents: 0)
    }
    if !mayAccept { entries.removeLast() }
    _ = unsafe poll(&entries, nfds_t(entries.count), -1)
    return entries[0].revents == 0 && mayAccept && entries[2].revents != 0
  }

  private func waitForPause(_ pause: Pause) {
    var entries = [pollfd(fd: state.stopped.readEnd, events: Int16(POLLIN), revents: 0)]
    var milliseconds: CInt = -1
    switch pause {
    case .gate(let gate): entries.append(pollfd(fd: gate.readEnd, events: Int16(POLLIN), revents: 0))
    case .duration(let duration): milliseconds = CInt(duration / .milliseconds(1))
    case .forever: break
    }
    _ = unsafe poll(&entries, nfds_t(entries.count), milliseconds)
  }

  private func acceptOne(_ faults: ConnectionFaults) -> (Int, DedicatedThread)? {
    let client = accept(socket, nil, nil)
    guard client >= 0 else { return nil }
    let number = state.connectionOpened()
    let conversation = Conversation(
      state: state, socket: client, number: number, isRefused: faults.refused?.contains(number) ?? false)
    do throws(Errno) {
      let thread = try DedicatedThread(name: "fault client") { [self] in
        conversation.run()
        state.connectionClosed()
        finished.change { $0.append(number) }
        doorbell.ring()
      }
      return (number, thread)
    } catch {
      close(client)
      state.connectionClosed()
      return nil
    }
  }
}

/// A pipe that wakes the acceptor, any number of times.
private final class Doorbell: Sendable {
  let readEnd: CInt
  private let writeEnd: CInt

  init() {
    var ends: [CInt] = [-1, -1]
    let result = unsafe pipe(&ends)
    precondition(result == 0, "no descriptors left for a server")
    for end in ends {
      _ = fcntl(end, F_SETFD, FD_CLOEXEC)
      _ = fcntl(end, F_SETFL, O_NONBLOCK)
    }
    readEnd = ends[0]
    writeEnd = ends[1]
  }

  deinit {
    close(readEnd)
    close(writeEnd)
  }

  func ring() {
    // A full pipe rings already.
    var byte: UInt8 = 1
    _ = unsafe write(writeEnd, &byte, 1)
  }

  func quieten() {
    var bytes = [UInt8](repeating: 0, count: 256)
    while unsafe read(readEnd, &bytes, bytes.count) > 0 {}
  }
}
