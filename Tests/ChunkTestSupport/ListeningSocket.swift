package import ChunkSystem
internal import Glibc

/// A socket that listens on a free port of 127.0.0.1, to be handed to a server that is started.
///
/// The port is ours before the server runs, so nobody else can take it, and who connects early waits in the queue of the
/// socket: there is nothing to poll for.
package final class ListeningSocket: Sendable {
  package let descriptor: CInt
  package let port: UInt16

  package init() throws(Errno) {
    let listener = socket(AF_INET, CInt(SOCK_STREAM.rawValue), 0)
    guard listener >= 0 else { throw Errno(errno) }
    _ = fcntl(listener, F_SETFD, FD_CLOEXEC)
    var name = sockaddr_in()
    name.sin_family = sa_family_t(AF_INET)
    var size = socklen_t(MemoryLayout<sockaddr_in>.size)
    unsafe inet_pton(AF_INET, "127.0.0.1", &name.sin_addr)
    let isListening = unsafe withUnsafeMutablePointer(to: &name) { pointer in
      // A sockaddr_in is handed over as the sockaddr it begins with, with its own size.
      unsafe pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { generic in
        unsafe bind(listener, generic, size) == 0 && listen(listener, 256) == 0
          && getsockname(listener, generic, &size) == 0
      }
    }
    guard isListening else {
      let number = errno
      close(listener)
      throw Errno(number)
    }
    descriptor = listener
    port = UInt16(bigEndian: name.sin_port)
  }

  deinit { close(descriptor) }
}
