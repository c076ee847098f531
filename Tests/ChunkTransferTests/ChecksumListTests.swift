import ChunkCore
import Testing

@testable import ChunkTransfer

/// SHA256SUMS and its like, as other programs write them.
struct ChecksumListTests {
  static let one = String(repeating: "1a", count: 32)
  static let two = String(repeating: "2b", count: 32)

  private func digests(_ text: String, of name: String) -> [String] {
    ChecksumList(Array(text.utf8)).digests(of: name).map(\.hex).sorted()
  }

  @Test(arguments: [
    "\(one)  file.iso\n", "\(one) *file.iso\n", "SHA256 (file.iso) = \(one)\n", "\(one)  file.iso\r\n",
    "\(one)  file.iso",
    "# comment\n\n\(two)  other\n\(one)  file.iso\n", "\(one)  ./images/file.iso\n", "\(one.uppercased())  file.iso\n",
    "-----BEGIN PGP SIGNED MESSAGE-----\nHash: SHA512\n\n\(one)  file.iso\n-----BEGIN PGP SIGNATURE-----\nAAAA\n",
    "\(two)  old/file.iso\n\(one)  file.iso\n", "SHA512 (file.iso) = \(two)\(two)\nSHA256 (file.iso) = \(one)\n",
  ]) func finds(text: String) {
    #expect(digests(text, of: "file.iso") == [Self.one])
  }

  @Test(arguments: [
    "", "\n", "\(one) file.iso\n", "\(one.dropLast())  file.iso\n", "\(one)0  file.iso\n", "\(one)  file.iso2\n",
    "SHA256(file.iso)= \(one)\n", "MD5 (file.iso) = \(one)\n", "\(one)  notfile.iso\n", "<html>\(one)</html>",
  ]) func passesOver(text: String) {
    #expect(digests(text, of: "file.iso").isEmpty)
  }

  @Test func namesWithLineBreaksAreEscaped() {
    #expect(digests("\\\(Self.one)  a\\nb\\\\c\n", of: "a\nb\\c") == [Self.one])
    #expect(digests("SHA256 (a) = b) = \(Self.one)\n", of: "a) = b") == [Self.one])
  }

  @Test func aContradictionShows() {
    #expect(digests("\(Self.one)  f\n\(Self.two)  f\n", of: "f") == [Self.one, Self.two])
    #expect(digests("\(Self.one)  f\n\(Self.one) *f\n", of: "f") == [Self.one])
  }
}
