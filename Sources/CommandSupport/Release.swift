/// What `--version` and the user agent say.
package enum Release {
  /// Semantic version of both commands and of the library.
  package static let version = "0.1.0"
}
