internal import ChunkSystem

/// How many connections to use: more while that makes the whole faster, fewer when it does not.
///
/// A hill climb on goodput, in two parts. While it *opens*, the limit doubles with every interval for as long as the rate
/// of the whole grows: most transfers are limited by what one connection gets, and a large file over a long path has no
/// time to find that out in small steps. Connections in slow start grow by themselves, so that this overshoots, which
/// the second part is for. There it *watches* the rate, *tries* half as many more or a third fewer, and keeps what is
/// better. More has to earn a tenth of what it would on an empty path. Fewer may lose nothing, and has to earn
/// something below the number it started with: that is small enough to bother nobody, and two connections fill each
/// other's gaps between requests. When neither helps it rests, until the rate falls or for some time.
struct ConcurrencyLimit: Sendable {
  private enum Phase {
    /// Doubling; the rate before the last time. New connections have one interval to get going.
    case opening(rate: Double, hasWaited: Bool)
    case watching
    /// `before` was the limit, and `rate` what it gave.
    case trying(before: Int, rate: Double)
    /// The rate was `rate` when it began.
    case resting(until: Instant, rate: Double)
  }

  /// What a tick knows of the transfer.
  struct Sample {
    /// Payload bytes that have arrived in all.
    let total: UInt64
    let now: Instant
    /// Seconds from a request to its answer; nil before the first one.
    let roundTrip: Double?
    /// More would be asked for if the limit were higher; without that a rate says nothing about the limit.
    let isLimiting: Bool
    /// Bytes that nobody has been asked for yet.
    let left: UInt64
    /// What the hosts allow in all. Where that is less, nothing is to be learned.
    let ceiling: Int
  }

  /// Connections that may be open now.
  private(set) var current: Int
  /// Whether requests beyond a limit that was lowered end now rather than when they are complete. To end one costs
  /// its connection, so that it is done where they do harm, and where a trial is to show something.
  private(set) var endsSurplus = false

  private let isFixed: Bool
  private var phase = Phase.opening(rate: 0, hasWaited: true)
  /// What is known of the limits next to this one.
  private var isMoreWorse = false
  private var isFewerWorse = false
  private var rest = Self.firstRest
  /// Where the current measurement began, and before when none may: new connections need time to get going.
  private var mark: (at: Instant, total: UInt64)?
  private var settlesAt: Instant?

  private static let firstRest = Duration.seconds(10)
  private static let fewest = 2
  private static let usualStart = 4
  /// An answer over a new connection takes two round trips, or three with TLS.
  private static let slowAnswer = Duration.milliseconds(150)

  /// `fixed` is what the user asked for with `-x`; nil lets the limit follow the goodput. It begins with four, or with
  /// `ceiling` where a first answer took long: a connection needs so many round trips there until it has its rate that to
  /// find out how many are of use takes longer than most downloads.
  init(fixed: Int?, answerTime: Duration?, ceiling: Int) {
    isFixed = fixed != nil
    let isFar = answerTime.map { $0 >= Self.slowAnswer } ?? false
    current = fixed ?? (isFar ? ceiling : min(ceiling, Self.usualStart))
  }

  /// Called at every tick.
  mutating func record(_ sample: Sample) {
    guard !isFixed, let roundTrip = sample.roundTrip else { return }
    guard sample.isLimiting, current <= sample.ceiling else {
      mark = nil
      return
    }
    if let settlesAt, sample.now < settlesAt { return }
    guard let begin = mark else {
      mark = (sample.now, sample.total)
      return
    }
    let elapsed = begin.at.duration(to: sample.now).inSeconds
    guard elapsed >= interval(roundTrip), sample.total >= begin.total else { return }
    mark = (sample.now, sample.total)
    judge(Double(sample.total - begin.total) / elapsed, sample, roundTrip)
  }

  /// Long enough for the rate to mean something: connections send in bursts of a round trip. (The first answers came
  /// over new connections, so that what is known as the round trip while opening is two of them.)
  private func interval(_ roundTrip: Double) -> Double {
    if case .opening = phase { max(0.2, roundTrip) } else { max(0.8, 6 * roundTrip) }
  }

  private mutating func judge(_ rate: Double, _ sample: Sample, _ roundTrip: Double) {
    switch phase {
    case .opening(let before, let hasWaited):
      if rate > before * 1.25 {
        phase = .opening(rate: rate, hasWaited: current == sample.ceiling)
        current = min(sample.ceiling, current * 2)
      } else if !hasWaited {
        phase = .opening(rate: before, hasWaited: true)
      } else {
        // Where twice as many brought less, fewer is what to try first.
        isMoreWorse = rate < before * 0.95
        phase = .watching
      }
    case .watching:
      attempt(rate, sample, roundTrip)
    case .resting(let end, let rateBefore):
      guard sample.now >= end || rate < rateBefore * 0.93 else { return }
      (isMoreWorse, isFewerWorse) = (false, false)
      attempt(rate, sample, roundTrip)
    case .trying(let before, let rateBefore):
      let isMore = current > before
      let isBetter = rate >= rateBefore * worth(current, insteadOf: before)
      if !isBetter {
        current = before
        endsSurplus = rate < rateBefore * 0.95
      }
      isMoreWorse = isMore != isBetter || (!isMore && isMoreWorse)
      isFewerWorse = isMore == isBetter || (isMore && isFewerWorse)
      attempt(isBetter ? rate : rateBefore, sample, roundTrip)
    }
  }

  /// The factor the rate has to change by for a limit to be kept.
  private func worth(_ limit: Int, insteadOf before: Int) -> Double {
    if limit > before { return 1 + 0.1 * (Double(limit) / Double(before) - 1) }
    return limit < Self.usualStart ? 1.03 : 0.99
  }

  /// Changes the limit to see what that does, unless the transfer will be over before it has done anything. Fewer of
  /// what brings nothing is no cure for it.
  private mutating func attempt(_ rate: Double, _ sample: Sample, _ roundTrip: Double) {
    let more = min(sample.ceiling, current + (current + 1) / 2)
    let fewer = max(Self.fewest, current - max(1, current / 3))
    phase = .watching
    guard Double(sample.left) > rate * 8 * interval(roundTrip) else { return }
    if more > current, !isMoreWorse {
      phase = .trying(before: current, rate: rate)
      current = more
    } else if fewer < current, !isFewerWorse, rate > 0 {
      phase = .trying(before: current, rate: rate)
      current = fewer
      endsSurplus = true
    } else {
      phase = .resting(until: sample.now.advanced(by: rest), rate: rate)
      rest = rest * 2
    }
    mark = nil
    settlesAt = sample.now.advanced(by: .milliseconds(Int64(1000 * (0.2 + 4 * roundTrip))))
  }
}
