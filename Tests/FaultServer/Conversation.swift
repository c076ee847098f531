/// One connection from its first request to its end; runs on the thread of that connection.
struct Conversation: Sendable {
  private static let headLimit = 256 * 1024

  let state: ServerState
  let socket: CInt
  let number: Int
  let isRefused: Bool

  func run() {
    var connection = Connection(socket: socket, number: number, stopped: state.stopped)
    if isRefused { return connection.endWith(.reset) }
    var untilCut: UInt64?
    while let head = connection.nextHead(limit: Self.headLimit) {
      guard let request = Request(head: head) else { return }
      let (index, answer, behaviour) = state.begin(request, connection: number)
      let exchange = Exchange(state: state, index: index, answer: answer, behaviour: behaviour)
      guard exchange.perform(on: &connection, untilCut: &untilCut) else { return }
      // A body is not read: what follows it would be taken for a request.
      if request.header("Content-Length") != nil { return }
    }
  }
}
