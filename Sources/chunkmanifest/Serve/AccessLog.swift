internal import CommandSupport

/// What `serve -v` says of a request: `127.0.0.1 GET /model.bin 206 bytes 0-99/1000`.
enum AccessLog {
  static func line(_ request: Request, _ answer: Answer) -> String {
    let client = request.client.isEmpty ? "-" : request.client
    let target = SafeText.escape(request.target, limit: 500)
    var line = "\(client) \(request.method.rawValue) \(target) \(answer.status)"
    if let range = answer.fields.first(where: { $0.name == "Content-Range" }) { line += " \(range.value)" }
    return line
  }
}
