internal import ChunkHTTP

/// What it takes to reach the servers of a download, beyond their URLs. Names and meanings are those of curl's options.
///
/// Headers, `user`, cookies and the client certificate are for the origin of the URL that was asked for, and are sent to no
/// other: not to mirrors, not where redirects lead, not to proxies. They never appear in errors, notices or reports.
/// A plain value. `Sendable`.
public struct ServerAccess: Sendable {
  /// Where names and passwords of hosts are looked up that neither the URL nor `user` gives.
  public enum Netrc: Sendable, Equatable {
    case off
    /// `.netrc` of the home directory.
    case home
    case file(String)
  }

  /// Which addresses of a host are used.
  public enum AddressFamily: Sendable, Equatable {
    case any, v4, v6
  }

  /// Header fields, each as `Name: value`. Not those that say which bytes are meant, or how they come.
  public var headers: [String] = []
  /// `name:password`, sent as Basic authentication.
  public var user: String?
  /// `name=value; …`, sent as `Cookie`.
  public var cookies: String?
  /// A client certificate (PEM).
  public var clientCertificateFile: String?
  /// Its key (PEM), where that is not in the same file.
  public var clientKeyFile: String?
  /// What is sent as `User-Agent`; nil for the default.
  public var userAgent: String?
  /// A proxy, as URL; empty for none whatever the environment says; nil for what that says (`http_proxy`, `https_proxy`,
  /// `all_proxy`, `no_proxy`).
  public var proxy: String?
  /// `name:password` for the proxy.
  public var proxyUser: String?
  /// Where else names and passwords are looked up.
  public var netrc = Netrc.off
  /// `host:port:address` each: that host is there, whatever the name service says.
  public var resolve: [String] = []
  /// The interface to go out by, by name or address.
  public var interface: String?
  /// A socket to connect to, whatever the URL says.
  public var unixSocket: String?
  /// Which addresses are used.
  public var addressFamily = AddressFamily.any
  /// Whether HTTP/2 is not spoken even to a server that takes nothing else.
  public var usesHTTP1Only = false
  /// How many redirects in a row are followed.
  public var maximumRedirects = 10

  /// Nothing special.
  public init() {}
}

extension ServerAccess {
  /// What belongs to the origin of `url`; nil when that is nothing.
  func credentials(for url: HTTPURL) throws(HTTPFailure) -> OriginCredentials? {
    var credentials = OriginCredentials(origin: url.origin)
    for line in headers { credentials.headers.append(try HeaderField(line: line)) }
    if let cookies { credentials.headers.append(try HeaderField(name: "Cookie", value: cookies)) }
    if let user { credentials.user = try UserPassword(user) }
    if let clientCertificateFile {
      credentials.clientCertificate = .init(certificateFile: clientCertificateFile, keyFile: clientKeyFile)
    }
    return credentials == OriginCredentials(origin: url.origin) ? nil : credentials
  }

  /// How connections are made.
  func apply(to connection: inout ConnectionOptions) throws(HTTPFailure) {
    if let userAgent { connection.userAgent = try HeaderField(name: "User-Agent", value: userAgent).value }
    if let proxy { connection.proxy = proxy.isEmpty ? .none : .url(proxy) }
    if let proxyUser { connection.proxyUser = try UserPassword(proxyUser) }
    connection.netrc =
      switch netrc {
      case .off: .off
      case .home: .home
      case .file(let path): .file(path)
      }
    connection.resolve = resolve
    connection.interface = interface
    connection.unixSocket = unixSocket
    connection.addressFamily =
      switch addressFamily {
      case .any: .any
      case .v4: .v4
      case .v6: .v6
      }
  }
}
