/// How connections are made; the same for all requests of a download as a rule.
package struct ConnectionOptions: Hashable, Sendable {
  package enum Version: Hashable, Sendable {
    /// One connection a request at a time: each has a congestion window of its own, and can be paused alone.
    case http1
    /// Multiplexed where the server offers it by ALPN over TLS, HTTP/1.1 where it does not. For small answers that are
    /// taken as they come: one paused stream can hold up all others of its connection (libcurl 7.88).
    case http2
    /// The same with a new connection for each request, so that it can be paused: for payload from servers that take
    /// nothing but HTTP/2.
    case http2Alone
  }

  package enum Proxy: Hashable, Sendable {
    /// What `http_proxy`, `https_proxy`, `all_proxy` and `no_proxy` say.
    case environment
    case none
    case url(String)
  }

  package enum AddressFamily: Hashable, Sendable {
    case any
    case v4
    case v6
  }

  /// Where names and passwords of hosts are looked up when neither the URL nor the user gave one.
  package enum Netrc: Hashable, Sendable {
    case off
    /// `.netrc` of the home directory.
    case home
    case file(String)
  }

  /// Certificates of authorities to trust instead of the system's, a file in PEM form.
  package var caFile: String?
  /// For name, connection and TLS together.
  package var connectTimeout: Duration = .seconds(30)
  package var version: Version = .http1
  package var userAgent = "chunkget"
  package var proxy: Proxy = .environment
  package var proxyUser: UserPassword?
  /// `host:port:address`, as curl's `--resolve` takes it.
  package var resolve: [String] = []
  /// Name or address of the interface to go out by.
  package var interface: String?
  /// A socket to connect to, whatever the URL says.
  package var unixSocket: String?
  package var addressFamily: AddressFamily = .any
  package var netrc: Netrc = .off
  /// How many redirects in a row are followed; for those who follow them.
  package var maximumRedirects = RedirectChain.usualLimit
  /// Whether a server that takes nothing but HTTP/2 is given up; for those who would ask it again.
  package var isHTTP1Only = false

  package init() {}
}
