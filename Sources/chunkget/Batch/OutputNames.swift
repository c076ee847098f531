internal import ChunkStore
internal import ChunkTransfer

extension GetOptions {
  /// Where the file of a URL goes.
  func destination(of url: String) throws(TransferError) -> Destination {
    if output == "-" { return .standardOutput }
    let path: String
    if let output { path = output } else { path = try Download.fileName(for: url) }
    guard let directory, !path.hasPrefix("/") else { return .path(path) }
    return .path(directory.hasSuffix("/") ? directory + path : directory + "/" + path)
  }
}

/// The names that the files of a batch get, and those that lie beside them meanwhile: no two may be one.
struct OutputNames {
  private static let suffixes = ["", ".part"] + SideFile.Kind.allCases.map { ".part.\($0.rawValue)" }

  /// - Throws: `invalidRequest` for the first URL whose file has no name, or one that another file has.
  static func check(_ files: [WantedFile], _ common: GetOptions) throws(TransferError) {
    var owners: [String: Int] = [:]
    for (number, file) in files.enumerated() {
      let options = file.options(common)
      let destination = try options.destination(of: file.url)
      guard case .path(let path) = destination else {
        throw TransferError(.invalidRequest, "standard output is for one file, but there are \(files.count).")
      }
      let name = normal(path)
      for suffix in suffixes + (options.transfer.savesManifest ? [".chunks"] : []) {
        guard let other = owners.updateValue(number, forKey: name + suffix) else { continue }
        throw TransferError(
          .invalidRequest,
          "\(file.url) would be written to \(path), which is in the way of \(files[other].url); give it another name.")
      }
    }
  }

  /// The path without what makes no difference: `a//b` and `a/./b` are `a/b`. Of links nothing is known.
  private static func normal(_ path: String) -> String {
    let components = path.split(separator: "/").filter { $0 != "." }
    return (path.hasPrefix("/") ? "/" : "") + components.joined(separator: "/")
  }
}
