/// What one of several downloads that run at once may use of all that one download alone may: connections, and memory.
package struct TransferShare: Sendable {
  let position: Int
  let count: Int
  let connections: SharedConnections

  /// - Parameters:
  ///   - position: Which one it is, below `count`; the first ones get what cannot be divided.
  ///   - count: How many there are, no more than ``TransferOptions/mostAtOnce(of:)`` says.
  ///   - connections: What all of them use.
  package init(_ position: Int, of count: Int, over connections: SharedConnections) {
    self.position = position
    self.count = count
    self.connections = connections
  }

  /// All of it, for a download beside which no other runs.
  package var whole: TransferShare { TransferShare(0, of: 1, over: connections) }

  fileprivate func part(of whole: Int) -> Int { whole / count + (position < whole % count ? 1 : 0) }
}

extension TransferOptions {
  /// How many downloads may run at once, of `wanted`: each needs a connection to its host.
  package func mostAtOnce(of wanted: Int) -> Int { max(1, min(wanted, connections ?? hostCeiling, hostCeiling)) }

  /// Keeps to a share of what these options allow.
  package mutating func keep(to share: TransferShare) {
    sharedConnections = share.connections
    connections = connections.map(share.part)
    hostCeiling = share.part(of: hostCeiling)
    totalCeiling = share.part(of: totalCeiling)
    memoryBudget = share.part(of: memoryBudget)
  }
}
