import ChunkTestSupport
import FaultServer
import Testing

/// `chunkget store …`, as people run it.
struct StoreCommandTests {
  private let store: StoreRun
  private let content: [UInt8]

  init() throws {
    store = try StoreRun()
    content = Content.pattern(length: 3_000_000, seed: 7).all
  }

  @Test func `what was added is listed, counted, right, and comes out again`() async throws {
    let id = try await store.add(content)
    #expect(try await store("list").outputText == "\(id)  2.86 MiB  complete  file\n")
    let stat = try await store("stat").outputText
    #expect(
      stat.hasPrefix("chunks     12, 2.86 MiB, 0 of them compressed\nfiles      1, 2.86 MiB, 0 pinned\n"), "\(stat)")
    let verify = try await store("verify")
    #expect(verify.status == 0 && verify.outputText == "12 chunks are right\n", "\(verify)")
    #expect(try await store.wrongChunks().isEmpty)
    let export = try await store("export", id, "-o", "out")
    #expect(export.status == 0, "\(export)")
    #expect(try TestFile.read(store.directory.path("out")).isSame(as: content))
    #expect(try store.directory.names() == ["file", "out", "store"])
  }

  @Test func `the manifest beside a file is the one that is kept, if they agree`() async throws {
    let path = try store.directory.write(content, to: "file")
    let built = try await Publication.build(path, chunkSize: 64 << 10)
    #expect(try await store.add(content) == built)
    #expect(try TestFile.read(store.path + "/manifests/\(built).chunks") == TestFile.read(path + ".chunks"))
    try TestFile.flip(path, at: 1_000_000)
    let other = try await store("add", "file")
    #expect(other.status == 3, "\(other)")
    #expect(try await store("verify").status == 0)
  }

  @Test func `compressed chunks give the same file`() async throws {
    let text = Array(String(repeating: "all work and no play makes a dull boy\n", count: 50_000).utf8)
    let id = try await store.add(text, as: "text", "--compress")
    #expect(try store.files.chunks.allSatisfy { $0.hasSuffix(".zst") })
    #expect(try await store("verify").status == 0)
    #expect(try await store("export", id, "-o", "out").status == 0)
    #expect(try TestFile.read(store.directory.path("out")).isSame(as: text))
  }

  @Test func `a sparse file stays one, on both sides`() async throws {
    var sparse = content
    sparse.replaceSubrange(262_144..<2_000_000, with: repeatElement(0, count: 2_000_000 - 262_144))
    let id = try await store.add(sparse)
    #expect(try store.files.chunks.count == 6)
    #expect(try await store("verify").status == 0)
    // What lay in the partial before counts for nothing.
    try store.directory.write(Array(content.reversed()), to: "out.part")
    #expect(try await store("export", id, "-o", "out").status == 0)
    #expect(try TestFile.read(store.directory.path("out")).isSame(as: sparse))
  }

  @Test func `what is wrong or missing is named, not exported, and fetched by a repair`() async throws {
    let publication = try await Publication(content, chunkSize: 64 << 10)
    let server = try publication.server()
    let get = try await GetRun(["--store", store.path, server.url(), "-o", "got"], in: store.directory)
    #expect(get.done?.stored == content.count, "\(get)")
    let chunks = try store.files.chunks.sorted()
    try store.files.replace(chunks[1], with: [1, 2, 3])
    try TestFile.remove(chunks[5])

    let verify = try await store("verify")
    #expect(verify.status == 3)
    #expect(
      verify.outputText.hasPrefix("wrong    \(chunks[1].suffix(64))\nmissing  2 chunks ("), "\(verify.outputText)")
    let export = try await store("export", publication.id, "-o", "out")
    #expect(export.status == 6, "\(export)")
    #expect(!TestFile.exists(store.directory.path("out")))

    let lost = try await store("repair")
    #expect(lost.status == 4)
    #expect(lost.errorText.contains("--from URL"), "\(lost)")
    let before = server.recording.requests.count
    let repair = try await store("repair", "--from", server.url())
    #expect(repair.status == 0, "\(repair)")
    let served = publication.chunksServed(Array(server.recording.requests.dropFirst(before)))
    #expect(served.count == 2)
    #expect(try await store("verify").status == 0)
    #expect(try await store.wrongChunks().isEmpty)
  }

  @Test func `a repair uses the places that a manifest names, and only for what is wanted`() async throws {
    let server = try FaultServer(resources: ["/file": .bytes(content)])
    let path = try store.directory.write(content, to: "file")
    let build = try await Subprocess("chunkmanifest", ["build", path, "--source", server.url("/file")]).run()
    #expect(build.status == 0, "\(build)")
    _ = try await store.add(content)
    #expect(try await store("repair").status == 0)
    #expect(server.recording.requests.isEmpty, "nothing was wrong")
    for chunk in try store.files.chunks { try TestFile.remove(chunk) }
    let repair = try await store("repair")
    #expect(repair.status == 0, "\(repair)")
    #expect(try await store("verify").status == 0)
  }

  @Test func `a wrong form beside a right one is removed by a repair`() async throws {
    let text = Array(String(repeating: "all work and no play makes a dull boy\n", count: 50_000).utf8)
    _ = try await store.add(text, as: "text", "--compress")
    let wrong = try #require(try store.files.chunks.first).dropLast(4)
    try TestFile.write([1, 2, 3], to: String(wrong))
    #expect(try await store("verify").status == 3)
    #expect(try await store("repair").status == 0)
    #expect(!TestFile.exists(String(wrong)))
    #expect(try await store("verify").status == 0)
  }

  @Test func `a damaged manifest stops a prune and is fetched again`() async throws {
    let publication = try await Publication(content, chunkSize: 64 << 10)
    let server = try publication.server()
    let get = try await GetRun(["--store", store.path, server.url(), "-o", "got"], in: store.directory)
    #expect(get.status == 0)
    let manifest = store.path + "/manifests/\(publication.id).chunks"
    try store.files.replace(manifest, with: Array(try publication.manifest.dropLast(1)))
    #expect(try await store("list").outputText == "\(publication.id)  damaged\n")
    #expect(try await store("verify").status == 3)
    #expect(try await store("prune", "--max-size", "0").status == 3)
    #expect(try await store("export", publication.id, "-o", "out").status == 3)
    #expect(try await store("repair", "--from", server.url()).status == 0)
    #expect(try TestFile.read(manifest) == publication.manifest)
    #expect(try await store("verify").status == 0)
  }

  @Test func `prune gives up what was unused longest, never what is pinned`() async throws {
    let first = try await store.add(Array(content[..<1_000_000]), as: "first")
    let second = try await store.add(Array(content[1_000_000..<2_000_000]), as: "second")
    #expect(try await store("pin", first).status == 0)
    let dry = try await store("prune", "--max-size", "1M", "--dry-run")
    #expect(dry.outputText.hasPrefix("would remove \(second)\n"), "\(dry)")
    #expect(try store.files.names(in: "manifests").count == 2)
    let prune = try await store("prune", "--max-size", "1M")
    #expect(prune.outputText.hasPrefix("removed \(second)\nremoved 1 files and 4 chunks, "), "\(prune)")
    #expect(try store.files.names(in: "manifests") == ["\(first).chunks"])
    #expect(try await store("list").outputText.hasSuffix("  pinned\n"))
    #expect(try await store("unpin", first).status == 0)
    #expect(try await store("prune", "--max-size", "0").status == 0)
    #expect(try store.files.chunks.isEmpty)
  }

  @Test func `the store is that of the environment where no flag names one`() async throws {
    let publication = try await Publication(content, chunkSize: 64 << 10)
    let server = try publication.server()
    var get = GetRun.program([server.url(), "-o", "got", "--progress", "json"], in: store.directory)
    get.environment["CHUNKGET_STORE"] = store.path
    #expect(try await GetRun(ended: get.start()).done?.stored == content.count)
    var list = GetRun.program(["store", "list"])
    list.environment["CHUNKGET_STORE"] = store.path
    #expect(try await list.run().outputText.hasPrefix(publication.id))
    get.arguments += ["--store", ""]
    #expect(try await GetRun(ended: get.start()).done?.stored == nil)
  }

  @Test(arguments: [
    (["list"], "which store?"), (["list", "--store", "none"], "no such file"), (["nothing"], "no command nothing"),
    (["list", "--store", ".", "more"], "means nothing"), (["pin", "--store", ".", "x"], "not a file id"),
    (["export", "--store", "."], "needs a file id"), ([], "needs a command"),
    (["stat", "--store", "."], "no chunk store here"),
  ])
  func `a wrong command line says what is wrong`(words: [String], message: String) async throws {
    var program = GetRun.program(["store"] + words, in: store.directory)
    program.environment["CHUNKGET_STORE"] = .some(nil)
    let result = try await program.run()
    #expect(result.status == 2, "\(result)")
    #expect(result.errorText.lowercased().contains(message), "\(result)")
  }

  @Test func help() async throws {
    let result = try await GetRun.program(["store", "--help"]).run()
    #expect(result.status == 0)
    #expect(
      result.outputText.hasPrefix(
        """
        chunkget store: look after a directory of chunks that downloads share

        Usage: chunkget store COMMAND [options] …
               chunkget store COMMAND --help

        Commands:
          list    list the files in the store: ID, length, what is missing, name
          stat    tell how much is in the store
          add     put the chunks of files, and their manifests, into the store
          export  write a file from the store alone, without a network
          verify  hash everything in the store, and list what is wrong or missing
          repair  fetch what files in the store want and do not have, or not right
          prune   remove chunks that no file wants, and files where room is wanted
          pin     keep files whatever prune is told
          unpin   no longer keep files whatever prune is told

        """), "\(result.outputText)")
    for command in ["list", "stat", "add", "export", "verify", "repair", "prune", "pin", "unpin"] {
      let help = try await GetRun.program(["store", command, "--help"]).run()
      #expect(help.status == 0)
      #expect(help.outputText.contains("--store DIR"))
      #expect(help.outputText.contains("Exit codes:"))
    }
  }
}
