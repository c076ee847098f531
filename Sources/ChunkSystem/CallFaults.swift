#if DEBUG

  /// Counts the system calls of the objects it was given to and lets some fail. Only debug builds have it.
  ///
  /// A test runs a piece of work once to learn how many calls it makes, and then again and again with another one of
  /// them failing each time. An injected error stands in for the call: the call itself is not made. (A failing `close` is
  /// the exception, since the kernel frees the descriptor even then.)
  package final class CallFaults: Sendable {
    package enum Fault: Hashable, Sendable {
      case error(Errno)
      /// A transfer moves half of what it was asked to, at least one byte. Nothing happens to other calls.
      case short
    }

    /// Which calls fail, and how.
    package struct Plan: Hashable, Sendable {
      /// The number of the first failing call, counted from zero.
      package let first: Int
      /// The calls that are counted for `first`; `nil` counts all.
      package let call: SystemCall?
      package let fault: Fault
      /// Whether the calls after the first fail as well.
      package let lasting: Bool

      package init(failing first: Int, of call: SystemCall? = nil, with fault: Fault, lasting: Bool = false) {
        self.first = first
        self.call = call
        self.fault = fault
        self.lasting = lasting
      }
    }

    private struct State {
      var history: [SystemCall] = []
      var matching = 0
    }

    private let plan: Plan?
    private let before: (@Sendable (_ call: SystemCall, _ number: Int) -> Void)?
    private let state = Lock(State())

    /// Lets calls fail as planned; without a plan it only counts.
    ///
    /// - Parameters:
    ///   - plan: Which calls fail.
    ///   - before: Is told of each call, and its number counted from zero, on the thread that is about to make it: what another
    ///     process could do at that moment can be done there.
    package init(_ plan: Plan? = nil, before: (@Sendable (_ call: SystemCall, _ number: Int) -> Void)? = nil) {
      self.plan = plan
      self.before = before
    }

    /// All calls so far, in order. An interrupted call that was started again is there twice.
    package var history: [SystemCall] { state.withLock(\.history) }

    /// How many calls were made; with `call`, how many of that one.
    package func count(of call: SystemCall? = nil) -> Int {
      state.withLock { state in
        guard let call else { return state.history.count }
        return state.history.count { $0 == call }
      }
    }

    /// What is to happen to the call that is made next; `nil` lets it pass.
    func next(_ call: SystemCall) -> Fault? {
      let (number, fault): (Int, Fault?) = state.withLock { state in
        state.history.append(call)
        let number = state.history.count - 1
        guard let plan, plan.call == nil || plan.call == call else { return (number, nil) }
        defer { state.matching += 1 }
        let hit = plan.lasting ? state.matching >= plan.first : state.matching == plan.first
        return (number, hit ? plan.fault : nil)
      }
      before?(call, number)
      return fault
    }
  }
#endif
