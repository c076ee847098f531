import ChunkStore
import ChunkSystem
import ChunkTestSupport
import ChunkTransfer
import FaultServer
import Testing

/// Lets every single file call of whole downloads fail, one a run, and looks at what is left behind.
@Suite(.serialized) struct TransferErrnoWalkTests {
  /// What a failing disk says, and what is no failure at all.
  static let faults: [CallFaults.Fault] = [
    .error(.noSpace), .error(.ioError), .error(.diskQuotaExceeded), .error(.interrupted), .short,
  ]

  /// What lies there before the download.
  enum Before: CaseIterable {
    case nothing, olderFileAndPartial
  }

  let publication: Publication
  let site: Site
  let client: Client
  let older: [UInt8]

  init() throws {
    // 11 chunks, one of them zeros, the last one short.
    var bytes = try Publication(length: 10 * 4096 + 77, seed: 3, chunkSize: 4096).bytes
    for index in 3 * 4096..<4 * 4096 { bytes[index] = 0 }
    publication = try Publication(bytes, chunkSize: 4096)
    site = try Site(publication)
    client = try Client()
    // In common: the first four chunks.
    older = Array(bytes[..<(4 * 4096)]) + [UInt8](repeating: 9, count: 3000)
  }

  func prepare(_ before: Before) throws {
    for name in try client.scratch.names() { try client.scratch.remove(name) }
    switch before {
    case .nothing: break
    case .olderFileAndPartial:
      try client.scratch.write(Array(publication.bytes[..<8192]) + older[..<8192], to: Client.name + ".part")
      try client.scratch.write(older, to: Client.name)
    }
  }

  func download(_ faults: CallFaults?) async throws -> Result<TransferReport, TransferError> {
    let path = client.scratch.path(Client.name)
    do throws(TransferError) {
      let destination = try OutputPath.resolved(path, files: FileSystem(faults: faults))
      let download = try Download(from: site.url, toFile: destination, options: client.options)
      return .success(try await download.run())
    } catch {
      return .failure(error)
    }
  }

  @Test(arguments: Before.allCases, faults)
  func `every call of a download fails once: the file is right or as it was, and the next run finishes`(
    before: Before, fault: CallFaults.Fault
  ) async throws {
    var number = 0
    while true {
      try prepare(before)
      let old = client.scratch.read(Client.name)
      let faults = CallFaults(.init(failing: number, with: fault))
      let result = try await download(faults)
      let after = client.scratch.read(Client.name)
      let isNew = after == publication.bytes
      let isOld = after == old
      switch result {
      case .success:
        #expect(isNew, "call \(number)")
      case .failure(let error):
        #expect(isNew || isOld, "call \(number)")
        #expect(error.code == .disk, "call \(number): \(error.code) \(error)")
        #expect(fault != .error(.interrupted) && fault != .short, "call \(number): \(error)")
      }
      _ = try await download(nil).get()
      let isRight = client.scratch.read(Client.name) == publication.bytes
      #expect(isRight, "after call \(number)")
      #expect(try client.scratch.names() == [Client.name], "after call \(number)")
      // Threads make the number of calls vary a little; the walk ends when there was none of that number.
      guard faults.count() > number else { break }
      number += 1
    }
    #expect(number > 30)
  }

  @Test("a file that another process finished between the look and the lock is found right, and nothing is fetched")
  func finishedMeanwhile() async throws {
    try prepare(.nothing)
    let directory = client.scratch
    let bytes = publication.bytes
    let faults = CallFaults(nil) { call, _ in
      guard call == .lock else { return }
      do { try directory.write(bytes, to: Client.name) } catch { Issue.record(error) }
    }
    let report = try await download(faults).get()
    #expect(report.reusedBytes == report.length)
    #expect(report.requests == 0)
    #expect(try directory.names() == [Client.name])
    #expect(site.payload.isEmpty)
  }
}

extension OutputPath {
  /// As the library does it.
  static func resolved(_ path: String, files: FileSystem) throws(TransferError) -> OutputPath {
    do throws(StoreError) { return try OutputPath(path, files: files) } catch { throw TransferError(error) }
  }
}
