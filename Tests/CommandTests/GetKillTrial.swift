import ChunkTestSupport
import FaultServer
import Testing

/// One download that is killed with SIGKILL, damaged, and run again; and what must hold of it whatever was done.
struct KillTrial {
  let publication: Publication
  let server: FaultServer
  let directory: TemporaryDirectory
  /// Wide enough that several requests are open whenever the kill comes.
  let connections = 4
  /// Without one, what was learned is all there is to go on with.
  var hasManifest = true
  /// A file that has some of the chunks, and which these are.
  var seed: (path: String, chunks: Set<Int>)?

  init(_ publication: Publication, server: FaultServer) throws {
    self.publication = publication
    self.server = server
    directory = try TemporaryDirectory()
  }

  var output: String { directory.path(Publication.name) }
  var partial: String { output + ".part" }
  static let sideFiles = ["chunks", "learned"].map { "\(Publication.name).part.\($0)" }

  private var arguments: [String] {
    ["-x", "\(connections)"] + (hasManifest ? [] : ["--no-manifest"]) + (seed.map { ["--seed", $0.path] } ?? [])
      + [server.url()]
  }

  /// Runs the command until the partial holds `bytes` bytes of data, and kills it then.
  ///
  /// - Returns: Whether it was killed; false when it was quicker each time, and nothing is there now.
  func kill(at bytes: UInt64) async throws -> Bool {
    // A machine that is busy may hear too late of a write; then the next try is slower.
    for rate in ["8M", "2M", "512K"] {
      if try await kill(at: bytes, rate: rate) { return true }
      try TestFile.remove(output)
    }
    return false
  }

  private func kill(at bytes: UInt64, rate: String) async throws -> Bool {
    let watch = try DirectoryWatch(directory.path)
    let process = try GetRun.start(["--limit-rate", rate] + arguments, in: directory)
    let partial = partial
    let killing = Task {
      try await watch.waitUntil {
        guard let written = try? TestFile.dataBytes(partial), written >= bytes else { return false }
        process.kill(9)
        return true
      }
    }
    let result = await process.result
    watch.stop()
    _ = try await killing.value
    guard result.end == .signalled(9) else {
      #expect(result.status == 0, "\(result)")
      return false
    }
    // What it had said to be verified is on disk.
    let said = try result.errorLines.map { try GetEvent($0) }.last { $0.event == "progress" }?.verified ?? 0
    let kept = publication.bytes(in: try rightChunks())
    #expect(kept >= said, "\(said) bytes were said to be verified, \(kept) are there")
    return true
  }

  /// The chunks that are right on disk now.
  func rightChunks() throws -> Set<Int> {
    TestFile.exists(partial) ? publication.rightChunks(in: try TestFile.read(partial)) : []
  }

  /// Runs the command to its end and checks that it keeps whatever is right on disk, and takes what the seed has. `mayDiscard` bytes
  /// may come in vain.
  func finish(mayDiscard: Int = 0) async throws {
    let right = try rightChunks().union(seed?.chunks ?? [])
    let requestsBefore = server.recording.requests.count
    let run = try await GetRun(arguments, in: directory)
    let done = try #require(run.done, "\(run)")
    #expect(run.status == 0)
    #expect(try publication.isComplete(output))
    let kept = publication.bytes(in: right)
    #expect(done.reused == kept)
    #expect(done.fetched == publication.content.count - kept)
    #expect(try #require(done.discarded) <= mayDiscard, "\(run)")
    let requests = server.recording.requests.dropFirst(requestsBefore)
    #expect(publication.chunksServed(Array(requests)).isDisjoint(with: right), "right chunks were fetched again")
    #expect(try directory.names() == [Publication.name], "nothing is left beside it")
  }
}

extension KillTrial {
  /// Runs the command to its end without a manifest: not all that is right need be known to be.
  ///
  /// - Returns: How many bytes were kept.
  func finishUnverified() async throws -> Int {
    let right = try rightChunks()
    let run = try await GetRun(arguments, in: directory)
    let done = try #require(run.done, "\(run)")
    #expect(run.status == 0)
    #expect(try publication.isComplete(output))
    let reused = try #require(done.reused)
    #expect(try #require(done.fetched) + reused == publication.content.count)
    #expect(reused <= publication.bytes(in: right))
    #expect(try directory.names() == [Publication.name], "nothing is left beside it")
    return reused
  }
}

/// What is done to the files between the kill and the next run.
enum Damage: CaseIterable {
  case nothing
  case sideFilesGone, sideFilesCut, sideFilesNoise
  case partialTooLong, partialCut, chunksOfZeros, chunksOfAnotherVersion, flippedBits

  func apply(to trial: KillTrial, _ random: inout SeededRandom) throws {
    switch self {
    case .nothing: break
    case .sideFilesGone: for path in sideFiles(trial) { try TestFile.remove(path) }
    case .sideFilesCut:
      for path in sideFiles(trial) {
        try TestFile.truncate(path, to: UInt64.random(in: 0...TestFile.size(path), using: &random))
      }
    case .sideFilesNoise:
      for path in sideFiles(trial) { try TestFile.write(random.bytes(count: Int(try TestFile.size(path))), to: path) }
    case .partialTooLong:
      let length = UInt64(trial.publication.content.count)
      try TestFile.overwrite(trial.partial, at: length, with: random.bytes(count: 100_000))
    case .partialCut:
      try TestFile.truncate(trial.partial, to: UInt64.random(in: 0...TestFile.size(trial.partial), using: &random))
    case .chunksOfZeros:
      try overwrite(trial, &random) { [UInt8](repeating: 0, count: $0) }
    case .chunksOfAnotherVersion:
      var other = SeededRandom(seed: 99)
      try overwrite(trial, &random) { other.bytes(count: $0) }
    case .flippedBits:
      let length = UInt64(trial.publication.content.count)
      for _ in 0..<3 { try TestFile.flip(trial.partial, at: UInt64.random(in: 0..<length, using: &random)) }
    }
  }

  private func sideFiles(_ trial: KillTrial) -> [String] {
    KillTrial.sideFiles.map { trial.directory.path($0) }.filter { TestFile.exists($0) }
  }

  /// Replaces every other chunk on average, whether it was there or not.
  private func overwrite(_ trial: KillTrial, _ random: inout SeededRandom, with bytes: (Int) -> [UInt8]) throws {
    for chunk in 0..<trial.publication.chunkCount where Bool.random(using: &random) {
      let range = trial.publication.range(of: chunk)
      try TestFile.overwrite(trial.partial, at: UInt64(range.lowerBound), with: bytes(range.count))
    }
  }
}
