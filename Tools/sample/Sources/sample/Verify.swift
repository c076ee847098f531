import ChunkTransfer

func verify(_ path: String) async throws -> Bool {
  let check = try await FileCheck(of: path) { chunk in
    print("wrong: bytes \(chunk.range.offset)..<\(chunk.range.end)")
  }
  print(check.isRight ? "right: \(check.fileID)" : "\(check.wrongChunkCount) chunks are wrong")
  return check.isRight
}

func repair(_ path: String, from url: String) async throws {
  let report = try await Download(from: url, to: path).run()
  print("\(report.fetchedBytes) bytes were wrong")
}
