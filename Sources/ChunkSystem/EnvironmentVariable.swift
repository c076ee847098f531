internal import Glibc

/// Settings that come from the environment of the process.
package enum EnvironmentVariable {
  /// The value of a variable; `nil` when it is not set, or is not UTF-8.
  package static func value(of name: String) -> String? {
    // The C library's own string, copied before anything else happens. Nothing in this package changes the environment.
    guard let value = unsafe getenv(name) else { return nil }
    return unsafe String(validatingCString: value)
  }
}
