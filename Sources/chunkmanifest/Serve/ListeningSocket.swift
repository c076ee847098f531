internal import ChunkSystem
internal import Glibc

/// A socket that waits for connections. libmicrohttpd could make one, but not say why it could not.
struct ListeningSocket: ~Copyable {
  struct Failure: Error, Hashable, Sendable {
    let message: String
  }

  private let number: CInt
  /// The one asked for or, for 0, the one the kernel chose.
  let port: UInt16

  /// The address is numeric, or a name that stands for an address of this machine.
  init(address: String, port: UInt16) throws(Failure) {
    let found = try Self.resolve(address, port: port)
    let number = socket(
      found.family, CInt(SOCK_STREAM.rawValue) | CInt(SOCK_CLOEXEC.rawValue) | CInt(SOCK_NONBLOCK.rawValue), 0)
    guard number >= 0 else { throw Self.failure("cannot make a socket", Errno(errno)) }
    do throws(Failure) {
      self.port = try Self.listen(number, at: found.bytes)
    } catch {
      _ = close(number)
      throw Failure(message: "cannot listen on \(Self.host(address)):\(port): \(error.message)")
    }
    self.number = number
  }

  deinit { _ = close(number) }

  /// Hands the number over to code that closes it itself.
  consuming func release() -> CInt {
    let number = number
    discard self
    return number
  }

  /// An address as a URL writes it: `127.0.0.1`, `[::1]`.
  static func host(_ address: String) -> String { address.contains(":") ? "[\(address)]" : address }

  /// The socket address as the kernel wants it.
  private static func resolve(_ address: String, port: UInt16) throws(Failure) -> (family: CInt, bytes: [UInt8]) {
    var hints = unsafe addrinfo()
    unsafe hints.ai_flags = AI_PASSIVE | AI_NUMERICSERV
    unsafe hints.ai_socktype = CInt(SOCK_STREAM.rawValue)
    var list: UnsafeMutablePointer<addrinfo>?
    let code = unsafe getaddrinfo(address, String(port), &hints, &list)
    defer { if let list = unsafe list { unsafe freeaddrinfo(list) } }
    // The list lives until it is freed above; what is needed of it is copied.
    guard code == 0, let first = unsafe list?.pointee, let pointer = unsafe first.ai_addr else {
      throw Failure(message: "\(address) is no address of this machine")
    }
    let bytes = unsafe [UInt8](UnsafeRawBufferPointer(start: pointer, count: Int(first.ai_addrlen)))
    return unsafe (first.ai_family, bytes)
  }

  /// Binds, listens, and tells the port.
  private static func listen(_ number: CInt, at address: [UInt8]) throws(Failure) -> UInt16 {
    var on: CInt = 1
    // A restarted server takes its port again although old connections still linger.
    _ = unsafe setsockopt(number, SOL_SOCKET, SO_REUSEADDR, &on, socklen_t(MemoryLayout<CInt>.size))
    let bound = unsafe address.withUnsafeBytes { bytes in
      // The bytes are a socket address that getaddrinfo made, alignment of an array's storage is at least 16.
      let pointer = unsafe bytes.assumingMemoryBound(to: sockaddr.self).baseAddress
      return unsafe bind(number, pointer, socklen_t(bytes.count))
    }
    guard bound == 0 else { throw failure("bind", Errno(errno)) }
    guard Glibc.listen(number, SOMAXCONN) == 0 else { throw failure("listen", Errno(errno)) }
    var name = sockaddr_storage()
    var length = socklen_t(MemoryLayout<sockaddr_storage>.size)
    let told = unsafe withUnsafeMutableBytes(of: &name) { bytes in
      let pointer = unsafe bytes.assumingMemoryBound(to: sockaddr.self).baseAddress
      return unsafe getsockname(number, pointer, &length)
    }
    guard told == 0 else { throw failure("getsockname", Errno(errno)) }
    // The port stands at the same place, in network order, in both families.
    return unsafe withUnsafeBytes(of: &name) { bytes in
      unsafe UInt16(bigEndian: bytes.load(fromByteOffset: 2, as: UInt16.self))
    }
  }

  private static func failure(_ call: String, _ error: Errno) -> Failure { Failure(message: "\(call): \(error)") }
}
