import ChunkCore
import ChunkTransfer
import Testing

/// The lock file as text.
struct LockFileTests {
  private static let id = "chunks1-" + String(repeating: "0a", count: 32)
  private static let sha256 = String(repeating: "b1", count: 32)

  private func file(_ url: String, length: UInt64 = 5) -> LockedFile {
    LockedFile(
      url: url, length: length, fileID: FileID(Self.id), chunkSize: .standard, sha256: SHA256Digest(hex: Self.sha256))
  }

  @Test("members and entries are in order, so that a change is a change of lines")
  func text() {
    var lock = LockFile()
    lock.set(
      LockedFile(
        url: "https://b.example/?q=…", length: .max, fileID: nil, chunkSize: nil, sha256: SHA256Digest(hex: Self.sha256)
      ))
    lock.set(file("https://a.example/\"x\"", length: 4))
    lock.set(file("https://a.example/\"x\""))
    let text = """
      {
        "downloads" : [
          {
            "chunkSize" : 262144,
            "id" : "\(Self.id)",
            "length" : 5,
            "sha256" : "\(Self.sha256)",
            "url" : "https://a.example/\\"x\\""
          },
          {
            "length" : 18446744073709551615,
            "sha256" : "\(Self.sha256)",
            "url" : "https://b.example/?q=…"
          }
        ],
        "format" : "chunkget lock 1"
      }

      """
    #expect(String(decoding: lock.json, as: UTF8.self) == text)
    #expect((try? LockFile(json: lock.json)) == lock)
  }

  @Test("a URL is found with what the file leaves out")
  func lookup() throws {
    var lock = LockFile()
    lock.set(file("https://a.example/x?token=…"))
    #expect(try lock.download(of: "https://me:pass@A.example:443/x?token=123#y") != nil)
    #expect(try lock.download(of: "https://a.example/x") == nil)
  }

  @Test("any JSON of the right content is read, whoever wrote it")
  func otherSpellings() throws {
    let text =
      #"{"format":"chunkget lock 1","more":[1.5,null],"downloads":[{"url":"u","length":5,"x":{},"sha256":"\#(Self.sha256)"}]}"#
    let lock = try LockFile(json: Array(text.utf8))
    #expect(lock.downloads.map(\.url) == ["u"])
  }

  @Test(
    "what cannot be used is refused, and the reason given",
    arguments: [
      ("", "not JSON"), ("[]", "not JSON"), ("{}", "not JSON"), (#"{"format":"chunkget lock 1"}"#, "not JSON"),
      (#"{"format":"chunkget lock 2","downloads":[]}"#, "its format is not"),
      (entries(#""url":"u","length":5"#), "neither 'id' nor 'sha256'"),
      (entries(#""url":"u","length":5,"sha256":"x""#), "no usable 'sha256'"),
      (entries(#""url":"u","length":-5,"sha256":"\#(sha256)""#), "not JSON"),
      (entries(#""url":"u","length":5.5,"sha256":"\#(sha256)""#), "not JSON"),
      (entries(#""url":"u","length":5,"id":"\#(id)""#), "only one of"),
      (entries(#""url":"u","length":5,"chunkSize":4096,"sha256":"\#(sha256)""#), "only one of"),
      (entries(#""url":"u","length":5,"chunkSize":4097,"id":"\#(id)""#), "no usable 'chunkSize'"),
      (entries(#""url":"u","length":5,"sha256":"\#(sha256)""#, twice: true), "is there twice"),
    ])
  func refused(_ text: String, _ reason: String) {
    let result = Result { () throws(TransferError) in try LockFile(json: Array(text.utf8)) }
    guard case .failure(let error) = result else {
      Issue.record("was read")
      return
    }
    #expect(error.code == .notTrusted)
    #expect(error.message.contains(reason), "\(error)")
  }

  private static func entries(_ members: String, twice: Bool = false) -> String {
    #"{"format":"chunkget lock 1","downloads":[{\#(members)}\#(twice ? ",{\(members)}" : "")]}"#
  }
}
