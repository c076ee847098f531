import ChunkCore
import Testing

@Suite struct ChecksumLineTests {
  static let hex = String(repeating: "1a", count: 32)

  @Test(arguments: [
    ("a", "\(hex)  a"), (" a", "\(hex)   a"), ("a\nb", "\\\(hex)  a\\nb"), ("a\\b", "\\\(hex)  a\\\\b"),
    ("\r", "\\\(hex)  \\r"), ("ü", "\(hex)  ü"),
  ]) func writesAndReads(name: String, text: String) throws {
    let digest = try #require(SHA256Digest(hex: Self.hex))
    let line = ChecksumLine(digest: digest, name: Array(name.utf8))
    #expect(String(decoding: line.text, as: UTF8.self) == text)
    #expect(ChecksumLine(line.text) == line)
  }

  @Test func namesNeedNotBeText() throws {
    let line = ChecksumLine(digest: try #require(SHA256Digest(hex: Self.hex)), name: [0xFF, 0x0A, 0x80])
    #expect(ChecksumLine(line.text) == line)
  }

  @Test func readsBinaryMode() {
    #expect(ChecksumLine(Array("\(Self.hex) *a".utf8))?.name == Array("a".utf8))
  }

  @Test(arguments: [
    "", hex, "\(hex)  ", "\(hex) a", "\(hex)\t\ta", "x\(hex.dropFirst())  a", "\(hex.dropLast())  a", "\\\(hex)  a\\",
    "\\\(hex)  a\\x",
  ]) func refuses(text: String) {
    #expect(ChecksumLine(Array(text.utf8)) == nil)
  }
}
