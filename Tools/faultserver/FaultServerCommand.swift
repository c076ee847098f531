internal import ChunkSystem
internal import CommandSupport
internal import FaultServer

/// The fault server of the tests, run by hand.
enum FaultServerCommand {
  static func run() -> ExitStatus {
    let console = Console(command: "faultserver")
    do throws(UsageError) {
      let words = try CommandWords.ofThisProcess()
      switch FaultFlags.table.begin(words, defaults: FaultOptions(), on: console) {
      case .end(let status): return status
      case .run(let options, let operands): return try serve(options, operands, console)
      }
    } catch {
      return console.refuse(error)
    }
  }

  private static func serve(
    _ options: FaultOptions, _ operands: [String], _ console: Console
  ) throws(UsageError) -> ExitStatus {
    guard operands.count == (options.generated == nil ? 1 : 0) else {
      throw UsageError("needs one directory, or --generate SIZE and none")
    }
    Signal.ignoreBrokenPipes()
    do {
      let interruption = try Interruption()
      let server = try FaultServer(
        resources: try resources(options, operands.first), script: options.script, address: options.address,
        port: options.port
      ) { request in
        // Who does not read the log does not end the server.
        try? console.output(line(for: request))
      }
      let start: JSONLine = [
        "event": "serving", "url": .string(server.origin + "/"), "port": .unsigned(UInt64(server.port)),
      ]
      try console.output(start.text + "\n")
      withExtendedLifetime(server) { _ = interruption.wait() }
      server.stop()
      return .success
    } catch {
      console.tell(SafeText.escape("\(error)"))
      return .failure
    }
  }

  private static func resources(_ options: FaultOptions, _ directory: String?) throws -> [String: Resource] {
    if let length = options.generated {
      return [FaultServer.defaultPath: Resource(.pattern(length: length, seed: options.seed))]
    }
    return try ServedTree(directory ?? ".").resources()
  }

  private static func line(for request: RecordedRequest) -> String {
    var members: [(name: String, value: JSONLine)] = [
      ("event", "request"), ("number", .signed(Int64(request.number))),
      ("connection", .signed(Int64(request.connection))), ("method", .string(request.method)),
      ("path", .string(request.path)),
    ]
    if let query = request.query { members.append(("query", .string(query))) }
    if let range = request.header("Range") { members.append(("range", .string(range))) }
    members.append(("status", request.status.map { .signed(Int64($0)) } ?? .null))
    if let served = request.served {
      members.append(("served", [.unsigned(served.lowerBound), .unsigned(served.upperBound)]))
    }
    members.append(("bodyBytesSent", .unsigned(request.bodyBytesSent)))
    members.append(("outcome", request.outcome.map { .string("\($0)") } ?? .null))
    return JSONLine.object(members).text + "\n"
  }
}
