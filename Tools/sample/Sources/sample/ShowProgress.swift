import ChunkTransfer

func showProgress(of url: String, to path: String) async throws {
  let download = try Download(from: url, to: path)
  async let report = download.run()
  for await progress in download.progress {
    show(progress)
  }
  print("done in \(try await report.seconds) s")
}

func show(_ progress: TransferProgress) {
  guard let total = progress.totalBytes, total > 0 else {
    return print("\(progress.phase.rawValue)…")
  }
  let percent = progress.verifiedBytes * 100 / total
  let left = progress.remainingSeconds.map { ", \(Int($0)) s left" } ?? ""
  print("\(progress.phase.rawValue): \(percent) %\(left)")
}
