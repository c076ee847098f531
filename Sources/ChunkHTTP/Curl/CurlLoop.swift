internal import ChunkSystem

/// One thread with transfers of its own. It ends when the object is gone, or when `stop` asks for it.
final class CurlLoop: Sendable {
  let mailbox: LoopMailbox
  private let thread: DedicatedThread

  init(name: String, limit: RateLimit?, receiveBufferSize: Int) throws(HTTPFailure) {
    do {
      let multi = try MultiHandle()
      let mailbox = LoopMailbox(multi: multi)
      // The thread must not hold the loop, or it would never be gone.
      thread = try DedicatedThread(name: name) {
        LoopRun(mailbox: mailbox, multi: multi, limit: limit, receiveBufferSize: receiveBufferSize).run()
      }
      self.mailbox = mailbox
    } catch {
      throw HTTPFailure(code: .noMemory, message: "The network thread cannot be started (\(error)).")
    }
  }

  deinit { stop() }

  func stop() { mailbox.post(.stop) }

  /// Waits until the thread has ended. Not from that thread.
  func join() { thread.join() }
}
