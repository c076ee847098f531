/// What a request for a file that is there gets. Pure: the request's fields and the file's facts decide.
struct Answer: Hashable, Sendable {
  enum Body: Hashable, Sendable {
    /// These bytes of the file. Only their number is sent in answer to HEAD and with status 304.
    case file(Range<UInt64>)
    case text(String)
  }

  let status: Int
  let fields: [Field]
  let body: Body

  struct Field: Hashable, Sendable {
    let name: String
    let value: String
  }

  /// The fields of a GET or HEAD request that have a say in the answer. Each is nil when the request has none.
  struct Conditions: Hashable, Sendable {
    var range: String?
    var ifRange: String?
    var ifMatch: String?
    var ifNoneMatch: String?
    var ifModifiedSince: String?
    var ifUnmodifiedSince: String?
  }
}

extension Answer {
  /// Goes through the conditions in the order of RFC 9110, section 13.2.2. `Range` is for GET only (section 14.2), so
  /// `isHead` leaves it out.
  static func to(_ conditions: Conditions, isHead: Bool, file: FileFacts) -> Answer {
    if let tags = conditions.ifMatch {
      if !file.tag.isNamed(in: tags, weakly: false) { return .refusal(412) }
    } else if let date = conditions.ifUnmodifiedSince.flatMap(ModificationDate.init), file.modified > date {
      return .refusal(412)
    }
    if let tags = conditions.ifNoneMatch {
      if file.tag.isNamed(in: tags, weakly: true) { return notModified(file) }
    } else if let date = conditions.ifModifiedSince.flatMap(ModificationDate.init), file.modified <= date {
      return notModified(file)
    }
    let asksForRange = !isHead && conditions.ifRange.map { file.isStill($0) } ?? true
    switch RequestedRange(asksForRange ? conditions.range : nil, length: file.length) {
    case .whole:
      return Answer(status: 200, fields: describing(file), body: .file(0..<file.length))
    case .part(let range):
      let content = "bytes \(range.lowerBound)-\(range.upperBound - 1)/\(file.length)"
      return Answer(
        status: 206, fields: describing(file) + [Field(name: "Content-Range", value: content)], body: .file(range))
    case .unsatisfiable:
      return .refusal(416, fields: [Field(name: "Content-Range", value: "bytes */\(file.length)")])
    }
  }

  /// An answer without a file: the status and its name as text.
  static func refusal(_ status: Int, fields: [Field] = []) -> Answer {
    let type = Field(name: "Content-Type", value: "text/plain; charset=utf-8")
    return Answer(status: status, fields: fields + [type], body: .text("\(status) \(reason(status))\n"))
  }

  private static func notModified(_ file: FileFacts) -> Answer {
    Answer(status: 304, fields: validators(file), body: .file(0..<file.length))
  }

  private static func validators(_ file: FileFacts) -> [Field] {
    [
      Field(name: "ETag", value: file.tag.description),
      Field(name: "Last-Modified", value: file.modified.description),
    ]
  }

  private static func describing(_ file: FileFacts) -> [Field] {
    validators(file) + [
      Field(name: "Accept-Ranges", value: "bytes"),
      Field(name: "Content-Type", value: ContentType.of(name: file.name)),
      Field(name: "X-Content-Type-Options", value: "nosniff"),
    ]
  }

  private static func reason(_ status: Int) -> String {
    switch status {
    case 400: "Bad Request"
    case 403: "Forbidden"
    case 404: "Not Found"
    case 405: "Method Not Allowed"
    case 412: "Precondition Failed"
    case 416: "Range Not Satisfiable"
    case 503: "Service Unavailable"
    default: "Internal Server Error"
    }
  }
}

extension FileFacts {
  /// Whether an `If-Range` field names the file as it is now. A tag must be ours and strong; a date must be exactly the
  /// one that was sent. Whoever wants to be safe from two changes in one second uses the tag.
  fileprivate func isStill(_ validator: String) -> Bool {
    validator == tag.description || validator == modified.description
  }
}
