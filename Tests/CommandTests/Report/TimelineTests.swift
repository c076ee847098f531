import Testing

@testable import chunkget

@Suite struct TimelineTests {
  @Test func `it never grows, and loses nothing`() {
    var timeline = Timeline()
    timeline.begin(chunks: 100_000)
    for chunk in 0..<100_000 {
      timeline.add(chunks: [chunk], bytes: 10, from: .source(chunk % 7), at: Double(chunk) / 10)
    }
    #expect(timeline.columnSeconds * Double(Timeline.columns) > 9999.9)
    #expect(timeline.columnSeconds * Double(Timeline.columns) < 4 * 9999.9)
    #expect(timeline.blocks.count <= Timeline.columns * Timeline.mostRows)
    var sums: [Timeline.Origin: UInt64] = [:]
    for column in timeline.bytes { sums.merge(column, uniquingKeysWith: +) }
    #expect(sums.values.reduce(0, +) == 1_000_000)
    #expect(sums.count == 7)
    #expect(ReportChart(timeline: timeline, seconds: 10_000).html.utf8.count < 500_000)
  }

  @Test func `neighbours of one origin are one block, and most decide`() {
    var timeline = Timeline()
    timeline.begin(chunks: 2)
    timeline.add(chunks: [0], bytes: 1, from: .source(1), at: 0)
    timeline.add(chunks: [0], bytes: 1, from: .source(1), at: 0.06)
    timeline.add(chunks: [0], bytes: 1, from: .source(0), at: 0.16)
    timeline.add(chunks: [1], bytes: 1, from: .here, at: 0.16)
    #expect(
      timeline.blocks == [
        .init(row: 0, columns: 0..<2, origin: .source(1)), .init(row: 0, columns: 3..<4, origin: .source(0)),
        .init(row: 1, columns: 3..<4, origin: .here),
      ])
    timeline.add(chunks: [0, 0, 0], bytes: 1, from: .mixed, at: 5)
    #expect(timeline.columnSeconds == 0.1)
    #expect(timeline.blocks.map(\.columns) == [0..<1, 1..<2, 50..<51, 1..<2])
  }

  @Test func `a file without chunks has no picture`() {
    var timeline = Timeline()
    timeline.begin(chunks: 0)
    timeline.add(chunks: [], bytes: 0, from: .here, at: 1)
    #expect(timeline.blocks.isEmpty && ReportChart(timeline: timeline, seconds: 1).html.isEmpty)
  }
}
