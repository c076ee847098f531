internal import CommandSupport

/// Two pictures over the same time: which source brought which part of the file, and how fast. Pure.
struct ReportChart: Sendable {
  let timeline: Timeline
  let seconds: Double

  private static let width = 900.0
  private static let left = 70.0
  private static let mapHeight = 240.0
  private static let rateHeight = 120.0

  /// Nothing where nothing came.
  var html: String {
    guard timeline.rows > 0, !timeline.blocks.isEmpty else { return "" }
    return """
      <h2>Which part came when, and from where</h2>
      \(svg(height: Self.mapHeight, map + label("start of file", y: 12) + label("end", y: Self.mapHeight - 4)))
      <h2>Rate</h2>
      \(svg(height: Self.rateHeight, rates + label(ByteSize.rate(bytesPerSecond: highest), y: 12)))
      <p><span class="swatch here"></span> found on this machine, <span class="swatch mixed"></span> from several sources at once; \
      the others are the sources below</p>
      """
  }

  /// Columns up to the last in which something came.
  private var columns: Int { min(Timeline.columns, Int(timeline.end / timeline.columnSeconds) + 1) }
  private var columnWidth: Double { (Self.width - Self.left) / Double(columns) }

  private var map: String {
    let height = Self.mapHeight / Double(timeline.rows)
    return timeline.blocks.map { block in
      rectangle(
        block.origin, x: block.columns.lowerBound, columns: block.columns.count, y: Double(block.row) * height, height)
    }.joined()
  }

  /// Bytes a second over the network in the best column.
  private var highest: Double {
    let sums = timeline.bytes.map { column in column.reduce(0) { $1.key == .here ? $0 : $0 + $1.value } }
    return Double(sums.max() ?? 0) / timeline.columnSeconds
  }

  private var rates: String {
    guard highest > 0 else { return "" }
    var result = ""
    for (column, bytes) in timeline.bytes.prefix(columns).enumerated() {
      var base = Self.rateHeight
      for (origin, count) in bytes.sorted(by: { $0.key < $1.key }) where origin != .here {
        let height = Double(count) / timeline.columnSeconds / highest * Self.rateHeight
        base -= height
        result += rectangle(origin, x: column, columns: 1, y: base, height)
      }
    }
    return result
  }

  // MARK: Pieces

  private func svg(height: Double, _ content: String) -> String {
    let end = DurationText.seconds(.seconds(timeline.columnSeconds * Double(columns)))
    return """
      <svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 \(Int(Self.width)) \(Int(height) + 18)" role="img">
      <rect class="frame" x="\(Int(Self.left))" y="0" width="\(Int(Self.width - Self.left))" height="\(Int(height))"/>
      \(content)<text x="\(Int(Self.left))" y="\(Int(height) + 14)">0 s</text>\
      <text x="\(Int(Self.width))" y="\(Int(height) + 14)" text-anchor="end">\(end)</text>
      </svg>
      """
  }

  private func label(_ text: String, y: Double) -> String {
    "<text x=\"0\" y=\"\(Int(y))\">\(HTMLText.escape(text))</text>\n"
  }

  private func rectangle(
    _ origin: Timeline.Origin, x column: Int, columns: Int, y: Double, _ height: Double
  ) -> String {
    let x = Self.left + Double(column) * columnWidth
    let width = Double(columns) * columnWidth
    return "<rect class=\"\(ReportStyle.name(of: origin))\" x=\"\(short(x))\" y=\"\(short(y))\" "
      + "width=\"\(short(width))\" height=\"\(short(height))\"/>\n"
  }

  /// Two decimals are enough for any screen.
  private func short(_ number: Double) -> String {
    let hundredths = Int((number * 100).rounded())
    let digits = hundredths % 100
    return "\(hundredths / 100).\(digits < 10 ? "0" : "")\(digits)"
  }
}
