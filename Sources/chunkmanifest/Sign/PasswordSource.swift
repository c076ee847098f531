internal import ChunkCore
internal import ChunkSystem
internal import CommandSupport

/// Where the password of a secret key comes from.
enum PasswordSource: Hashable, Sendable {
  /// It is typed, and not shown.
  case terminal
  /// The first line of a file.
  case file(String)

  /// The password of a key that exists.
  func password(for key: String) throws(Failure) -> [UInt8] {
    switch self {
    case .file(let path): try Self.checked(SmallFile(path, limit: 4096).firstLine, from: path)
    case .terminal: try Self.ask("Password of \(SafeText.escape(key)): ")
    }
  }

  /// The password of a new key: typed twice, since nobody sees it.
  func newPassword(for key: String) throws(Failure) -> [UInt8] {
    let password = try password(for: key)
    if self == .terminal, try Self.ask("The same once more: ") != password {
      throw Failure(.failure, "the two passwords are not the same; nothing was changed")
    }
    return password
  }

  private static func ask(_ prompt: String) throws(Failure) -> [UInt8] {
    let line: [UInt8]?
    do throws(Errno) {
      line = try Terminal.readHiddenLine(prompt: prompt, limit: 4096)
    } catch {
      throw Failure(
        .failure, "there is no terminal to type a password at (\(error)); give it with --password-file")
    }
    guard let line else { throw Failure(.interrupted, "interrupted; nothing was changed") }
    return try checked(line, from: "what was typed")
  }

  private static func checked(_ password: [UInt8], from source: String) throws(Failure) -> [UInt8] {
    guard SecretKeyFile.passwordLengths.contains(password.count) else {
      throw Failure(.failure, "\(SafeText.escape(source)): a password has 1 to 1024 bytes")
    }
    return password
  }
}
