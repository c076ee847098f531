package protocol ChunkStorage: AnyObject, Sendable {
  var sealedBytes: UnsafeRawBufferPointer { get }
}
