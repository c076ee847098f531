package import ChunkSystem

/// Where a command speaks to whoever runs it: results on standard output, everything else on standard error. Any thread
/// may use it; a line is one write.
package struct Console: Sendable {
  /// The command as it was typed: `chunkmanifest build`. Stands before every message.
  package let command: String

  package init(command: String) { self.command = command }

  /// Writes a result to standard output.
  package func output(_ text: String) throws(Errno) {
    try StandardStream.output.write(text)
  }

  /// Tells something on standard error. What comes from outside is escaped before.
  package func tell(_ message: String) {
    writeError("\(command): \(message)\n")
  }

  /// Tells what is wrong with the command line and where to read more.
  @discardableResult
  package func refuse(_ error: UsageError) -> ExitStatus {
    writeError("\(command): \(error)\nTry '\(command) --help'.\n")
    return .usage
  }

  /// Writes text as it is to standard error: a progress line, or a line of a log.
  package func writeError(_ text: String) {
    // Where standard error is gone there is nobody left to be told.
    do throws(Errno) { try StandardStream.error.write(text) } catch {}
  }

  /// The width of what shows the help: of standard output's terminal, else eighty columns.
  var helpColumns: Int { StandardStream.output.columns ?? 80 }
}

extension FlagTable {
  /// Reads the words and does what can be done without the command: shows help or version, or refuses.
  ///
  /// `subcommands` are the commands below this one, for its manual page and completions.
  ///
  /// - Returns: The options and operands to run with, or the status to end with.
  package func begin(
    _ words: [String], defaults: Options, subcommands: [CommandDescription] = [], on console: Console
  ) -> Beginning<Options> {
    do throws(UsageError) {
      let text: String
      switch try FlagParser(self).parse(words, defaults: defaults) {
      case .run(let options, let operands): return .run(options, operands: operands)
      case .stop(.help): text = HelpText(command).render(columns: console.helpColumns)
      case .stop(.version): text = "\(command.name.prefix { $0 != " " }) \(Release.version)\n"
      case .stop(.manPage): text = ManPage(command, subcommands: subcommands).render()
      case .stop(.completions(let shell)):
        text = CompletionScript(command, subcommands: subcommands).render(for: shell)
      }
      do throws(Errno) {
        try console.output(text)
        return .end(.success)
      } catch {
        console.tell("standard output: \(error)")
        return .end(.disk)
      }
    } catch {
      return .end(console.refuse(error))
    }
  }
}

/// How a command goes on once its words have been read.
package enum Beginning<Options: Sendable>: Sendable {
  case run(Options, operands: [String])
  case end(ExitStatus)
}
