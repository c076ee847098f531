internal import CommandSupport
internal import FaultServer

/// The flags of the command.
enum FaultFlags {
  static var table: FlagTable<FaultOptions> {
    FlagTable(
      name: "faultserver", summary: "serve files over HTTP, and do it wrong as told",
      usage: ["[options] DIR", "[options] --generate SIZE"], flags: serving + which + answers + bytes + connections,
      notes: [
        "The first line on standard output says where it listens; after that each request is one line of JSON when it is "
          + "over. A generated file is at \(FaultServer.defaultPath). SIGINT and SIGTERM end it."
      ],
      exitStatuses: [.success, .failure, .usage])
  }

  private static var serving: [Flag<FaultOptions>] {
    let group = "Serving"
    return [
      .value("port", named: "N", group: group, help: "listen on this port; any that is free if not given") {
        (options, text) throws(UsageError) in options.port = UInt16(try FlagValue.integer(text, in: 0...65535))
      },
      .value("bind", named: "ADDR", group: group, help: "listen on this IPv4 address; 127.0.0.1 if not given") {
        (options, text) throws(UsageError) in options.address = text
      },
      .value("generate", named: "SIZE", group: group, help: "serve a made-up file of this size, of any size") {
        (options, text) throws(UsageError) in options.generated = try FlagValue.size(text).bytes
      },
      .value("seed", named: "N", group: group, help: "another seed makes another file") {
        (options, text) throws(UsageError) in options.seed = UInt64(try FlagValue.integer(text, in: 0...Int.max))
      },
      .stop(.help, "help", short: "h", group: group, help: "show this and exit"),
      .stop(.version, "version", group: group, help: "show the version and exit"),
    ]
  }

  private static var which: [Flag<FaultOptions>] {
    let group = "Which requests"
    return [
      .value("only", named: "PATH", group: group, help: "faults are for this path", isRepeatable: true) {
        (options, text) throws(UsageError) in options.paths.append(text)
      },
      .value("every", named: "N", group: group, help: "every Nth request") { (options, text) throws(UsageError) in
        options.every = try FlagValue.integer(text, in: 1...Int.max)
      },
      .value("skip", named: "N", group: group, help: "not the first N of them") { (options, text) throws(UsageError) in
        options.skip = try FlagValue.integer(text, in: 0...Int.max)
      },
      .value("times", named: "N", group: group, help: "only N of them") { (options, text) throws(UsageError) in
        options.times = try FlagValue.integer(text, in: 1...Int.max)
      },
    ]
  }

  private static var answers: [Flag<FaultOptions>] {
    let group = "Answers"
    return [
      .value("status", named: "CODE", group: group, help: "answer with this status") {
        (options, text) throws(UsageError) in options.status = try FlagValue.integer(text, in: 100...999)
      },
      .value("retry-after", named: "S", group: group, help: "with a Retry-After of so many seconds") {
        (options, text) throws(UsageError) in options.retryAfter = try FlagValue.integer(text, in: 0...31_536_000)
      },
      .value("redirect", named: "URL", group: group, help: "answer with 302 to this URL or path") {
        (options, text) throws(UsageError) in options.actions.append(.redirect(302, to: text))
      },
      adding("ignore-range", .ignoreRange, group, "answer with 200 and all of the file"),
      adding("multipart", .multipart, group, "answer a range with multipart/byteranges"),
      adding("no-content-range", .contentRange(.missing), group, "leave out Content-Range"),
      adding("etag-per-request", .etag(.perRequest), group, "another ETag each time"),
      adding("weak-etag", .etag(.weak), group, "mark the ETag as weak"),
      adding("no-validators", .etag(.noValidators), group, "neither ETag nor Last-Modified"),
      adding("gzip-label", .gzipLabel, group, "call the body compressed, which it is not"),
      adding("http10", .http10, group, "answer with HTTP/1.0"),
      adding("chunked", .chunked(withLength: false), group, "the chunked coding instead of Content-Length"),
    ]
  }

  private static var bytes: [Flag<FaultOptions>] {
    let group = "Bytes and time"
    return [
      .value("flip", named: "OFFSET", group: group, help: "a wrong byte here", isRepeatable: true) {
        (options, text) throws(UsageError) in options.flips.append(try FlagValue.size(text).bytes)
      },
      .value("cut-after", named: "SIZE", group: group, help: "end each body after so many bytes") {
        (options, text) throws(UsageError) in options.cutAfter = try FlagValue.size(text).bytes
      },
      .value("stall-after", named: "SIZE", group: group, help: "send no more after so many bytes of a body") {
        (options, text) throws(UsageError) in
        options.actions.append(.stall(after: try FlagValue.size(text).bytes, .forever))
      },
      .value("delay", named: "S", group: group, help: "wait before each answer") {
        (options, text) throws(UsageError) in
        options.actions.append(.holdHead(.duration(try FlagValue.seconds(text))))
      },
      .value("trickle", named: "N", group: group, help: "send N bytes at a time, ten times a second") {
        (options, text) throws(UsageError) in options.trickle = try FlagValue.integer(text, in: 1...1_048_576)
      },
      .value("trickle-interval", named: "S", group: group, help: "not ten times a second but each S seconds") {
        (options, text) throws(UsageError) in options.trickleInterval = try FlagValue.seconds(text)
      },
    ]
  }

  private static var connections: [Flag<FaultOptions>] {
    let group = "Connections"
    return [
      .value("limit-requests", named: "N", group: group, help: "answer 429 beyond N requests at a time") {
        (options, text) throws(UsageError) in options.requestLimit = try FlagValue.integer(text, in: 1...Int.max)
      },
      .value("limit-connections", named: "N", group: group, help: "accept no more than N connections at a time") {
        (options, text) throws(UsageError) in options.connectionLimit = try FlagValue.integer(text, in: 1...Int.max)
      },
      .value("cut-every", named: "SIZE", group: group, help: "end each connection after so many body bytes") {
        (options, text) throws(UsageError) in
        let size = try FlagValue.size(text).bytes
        guard size > 0 else { throw UsageError("needs at least one byte") }
        options.cutEvery = size
      },
      .toggle("reset", group: group, help: "cuts are resets, not orderly ends") { $0.ending = .reset },
    ]
  }

  private static func adding(
    _ name: String, _ action: FaultAction, _ group: String, _ help: String
  ) -> Flag<FaultOptions> {
    .toggle(name, group: group, help: help) { $0.actions.append(action) }
  }
}
