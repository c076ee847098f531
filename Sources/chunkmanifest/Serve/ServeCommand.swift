internal import ChunkSystem
internal import CommandSupport

/// `chunkmanifest serve`: an origin for trying things out and for small deployments.
enum ServeCommand: Subcommand {
  struct Options: Sendable {
    var port: UInt16 = 8080
    var address = "127.0.0.1"
    var writesJSON = false
    var isVerbose = false
  }

  static let name = "serve"
  static let summary = "serve the files of a directory over HTTP, with ranges"
  static let defaults = Options()

  static var table: FlagTable<Options> {
    FlagTable(
      name: commandName, summary: summary, usage: ["[options] DIR"],
      flags: [
        .value(
          "port", named: "N", group: "Options", help: "listen on this port, 0 for any that is free; 8080 if not given"
        ) {
          (options, text) throws(UsageError) in
          options.port = UInt16(try FlagValue.integer(text, in: 0...65535))
        },
        .value(
          "bind", named: "ADDR", group: "Options",
          help:
            "listen on this address, 0.0.0.0 or :: for all; 127.0.0.1, which only this machine reaches, if not given"
        ) { (options, text) throws(UsageError) in options.address = text },
        .toggle("json", group: "Options", help: "say where it listens as one line of JSON") { $0.writesJSON = true },
        .toggle("verbose", short: "v", group: "Options", help: "write a line for each request to standard error") {
          $0.isVerbose = true
        },
      ] + CommonFlags.stops(group: "Options"),
      notes: [
        "The first line on standard output says where it listens, once it does. Names that begin with a dot are not served, "
          + "nor is anything outside of DIR, wherever a symbolic link leads. Nothing is ever written. SIGINT and SIGTERM end it."
      ],
      exitStatuses: [.success, .failure, .usage, .disk])
  }

  static func run(_ options: Options, _ operands: [String], _ console: Console) throws(UsageError) -> ExitStatus {
    guard operands.count == 1 else { throw UsageError("needs one directory") }
    let interruption: Interruption
    let origin: Origin
    Signal.ignoreBrokenPipes()
    do throws(Errno) {
      interruption = try Interruption()
      origin = Origin(serving: try openServable(operands[0])) { line in
        if options.isVerbose { console.writeError("\(line)\n") }
      }
    } catch {
      console.tell("\(SafeText.escape(operands[0])): \(error)")
      return error == .accessDenied ? .disk : .failure
    }
    return serve(origin, options, until: interruption, directory: operands[0], console)
  }

  private static func serve(
    _ origin: Origin, _ options: Options, until interruption: Interruption, directory: String, _ console: Console
  ) -> ExitStatus {
    let port: UInt16
    let daemon: HTTPDaemon?
    do throws(ListeningSocket.Failure) {
      let listener = try ListeningSocket(address: options.address, port: options.port)
      port = listener.port
      daemon = HTTPDaemon(listener: listener, threads: DedicatedThread.processorCount) { origin.respond(to: $0) }
    } catch {
      console.tell(error.message)
      return .failure
    }
    guard let daemon else {
      console.tell("the server cannot start: no memory, or no more threads")
      return .failure
    }
    do throws(Errno) {
      try console.output(announcement(options, port: port, directory: directory))
    } catch {
      console.tell("standard output: \(error)")
      return .disk
    }
    // The daemon answers until the signal, and is stopped when it goes after this.
    withExtendedLifetime(daemon) { _ = interruption.wait() }
    return .success
  }

  private static func announcement(_ options: Options, port: UInt16, directory: String) -> String {
    let url = "http://\(ListeningSocket.host(options.address)):\(port)/"
    guard options.writesJSON else { return "serving \(SafeText.escape(directory)) at \(url)\n" }
    let line: JSONLine = [
      "event": "serving", "directory": .string(directory), "url": .string(url), "port": .unsigned(UInt64(port)),
    ]
    return "\(line.text)\n"
  }

  /// Opens the directory, and makes sure that the kernel can guard it.
  private static func openServable(_ path: String) throws(Errno) -> Directory {
    let directory = try FileSystem().openDirectory(path)
    _ = try directory.openBeneath(".")
    return directory
  }
}
