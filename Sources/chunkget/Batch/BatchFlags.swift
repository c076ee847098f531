internal import ChunkTransfer
internal import CommandSupport

/// What there is to say about several files.
extension GetOptions {
  private static let batches = "Several files"

  static let batchFlags: [Flag<GetOptions>] = [
    .value("input-file", short: "i", named: "FILE", group: batches, help: "fetch what FILE lists; - is standard input")
    {
      (options, text) throws(UsageError) in
      guard !text.isEmpty else { throw UsageError("the path is empty") }
      options.list = text
    },
    .value(
      "jobs", short: "j", named: "N", group: batches, help: "fetch N files at once (2), over connections they share"
    ) {
      (options, text) throws(UsageError) in options.jobs = try FlagValue.integer(text, in: 1...16)
    },
    .toggle("continue-on-error", group: batches, help: "go on with other files when one has failed") {
      $0.continuesOnError = true
    },
    .toggle(
      "glob", group: batches, help: "take {a,b}, [1-10] and [a-z] in URLs as curl does; #1 in -o is the first of them"
    ) {
      $0.globs = true
    },
  ]
}
