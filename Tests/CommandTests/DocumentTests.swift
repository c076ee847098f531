import ChunkTestSupport
import CommandSupport
import Testing

/// Manual pages and completions, read by the programs they are for.
@Suite struct DocumentTests {
  static let commands = ["chunkget", "chunkmanifest"]

  private func document(_ arguments: [String], of command: String) async throws -> String {
    let result = try await Subprocess(command, arguments).run()
    try #require(result.status == 0, "\(result)")
    return result.outputText
  }

  /// The words that a script, sourced by bash, offers behind these.
  private func bash(_ words: [String], of command: String, in directory: TemporaryDirectory) async throws -> [String] {
    let script = try await document(["--completions", "bash"], of: command)
    try directory.write(Array(script.utf8), to: "script")
    let line = ([command] + words).map { "'\($0)'" }.joined(separator: " ")
    // compopt works in a real completion only.
    let program = """
      set -u; compopt() { :; }; source ./script
      COMP_WORDS=(\(line)); COMP_CWORD=\(words.count); _\(command)
      printf '%s\\n' ${COMPREPLY[@]+"${COMPREPLY[@]}"}
      """
    var bash = Subprocess("bash", ["-c", program])
    bash.directory = directory.path
    let result = try await bash.run()
    try #require(result.status == 0 && result.errorText.isEmpty, "\(result)")
    return result.outputText.split(separator: "\n").map(String.init)
  }

  @Test(arguments: commands, ["bash", "zsh", "fish"])
  func `completions are what their shell can read`(command: String, shell: String) async throws {
    let program = try #require(Machine.path(of: shell), "Tools/bootstrap --tests installs it")
    let directory = try TemporaryDirectory()
    let script = try await document(["--completions", shell], of: command)
    let path = try directory.write(Array(script.utf8), to: "script")
    let result = try await Subprocess(program, ["-n", path]).run()
    #expect(result.status == 0 && result.errorText.isEmpty, "\(result)")
  }

  @Test func `bash completes flags, files, directories and words`() async throws {
    let directory = try TemporaryDirectory()
    try directory.write([], to: "alpha")
    try directory.makeDirectory("alps")
    #expect(try await bash(["--no-m"], of: "chunkget", in: directory) == ["--no-manifest"])
    #expect(try await bash(["--manifest", "al"], of: "chunkget", in: directory).sorted() == ["alpha", "alps"])
    #expect(try await bash(["-d", "al"], of: "chunkget", in: directory) == ["alps"])
    #expect(try await bash(["--completions", "f"], of: "chunkget", in: directory) == ["fish"])
    #expect(try await bash(["--id", ""], of: "chunkget", in: directory).isEmpty)
    #expect(try await bash(["b"], of: "chunkmanifest", in: directory) == ["build"])
    #expect(try await bash(["build", "--chunk"], of: "chunkmanifest", in: directory) == ["--chunk-size"])
    #expect(try await bash(["store", "ver"], of: "chunkget", in: directory) == ["verify"])
    #expect(try await bash(["store", "prune", "--max"], of: "chunkget", in: directory) == ["--max-size"])
    #expect(try await bash(["show", "--sign"], of: "chunkmanifest", in: directory).isEmpty)
  }

  @Test(.enabled(if: Machine.has("fish"), "fish is not installed"))
  func `fish completes flags and commands`() async throws {
    let directory = try TemporaryDirectory()
    for (command, line, expected) in [
      ("chunkget", "chunkget --no-m", "--no-manifest"), ("chunkget", "chunkget --completions z", "zsh"),
      ("chunkmanifest", "chunkmanifest keyg", "keygen"), ("chunkget", "chunkget store ver", "verify"),
      ("chunkmanifest", "chunkmanifest build --chunk", "--chunk-size"),
    ] {
      let script = try await document(["--completions", "fish"], of: command)
      let path = try directory.write(Array(script.utf8), to: "script")
      var fish = Subprocess("fish", ["--no-config", "-c", "source \(path); complete -C '\(line)'"])
      fish.environment["HOME"] = directory.path
      let result = try await fish.run()
      let offered = result.outputText.split(separator: "\n").map { $0.prefix { $0 != "\t" } }
      #expect(offered.map(String.init) == [expected], "\(line): \(result)")
    }
  }

  @Test(.enabled(if: Machine.has("man"), "man is not installed"), arguments: commands)
  func `the manual page is what man can read`(command: String) async throws {
    let directory = try TemporaryDirectory()
    let page = try await document(["--man-page"], of: command)
    let path = try directory.write(Array(page.utf8), to: "\(command).1")
    var man = Subprocess("man", ["--warnings", "--encoding=UTF-8", "-l", path])
    man.environment = ["MANWIDTH": "80", "LC_ALL": "C.UTF-8", "MANPAGER": "cat", "MAN_KEEP_FORMATTING": ""]
    let result = try await man.run()
    #expect(result.status == 0 && result.errorText.isEmpty, "\(result.errorText)")
    // What stands there is what was meant, hyphens and quotes too.
    let shown = result.outputText
    #expect(shown.contains("--completions SHELL"))
    #expect(shown.contains("EXIT STATUS"))
    let name = try await Subprocess("lexgrog", [path]).run()
    #expect(name.outputText.contains("\(command) - "), "\(name)")
  }

  @Test(
    arguments: commands,
    [["--man-page"], ["--completions", "bash"], ["--completions", "zsh"], ["--completions", "fish"]])
  func `every flag is in it, and no habit`(command: String, arguments: [String]) async throws {
    let help = try await document(["--help"], of: command).prefix(before: "Exit codes:")
    let text = try await document(arguments, of: command).replacing("\\-", with: "-")
    let isFish = arguments.last == "fish"
    for word in help.split(whereSeparator: { " \n,".contains($0) }) where word.hasPrefix("--") && word.count > 2 {
      let name = word.drop { $0 == "-" }.filter { $0.isLetter || $0.isNumber || $0 == "-" || $0 == "." }
        .trimmingSuffix(".")
      #expect(text.contains(isFish ? "-l \(name)" : "--\(name)"), "\(word)")
    }
    #expect(!text.contains("remote-name"))
    #expect(!text.contains("--man-page") || arguments == ["--man-page"])
  }

  @Test func `nothing in a text is an instruction to roff`() {
    let command = FlagTable<Int>(
      name: "x", summary: "Does \\fBthings\\fR.", usage: [".so /etc/passwd"], flags: [], notes: ["'quoted", ".TH bad"]
    ).command
    let page = ManPage(command).render()
    #expect(page.contains("does \\efBthings\\efR\n"))
    #expect(page.contains("\n\\&.so /etc/passwd\n"))
    #expect(page.contains("\n\\&'quoted\n"))
    #expect(!page.contains("\n.TH bad"))
  }
}

extension String {
  fileprivate func trimmingSuffix(_ suffix: String) -> Substring {
    hasSuffix(suffix) ? dropLast(suffix.count) : self[...]
  }

  fileprivate func prefix(before end: String) -> Substring {
    firstRange(of: end).map { self[..<$0.lowerBound] } ?? self[...]
  }
}
