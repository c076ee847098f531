internal import ChunkCore
internal import ChunkHTTP
internal import ChunkStore
internal import ChunkSystem

/// One download, told from top to bottom. Read this file first, then `VerifiedTransfer`: each step is a function there,
/// and what it stands on is in the folder named beside it.
///
/// Runs on a thread of its own and blocks it; `Download` makes an `async` call of it.
struct Transfer {
  var url: HTTPURL
  var mirrors: [HTTPURL]
  /// Stores on servers.
  var stores: [SourcePlace] = []
  let output: Output
  var options: TransferOptions
  let cancellation: Cancellation
  let observe: @Sendable (TransferProgress) -> Void
  /// Files that may have some of the chunks, open.
  var seeds: [InputFile] = []

  func run() throws(TransferError) -> TransferReport {
    if options.savesManifest, case .stream = output {
      throw TransferError(.invalidRequest, "a manifest is saved beside a file, and the output is a stream.")
    }
    var transfer = self
    transfer.seeds = try openSeeds()
    let network = try Network(origin: url, options: options, cancellation: cancellation)
    defer { network.shutdown() }
    observe(TransferProgress(phase: .manifest))

    // 0. Which digest must the whole file have, if anybody says one (Discovery/)?
    transfer.options.sha256 = try WantedDigest(url: url, options: options, fetch: network.smallFetch).find()
    let report = try transfer.run(network)
    if options.savesManifest, case .file(let path) = output { try SavedManifest(output: path, report: report).write() }
    return report
  }

  /// At the very beginning: a seed that is not there is most likely a slip.
  private func openSeeds() throws(TransferError) -> [InputFile] {
    do throws(StoreError) {
      var seeds: [InputFile] = []
      for path in options.seeds { seeds.append(try InputFile(path)) }
      return seeds
    } catch {
      throw TransferError(TransferError(error).code, "the seed \(error).")
    }
  }

  private func run(_ network: Network) throws(TransferError) -> TransferReport {
    // 1. Find the manifest, and verify it as far as its root (Discovery/; when there is a lock file, Lock/).
    if let locked = options.locked {
      return try LockedTransfer(transfer: self, network: network, locked: locked).run()
    }
    // Over a long path payload is asked for meanwhile (Discovery/EarlyStart).
    let early = EarlyStart(self, network)
    defer { early?.cancel() }
    switch try findManifest(network, early) {
    case .found(let located): return try run(with: located, network, early)
    case .absent(let reason):
      early?.cancel()
      return try runWithoutManifest(reason, network)
    }
  }

  /// A file that is pinned needs no network for a manifest that a store has.
  private func findManifest(
    _ network: Network, _ early: EarlyStart?
  ) throws(TransferError) -> ManifestLocation.Finding {
    do throws(TransferError) {
      var search = search(network)
      search.early = early
      return try search.find()
    } catch {
      guard error.code == .unreachable, let kept = StoreUse.keptManifest(options) else { throw error }
      options.onNotice?("\(error.message) Going on with the manifest in the store.")
      var offline = search(network)
      offline.options.manifest = .at(kept)
      return try offline.find()
    }
  }

  /// Where the manifest is to be looked for.
  func search(_ network: Network) -> ManifestSearch {
    ManifestSearch(url: url, mirrors: mirrors, options: options, fetch: network.smallFetch)
  }

  func runWithoutManifest(_ reason: String, _ network: Network) throws(TransferError) -> TransferReport {
    if options.requiresVerification {
      throw TransferError(
        .notTrusted, "nothing would vouch for the file (\(reason)), and --require-verified was given.")
    }
    options.onNotice?("no manifest (\(reason)): the file cannot be verified chunk by chunk")
    if !seeds.isEmpty { options.onNotice?("without a manifest nothing tells what of a seed is wanted: it is not used") }
    do throws(TransferError) {
      return try UnverifiedTransfer(transfer: self, network: network).run()
    } catch {
      // With a digest to decide it may be fetched from elsewhere, but one place at a time.
      guard error.code == .unreachable, options.sha256 != nil, let next = mirrors.first else { throw error }
      options.onNotice?("\(error.message) Going on with \(next)")
      var transfer = self
      transfer.url = next
      transfer.mirrors.removeFirst()
      return try transfer.runWithoutManifest(reason, network)
    }
  }

  func run(
    with first: LocatedManifest, _ network: Network, _ early: EarlyStart? = nil
  ) throws(TransferError) -> TransferReport {
    var located = first
    var restartsLeft = Self.maximumRestarts
    while true {
      // 2. Is that as much trust as was asked for?
      try checkTrust(located.trust)
      // 2a. With a store: say what is wanted of it, and keep the manifest there (Store/).
      let store = try StoreUse.begin(located, options: options, fetch: network.smallFetch)
      let verified = VerifiedTransfer(
        transfer: self, network: network, located: located, store: store, early: early)
      switch try verified.run() {
      case .done(let report):
        return report
      case .replaced(let newer):
        guard restartsLeft > 0 else {
          throw TransferError(
            .sourceChanged, "\(url): the publisher replaces the file faster than it can be fetched; try again later.",
            isRetryable: true)
        }
        restartsLeft -= 1
        options.onNotice?("the publisher has replaced file and manifest: going on with the new ones")
        located = newer
      }
    }
  }

  /// A publication that changes more often than this while one download runs is not one to wait for.
  private static let maximumRestarts = 3

  private func checkTrust(_ trust: TrustLevel) throws(TransferError) {
    if trust == .digest, options.requiresVerification {
      throw TransferError(
        .notTrusted, "only the digest of the whole file would vouch for it, and --require-verified was given.")
    }
    guard trust == .transport else { return }
    if options.requiresVerification {
      throw TransferError(
        .notTrusted,
        "the manifest came without TLS, so anybody on the way may have made it. Pin the file with --id, want "
          + "it signed with --public-key, or use https.")
    }
    options.onNotice?(
      "the manifest came without TLS: errors are found, but not somebody on the way who wants to deceive")
  }
}
