internal import CommandSupport

/// What a user wants of every run, before the command line has its say.
enum Configuration {
  /// These say what is wanted in one run, or belong to one file.
  static let refused: Set<String> = [
    "output", "input-file", "metalink", "seed", "id", "manifest", "min-version", "sha256", "checksums", "lock",
    "locked",
    "mirror", "report", "no-config",
  ]

  static let flags: [Flag<GetOptions>] = [
    .toggle("no-config", group: "Messages", help: "do not read the configuration file") { $0.isConfigured = false }
  ]

  /// Reads the words again over what the configuration says, unless they say not to.
  static func parse(
    _ words: [String], parsed: GetOptions, defaults: GetOptions
  ) throws(UsageError) -> GetOptions {
    guard parsed.isConfigured, let file = ConfigurationFile.ofUser(command: "chunkget") else { return parsed }
    var configured = defaults
    try file.apply(to: &configured, GetOptions.table, refusing: refused)
    guard case .run(let options, _) = try FlagParser(GetOptions.table).parse(words, defaults: configured) else {
      return parsed
    }
    return options
  }
}
