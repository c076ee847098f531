internal import ChunkCore
internal import ChunkHTTP

/// Where bytes can come from, and in which form.
struct SourcePlace: Sendable, Hashable {
  let url: HTTPURL
  var form = SourceForm.file
}

extension LocatedManifest {
  /// Where else the file is, as the manifest says: http and https URLs, which are relative to that of the manifest. One that came
  /// over TLS leads to no place without; a manifest in a file says nothing by a relative URL. A pack counts only when the manifest
  /// says what is where in it. What they give is verified like all else.
  var sources: [SourcePlace] {
    (manifest.metadata?.sources ?? []).compactMap { source in
      guard let form = SourceForm(source.kind), form != .pack || manifest.describesPack else { return nil }
      do throws(HTTPFailure) {
        return try resolve(source.url).map { SourcePlace(url: $0, form: form) }
      } catch {
        return nil
      }
    }
  }

  private func resolve(_ reference: String) throws(HTTPFailure) -> HTTPURL? {
    guard case .url(let base, _) = place else { return try HTTPURL(reference) }
    let url = try base.resolve(reference)
    return base.scheme == .https && url.scheme == .http ? nil : url
  }
}
