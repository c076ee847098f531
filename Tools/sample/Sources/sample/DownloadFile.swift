import ChunkTransfer

func downloadFile(from url: String, to path: String) async throws {
  let download = try Download(from: url, to: path)
  let report = try await download.run()
  print("\(report.length) bytes, trusted as \(report.trust.rawValue)")
}

func downloadPinned(_ id: FileID, from url: String, to path: String) async throws {
  var options = TransferOptions()
  options.fileID = id
  options.requiresVerification = true
  let report = try await Download(from: url, to: path, options: options).run()
  print("\(report.length) bytes, trusted as \(report.trust.rawValue)")
}
