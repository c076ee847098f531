internal import ChunkSystem

/// Runs blocking work on a thread made for it and suspends until it is done.
///
/// Tests share a cooperative pool of as many threads as the machine has cores, often two; whoever blocks there stalls
/// all others.
package func onOwnThread<Value: Sendable>(_ work: @escaping @Sendable () throws -> Value) async throws -> Value {
  try await DedicatedThread.run(name: "test") { Result(catching: work) }.get()
}
