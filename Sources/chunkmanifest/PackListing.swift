internal import ChunkCore
internal import ChunkStore
internal import CommandSupport

// What is said of a pack that is verified, in the way of VerificationListing.

extension BadFrame {
  var text: String {
    let found =
      switch finding {
      case .absent: "nothing"
      case .unreadable(let error): "\(error)"
      case .notTaken: "no frame of such a chunk"
      case .wrong(let id): id.hex
      }
    return "\(ChunkText.place(index, range))  expected a frame of \(expected.hex)  found \(found)"
  }

  var json: JSONLine {
    var members: [(name: String, value: JSONLine)] = [
      ("event", "bad-frame"), ("index", .unsigned(UInt64(index.rawValue))), ("offset", .unsigned(range.offset)),
      ("length", .unsigned(range.count)), ("expected", .string(expected.hex)),
    ]
    switch finding {
    case .wrong(let id): members.append(("found", .string(id.hex)))
    case .unreadable(let error): members += [("found", nil), ("error", .string("\(error)"))]
    case .notTaken: members += [("found", nil), ("error", "not a frame of such a chunk")]
    case .absent: members.append(("found", nil))
    }
    return .object(members)
  }
}

extension PackVerification {
  func text(frameCount: Int) -> String {
    var facts: [String] = []
    if badFrameCount > 0 { facts.append("\(badFrameCount) of \(frameCount) frames are wrong") }
    if length != expectedLength { facts.append("it has \(length) bytes and should have \(expectedLength)") }
    if !hasSeekTable { facts.append("its seek table does not agree with the manifest") }
    return facts.isEmpty ? "right, a pack of it" : facts.joined(separator: "; ")
  }

  func json(frameCount: Int) -> JSONLine {
    [
      "event": "done-pack", "right": .bool(isRight), "length": .unsigned(length),
      "expectedLength": .unsigned(expectedLength), "frameCount": .unsigned(UInt64(frameCount)),
      "badFrameCount": .unsigned(UInt64(badFrameCount)), "seekTable": .bool(hasSeekTable),
    ]
  }
}
