internal import Glibc

/// The environment of the test process.
package enum Environment {
  /// The value of a variable, nil when it is not set.
  package static func value(of name: String) -> String? {
    guard let value = unsafe getenv(name) else { return nil }
    return unsafe String(cString: value)
  }

  /// Everything, for a child to inherit.
  package static var all: [String: String] {
    var result: [String: String] = [:]
    // The array of the process ends with a null pointer; nothing in the tests changes it.
    var next = unsafe environ
    while let entry = unsafe next.pointee {
      let text = unsafe String(cString: entry)
      if let equals = text.firstIndex(of: "=") {
        result[String(text[..<equals])] = String(text[text.index(after: equals)...])
      }
      unsafe next += 1
    }
    return result
  }
}
