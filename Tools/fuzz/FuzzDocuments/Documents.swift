import ChunkCore
import ChunkHTTP
import ChunkTransfer
import FuzzDriver

/// A Metalink. Whatever it says, names stay names and URLs http.
func examineMetalink(_ bytes: [UInt8]) {
  guard let metalink = try? Metalink(bytes) else { return }
  mustHold((1...256).contains(metalink.files.count), "a Metalink has 1 to 256 files")
  for file in metalink.files {
    mustHold(ManifestMetadata.isFileName(file.name), "a name is that of a file: \(file.name)")
    guard let (url, options) = try? metalink.download(of: file, TransferOptions()) else { continue }
    for place in [url] + options.mirrors {
      mustHold((try? HTTPURL(place)) != nil, "a place is a URL: \(place)")
    }
    mustHold(options.mirrors.count < 64, "there are at most 64 places")
  }
}

/// A lock file.
func examineLockFile(_ bytes: [UInt8]) {
  guard let lock = try? LockFile(json: bytes) else { return }
  guard let again = try? LockFile(json: lock.json) else {
    fatalError("does not hold: a lock file that is written is read again")
  }
  mustHold(again == lock, "a lock file that is read again says the same")
  mustHold(again.json == lock.json, "a lock file that is read again is written in the same way")
}
