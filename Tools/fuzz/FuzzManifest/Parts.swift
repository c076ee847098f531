import ChunkCore
import FuzzDriver

/// Metadata has one spelling, and keeps to the rules for what is in it.
func examineMetadata(_ json: [UInt8]) {
  guard let metadata = try? ManifestMetadata(canonicalJSON: json.span) else { return }
  mustHold(metadata.canonicalJSON() == json, "metadata that is written again is the same")
  if let name = metadata.name {
    mustHold(!name.utf8.contains { $0 < 0x20 || $0 == 0x2F || $0 == 0x7F }, "a name has no slash and no controls")
    mustHold(name != "." && name != ".." && (1...242).contains(name.utf8.count), "a name is that of a file")
  }
  mustHold(metadata.sources.count <= ManifestLimits.sources, "the number of sources is limited")
  for source in metadata.sources {
    mustHold(source.url.utf8.allSatisfy { (0x21...0x7E).contains($0) }, "the URL of a source can be printed")
  }
  if FuzzDriver.hasPlantedBug, let comment = metadata.comment {
    mustHold(comment.utf8.count % 4 != 1, "the planted bug: some comments are impossible")
  }
}

/// A page of chunk IDs is taken when it is the right one to the last bit, and refused otherwise.
func examinePage(_ input: inout FuzzInput) {
  let pick = input.byte()
  // The first page is the long one, with a thousand hashes.
  let group = pick % 16 == 1 ? 0 : 1
  let manifest = PagedManifest.shared.manifest
  let original = PagedManifest.shared.pages[group]
  var bytes = original
  while !input.isAtEnd {
    let place = Int(input.integer(UInt16.self))
    let byte = input.byte()
    switch place % 3 {
    case 0 where !bytes.isEmpty: bytes[place % bytes.count] ^= byte
    case 1: bytes.append(byte)
    default: bytes.removeLast(min(bytes.count, Int(byte)))
    }
  }
  do {
    let page = try manifest.leafPage(group: group, bytes: bytes.span)
    mustHold(bytes == original, "another page is refused")
    mustHold(page.ids.flatMap(\.digest.bytes) == original, "a page holds its IDs")
  } catch {
    mustHold(bytes != original, "the page itself is taken")
    mustHold(error.code == .pageMismatch, "another page does not match, and is not refused as \(error.code)")
  }
}

/// A manifest of two groups, of which the second has one chunk.
private struct PagedManifest {
  static let shared = PagedManifest()

  let manifest: Manifest
  let pages: [[UInt8]]

  private init() {
    let ids = (0..<1025).map { ChunkID(SHA256Hasher.hash([UInt8($0 & 255), UInt8($0 >> 8)].span)) }
    do {
      let geometry = try ChunkGeometry(fileLength: 1025 << 12, chunkSize: .minimum)
      let bytes = try ManifestEncoder(geometry: geometry, chunkIDs: ids).encode()
      manifest = try Manifest.decode(whole: bytes.span, expecting: nil).0
    } catch {
      fatalError("a manifest that was just encoded is not read: \(error)")
    }
    pages = [ids[..<1024], ids[1024...]].map { $0.flatMap(\.digest.bytes) }
  }
}
