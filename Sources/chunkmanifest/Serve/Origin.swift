internal import ChunkSystem

/// Answers requests with the files below one directory. Called by many threads at once.
final class Origin: Sendable {
  private let root: Directory
  private let log: @Sendable (String) -> Void

  /// - Parameters:
  ///   - root: What is served, with everything below it, except what is named with a dot in front. Opened once: it stays
  ///     the same directory when it is renamed.
  ///   - log: Takes one line for each request, without a line break and safe to be shown.
  init(serving root: consuming Directory, log: @escaping @Sendable (String) -> Void) {
    self.root = root
    self.log = log
  }

  func respond(to request: Request) -> Response {
    let response = look(for: request)
    log(AccessLog.line(request, response.answer))
    return response
  }

  private func look(for request: Request) -> Response {
    let path: String
    do throws(RequestTarget.Refusal) {
      path = try RequestTarget(request.target).path
    } catch {
      return Response(.refusal(error == .malformed ? 400 : 404))
    }
    // The directory itself has no listing.
    guard !path.isEmpty else { return Response(.refusal(404)) }
    do throws(Errno) {
      let file = try root.openBeneath(path)
      let status = try file.status()
      guard status.kind == .regular else { return Response(.refusal(404)) }
      let answer = Answer.to(
        request.conditions, isHead: request.method == .head, file: FileFacts(path: path, status: status))
      return Response(answer, file: file)
    } catch {
      return Response(Self.refusal(for: error))
    }
  }

  /// Nothing here tells apart what is not there and what lies outside.
  private static func refusal(for error: Errno) -> Answer {
    switch error {
    case .noSuchFile, .notDirectory, .nameTooLong, .crossDevice, .tooManyLinks, .noSuchAddress: .refusal(404)
    case .accessDenied, .notPermitted: .refusal(403)
    case .tooManyOpenFiles, .tooManyOpenFilesInSystem, .wouldBlock:
      .refusal(503, fields: [Answer.Field(name: "Retry-After", value: "1")])
    default: .refusal(500)
    }
  }
}

extension FileFacts {
  init(path: String, status: FileStatus) {
    let name = path.lastIndex(of: "/").map { path[path.index(after: $0)...] } ?? path[...]
    self.init(
      name: String(name), length: status.size, tag: EntityTag(status),
      modified: ModificationDate(seconds: status.modified.seconds))
  }
}

extension EntityTag {
  init(_ status: FileStatus) {
    // Wraps round in 2262, and still tells moments apart.
    let nanoseconds = status.modified.seconds &* 1_000_000_000 &+ status.modified.nanoseconds
    self.init(
      device: status.identity.device, inode: status.identity.inode, length: status.size,
      modifiedNanoseconds: nanoseconds)
  }
}
