import ChunkCore
import ChunkTestSupport
import ChunkTransfer
import FaultServer
import Testing

/// A public key was given: nothing but what its owner signed is believed, and nothing is fetched before that is known.
struct SignedManifestTests {
  static let key = SigningKey(seed: [UInt8](repeating: 7, count: 32), id: KeyID([1, 2, 3, 4, 5, 6, 7, 8]))
  static let otherKey = SigningKey(seed: [UInt8](repeating: 8, count: 32), id: KeyID([8, 7, 6, 5, 4, 3, 2, 1]))
  static let signaturePath = Site.manifestPath + ".minisig"
  static let name = "file.bin.chunks"

  static func signature(
    of manifest: [UInt8], _ fileID: FileID, name: String = name, version: UInt64? = nil, by key: SigningKey = key
  ) throws -> [UInt8] {
    let comment = try TrustedComment(file: name, fileID: fileID, version: version)
    return Array(key.sign(hash: BLAKE2b.hash(manifest.span, .bytes64), comment: comment).fileText.utf8)
  }

  static func site(
    _ publication: Publication? = nil, signature: [UInt8]? = nil, version: UInt64? = nil, _ rules: [FaultRule] = []
  ) throws -> Site {
    let publication = try publication ?? .standard()
    let site = try Site(publication, rules)
    let signature = try signature ?? Self.signature(of: publication.manifest, publication.fileID, version: version)
    site.server.setResource(.bytes(signature), at: signaturePath)
    return site
  }

  static func client(minimumVersion: UInt64? = nil) throws -> Client {
    var client = try Client()
    client.options.publicKey = key.verificationKey
    client.options.minimumVersion = minimumVersion
    return client
  }

  @Test("the signature holds: the file is as trusted as the key")
  func holds() async throws {
    let site = try Self.site(version: 4)
    let report = try await Self.client(minimumVersion: 4).fetch(from: site).expectRight(site.publication)
    #expect(report.trust == .signed)
    let paths = site.server.recording.requests.prefix(2).map(\.path)
    #expect(paths == [Self.signaturePath, Site.manifestPath])
  }

  @Test("a pinned file ID is compared as well, and is the stronger of the two")
  func pinnedToo() async throws {
    let site = try Self.site()
    var client = try Self.client()
    client.options.fileID = site.publication.fileID
    #expect(try await client.fetch(from: site).expectRight(site.publication).trust == .pinned)
    var other = try Self.client()
    other.options.fileID = try Publication.older().fileID
    try await other.fetch(from: site).expectFailure(.notTrusted)
  }

  /// A way to be deceived, and words of the message that names it.
  enum Deceit: CaseIterable {
    case wrongKey, wrongSignature, truncated, overlong, noSignature, page, tamperedManifest, tamperedComment, otherFile
    case otherFileID, rolledBack, noVersion, notAManifest, tooLong

    var words: String {
      switch self {
      case .wrongKey: "was made with the key 0102030405060708, not with the one given"
      case .wrongSignature: "is not one that the key"
      case .truncated: "is cut off"
      case .overlong: "longer than any"
      case .noSignature: "there is no signature at"
      case .page: "not a signature of minisign's format"
      case .tamperedManifest: "not the one that was signed"
      case .tamperedComment: "the trusted comment was changed"
      case .otherFile: "that of another file, other.bin.chunks"
      case .otherFileID: "the signature is for chunks1-"
      case .rolledBack: "the signed version is 4, and at least 5 is wanted"
      case .noVersion: "names no version"
      case .notAManifest: "is signed, but not valid"
      case .tooLong: "bytes follow the manifest"
      }
    }

    /// What lies at the place of the signature, if anything, and at that of the manifest.
    func make(_ publication: Publication) throws -> (signature: [UInt8]?, manifest: [UInt8]) {
      let (manifest, id) = (publication.manifest, publication.fileID)
      let good = try signature(of: manifest, id, version: 4)
      switch self {
      case .wrongKey: return (try signature(of: manifest, id, by: otherKey), manifest)
      case .wrongSignature:
        let impostor = SigningKey(seed: [UInt8](repeating: 8, count: 32), id: key.id)
        return (try signature(of: manifest, id, by: impostor), manifest)
      case .truncated: return (Array(good.dropLast(20)), manifest)
      case .overlong: return (good + [UInt8](repeating: 10, count: 1 << 20), manifest)
      case .noSignature: return (nil, manifest)
      case .page: return (Array("<html>not here</html>".utf8), manifest)
      case .tamperedManifest: return (good, manifest.dropLast() + [manifest[manifest.count - 1] ^ 1])
      case .tamperedComment:
        return (Array(String(decoding: good, as: UTF8.self).replacing("version:4", with: "version:5").utf8), manifest)
      case .otherFile: return (try signature(of: manifest, id, name: "other.bin.chunks"), manifest)
      case .otherFileID: return (try signature(of: manifest, Publication.older().fileID, version: 5), manifest)
      case .rolledBack: return (good, manifest)
      case .noVersion: return (try signature(of: manifest, id), manifest)
      case .notAManifest:
        let page = Array("<html>".utf8)
        return (try signature(of: page, id, version: 5), page)
      case .tooLong:
        let longer = manifest + [0]
        return (try signature(of: longer, id, version: 5), longer)
      }
    }

    private func signature(
      of manifest: [UInt8], _ id: FileID, name: String = SignedManifestTests.name, version: UInt64? = nil,
      by key: SigningKey = SignedManifestTests.key
    ) throws -> [UInt8] {
      try SignedManifestTests.signature(of: manifest, id, name: name, version: version, by: key)
    }
  }

  @Test("each way to be deceived has its own message, and no payload byte is asked for", arguments: Deceit.allCases)
  func deceived(_ deceit: Deceit) async throws {
    let publication = try Publication.standard()
    let (signature, manifest) = try deceit.make(publication)
    let site = try Site(publication)
    site.server.setResource(.bytes(manifest), at: Site.manifestPath)
    site.server.setResource(signature.map { .bytes($0) }, at: Self.signaturePath)
    let error = try await Self.client(minimumVersion: 5).fetch(from: site).expectFailure(.notTrusted)
    #expect(error.message.contains(deceit.words), "\(error)")
    #expect(site.payload.isEmpty)
  }

  @Test("every message is another one")
  func messagesDiffer() {
    #expect(Set(Deceit.allCases.map(\.words)).count == Deceit.allCases.count)
  }

  @Test("a key that does not fit is known before the manifest is asked for")
  func wrongKeyCostsNoManifest() async throws {
    let publication = try Publication.standard()
    let site = try Self.site(
      signature: Self.signature(of: publication.manifest, publication.fileID, by: Self.otherKey))
    try await Self.client().fetch(from: site).expectFailure(.notTrusted)
    #expect(site.server.recording.requests(to: Site.manifestPath).isEmpty)
  }

  @Test("a manifest that is not there is an error, and so is none wanted")
  func required() async throws {
    let site = try Self.site()
    site.server.setResource(nil, at: Site.manifestPath)
    try await Self.client().fetch(from: site).expectFailure(.notTrusted)
    var client = try Self.client()
    client.options.manifest = .none
    try await client.fetch(from: site).expectFailure(.invalidRequest)
    #expect(site.payload.isEmpty)
  }

  /// A manifest of more than 8 MiB of chunk IDs: more than is asked for at a time, and more than is kept.
  private static let long = Result {
    let geometry = try ChunkGeometry(fileLength: 300_000 * 4096, chunkSize: .minimum)
    let ids = [ChunkID](repeating: ZeroChunk.id(length: 4096), count: geometry.chunkCount)
    return try ManifestEncoder(geometry: geometry, chunkIDs: ids)
  }

  enum Server: CaseIterable { case whole, shortRanges, noRanges, breaksOff }

  @Test("a long manifest is read to its end before anything is made of it", arguments: Server.allCases)
  func longManifest(_ kind: Server) async throws {
    let long = try Self.long.get()
    let manifest = long.encode()
    let rule: [FaultRule] =
      switch kind {
      case .whole: []
      case .shortRanges: [.on(.manifest, .limitRange(to: 1_000_000))]
      case .noRanges: [.on(.manifest, .ignoreRange)]
      case .breaksOff: [.on(.manifest, .cut(after: 700_000, .reset), times: 2)]
      }
    let site = try Self.site(signature: Self.signature(of: manifest, long.fileID), rule)
    site.server.setResource(.bytes(manifest), at: Site.manifestPath)
    // All of the file is zeros, which need not be fetched.
    let outcome = try await Self.client().fetch(from: site)
    let report = try #require(outcome.report, "\(String(describing: outcome.error))")
    #expect(report.trust == .signed)
    #expect(report.length == 300_000 * 4096)
    #expect(site.payload.isEmpty)

    // The last byte decides as well as the first.
    site.server.setResource(.bytes(manifest.dropLast() + [manifest[manifest.count - 1] ^ 1]), at: Site.manifestPath)
    let error = try await Self.client().fetch(from: site).expectFailure(.notTrusted)
    #expect(error.message.contains("not the one that was signed"))
  }

  @Test("a manifest on disk has its signature beside it")
  func fromAFile() async throws {
    let publication = try Publication.standard()
    let site = try Site(publication, hasManifest: false)
    let manifests = try Client()
    try manifests.scratch.write(publication.manifest, to: "mine")
    var client = try Self.client()
    client.options.manifest = .at(manifests.scratch.path("mine"))
    try await client.fetch(from: site).expectFailure(.notTrusted)
    // Signed under the name of the file that is wanted, or under the one the manifest has here.
    for name in [Self.name, "mine"] {
      let signature = try Self.signature(of: publication.manifest, publication.fileID, name: name)
      try manifests.scratch.write(signature, to: "mine.minisig")
      var again = try Self.client()
      again.options.manifest = client.options.manifest
      #expect(try await again.fetch(from: site).expectRight(publication).trust == .signed)
    }
  }

  @Test("with a query that is a secret, signature and manifest are asked for with it")
  func keepsTheQuery() async throws {
    let site = try Self.site()
    try await Self.client().fetch(site.url + "?token=abc").expectRight(site.publication)
    #expect(site.server.recording.requests.allSatisfy { $0.query == "token=abc" })
  }
}
