import ChunkCore
import Testing

@Suite struct ManifestMetadataTests {
  private func read(_ json: String) throws(ManifestError) -> ManifestMetadata {
    try ManifestMetadata(canonicalJSON: Array(json.utf8).span)
  }

  private func text(_ metadata: ManifestMetadata) -> String {
    String(decoding: metadata.canonicalJSON(), as: UTF8.self)
  }

  private static let hex = String(repeating: "0123456789abcdef", count: 4)

  @Test func writesMembersInOrderOfTheirNames() throws {
    let metadata = try ManifestMetadata(
      comment: "c", mediaType: "text/plain", name: "n", sha256: SHA256Digest(hex: Self.hex),
      sources: [.init(kind: .pack, url: "n.zst"), .init(kind: .store, url: "https://a/"), .init(kind: .file, url: "n")])
    let json =
      #"{"comment":"c","mediaType":"text/plain","name":"n","sha256":"\#(Self.hex)","sources":["#
      + #"{"kind":"pack","url":"n.zst"},{"kind":"store","url":"https://a/"},{"kind":"file","url":"n"}]}"#
    #expect(text(metadata) == json)
    let again = try read(json)
    #expect(again == metadata)
    #expect(again.sources.map(\.kind) == [.pack, .store, .file])
    #expect(again.sha256?.hex == Self.hex)
    #expect(!again.isEmpty)
  }

  @Test(arguments: [
    #"{}"#, #"{"comment":"x"}"#, #"{"mediaType":"a/b"}"#, #"{"name":"\"\\"}"#,
    #"{"sources":[{"kind":"file","url":"\"\\"}]}"#,
    #"{"comment":"\u0000\u0001\u0007\b\t\n\u000b\f\r\u000e\u000f\u0010\u001f"}"#, #"{"comment":"/é€😀"}"#,
    "{\"comment\":\"\u{7F}\u{2028}\u{FEFF}\u{FFFF}\"}", "{\"comment\":\"e\u{301}\",\"name\":\"\u{E9}\"}",
  ])
  func readsAndWritesTheSameBytes(json: String) throws {
    #expect(Array(text(try read(json)).utf8) == Array(json.utf8))
  }

  @Test(arguments: [
    "", " ", "{", "}", "{}}", "{} ", " {}", "{ }", "[]", "null", #""""#, "0", "\u{FEFF}{}",
    #"{"comment":"x",}"#, #"{,"comment":"x"}"#, #"{"comment" :"x"}"#, #"{"comment": "x"}"#, #"{"comment":"x" }"#,
    #"{"comment":null}"#, #"{"comment":1}"#, #"{"comment":["x"]}"#, #"{"comment":'x'}"#, #"{"comment":""}"#,
    #"{"comment":"x"#, #"{"comment":"x""#, #"{"comment":"x\"#, #"{"comment":"\"}"#, #"{"comment":"x","comment":"x"}"#,
    #"{"name":"x","comment":"x"}"#, #"{"other":"x"}"#, #"{"Name":"x"}"#, #"{"na\u006de":"x"}"#, #"{"name ":"x"}"#,
    #"{"comment":"\/"}"#, #"{"comment":"\a"}"#, #"{"comment":"\u0041"}"#, #"{"comment":"\u000A"}"#,
    #"{"comment":"\u000a"}"#, #"{"comment":"\u0008"}"#, #"{"comment":"\u001F"}"#, #"{"comment":"\u0020"}"#,
    #"{"comment":"\u00"}"#, #"{"comment":"\u00+1"}"#, #"{"comment":"\u 01"}"#, #"{"comment":"\U0001"}"#,
    #"{"comment":"\ud83d\ude00"}"#, #"{"comment":"\u00e9"}"#, #"{"comment":"\u007f"}"#, #"{"comment":"\u0022"}"#,
    "{\"comment\":\"\t\"}", "{\"comment\":\"\n\"}", "{\"comment\":\"\0\"}",
    "{\"comment\":\"x\"}\n", "{\"comment\":\"x\"}\0",
    #"{"mediaType":""}"#, #"{"mediaType":"é"}"#, #"{"mediaType":"\u001f"}"#,
    #"{"name":""}"#, #"{"name":"."}"#, #"{"name":".."}"#, #"{"name":"a/b"}"#, #"{"name":"/"}"#, #"{"name":"a\n"}"#,
    #"{"name":"\u0000"}"#, "{\"name\":\"\u{7F}\"}",
    #"{"sha256":""}"#, #"{"sha256":"0"}"#,
    #"{"sources":[]}"#, #"{"sources":{}}"#, #"{"sources":[{}]}"#, #"{"sources":[{"kind":"file"}]}"#,
    #"{"sources":[{"url":"a"}]}"#, #"{"sources":[{"url":"a","kind":"file"}]}"#, #"{"sources":["a"]}"#,
    #"{"sources":[{"kind":"disk","url":"a"}]}"#, #"{"sources":[{"kind":"File","url":"a"}]}"#,
    #"{"sources":[{"kind":"file","url":""}]}"#, #"{"sources":[{"kind":"file","url":"a b"}]}"#,
    #"{"sources":[{"kind":"file","url":"é"}]}"#, #"{"sources":[{"kind":"file","url":"\n"}]}"#,
    #"{"sources":[{"kind":"file","url":"a"},]}"#, #"{"sources":[{"kind":"file","url":"a"}"#,
    #"{"sources":[{"kind":"file","url":"a","z":"b"}]}"#, #"{"sources":[{"a":"b","kind":"file","url":"a"}]}"#,
  ])
  func refusesAnyOtherBytes(json: String) {
    #expect(errorName { () throws(ManifestError) in _ = try read(json) } == "invalidMetadata")
  }

  @Test(arguments: [
    [0x80], [0xC0, 0xAF], [0xC3], [0xED, 0xA0, 0x80], [0xF4, 0x90, 0x80, 0x80], [0xE0, 0x80, 0xAF], [0xFF],
    [0xFE, 0xFF],
  ])
  func refusesWhatIsNoUTF8(bytes: [UInt8]) {
    let json = Array(#"{"comment":""#.utf8) + bytes + Array(#""}"#.utf8)
    #expect(throws: ManifestError.self) { try ManifestMetadata(canonicalJSON: json.span) }
  }

  @Test func refusesDigestsInUpperCase() {
    #expect(throws: ManifestError.self) { try read(#"{"sha256":"\#(Self.hex.uppercased())"}"#) }
  }

  @Test func knowsTheLimits() throws {
    let url = String(repeating: "u", count: 2048)
    let source = try ManifestMetadata.Source(kind: .file, url: url)
    #expect(throws: ManifestError.self) { try ManifestMetadata.Source(kind: .file, url: url + "u") }
    let most = try ManifestMetadata(
      mediaType: String(repeating: "t", count: 255), name: String(repeating: "é", count: 121),
      sources: Array(repeating: source, count: 64))
    #expect(try read(text(most)) == most)
    #expect(throws: ManifestError.self) { try ManifestMetadata(sources: Array(repeating: source, count: 65)) }
    #expect(throws: ManifestError.self) { try ManifestMetadata(mediaType: String(repeating: "t", count: 256)) }
    #expect(throws: ManifestError.self) { try ManifestMetadata(name: String(repeating: "é", count: 121) + "e") }
    let sources = Array(repeating: #"{"kind":"file","url":"u"}"#, count: 65).joined(separator: ",")
    #expect(throws: ManifestError.self) { try read(#"{"sources":[\#(sources)]}"#) }
  }

  /// Bytes that are nearly metadata: refused, or the one spelling of what they say.
  @Test func readsNothingThatItWouldWriteOtherwise() throws {
    let pieces = [
      "{", "}", "[", "]", ",", ":", "\"", "\\", "comment", "name", "sources", "kind", "file", "url", "\\n", "\\u00",
      "1f", "é", "\u{301}", "\0", " ", "x", #""comment":"x""#, #""name":"n""#, #"{"kind":"file","url":"u"}"#,
      #""sources":["#,
    ].map { Array($0.utf8) }
    let base = Array(#"{"comment":"x\n\u001f","name":"n","sources":[{"kind":"file","url":"u"}]}"#.utf8)
    var random = LinearCongruential(state: 1)
    var accepted = 0
    for _ in 0..<20_000 {
      var json = base
      for _ in 0..<Int.random(in: 1...3, using: &random) {
        let start = Int.random(in: 0...json.count, using: &random)
        let end = min(json.count, start + Int.random(in: 0...4, using: &random))
        json.replaceSubrange(start..<end, with: pieces[Int.random(in: 0..<pieces.count, using: &random)])
      }
      guard let metadata = try? ManifestMetadata(canonicalJSON: json.span) else { continue }
      accepted += 1
      try #require(metadata.canonicalJSON() == json, "\(String(decoding: json, as: UTF8.self))")
    }
    #expect(accepted > 100)
  }

  /// The same numbers in every run.
  private struct LinearCongruential: RandomNumberGenerator {
    var state: UInt64

    mutating func next() -> UInt64 {
      state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
      return state ^ state >> 32
    }
  }

  @Test func tellsSpellingsOfOneCharacterApart() throws {
    #expect(try ManifestMetadata(name: "e\u{301}") != ManifestMetadata(name: "\u{E9}"))
    #expect(try ManifestMetadata(name: "e") == ManifestMetadata(name: "e"))
  }
}
