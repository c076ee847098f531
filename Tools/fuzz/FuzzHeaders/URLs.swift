import ChunkHTTP
import FuzzDriver

/// Two lines: a URL, and a reference to be resolved against it.
func examineURLs(_ bytes: [UInt8]) {
  let lines = bytes.split(separator: 0x0A, maxSplits: 1, omittingEmptySubsequences: false)
    .map { String(decoding: $0, as: UTF8.self) }
  guard let text = lines.first, let url = try? HTTPURL(text) else { return }
  holds(url)
  guard lines.count == 2, let target = try? url.resolve(lines[1]) else { return }
  holds(target)
  var chain = RedirectChain(start: url)
  if let followed = try? chain.follow(lines[1]) {
    mustHold(followed == target, "a redirect leads where its reference does")
    mustHold(url.scheme == .http || target.scheme == .https, "nothing leads from https to http")
  }
}

private func holds(_ url: HTTPURL) {
  // What is connected to is what libcurl makes of the text.
  guard let again = try? HTTPURL(url.text) else { fatalError("does not hold: a URL is read again: \(url.text)") }
  mustHold(again.origin == url.origin, "a URL that is read again has the same origin: \(url.origin), \(again.origin)")
  mustHold(again.text == url.text, "a URL that is read again is the same: \(url.text), \(again.text)")
  mustHold(again.credentials == nil, "the text of a URL has no user information")
  mustHold(url.text.utf8.allSatisfy { $0 > 0x20 && $0 != 0x7F }, "a URL can stand in a line: \(url.text)")
  mustHold(url.path.hasPrefix("/") && url.description.hasPrefix(url.origin.description), "a URL has its parts: \(url)")
  if let name = url.lastPathComponent {
    mustHold(!name.utf8.contains { $0 < 0x20 || $0 == 0x2F || $0 == 0x7F }, "a name has no slash and no controls")
    mustHold(name != "." && name != ".." && (1...242).contains(name.utf8.count), "a name is that of a file")
  }
}
