/// The words of this process's command line, without the name of the program.
package enum CommandWords {
  /// Throws for a word that is not UTF-8: Swift's own list would repair it, and a repaired path is another path.
  package static func ofThisProcess() throws(UsageError) -> [String] {
    var words: [String] = []
    // The C runtime keeps `argc` pointers to terminated strings here for the life of the process.
    let pointers = unsafe UnsafeBufferPointer(start: CommandLine.unsafeArgv, count: Int(CommandLine.argc))
    for position in pointers.indices.dropFirst() {
      guard let pointer = unsafe pointers[position] else { break }
      guard let word = unsafe String(validatingCString: pointer) else {
        throw UsageError("word \(position) of the command line is not UTF-8")
      }
      words.append(word)
    }
    return words
  }
}
