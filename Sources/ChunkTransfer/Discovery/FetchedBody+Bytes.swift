extension [UInt8] {
  /// The bytes of a span that is lent only for a call.
  init(copying bytes: Span<UInt8>) {
    self = unsafe bytes.withUnsafeBufferPointer { unsafe [UInt8]($0) }
  }
}
