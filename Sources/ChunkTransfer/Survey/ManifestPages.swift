internal import ChunkCore
internal import ChunkHTTP
internal import ChunkStore
internal import ChunkSystem

/// Leaf pages of a located manifest: from its first bytes, from files on this machine that have the same chunks, from the
/// copy beside the partial, from a store, from the manifest's file, or over the network, whichever has them first.
///
/// The network is asked for runs that double from one page to 32, so that the first verified byte waits for 32 KiB
/// and the rest costs few requests; a run ends before a page that is known without it. Every page is verified against the group roots, wherever it came from. One thread
/// at a time reads; the others wait, and mostly find what they want in what it brought.
final class ManifestPages: LeafPageSource {
  private struct State {
    var cache: [Int: LeafPage] = [:]
    var order: [Int] = []
    var runLength = 1
    /// The whole manifest, from a server that knows no ranges.
    var whole: [UInt8]?
    var copy: ManifestCopy?
    /// Groups whose pages are known elsewhere, or are among `offered`, or were and are in the copy.
    var known: Set<Int> = []
    /// What was offered before there was a copy.
    var offered: [Int: LeafPage] = [:]
  }

  let located: LocatedManifest
  /// The same manifest in a store.
  private let stored: StoredManifest?
  private let fetch: SmallFetch
  private let state = Lock(State())

  private static let longestRun = 32
  private static let cachedPages = 64
  /// How many pages are kept of what files on this machine have when there is no copy to put them in: 16 MiB of them.
  private static let offeredPages = 512

  init(located: LocatedManifest, stored: StoredManifest? = nil, fetch: SmallFetch) {
    self.located = located
    self.stored = stored
    self.fetch = fetch
  }

  /// From now on there is a copy beside the partial.
  func attach(_ copy: ManifestCopy) {
    state.withLock { state in
      state.copy = copy
      for page in state.cache.values { write(page, to: copy) }
      for page in state.offered.values { write(page, to: copy) }
      state.offered = [:]
    }
  }

  /// Takes what a file on this machine has at the place of a group for its page, if it is.
  func offer(_ ids: [ChunkID], group: Int) {
    guard group < manifest.geometry.groupCount, let page = manifest.leafPage(group: group, ids: ids) else { return }
    state.withLock { state in
      if let copy = state.copy {
        write(page, to: copy)
      } else if state.offered.count < Self.offeredPages {
        state.offered[group] = page
      } else {
        return
      }
      state.known.insert(group)
    }
  }

  /// The pages of these groups will not be asked for, or be known by then.
  func markKnown(_ groups: Set<Int>) {
    state.withLock { $0.known.formUnion(groups) }
  }

  /// Whether a file on this machine has all of the group.
  func isKnown(_ group: Int) -> Bool {
    state.withLock { $0.known.contains(group) }
  }

  private func write(_ page: LeafPage, to copy: ManifestCopy) {
    copy.write(page.bytes.span, at: manifest.leafPageRange(group: page.group).offset)
  }

  func page(group: Int) throws(TransferError) -> LeafPage {
    try page(group: group, before: manifest.geometry.groupCount)
  }

  /// The page of a group; what is asked for with it ends before the group `end`.
  func page(group: Int, before end: Int) throws(TransferError) -> LeafPage {
    let result = state.withLock { state in
      Result<LeafPage, TransferError> { () throws(TransferError) in try page(group: group, before: end, &state) }
    }
    return try result.get()
  }

  var manifest: Manifest { located.manifest }

  private func page(group: Int, before end: Int, _ state: inout State) throws(TransferError) -> LeafPage {
    if let page = state.cache[group] ?? state.offered[group] { return page }
    let range = manifest.leafPageRange(group: group)
    if let page = verified(group, located.prefix, at: range.offset) ?? manifest.zeroLeafPage(group: group)
      ?? copied(group, range, state.copy) ?? (try? stored?.page(group: group))
    {
      remember(page, &state)
      return page
    }
    if let whole = state.whole, let page = verified(group, whole, at: range.offset) { return page }
    switch located.place {
    case .file(let path): return try read(group, range, from: path, &state)
    case .url(let url, let validator): return try download(group, before: end, from: url, validator, &state)
    case .memory: preconditionFailure("a manifest that is in memory lacks a page")
    }
  }

  /// The page if `bytes`, which begin at the start of the manifest, reach far enough and hold the right one.
  private func verified(_ group: Int, _ bytes: [UInt8], at offset: UInt64) -> LeafPage? {
    let range = manifest.leafPageRange(group: group)
    guard range.end <= UInt64(bytes.count) else { return nil }
    return try? manifest.leafPage(group: group, bytes: bytes.span.extracting(Int(offset)..<Int(range.end)))
  }

  private func copied(_ group: Int, _ range: ByteRange, _ copy: ManifestCopy?) -> LeafPage? {
    guard let bytes = copy?.read(range) else { return nil }
    return try? manifest.leafPage(group: group, bytes: bytes.span)
  }

  private func remember(_ page: LeafPage, _ state: inout State) {
    guard state.cache.updateValue(page, forKey: page.group) == nil else { return }
    state.order.append(page.group)
    if state.order.count > Self.cachedPages { state.cache[state.order.removeFirst()] = nil }
  }

  private func read(
    _ group: Int, _ range: ByteRange, from path: String, _ state: inout State
  ) throws(TransferError) -> LeafPage {
    do {
      let bytes = try FileSystem().read(path, at: range.offset, upTo: Int(range.count))
      let page = try manifest.leafPage(group: group, bytes: bytes.span)
      remember(page, &state)
      return page
    } catch {
      throw TransferError(.notTrusted, "the manifest \(path) is damaged or has changed: \(error).")
    }
  }

  private func download(
    _ group: Int, before limit: Int, from url: HTTPURL, _ validator: Validator?, _ state: inout State
  ) throws(TransferError) -> LeafPage {
    let run = group..<min(group + state.runLength, limit)
    let last = (run.dropFirst().first { isKnown($0, state) } ?? run.upperBound) - 1
    state.runLength = min(state.runLength * 2, Self.longestRun)
    let start = manifest.leafPageRange(group: group).offset
    let end = manifest.leafPageRange(group: last).end
    var (bytes, begin) = ([UInt8](), start)
    // A server may give less than was asked for; what ends within the page that is needed is read on.
    let needed = Int(manifest.leafPageRange(group: group).count)
    while bytes.count < needed {
      let answer = try get(url, from: start + UInt64(bytes.count), to: end, validator)
      if answer.head.status == 200 {
        (bytes, begin) = (answer.bytes, 0)
        state.whole = bytes
        break
      }
      guard answer.head.status == 206, !answer.bytes.isEmpty else { break }
      bytes += answer.bytes
    }
    take(bytes, startingAt: begin, groups: group...last, &state)
    guard let page = state.cache[group] else {
      throw TransferError(
        .notTrusted, "the manifest \(url) changed while it was read, or is damaged; try again.", isRetryable: true)
    }
    return page
  }

  private func isKnown(_ group: Int, _ state: State) -> Bool {
    state.known.contains(group) || manifest.zeroLeafPage(group: group) != nil
  }

  private func take(_ bytes: [UInt8], startingAt start: UInt64, groups: ClosedRange<Int>, _ state: inout State) {
    for group in groups {
      let range = manifest.leafPageRange(group: group)
      guard range.offset >= start, range.end <= start + UInt64(bytes.count) else { continue }
      let slice = bytes.span.extracting(Int(range.offset - start)..<Int(range.end - start))
      guard let page = try? manifest.leafPage(group: group, bytes: slice) else { continue }
      state.copy?.write(slice, at: range.offset)
      remember(page, &state)
    }
  }

  func get(
    _ url: HTTPURL, from start: UInt64, to end: UInt64, _ validator: Validator?
  ) throws(TransferError) -> SmallFetch.Answer {
    // All pages come from one version: another one answers with everything, and is then found out by its hashes.
    let answer: SmallFetch.Answer
    do throws(SmallFetchError) {
      answer = try fetch.get(url, range: start...(end - 1), version: validator, limit: Int(manifest.totalLength))
    } catch {
      throw TransferError(error)
    }
    // 416: it ends before that byte, which what it gives will show.
    guard [200, 206, 416].contains(answer.head.status) else {
      throw TransferError(
        .unreachable, "the manifest \(url) cannot be read on: the server answered \(answer.head.status).")
    }
    return answer
  }
}
