extension HTTPURL {
  /// The longest name, in bytes: with the longest suffix of a side file it is still a name for the kernel.
  package static let longestName = 242

  /// The last component of the path, decoded, when it can be the name of a file in the directory at hand and nothing
  /// else: not empty, not `.` or `..`, UTF-8, no slash, no control character, at most `longestName` bytes.
  package var lastPathComponent: String? {
    let component = path[(path.lastIndex(of: "/").map { path.index(after: $0) } ?? path.startIndex)...]
    guard let name = String(validating: PercentEncoding.decode(component), as: UTF8.self) else { return nil }
    guard !name.isEmpty, name != ".", name != "..", name.utf8.count <= Self.longestName else { return nil }
    let isSafe = name.unicodeScalars.allSatisfy { scalar in
      scalar != "/" && scalar.properties.generalCategory != .control
    }
    return isSafe ? name : nil
  }
}
