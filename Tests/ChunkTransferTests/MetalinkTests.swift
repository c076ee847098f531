import ChunkCore
import ChunkTestSupport
import ChunkTransfer
import FaultServer
import Testing

/// What is made of Metalink documents, good ones and others.
struct MetalinkTests {
  private static let publication = Result { try Publication(length: 3 * 65_536 + 5) }

  /// A document about a file: every part of it can be another.
  private struct Document {
    var prolog = "<?xml version=\"1.0\"?>\n"
    var namespace = "urn:ietf:params:xml:ns:metalink"
    var name = "file.bin"
    var size = "196613"
    var hash = ""
    var pieces = ""
    var urls = "<url>http://a.example/file.bin</url>"
    var more = ""

    init() throws {
      let publication = try MetalinkTests.publication.get()
      hash = "<hash type=\"sha-256\">\(publication.sha256)</hash>"
      pieces = Self.pieces(publication, length: 65_536)
    }

    static func pieces(_ publication: Publication, length: Int, type: String = "sha-256") -> String {
      let digests = stride(from: 0, to: publication.bytes.count, by: length).map { start in
        SHA256Hasher.hash(
          publication.bytes.span.extracting(start..<min(start + length, publication.bytes.count)))
      }
      return "<pieces length=\"\(length)\" type=\"\(type)\">\(digests.map { "<hash>\($0)</hash>" }.joined())</pieces>"
    }

    var text: String {
      """
      \(prolog)<metalink xmlns="\(namespace)"><!-- by hand --><generator>x</generator>
      <file name="\(name)"><size> \(size)
      </size>\(hash)\(pieces)\(urls)</file>\(more)</metalink>
      """
    }
  }

  private func load(_ text: String) async throws -> Result<Metalink, TransferError> {
    let scratch = try TemporaryDirectory()
    try scratch.write(Array(text.utf8), to: "x.meta4")
    do throws(TransferError) {
      return .success(try await Metalink.load(scratch.path("x.meta4"), options: TransferOptions()))
    } catch {
      return .failure(error)
    }
  }

  private func download(_ text: String, _ options: TransferOptions = TransferOptions()) async throws
    -> (url: String, options: TransferOptions)
  {
    let metalink = try await load(text).get()
    return try metalink.download(of: #require(metalink.files.first), options)
  }

  @Test("URLs in the order of their priorities, each once, and no others than http and https")
  func places() async throws {
    var document = try Document()
    document.urls = """
      <url>http://late.example/f</url><url priority="2" location="de">https://b.example/a&amp;b?x=&#49;</url>
      <url priority="1">ftp://f.example/f</url><url priority="2">http://c.example/f</url>
      <url priority="1">
        http://a.example/f </url><metaurl priority="1" mediatype="torrent">http://t.example/t</metaurl>
      <url priority="3">http://A.example:80/f</url><url>file:///etc/passwd</url>
      <x:url xmlns:x="other">http://x.example/f</x:url>
      """
    let (url, options) = try await download(document.text)
    #expect(url == "http://a.example/f")
    #expect(options.mirrors == ["https://b.example/a&b?x=1", "http://c.example/f", "http://late.example/f"])
    let publication = try Self.publication.get()
    #expect(options.sha256 == publication.sha256)
    #expect(options.pieceManifest != nil)
  }

  @Test("pieces that are no chunks are left aside, the digest of the whole is not")
  func otherPieces() async throws {
    let publication = try Self.publication.get()
    for pieces in [
      "", Document.pieces(publication, length: 65_535), Document.pieces(publication, length: 2048),
      Document.pieces(publication, length: 65_536, type: "sha-1"),
    ] {
      var document = try Document()
      document.pieces = pieces
      let (_, options) = try await download(document.text)
      #expect(options.pieceManifest == nil)
      #expect(options.sha256 == publication.sha256)
    }
  }

  @Test("who asks for a certain manifest gets that one, and not the pieces")
  func certainManifest() async throws {
    let text = try Document().text
    for change: (inout TransferOptions) -> Void in [
      { $0.fileID = try? Publication.standard().fileID }, { $0.manifest = .at("x") },
      { $0.publicKey = SignedManifestTests.key.verificationKey },
    ] {
      var options = TransferOptions()
      change(&options)
      #expect(try await download(text, options).options.pieceManifest == nil)
    }
  }

  /// A document that must not be used, and words of the reason.
  private static func refused() throws -> [(String, String)] {
    let deep = String(repeating: "<a>", count: 20) + String(repeating: "</a>", count: 20)
    let changes: [((inout Document) -> Void, String)] = [
      ({ $0.prolog = "<!DOCTYPE metalink>" }, "document type declaration"),
      ({ $0.prolog = "<!DOCTYPE m [<!ENTITY a \"b\">]>" }, "document type declaration"),
      ({ $0.prolog = "<!DOCTYPE m SYSTEM \"file:///etc/passwd\">" }, "document type declaration"),
      ({ $0.more = "&nbsp;" }, "undefined entity"), ({ $0.more = "<file>" }, "a file in it has a name"),
      ({ $0.more = "</x>" }, "mismatched tag"), ({ $0.more = deep }, "nested more than 16 deep"),
      ({ $0.namespace = "http://www.metalinker.org/" }, "of version 3"),
      ({ $0.namespace = "http://www.w3.org/1999/xhtml" }, "it is no Metalink"),
      ({ $0.prolog = "<?xml version=\"1.0\" encoding=\"ebcdic\"?>" }, "unknown encoding"),
      ({ $0.name = "../file.bin" }, "a file in it has a name"), ({ $0.name = "/etc/passwd" }, "has a name"),
      ({ $0.name = ".." }, "has a name"), ({ $0.name = "a&#10;b" }, "has a name"), ({ $0.name = "" }, "has a name"),
      ({ $0.name = String(repeating: "n", count: 243) }, "has a name"),
      ({ $0.size = "-1" }, "the size of a file in it is none"), ({ $0.size = "1e3" }, "the size of a file"),
      ({ $0.size = "18446744073709551616" }, "the size of a file"),
      ({ $0.size = "1</size><size>2" }, "it says two things of the size"),
      ({ $0.hash = "<hash type=\"sha-256\">abc</hash>" }, "the SHA-256 of a file in it is none"),
      (
        { $0.hash += "<hash type=\"sha-256\">\(String(repeating: "0", count: 64))</hash>" }, "two things of the SHA-256"
      ),
      ({ $0.pieces += $0.pieces }, "two things of the list of pieces"),
      ({ $0.pieces = $0.pieces.replacing("65536", with: "0") }, "pieces have no length"),
      ({ $0.pieces = $0.pieces.replacing("<hash>", with: "<hash>0") }, "the hash of a piece"),
      ({ $0.more = "<file name=\"file.bin\"/>" }, "two files in it have one name"),
      ({ $0.more = (0..<256).map { "<file name=\"\($0)\"/>" }.joined() }, "more than 256 files"),
      ({ $0.urls = String(repeating: "<url>x</url>", count: 1025) }, "too many URLs"),
      ({ $0.urls = "<url>\(String(repeating: "x", count: 8193))</url>" }, "a text longer than"),
    ]
    let texts = try changes.map { change, reason in
      var document = try Document()
      change(&document)
      return (document.text, reason)
    }
    return texts + [
      ("", "no element found"), ("not XML", "syntax error"),
      ("<metalink xmlns=\"urn:ietf:params:xml:ns:metalink\"/>", "describes no file"),
    ]
  }

  @Test("what cannot be used is refused, and the reason given")
  func refusals() async throws {
    for (text, reason) in try Self.refused() {
      guard case .failure(let error) = try await load(text) else {
        Issue.record("accepted: \(text.prefix(200))")
        continue
      }
      #expect(error.code == .notTrusted)
      #expect(error.message.contains(reason), "\(error)")
    }
  }

  @Test("a document that contradicts itself is of no use")
  func contradictions() async throws {
    var document = try Document()
    document.size = "1"
    await #expect(throws: TransferError.self) { try await download(document.text) }
    document = try Document()
    document.urls = "<url>ftp://a.example/f</url>"
    await #expect(throws: TransferError.self) { try await download(document.text) }
    var options = TransferOptions()
    options.sha256 = try Publication.standard().sha256
    await #expect(throws: TransferError.self) { try await download(Document().text, options) }
  }

  // MARK: Over the network

  /// Serves the document beside the file.
  private func site(_ document: Document, _ rules: [FaultRule] = []) throws -> Site {
    let site = try Site(Self.publication.get(), rules, hasManifest: false)
    var document = document
    document.urls = "<url>\(site.url)</url>"
    site.server.setResource(.bytes(Array(document.text.utf8)), at: "/x.meta4")
    return site
  }

  private func fetch(_ site: Site, _ client: Client) async throws -> Outcome {
    let metalink = try await Metalink.load(site.server.url("/x.meta4"), options: client.options)
    let download = try metalink.download(of: metalink.files[0], client.options)
    var client = client
    client.options = download.options
    return await client.fetch(download.url)
  }

  @Test("pieces verify chunk by chunk, and a wrong byte costs one")
  func verified() async throws {
    let site = try site(Document(), [.on(.payload && .touches(65_540), .flip([65_540]), times: 1)])
    let outcome = try await fetch(site, Client())
    let report = try outcome.expectRight(site.publication, discarding: 65_536)
    #expect(report.trust == .transport)
    #expect(report.sha256 == site.publication.sha256)
    #expect(site.server.recording.requests(to: Site.manifestPath).isEmpty)
  }

  @Test("pieces without TLS are not enough where a manifest is required")
  func strict() async throws {
    let site = try site(Document())
    var client = try Client()
    client.options.requiresVerification = true
    try await fetch(site, client).expectFailure(.notTrusted)
    #expect(site.payload.isEmpty)
  }

  @Test("a digest that is not that of the pieces is found out before the file gets its name")
  func wrongDigest() async throws {
    var document = try Document()
    document.hash = try "<hash type=\"sha-256\">\(Publication.standard().sha256)</hash>"
    try await fetch(site(document), Client()).expectFailure(.notTrusted)
  }

  @Test("without pieces the digest decides, and with a place that is gone the next one is asked")
  func digestOnly() async throws {
    var document = try Document()
    document.pieces = ""
    let site = try site(document)
    let gone = try Site()
    let url = gone.url
    gone.server.stop()
    document.urls = "<url priority=\"1\">\(url)</url><url priority=\"2\">\(site.url)</url>"
    let metalink = try await load(document.text).get()
    var client = try Client()
    client.options.retries = 1
    client.options.manifest = .none
    let download = try metalink.download(of: metalink.files[0], client.options)
    client.options = download.options
    let report = try #require(await client.fetch(download.url).report)
    #expect(report.trust == .digest)
  }

  @Test("a document that is not to be had")
  func absent() async throws {
    let site = try Site()
    var code: TransferError.Code?
    do throws(TransferError) {
      _ = try await Metalink.load(site.server.url("/absent.meta4"), options: TransferOptions())
    } catch {
      code = error.code
    }
    #expect(code == .unreachable)
  }
}
