import CommandSupport
import Testing

/// A table with every kind of flag, in the style of the commands.
struct SampleOptions: Sendable, Equatable {
  var words: [String] = []
  var connections: Int?
  var output: String?
  var mirrors: [String] = []
  var isQuiet = false
  var isVerbose = false
}

let sampleTable = FlagTable<SampleOptions>(
  name: "sample", summary: "fetch something, with every kind of flag there is", usage: ["[options] URL…", "-i FILE"],
  flags: [
    .value("output", short: "o", named: "PATH", group: "Output", help: "write to PATH; - is standard output") {
      (options, text) throws(UsageError) in options.output = text
    },
    .value("connections", short: "x", named: "N", group: "Network", help: "connections at a time, from 1 to 64") {
      (options, text) throws(UsageError) in
      if text.contains("://") { throw UsageError("not a number", hint: "use --proxy") }
      options.connections = try FlagValue.integer(text, in: 1...64)
    },
    .value("mirror", named: "URL", group: "Network", help: "fetch from URL too", isRepeatable: true) {
      (options, text) throws(UsageError) in options.mirrors.append(text)
    },
    .toggle("retry-all", group: "Network", help: "retry whatever happens") { $0.words.append("retry-all") },
    .toggle("quiet", short: "q", group: "Messages", help: "say nothing but errors") { $0.isQuiet = true },
    .toggle("verbose", short: "v", group: "Messages", help: "say more") { $0.isVerbose = true },
    .stop(.help, "help", short: "h", group: "Messages", help: "show this and exit"),
    .stop(.version, "version", group: "Messages", help: "show the version and exit"),
    .habit("location", short: "L"), .habit(nil, short: "O"), .habit(nil, short: "f"),
    .habit("continue-at", short: "C", only: "-", hint: "a download goes on by itself from what is on disk"),
  ],
  notes: ["A note that follows the flags."])

@Suite struct FlagParserTests {
  private func parse(_ words: String...) throws(UsageError) -> (options: SampleOptions, operands: [String]) {
    guard case .run(let options, let operands) = try invoke(words) else { return (SampleOptions(), ["stopped"]) }
    return (options, operands)
  }

  private func invoke(_ words: [String]) throws(UsageError) -> Invocation<SampleOptions> {
    try FlagParser(sampleTable).parse(words, defaults: SampleOptions())
  }

  private func message(_ words: String...) -> String {
    do throws(UsageError) {
      _ = try invoke(words)
      return "no error"
    } catch {
      return "\(error)"
    }
  }

  @Test(arguments: [["-x4"], ["-x", "4"], ["--connections=4"], ["--connections", "4"], ["-x9", "-x4"], ["-qx4"]])
  func everyWayToGiveAValue(_ words: [String]) throws {
    guard case .run(let options, let operands) = try invoke(words) else {
      Issue.record("stopped")
      return
    }
    #expect(options.connections == 4)
    #expect(operands.isEmpty)
  }

  @Test func bundledLetters() throws {
    let options = try parse("-qvo", "file").options
    #expect(options.isQuiet && options.isVerbose)
    #expect(options.output == "file")
  }

  @Test func flagsAndOperandsInAnyOrder() throws {
    let parsed = try parse("a", "-q", "b", "--mirror", "m1", "c", "--mirror=m2")
    #expect(parsed.operands == ["a", "b", "c"])
    #expect(parsed.options.mirrors == ["m1", "m2"])
  }

  @Test func twoDashesEndTheFlags() throws {
    let parsed = try parse("-q", "--", "-v", "--", "--mirror")
    #expect(parsed.operands == ["-v", "--", "--mirror"])
    #expect(!parsed.options.isVerbose)
  }

  @Test func aSingleDashIsAnOperandOrAValue() throws {
    #expect(try parse("-").operands == ["-"])
    #expect(try parse("-o", "-").options.output == "-")
    #expect(try parse("-o-").options.output == "-")
    #expect(try parse("--output=-").options.output == "-")
  }

  @Test func valuesMayLookLikeFlagsOrBeEmpty() throws {
    #expect(try parse("-o", "--quiet").options == SampleOptions(output: "--quiet"))
    #expect(try parse("--output=").options.output == "")
    #expect(try parse("--output=a=b").options.output == "a=b")
  }

  @Test func whatFingersTypeFromHabitIsAccepted() throws {
    #expect(try parse("-L", "-O", "-f", "-C", "-", "url").operands == ["url"])
    #expect(try parse("-LOfC-", "--location", "url").operands == ["url"])
  }

  @Test func habitsThatWouldMeanSomethingElseNameTheRightFlag() {
    #expect(message("-x", "http://proxy:3128") == "-x http://proxy:3128: not a number; use --proxy")
    #expect(
      message("-C", "500").hasSuffix("only '-' is accepted here; a download goes on by itself from what is on disk"))
  }

  @Test func helpAndVersionStopAtOnce() throws {
    for words in [["--help"], ["-h"], ["-qh", "--nonsense"], ["url", "--help", "--connections"]] {
      guard case .stop(.help) = try invoke(words) else {
        Issue.record("\(words) is not help")
        continue
      }
    }
    guard case .stop(.version) = try invoke(["--version", "--help"]) else {
      Issue.record("not the version")
      return
    }
  }

  @Test func errorsSayWhatWasTypedAndWhatWouldBeRight() {
    #expect(message("--output") == "--output needs a value: PATH")
    #expect(message("-qo") == "-o needs a value: PATH")
    #expect(message("--quiet=yes") == "--quiet takes no value")
    #expect(message("--help=all") == "--help takes no value")
    #expect(message("-x0") == "-x 0: not a whole number from 1 to 64")
    #expect(message("--connections=many") == "--connections many: not a whole number from 1 to 64")
    #expect(message("-qz") == "no option -z in -qz")
    #expect(message("-z") == "no option -z")
    #expect(message("--=x") == "no option --")
  }

  @Test(arguments: [
    ("--conections", "--connections"), ("--miror=http://x", "--mirror"), ("--quite", "--quiet"),
    ("--verb", "--verbose"),
    ("--retryall", "--retry-all"), ("-quiet", "--quiet"), ("-output", "--output"),
  ])
  func aMistypedFlagIsGuessed(typed: String, meant: String) {
    // `-output` begins as `-o utput` would, so only what is no bundle at all is guessed.
    let text = message(typed, "value")
    if typed == "-output" { #expect(text == "no error") } else { #expect(text.hasSuffix("did you mean \(meant)?")) }
  }

  @Test func whatIsNothingLikeAFlagGetsNoGuess() {
    #expect(message("--zzzzzz") == "no option --zzzzzz")
    #expect(message("--loca") == "no option --loca", "hidden flags are not suggested")
  }

  @Test func whatWasTypedIsEscaped() {
    #expect(message("--\u{1B}[31m") == "no option --\\u{1B}[31m")
    #expect(message("-x", "\u{202E}4").hasPrefix("-x \\u{202E}4: "))
  }
}
