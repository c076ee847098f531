internal import ChunkCore
internal import ChunkStore
internal import ChunkSystem
internal import CommandSupport

/// `SHA256SUMS`, as `sha256sum` writes it and `sha256sum -c` reads it: a line a file, the digest and the name.
///
/// What it says of other files is kept, and so is every line that is none of its own.
struct ChecksumFile {
  static let name = "SHA256SUMS"

  private let path: String
  /// Without their ends.
  private var lines: [[UInt8]]

  private static let lineEnd = UInt8(ascii: "\n")
  private static let longestFile = 16 << 20

  /// The one in the directory of a file, or an empty one when there is none.
  init(beside file: String) throws(Failure) {
    let directory = file.lastIndex(of: "/").map { file[...$0] } ?? ""
    path = directory + Self.name
    var isThere = true
    do throws(Errno) { _ = try FileSystem().status(path) } catch { isThere = error != .noSuchFile }
    let text = isThere ? try SmallFile(path, limit: Self.longestFile).bytes : []
    lines = text.split(separator: Self.lineEnd, omittingEmptySubsequences: false).map(Array.init)
    if lines.last?.isEmpty == true { lines.removeLast() }
  }

  /// Says what digest a file of this directory has, in the place of what was said of it before.
  mutating func set(_ digest: SHA256Digest, of name: String) {
    let new = ChecksumLine(digest: digest, name: Array(name.utf8))
    let isAboutIt = { ChecksumLine($0)?.name == new.name } as ([UInt8]) -> Bool
    if let place = lines.firstIndex(where: isAboutIt) {
      lines[place] = new.text
      lines[(place + 1)...].removeAll(where: isAboutIt)
    } else {
      lines.append(new.text)
    }
  }

  /// Writes it, so that there is the old one or the new one.
  func write() throws(Failure) {
    let text = Array(lines.map { $0 + [Self.lineEnd] }.joined())
    do throws(StoreError) {
      try DurableFile.write(to: OutputPath(path)) { sink throws(StoreError) in try sink(text.span) }
    } catch {
      throw Failure(error)
    }
  }
}

/// The checksum files of one run: those of all directories that its files are in.
struct ChecksumFiles {
  private var files: [String: ChecksumFile] = [:]
  private var order: [String] = []

  mutating func set(_ digest: SHA256Digest, of path: String) throws(Failure) {
    let directory = path.lastIndex(of: "/").map { String(path[...$0]) } ?? ""
    if files[directory] == nil {
      files[directory] = try ChecksumFile(beside: path)
      order.append(directory)
    }
    files[directory]?.set(digest, of: String(path.dropFirst(directory.count)))
  }

  func write() throws(Failure) {
    for directory in order { try files[directory]?.write() }
  }
}
