public import ChunkCore

/// What a caller may decide about a download. The defaults are those of the `chunkget` command.
///
/// A plain value: change what you need and pass it to `Download`. `Sendable`.
public struct TransferOptions: Sendable {
  /// Where the manifest comes from.
  public enum ManifestChoice: Sendable, Equatable {
    /// From the URL with `.chunks` appended to its path; when there is none the download goes on unverified.
    case discover
    /// From this http(s) URL, or from this file; it is an error when it is not to be had.
    case at(String)
    /// Not at all: nothing is verified but by `sha256`.
    case none
  }

  /// Where the manifest comes from.
  public var manifest = ManifestChoice.discover
  /// A manifest that is at hand already; then none is looked for.
  package var pieceManifest: PieceManifest?
  /// The file that is wanted and no other; with it the manifest may come from anyone.
  public var fileID: FileID?
  /// The key that the manifest has to be signed with; the signature is looked for at the manifest's place with `.minisig`
  /// appended, and it is an error when it is not to be had.
  public var publicKey: VerificationKey?
  /// The least version that the signature has to name; looked at only with `publicKey`.
  public var minimumVersion: UInt64?
  /// The whole-file digest that decides when there is no manifest, and that is checked in addition when there is one.
  public var sha256: SHA256Digest?
  /// A file or URL with a list of SHA-256 digests by name, as `sha256sum` writes it; that of the URL's name is then `sha256`.
  public var checksums: String?
  /// What a lock file says the file must be; it then takes the place of `fileID` and `sha256`.
  public var locked: LockedFile?
  /// Whether the digest of the whole file is made and reported, which takes a second pass over it.
  public var computesSHA256 = false
  /// Whether a download that cannot be verified against a manifest from a trusted place is refused.
  public var requiresVerification = false
  /// Files on this machine that may have chunks of the one that is wanted, such as an older version of it: what they have
  /// is not fetched. They are read and never trusted. An older version at the destination is used by itself.
  public var seeds: [String] = []
  /// More URLs of the same file, in order of preference after the first.
  public var mirrors: [String] = []
  /// URLs of stores, as `chunkmanifest export-store` writes them and any server can serve them: their chunks are fetched one by one,
  /// by name. Of no use without a manifest.
  public var chunkStores: [String] = []

  /// Connections to use; nil lets the number follow the goodput, from 4 to 16 a host.
  public var connections: Int?
  /// Connections to one host, and to all together, where nothing fixes their number.
  package var hostCeiling = 16
  package var totalCeiling = 32
  /// What is shared with other downloads; nil for a download with connections of its own.
  package var sharedConnections: SharedConnections?
  /// Failures of one source in a row, with nothing gained in between, after which it is given up.
  public var retries = 5
  /// The pause after the first of them; it doubles with each further one.
  package var firstRetryPause: Duration = .seconds(1)
  /// Whether payload is asked for while the manifest still comes, where it may be expected to be wanted.
  package var startsEarly = true
  /// Whether connections help each other out at the end, and slow sources are left alone: what depends on time as nothing
  /// else does.
  package var helpsLateSpans = true
  /// How long the transfer may go without a verified chunk.
  public var patience: Duration = .seconds(600)
  /// How long a connection may take to be made.
  public var connectTimeout: Duration = .seconds(30)
  /// How long a response may stay silent, or trickle, before its request is sent again.
  public var stallTimeout: Duration = .seconds(30)
  /// Bytes a second for the whole process; nil for no limit.
  public var rateLimit: UInt64?
  /// A file of certificates (PEM) to trust instead of the system's.
  public var certificateAuthorityFile: String?
  /// What it takes to reach the servers, beyond their URLs.
  public var access = ServerAccess()
  /// Bytes of chunk buffers: what is received and not yet written is never more. What comes from seeds goes through buffers
  /// of its own, a quarter of this.
  public var memoryBudget = 16 << 20
  /// Places on this machine that are asked for missing chunks before the network is, in their order.
  var localPlaces: [any LocalChunks] = []
  /// A directory of chunks, shared by all downloads and made if it is not there: what it has is not fetched, and what was fetched
  /// and verified is put there. That it cannot be written is told, and no failure.
  public var store: String?
  /// Whether chunks are put in the store compressed, where that saves at least 5 %.
  public var compressesStore = false
  /// Whether an existing file of another content may be replaced.
  public var mayReplace = true
  /// Whether a manifest of the file is left beside it as `NAME.chunks`, replacing what is there. The file is read once more
  /// for it; one that was verified keeps its ID. Not possible for a stream.
  public var savesManifest = false

  /// Called with each thing a person should know though nothing failed: that there is no manifest, that a source was
  /// set aside. On a thread of the transfer; must not block. Text from outside in it is as it came.
  public var onNotice: (@Sendable (String) -> Void)?
  /// Called with what happens to the bytes, as `onNotice` is.
  package var onTrace: (@Sendable (TransferTrace) -> Void)?

  /// The defaults.
  public init() {}
}
