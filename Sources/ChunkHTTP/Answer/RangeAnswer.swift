/// What an answer means for the request it was given to. Decided from the head alone, so that what cannot be used is
/// refused before its body is read; bytes are placed by what the answer says, never by what was asked.
package enum RangeAnswer: Sendable, Equatable {
  /// `length` bytes of the resource from `startsAt` on. They begin at or before the first byte asked for and reach at
  /// least to it; they may end before the last one, or after it.
  case body(startsAt: UInt64, length: UInt64, total: UInt64?)
  /// The whole resource, from its first byte on; the length is nil when it is not said.
  case wholeBody(length: UInt64?)
  /// No byte asked for exists, in a resource of the length given.
  case notSatisfiable(total: UInt64?)
  /// See `RedirectChain`.
  case redirect(location: String)
  /// An answer that claims success and must not be used.
  case unusable(HTTPFailure)
  /// Any other status.
  case status(HTTPFailure)

  package static func judge(_ head: ResponseHead, for request: RangeRequest) -> RangeAnswer {
    switch head.status {
    case 206: return judgePartial(head, for: request)
    // 203 is a 200 that passed something that may have changed it; whether it did is for hashes to say.
    case 200, 203: return judgeWhole(head, for: request)
    case 416 where request.range != nil: return .notSatisfiable(total: unsatisfiedTotal(head))
    case 301, 302, 303, 307, 308:
      if let location = head.location { return .redirect(location: location) }
      return .status(.redirectWithoutTarget(head))
    default: return .status(.status(head))
    }
  }

  private static func judgePartial(_ head: ResponseHead, for request: RangeRequest) -> RangeAnswer {
    func unusable(_ code: HTTPFailure.Code, _ reason: String) -> RangeAnswer {
      .unusable(.unusable(head, code, reason))
    }
    if let problem = commonProblem(head) { return .unusable(problem) }
    if head.contentType?.lowercased().hasPrefix("multipart/") == true {
      return unusable(.multipart, "it answers one range with several parts")
    }
    let first: UInt64, last: UInt64, total: UInt64?
    switch head.contentRange {
    case .absent: return unusable(.contentRangeMissing, "it does not say which bytes it sends (no Content-Range)")
    case .repeated: return unusable(.contentRangeRepeated, "it says twice which bytes it sends (two Content-Range)")
    case .malformed(let text):
      return unusable(.contentRangeMalformed, "it does not say clearly which bytes it sends (Content-Range: \(text))")
    case .one(.unsatisfied):
      return unusable(.contentRangeMalformed, "it says that it sends bytes and that there are none")
    case .one(.range(let firstSent, let lastSent, let totalSaid)):
      (first, last, total) = (firstSent, lastSent, totalSaid)
    }
    if let known = request.knownTotal {
      if let total, total != known {
        return unusable(.wrongTotal, "the file there has \(total) bytes, not \(known)")
      }
      if last >= known { return unusable(.wrongRange, "it sends bytes up to \(last) of a file of \(known)") }
    }
    let asked = request.range?.lowerBound ?? 0
    guard first <= asked, asked <= last else {
      return unusable(.wrongRange, "it sends bytes \(first) to \(last); asked for were those from \(asked) on")
    }
    let length = last - first + 1
    if let announced = head.contentLength, announced != length {
      return unusable(.contentLengthConflict, "it announces \(announced) bytes for a range of \(length)")
    }
    return .body(startsAt: first, length: length, total: total)
  }

  private static func judgeWhole(_ head: ResponseHead, for request: RangeRequest) -> RangeAnswer {
    if let problem = commonProblem(head) { return .unusable(problem) }
    var length = head.contentLength
    // The field means nothing in such an answer; where it contradicts it, which of the two is right is anyone's guess.
    if case .one(.range(let first, let last, let total)) = head.contentRange {
      guard first == 0, total == nil || total == last + 1, length == nil || length == last + 1 else {
        return .unusable(.unusable(head, .wrongRange, "it says both that it sends the whole file and a part of it"))
      }
      length = length ?? total
    }
    if let known = request.knownTotal, let length, length != known {
      return .unusable(.unusable(head, .wrongTotal, "the file there has \(length) bytes, not \(known)"))
    }
    return .wholeBody(length: length)
  }

  /// What makes any success unusable.
  private static func commonProblem(_ head: ResponseHead) -> HTTPFailure? {
    if head.contentLengthConflicts {
      return .unusable(head, .contentLengthConflict, "it announces its length in two ways")
    }
    let codings = head.headers.values(of: "Content-Encoding").joined(separator: ",").lowercased()
      .split { $0 == "," || $0 == " " || $0 == "\t" }
    if let coding = codings.first(where: { $0 != "identity" }) {
      return .unusable(
        head, .contentCoding, "it sends the file in another coding (\(coding)) though none was asked for")
    }
    return nil
  }

  private static func unsatisfiedTotal(_ head: ResponseHead) -> UInt64? {
    if case .one(let range) = head.contentRange { range.total } else { nil }
  }
}
