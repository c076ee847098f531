internal import ChunkTransfer
internal import CommandSupport

/// What people need to reach their servers, under curl's names.
extension GetOptions {
  private static let access = "Access"

  static let accessFlags: [Flag<GetOptions>] = [
    .value(
      "header", short: "H", named: "LINE", group: access, help: "send this header to the origin", isRepeatable: true
    ) {
      (options, text) throws(UsageError) in
      guard !text.hasPrefix("@") else {
        throw UsageError("headers are not read from a file", hint: "give each with a -H of its own")
      }
      options.transfer.access.headers.append(text)
    },
    .value("user", short: "u", named: "NAME:PASSWORD", group: access, help: "let in by these (Basic), the origin only")
    {
      (options, text) throws(UsageError) in options.transfer.access.user = text
    },
    .value("cookie", short: "b", named: "NAME=VALUE", group: access, help: "send these cookies to the origin") {
      (options, text) throws(UsageError) in
      guard text.contains("=") else {
        throw UsageError("cookies are not read from a file", hint: "give them as 'name=value; name=value'")
      }
      options.transfer.access.cookies = text
    },
    .value("cert", short: "E", named: "FILE", group: access, help: "client certificate (PEM), shown to the origin only")
    {
      (options, text) throws(UsageError) in options.transfer.access.clientCertificateFile = text
    },
    .value("key", named: "FILE", group: access, help: "its key (PEM), if it is not in the same file") {
      (options, text) throws(UsageError) in options.transfer.access.clientKeyFile = text
    },
    .toggle("netrc", short: "n", group: access, help: "names and passwords of hosts are in ~/.netrc") {
      $0.transfer.access.netrc = .home
    },
    .value("netrc-file", named: "FILE", group: access, help: "they are in FILE") {
      (options, text) throws(UsageError) in options.transfer.access.netrc = .file(text)
    },
    .value("proxy", named: "URL", group: access, help: "use this proxy; '' for none (http_proxy and so on decide else)")
    {
      (options, text) throws(UsageError) in options.transfer.access.proxy = text
    },
    .value("proxy-user", short: "U", named: "NAME:PASSWORD", group: access, help: "let in by the proxy by these") {
      (options, text) throws(UsageError) in options.transfer.access.proxyUser = text
    },
    .value("user-agent", short: "A", named: "TEXT", group: access, help: "send this as User-Agent") {
      (options, text) throws(UsageError) in options.transfer.access.userAgent = text
    },
    .value("resolve", named: "HOST:PORT:ADDRESS", group: access, help: "HOST is there", isRepeatable: true) {
      (options, text) throws(UsageError) in
      guard text.split(separator: ":", maxSplits: 2, omittingEmptySubsequences: false).count == 3 else {
        throw UsageError("write it as HOST:PORT:ADDRESS")
      }
      options.transfer.access.resolve.append(text)
    },
    .value("interface", named: "NAME", group: access, help: "go out by this interface, by name or address") {
      (options, text) throws(UsageError) in options.transfer.access.interface = text
    },
    .value("unix-socket", named: "PATH", group: access, help: "connect to this socket, whatever the URL says") {
      (options, text) throws(UsageError) in options.transfer.access.unixSocket = text
    },
    .toggle("ipv4", short: "4", group: access, help: "use IPv4 addresses only") {
      $0.transfer.access.addressFamily = .v4
    },
    .toggle("ipv6", short: "6", group: access, help: "use IPv6 addresses only") {
      $0.transfer.access.addressFamily = .v6
    },
    .toggle("http1.1", group: access, help: "never speak HTTP/2") { $0.transfer.access.usesHTTP1Only = true },
    .value("max-redirs", named: "N", group: access, help: "follow at most N redirects in a row (10)") {
      (options, text) throws(UsageError) in
      options.transfer.access.maximumRedirects = try FlagValue.integer(text, in: 0...100)
    },
  ]
}
