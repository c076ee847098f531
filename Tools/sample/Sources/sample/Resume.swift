import ChunkTransfer

func stopHalfway(_ url: String, to path: String) async throws {
  var options = TransferOptions()
  options.rateLimit = 8 << 20
  let download = try Download(from: url, to: path, options: options)
  let running = Task { try await download.run() }
  for await progress in download.progress {
    if let total = progress.totalBytes, progress.verifiedBytes >= total / 2 { running.cancel() }
  }
  do {
    _ = try await running.value
  } catch let error as TransferError where error.code == .cancelled {
    print("stopped; what was verified is in \(path).part")
  }
}

func resume(_ url: String, to path: String) async throws {
  let report = try await Download(from: url, to: path).run()
  print("\(report.reusedBytes) bytes were here, \(report.fetchedBytes) were fetched")
}

func keepTrying(_ url: String, to path: String) async throws -> TransferReport {
  var pause = Duration.seconds(1)
  while true {
    do {
      return try await Download(from: url, to: path).run()
    } catch {
      guard error.isRetryable else { throw error }
      print("\(error.message) Trying again in \(pause)")
      try await Task.sleep(for: pause)
      pause = min(pause * 2, .seconds(60))
    }
  }
}
