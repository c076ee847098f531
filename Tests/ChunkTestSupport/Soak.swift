/// How much of a test that depends on chance is done: a little in every run, much in `Tools/soak`.
package enum Soak {
  /// Whether `Tools/soak` runs the tests.
  package static let isOn = Environment.value(of: "CHUNKGET_SOAK") != nil

  /// How often something is repeated.
  package static func rounds(_ usual: Int, soak: Int) -> Int { isOn ? soak : usual }
}
