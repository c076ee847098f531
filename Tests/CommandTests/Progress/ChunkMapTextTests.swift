import CommandSupport
import Testing

@Suite struct ChunkMapTextTests {
  private func cells(_ text: String) -> [MapCell] {
    text.map { $0 == "#" ? .here : $0 == "+" ? .partly : $0 == ">" ? .asked : .missing }
  }

  @Test(arguments: [
    ("", 10, 2, []), ("#.>+", 10, 2, ["#.>+"]), ("####....", 4, 2, ["####", "...."]), ("####....", 4, 1, ["##.."]),
    ("#.", 1, 1, ["+"]), ("#>..", 2, 1, [">."]), ("#####", 2, 1, ["##"]), ("##.", 2, 2, ["##", "."]), ("#", 0, 1, []),
  ])
  func `each character stands for as many cells`(text: String, columns: Int, rows: Int, lines: [String]) {
    #expect(ChunkMapText.render(cells(text), columns: columns, rows: rows) == lines)
  }

  @Test(arguments: 1...40)
  func `nothing that is missing looks as if it were here`(columns: Int) {
    for place in 0..<64 {
      var cells = [MapCell](repeating: .here, count: 64)
      cells[place] = .missing
      let text = ChunkMapText.render(cells, columns: columns, rows: 1).joined()
      #expect(text.count == columns && text.count { $0 != "#" } == 1)
    }
  }

  @Test func `colours add nothing to the width`() {
    let style = TerminalStyle(usesBlocks: true, usesColors: true)
    let line = ChunkMapText.render(cells("##>>.."), columns: 6, rows: 1, style: style)[0]
    #expect(line == "\u{1B}[32m██\u{1B}[0m\u{1B}[33m▒▒\u{1B}[0m\u{1B}[2m░░\u{1B}[0m")
    #expect(TextWidth.columns(ofColored: line) == 6)
    #expect(TextWidth.columns(ofColored: "abc") == 3)
    #expect(TextWidth.columns(ofColored: "a\(line)b") == 8)
  }

  @Test func `blocks fill by eighths`() {
    let style = TerminalStyle(usesBlocks: true)
    for done in UInt64(0)...80 {
      let state = ProgressState(label: "f", done: done, total: 80)
      let line = ProgressLine.render(state, columns: 80, style: style)
      #expect(TextWidth.columns(of: line) <= 80)
      #expect(line.contains("█]") == (done == 80))
    }
  }
}
