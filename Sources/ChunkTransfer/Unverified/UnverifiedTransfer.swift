internal import ChunkCore
internal import ChunkHTTP
internal import ChunkStore
internal import ChunkSystem

/// A download without a manifest: nothing but lengths and validators speaks for the bytes, until a digest does.
///
/// Its bytes go to the partial and nowhere else; they get the final name when a digest, where there is one, is right.
struct UnverifiedTransfer {
  var transfer: Transfer
  let network: Network

  func run() throws(TransferError) -> TransferReport {
    switch transfer.output {
    case .file(let output): try toFile(output)
    case .stream(let open): try toStream(open)
    case .store: throw TransferError(.notTrusted, "nothing that is not verified is put in a store.")
    }
  }

  // MARK: To a file

  private func toFile(_ output: OutputPath) throws(TransferError) -> TransferReport {
    if output.existing != nil, !transfer.options.mayReplace {
      throw TransferError(.invalidRequest, "\(output.path) exists; it is left alone.")
    }
    let probe = try SourceProbe(transfer.url, fetch: network.smallFetch)
    var decided = self
    // Where nobody else says a digest, that of the server finds at least what broke on the way.
    decided.transfer.options.sha256 = transfer.options.sha256 ?? probe.digest
    return try decided.toFile(output, probe)
  }

  private func toFile(_ output: OutputPath, _ probe: SourceProbe) throws(TransferError) -> TransferReport {
    let partial = try openPartial(output)
    let meter = ProgressMeter(total: probe.length, observe: transfer.observe)
    let state: EngineState
    if let length = probe.length {
      state = try fetch(probe, length: length, into: partial, meter: meter)
    } else {
      // What an earlier run left cannot be told from right bytes, so it is not used.
      do throws(StoreError) { try partial.setLength(0) } catch { throw TransferError(error) }
      transfer.options.onNotice?("the server does not say how long the file is: one connection, from the start")
      state = try SequentialFetch(transfer: transfer, network: network, meter: meter, isResumable: false).run {
        (bytes, offset) throws(StoreError) in try partial.write(unverified: bytes, at: offset)
      }
    }
    meter.tell(.finishing, state)
    return try finish(partial, state: state, meter: meter)
  }

  private func openPartial(_ output: OutputPath) throws(TransferError) -> PartialFile {
    do throws(StoreError) { return try PartialFile.open(for: output) } catch { throw TransferError(error) }
  }

  private func fetch(
    _ probe: SourceProbe, length: UInt64, into partial: PartialFile, meter: ProgressMeter
  ) throws(TransferError) -> EngineState {
    let geometry: ChunkGeometry
    do throws(ManifestError) {
      geometry = try ChunkGeometry(fileLength: length, chunkSize: .recommended(fileLength: length))
    } catch {
      throw TransferError(.notTrusted, "\(transfer.url): \(error.message)")
    }
    let learned = try prepare(partial, for: geometry, version: probe.canBeSplit ? probe.validator : nil)
    var payload = PayloadFetch(
      geometry: geometry, network: network, transfer: transfer, meter: meter,
      here: SharedChunkSet(capacity: geometry.chunkCount))
    // Without chunk hashes nothing could tell the versions of two sources apart.
    payload.sources = [SourcePlace(url: transfer.url)]
    if probe.canBeSplit {
      payload.version = probe.validator
    } else {
      transfer.options.onNotice?(
        "the server gives no ranges, or nothing that would tell one version from another: one connection")
      payload.options.connections = 1
      payload.givesWholeBodiesOnly = true
    }
    return try fetch(payload, into: partial, learned)
  }

  /// Gives it its length; what an earlier run left in it stays only if it is known what that is.
  private func prepare(
    _ partial: PartialFile, for geometry: ChunkGeometry, version: Validator?
  ) throws(TransferError) -> LearnedFile? {
    do throws(StoreError) {
      let learned = try LearnedFile(beside: partial, of: transfer.url, geometry: geometry, version: version)
      let length = geometry.fileLength
      try partial.setLength(length)
      if length > 0 { try partial.preallocate([ByteRange(offset: 0, count: length)]) }
      return learned
    } catch {
      throw TransferError(error)
    }
  }

  private func fetch(
    _ payload: PayloadFetch, into partial: PartialFile, _ learned: LearnedFile?
  ) throws(TransferError) -> EngineState {
    let geometry = payload.geometry
    let judge = UnverifiedJudge(partial: partial, geometry: geometry, learned: learned)
    guard let learned, learned.isResumed else {
      for group in 0..<geometry.groupCount { payload.post(.wanted(Array(geometry.chunks(inGroup: group)))) }
      payload.post(.surveyEnded)
      return try payload.run(judge: judge, pages: nil, survey: { () throws(Errno) in [] }, stopSurvey: {})
    }
    var payload = payload
    let asked = SharedChunkSet(capacity: geometry.chunkCount)
    payload.asked = asked
    let survey = LearnedSurvey(
      geometry: geometry, partial: partial, learned: learned, here: payload.here, asked: asked, post: payload.post)
    return try payload.run(
      judge: judge, pages: nil, survey: { () throws(Errno) in try survey.start() }, stopSurvey: { survey.stop() })
  }

  private func finish(
    _ partial: PartialFile, state: EngineState, meter: ProgressMeter
  ) throws(TransferError) -> TransferReport {
    let length = state.counters.fetchedBytes + state.counters.reusedBytes
    let cancellation = transfer.cancellation
    let digest: SHA256Digest?
    do throws(TransferError) {
      digest = try WholeFileDigest(file: partial.file, length: length).settle(transfer.options) {
        cancellation.isCancelled
      }
    } catch {
      // Wrong and right bytes cannot be told apart here, so none of them is used again.
      if error.code == .notTrusted {
        do throws(StoreError) { try partial.discard() } catch { throw TransferError(error) }
      }
      throw error
    }
    do throws(StoreError) {
      try partial.finish(length: length, replacing: transfer.options.mayReplace)
    } catch {
      throw TransferError(error)
    }
    return report(path: partial.output.path, sha256: digest, state: state, length: length, seconds: meter.elapsed)
  }

  // MARK: To a stream

  private func toStream(_ open: @Sendable (() -> Bool) throws(StoreError) -> OpenFile) throws(TransferError)
    -> TransferReport
  {
    guard transfer.options.manifest == .none else {
      throw TransferError(
        .notTrusted,
        "there is no manifest, so nothing of what goes to the output could be verified. If that is wanted, "
          + "say --no-manifest.")
    }
    let meter = ProgressMeter(total: nil, observe: transfer.observe)
    let stream: OpenFile
    let cancellation = transfer.cancellation
    do throws(StoreError) { stream = try open { cancellation.isCancelled } } catch { throw TransferError(error) }
    var hasher = SHA256Hasher()
    let state = try SequentialFetch(transfer: transfer, network: network, meter: meter, isResumable: true).run {
      (bytes, _) throws(StoreError) in
      hasher.update(bytes)
      do throws(Errno) {
        try stream.descriptor.write(bytes)
      } catch {
        throw error == .brokenPipe
          ? StoreError(.cancelled, "was closed", path: "output") : StoreError(.other, "\(error)", path: "output")
      }
    }
    let found = hasher.finalize()
    if let digest = transfer.options.sha256, found != digest {
      throw TransferError(.notTrusted, "what was put out has the SHA-256 \(found), not \(digest): do not use it.")
    }
    return report(path: nil, sha256: found, state: state, length: state.counters.fetchedBytes, seconds: meter.elapsed)
  }

  private func report(
    path: String?, sha256: SHA256Digest?, state: EngineState, length: UInt64, seconds: Double
  ) -> TransferReport {
    TransferReport(
      path: path, manifest: nil, sha256: sha256, trust: transfer.options.sha256 == nil ? .unverified : .digest,
      length: length,
      state: state, reusedBytes: state.counters.reusedBytes, seconds: seconds)
  }
}
