/// A certificate authority that nobody trusts, and a certificate for this machine, made with the openssl command.
package final class ThrowawayCA: Sendable {
  private let directory: TemporaryDirectory

  /// What `--cacert` takes.
  package var authority: String { directory.path("ca.pem") }
  /// Of the server, for 127.0.0.1 and localhost.
  package var certificate: String { directory.path("server.pem") }
  package var key: String { directory.path("server.key") }

  /// Whether the command is there.
  package static var isAvailable: Bool { Machine.has("openssl") }

  package init() async throws {
    directory = try TemporaryDirectory()
    let common = ["req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes", "-days", "2"]
    try await Self.openssl(
      common + [
        "-subj", "/CN=Throw-away CA", "-keyout", directory.path("ca.key"), "-out", authority,
        "-addext", "keyUsage=critical,keyCertSign,cRLSign",
      ])
    try await Self.openssl(
      common + [
        "-CA", authority, "-CAkey", directory.path("ca.key"), "-subj", "/CN=localhost", "-keyout", key,
        "-out", certificate, "-addext", "subjectAltName=IP:127.0.0.1,DNS:localhost",
        "-addext", "basicConstraints=critical,CA:FALSE",
      ])
  }

  private static func openssl(_ arguments: [String]) async throws {
    let result = try await Subprocess("openssl", arguments).run()
    guard result.status == 0 else { throw ServerDidNotStart(description: "openssl: \(result)") }
  }
}

/// A program that tests stand on did not come up.
package struct ServerDidNotStart: Error, CustomStringConvertible {
  package let description: String
}
