internal import CLibSodium

/// libsodium chooses its implementations when it is made ready, which has to happen before anything else of it is used.
enum Sodium {
  /// Makes it ready, once in a process; afterwards it may be used from every thread.
  static func prepare() {
    precondition(isReady, "libsodium could not be made ready")
  }

  private static let isReady = sodium_init() >= 0
}
