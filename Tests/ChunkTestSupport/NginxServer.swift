/// nginx on a free port, serving a directory, for a test's lifetime.
package final class NginxServer: Sendable {
  /// How it talks.
  package enum Scheme: Sendable {
    case http
    /// TLS with HTTP/1.1, and with HTTP/2 for clients that offer it.
    case https(ThrowawayCA)
    /// TLS with HTTP/2 preferred and HTTP/1.1 requests refused with 421.
    case http2Only(ThrowawayCA)
  }

  /// What it gives.
  package enum Contents: Sendable {
    case directory(String)
    /// What another server answers, a `FaultServer` say, passed on as it comes.
    case proxy(origin: String)
  }

  /// Scheme, address and port.
  package let origin: String
  private let home: TemporaryDirectory
  private let process: RunningProcess

  /// Whether the program is there.
  package static var isAvailable: Bool { Machine.has("nginx") }

  /// Starts it, with further lines for its `server` block. It can be asked at once; questions that come early wait.
  package init(_ contents: Contents, scheme: Scheme = .http, extra: String = "") throws {
    let socket = try ListeningSocket()
    home = try TemporaryDirectory()
    let listen: String
    switch scheme {
    case .http:
      origin = "http://127.0.0.1:\(socket.port)"
      listen = "listen 127.0.0.1:\(socket.port);"
    case .https(let authority), .http2Only(let authority):
      origin = "https://127.0.0.1:\(socket.port)"
      listen = """
        listen 127.0.0.1:\(socket.port) ssl http2;
            ssl_certificate \(authority.certificate);
            ssl_certificate_key \(authority.key);
        """
    }
    try home.write(Array(Self.configuration(listen, contents, scheme, extra, home: home.path).utf8), to: "nginx.conf")
    var program = Subprocess("nginx", ["-p", home.path, "-e", home.path("error.log"), "-c", home.path("nginx.conf")])
    // nginx takes over listening sockets it is told of in this way; made for upgrades without a gap.
    program.environment["NGINX"] = "3;"
    program.inherited = socket.descriptor
    process = try program.endingWithTests().start()
  }

  deinit { stop() }

  /// The URL of a path.
  package func url(_ path: String) -> String { origin + path }

  /// One line for each request, written when it is over: method, path, status, body bytes sent, the `Range` header, the
  /// protocol.
  package var log: ProcessLines { process.outputLines }

  /// Why it did not do what was expected.
  package var errorLog: String {
    String(decoding: (try? TestFile.read(home.path("error.log"))) ?? [], as: UTF8.self)
  }

  /// Ends it at once.
  package func stop() { process.kill(9) }

  private static func configuration(
    _ listen: String, _ contents: Contents, _ scheme: Scheme, _ extra: String, home: String
  ) -> String {
    let location =
      switch contents {
      case .directory(let path): "root \(path);"
      case .proxy(let origin):
        """
        proxy_pass \(origin); proxy_http_version 1.1; proxy_buffering off;
              proxy_set_header Connection ""; proxy_pass_request_headers on;
        """
      }
    let refusal = if case .http2Only = scheme { "if ($server_protocol != HTTP/2.0) { return 421; }" } else { "" }
    let temporary = ["client_body", "proxy", "fastcgi", "uwsgi", "scgi"].map { "\($0)_temp_path \(home)/\($0);" }
    return """
      daemon off;
      worker_processes 1;
      user root;
      pid \(home)/pid;
      error_log \(home)/error.log;
      events { worker_connections 512; }
      http {
        \(temporary.joined(separator: "\n  "))
        log_format line '$request_method $request_uri $status $body_bytes_sent "$http_range" $server_protocol';
        access_log /dev/stdout line;
        default_type application/octet-stream;
        sendfile on;
        server {
          \(listen)
          \(refusal)
          \(extra)
          location / {
            \(location)
          }
        }
      }
      """
  }
}
