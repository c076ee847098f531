import CommandSupport
import Testing

@Suite struct ProgressLineTests {
  private static let halfway = ProgressState(
    label: "model.bin", done: 1 << 30, total: 2_684_354_560, rate: 12.3 * 1_048_576, remaining: .seconds(121),
    note: "4 connections")

  @Test(arguments: [
    (
      120,
      "model.bin   40%  [===============>                      ]  1.00 GiB of 2.50 GiB  12.3 MiB/s  2:01  4 connections"
    ),
    (80, "model.bin   40%  [==>   ]  1.00 GiB of 2.50 GiB  12.3 MiB/s  2:01  4 connections"),
    (60, "model.bin   40%  1.00 GiB of 2.50 GiB  12.3 MiB/s  2:01"), (40, "model.bin   40%  12.3 MiB/s  2:01"),
    (20, "model.b…   40%  2:01"),
    (10, " 40%"), (3, " 4…"),
  ])
  func fitsTheTerminal(columns: Int, line: String) {
    #expect(ProgressLine.render(Self.halfway, columns: columns) == line)
  }

  @Test func neverWiderThanTheTerminal() {
    let labels = ["", "a", "日本語の長いファイル名.bin", String(repeating: "long", count: 100), "\u{1B}[2J", "e\u{301}"]
    let states = labels.flatMap { label in
      [nil, UInt64(0), 10, 1 << 40].flatMap { total -> [ProgressState] in
        [nil, 0.0, 1e9].map { rate in
          ProgressState(
            label: label, done: 7, total: total, rate: rate, remaining: rate.map { _ in .seconds(100_000) },
            note: "note")
        }
      }
    }
    for state in states {
      for columns in Array(0...60) + [79, 80, 120, 200] {
        let line = ProgressLine.render(state, columns: columns)
        #expect(TextWidth.columns(of: line) <= columns, "\(columns): \(line)")
        #expect(!line.unicodeScalars.contains(where: SafeText.isHazardous))
      }
    }
  }

  @Test func oneHundredPercentMeansDone() {
    var state = ProgressState(label: "f", done: 999_999, total: 1_000_000)
    #expect(ProgressLine.render(state, columns: 80).contains(" 99%"))
    state.done = 1_000_000
    #expect(ProgressLine.render(state, columns: 80).contains("100%"))
    #expect(ProgressLine.render(ProgressState(label: "f", done: 0, total: 0), columns: 80).contains("100%"))
  }

  @Test func anUnknownTotalShowsWhatIsKnown() {
    let state = ProgressState(label: "f", done: 2048, total: nil, rate: 1024)
    #expect(ProgressLine.render(state, columns: 80) == "f  2.00 KiB  1.00 KiB/s")
    #expect(ProgressLine.renderPlain(state) == "f: 2.00 KiB, 1.00 KiB/s")
  }

  @Test func plainLinesMakeSenseAlone() {
    #expect(
      ProgressLine.renderPlain(Self.halfway)
        == "model.bin: 1.00 GiB of 2.50 GiB (40%), 12.3 MiB/s, 2:01 left, 4 connections")
    #expect(ProgressLine.renderPlain(ProgressState(label: "a\nb", done: 0, total: 1)) == "a\\nb: 0 B of 1 B (0%)")
  }

  @Test(arguments: [
    (Duration.zero, "0:00"), (.milliseconds(1), "0:01"), (.seconds(59), "0:59"), (.seconds(60), "1:00"),
    (.seconds(3599), "59:59"), (.seconds(3723), "1:02:03"), (.seconds(86_399), "23:59:59"),
    (.seconds(100_000), "1 d 3 h"),
    (.seconds(-5), "0:00"),
  ])
  func clock(duration: Duration, text: String) {
    #expect(DurationText.clock(duration) == text)
  }

  @Test func secondsOfWhatIsOver() {
    #expect(DurationText.seconds(.milliseconds(12_345)) == "12.3 s")
    #expect(DurationText.seconds(.milliseconds(99)) == "0.0 s")
  }
}

/// What a writer wrote, and when it asked for the width.
private final class Screen {
  var text = ""
  var columns = 80
  var rows = 24
}

@Suite struct ProgressWriterTests {
  private func writer(_ screen: Screen, isTerminal: Bool) -> ProgressWriter {
    ProgressWriter(
      isTerminal: isTerminal, size: { (screen.columns, screen.rows) }, write: { screen.text += $0 })
  }

  private func state(_ done: UInt64) -> ProgressState { ProgressState(label: "f", done: done, total: 10_000) }

  @Test func redrawsAtMostTenTimesASecond() {
    let screen = Screen()
    var writer = writer(screen, isTerminal: true)
    for millisecond in 0..<1000 { writer.update(state(UInt64(millisecond)), now: .milliseconds(millisecond)) }
    #expect(screen.text.split(separator: "\r").count == 10)
  }

  @Test func keepsOneColumnFreeAndFollowsTheWidth() {
    let screen = Screen()
    var writer = writer(screen, isTerminal: true)
    for (second, columns) in [80, 40, 20, 1].enumerated() {
      screen.text = ""
      screen.columns = columns
      writer.update(state(5000), now: .seconds(second))
      #expect(screen.text.hasPrefix("\r"))
      #expect(screen.text.hasSuffix("\u{1B}[K"))
      let line = screen.text.replacing(/\r|\u{1B}\[\d*[A-Z]/, with: "")
      #expect(TextWidth.columns(of: line) < max(2, columns))
    }
  }

  @Test func aMessageTakesTheLineAwayAndTheNextUpdateBringsItBack() {
    let screen = Screen()
    var writer = writer(screen, isTerminal: true)
    writer.update(state(0), now: .zero)
    screen.text = ""
    writer.say("hello")
    #expect(screen.text == "\r\u{1B}[Khello\n")
    screen.text = ""
    writer.update(state(0), now: .milliseconds(1))
    #expect(!screen.text.isEmpty)
    screen.text = ""
    writer.finish(state(10_000))
    #expect(screen.text.contains("100%"))
    #expect(screen.text.hasSuffix("\n"))
    screen.text = ""
    writer.erase()
    #expect(screen.text.isEmpty)
  }

  @Test func severalLinesAreDrawnOverInOnePiece() {
    let screen = Screen()
    var writer = writer(screen, isTerminal: true)
    writer.update([state(0), state(1)], details: { _ in ["below"] }, now: .zero)
    #expect(screen.text.split(separator: "\n").count == 3)
    screen.text = ""
    writer.update([state(0)], now: .seconds(1))
    #expect(screen.text.hasPrefix("\r\u{1B}[2Af"), "from the first of the three lines on")
    #expect(screen.text.hasSuffix("\u{1B}[K\u{1B}[J"), "what is left of them goes")
    screen.text = ""
    writer.update([state(0), state(1)], now: .seconds(2))
    screen.text = ""
    writer.say("hello")
    #expect(screen.text == "\r\u{1B}[1A\u{1B}[Jhello\n")
  }

  @Test func linesThatWereWrappedByANarrowerTerminalAreCounted() {
    let screen = Screen()
    var writer = writer(screen, isTerminal: true)
    writer.update([state(5000), state(5000)], details: { [String(repeating: "x", count: $0)] }, now: .zero)
    let first = screen.text.split(separator: "\n").map { TextWidth.columns(of: $0.filter { $0 != "\r" }.dropLast(3)) }
    screen.text = ""
    screen.columns = 40
    writer.erase()
    let rows = first.dropLast().reduce(0) { $0 + ($1 + 39) / 40 } + 2
    #expect(screen.text == "\r\u{1B}[\(rows - 1)A\u{1B}[J")
  }

  @Test func aLowTerminalShowsWhatFits() {
    let screen = Screen()
    screen.rows = 3
    var writer = writer(screen, isTerminal: true)
    writer.update((0..<10).map { state(UInt64($0)) }, now: .zero)
    #expect(screen.text.split(separator: "\n").count == 2)
  }

  @Test func aLogGetsPlainLinesEveryTenSecondsAndNoneForShortWork() {
    let screen = Screen()
    var writer = writer(screen, isTerminal: false)
    for second in 0...9 { writer.update(state(1), now: .seconds(second)) }
    #expect(screen.text.isEmpty)
    writer.update(state(5000), now: .seconds(10))
    writer.update(state(6000), now: .seconds(19))
    writer.say("hello")
    writer.finish(state(10_000))
    #expect(screen.text == "f: 4.88 KiB of 9.77 KiB (50%)\nhello\n")
  }
}

@Suite struct RateMeterTests {
  @Test func aSteadyRateIsFoundAtOnceAndKept() {
    var meter = RateMeter()
    #expect(meter.rate == nil)
    for second in 0...20 { meter.add(bytes: UInt64(second) * 1000, now: .seconds(second)) }
    #expect(meter.rate.map { abs($0 - 1000) < 1e-6 } == true)
    #expect(meter.remaining(bytes: 5000).map { abs($0 / .seconds(5) - 1) < 1e-9 } == true)
  }

  /// After τ a new rate shows by 1 − 1/e, whether it was sampled once or often.
  @Test(arguments: [1, 3, 30, 3000])
  func followsTheTimeNotTheNumberOfSamples(samples: Int) {
    var meter = RateMeter(timeConstant: 3)
    meter.add(bytes: 0, now: .zero)
    meter.add(bytes: 1000, now: .seconds(1))
    for sample in 1...samples { meter.add(bytes: 1000, now: .seconds(1) + .seconds(3) * sample / samples) }
    #expect(meter.rate.map { abs($0 - 1000 / 2.718281828459045) < 1e-6 } == true)
  }

  @Test func aStallRaisesTheRemainingTimeAndNeverOverflowsIt() {
    var meter = RateMeter()
    meter.add(bytes: 0, now: .zero)
    meter.add(bytes: 1000, now: .seconds(1))
    meter.add(bytes: 1000, now: .seconds(1))
    let before = meter.remaining(bytes: 1000)
    meter.add(bytes: 1000, now: .seconds(4))
    let after = meter.remaining(bytes: 1000)
    #expect(before.flatMap { before in after.map { $0 > before } } == true)
    meter.add(bytes: 1000, now: .seconds(100_000))
    #expect(meter.remaining(bytes: 1000) == nil)
    meter.add(bytes: 0, now: .seconds(100_001))
    #expect(meter.rate.map { $0 >= 0 } == true)
  }
}
