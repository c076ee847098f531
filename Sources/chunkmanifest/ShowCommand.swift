internal import ChunkCore
internal import CommandSupport

/// `chunkmanifest show`: what a manifest says, once it has been checked as far as it can be alone.
enum ShowCommand: Subcommand {
  struct Options: Sendable {
    var writesJSON = false
    var listsChunks = false
  }

  static let name = "show"
  static let summary = "check a manifest and show what it says"
  static let defaults = Options()

  static var table: FlagTable<Options> {
    FlagTable(
      name: commandName, summary: summary, usage: ["[options] MANIFEST"],
      flags: [
        .toggle("json", group: "Options", help: "write one line of JSON, and with --chunks one more for each chunk") {
          $0.writesJSON = true
        },
        .toggle("chunks", group: "Options", help: "list the chunks: index, bytes of the file, chunk ID") {
          $0.listsChunks = true
        },
      ] + CommonFlags.stops(group: "Options"),
      notes: [
        "Name, media type, SHA-256, sources and comment are what the publisher says; the file ID does not vouch for them."
      ],
      exitStatuses: [.success, .failure, .usage, .notTrusted, .disk])
  }

  static func run(_ options: Options, _ operands: [String], _ console: Console) throws(UsageError) -> ExitStatus {
    guard operands.count == 1 else { throw UsageError("needs one manifest") }
    do throws(Failure) {
      let stored = try StoredManifest(operands[0])
      let description = ManifestDescription(stored)
      try console.result(options.writesJSON ? "\(description.json.text)\n" : description.text)
      if options.listsChunks { try listChunks(stored, asJSON: options.writesJSON, console) }
      return .success
    } catch {
      console.tell(error.message)
      return error.status
    }
  }

  /// A group at a time, so that the text of a million chunks is never in memory at once.
  private static func listChunks(_ stored: StoredManifest, asJSON: Bool, _ console: Console) throws(Failure) {
    let geometry = stored.manifest.geometry
    for group in 0..<geometry.groupCount {
      var text = ""
      for (index, id) in zip(geometry.chunks(inGroup: group), stored.ids(ofGroup: group)) {
        let range = geometry.range(of: index)
        if asJSON {
          let line: JSONLine = [
            "index": .unsigned(UInt64(index.rawValue)), "offset": .unsigned(range.offset),
            "length": .unsigned(range.count), "id": .string(id.hex),
          ]
          text += "\(line.text)\n"
        } else {
          text += "\(ChunkText.place(index, range))  \(id.hex)\n"
        }
      }
      try console.result(text)
    }
  }
}

/// How chunks are named in lists.
enum ChunkText {
  /// `17  4456448-4718591`: the index, and first and last byte as a Range request has them.
  static func place(_ index: ChunkIndex, _ range: ByteRange) -> String {
    "\(index.rawValue)  \(range.offset)-\(range.end - 1)"
  }
}
