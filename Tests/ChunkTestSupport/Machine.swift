internal import Glibc

/// What the machine has beyond a bare one.
///
/// A test that needs more says so in its trait and is then reported as skipped, never as passed:
/// `@Test(.enabled(if: Machine.has("nginx"), "nginx is not installed"))`. CI counts the skipped ones.
package enum Machine {
  /// Whether a program is on the path, or where administrators have theirs.
  package static func has(_ program: String) -> Bool { path(of: program) != nil }

  /// The absolute path of a program.
  package static func path(of program: String) -> String? {
    let directories = (Environment.value(of: "PATH") ?? "").split(separator: ":").map(String.init)
    return (directories + ["/usr/local/sbin", "/usr/sbin", "/sbin"])
      .map { "\($0)/\(program)" }
      .first { unsafe access($0, X_OK) == 0 }
  }

  /// Whether the tests run as root, as mounting and namespaces need.
  package static var isRoot: Bool { geteuid() == 0 }
}
