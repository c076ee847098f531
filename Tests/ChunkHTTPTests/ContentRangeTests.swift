import ChunkHTTP
import Testing

@Suite struct ContentRangeTests {
  @Test(arguments: [
    ("bytes 0-9/10", ContentRange.range(first: 0, last: 9, total: 10)),
    ("bytes 5-5/6", .range(first: 5, last: 5, total: 6)),
    ("bytes 5-5/*", .range(first: 5, last: 5, total: nil)),
    ("bytes */10", .unsatisfied(total: 10)),
    ("bytes */0", .unsatisfied(total: 0)),
    ("BYTES 0-9/10", .range(first: 0, last: 9, total: 10)),
    ("bytes 00-09/0010", .range(first: 0, last: 9, total: 10)),
    ("bytes 0000000000000000000000000000-9/10", .range(first: 0, last: 9, total: 10)),
    (
      "bytes 9223372036854775805-9223372036854775806/9223372036854775807",
      .range(first: 9_223_372_036_854_775_805, last: 9_223_372_036_854_775_806, total: 9_223_372_036_854_775_807)
    ),
    // Not of the grammar, but sent.
    ("bytes=0-9/10", .range(first: 0, last: 9, total: 10)),
    ("bytes = 0-9/10", .range(first: 0, last: 9, total: 10)),
    (" bytes  0 - 9 / 10 ", .range(first: 0, last: 9, total: 10)),
    ("bytes\t0-9/10", .range(first: 0, last: 9, total: 10)),
    ("bytes */ 10", .unsatisfied(total: 10)),
  ])
  func accepts(text: String, expected: ContentRange) {
    #expect(ContentRange(text) == expected)
  }

  @Test(arguments: [
    "", "bytes", "bytes ", "bytes 0", "bytes 0-", "bytes 0-9", "bytes 0-9/", "bytes -9/10", "bytes 9-/10", "0-9/10",
    // Another unit, or one that only begins like ours.
    "items 0-9/10", "bytesx 0-9/10", "bytes0-9/10", "byte 0-9/10", "none",
    // Reversed, beyond the total, beyond what an offset can be.
    "bytes 9-0/10", "bytes 0-10/10", "bytes 0-9/0", "bytes 0-9/9",
    "bytes 0-9223372036854775808/*", "bytes 0-9/9223372036854775808", "bytes 0-18446744073709551615/*",
    "bytes 0-18446744073709551616/*", "bytes 18446744073709551616-18446744073709551617/*",
    "bytes 0-9/99999999999999999999999999999999",
    // Signs, several ranges, trailing text, other digits.
    "bytes +0-9/10", "bytes --1-9/10", "bytes 0-9,20-29/100", "bytes 0-9/10, 0-9/10", "bytes 0-9/10x",
    "bytes 0-9/10/10",
    "bytes 0x0-9/10", "bytes 0-9.5/10", "bytes */*", "bytes *-9/10", "bytes */", "bytes ٠-٩/١٠", "bytes 0–9/10",
    "bytes 1 0-19/20", "bytes 0-9/1 0", "bytes\u{0}0-9/10", "bytes 0-9/10\u{0}", "bytes\n0-9/10", "bytes == 0-9/10",
  ])
  func refuses(text: String) {
    #expect(ContentRange(text) == nil)
  }

  @Test func everyByteStringIsReadOrRefused() {
    // All texts of up to five of these pieces: whatever they give must be a sane range.
    let pieces = ["bytes", " ", "0", "9", "-", "/", "*", "=", "18446744073709551615", ""]
    var texts = [""]
    for _ in 0..<5 {
      texts = texts.flatMap { text in pieces.map { text + $0 } }
      for text in texts {
        if case .range(let first, let last, let total)? = ContentRange("bytes \(text)") {
          #expect(first <= last && last < total ?? .max && last <= UInt64(Int64.max))
        }
      }
      if texts.count > 20_000 { break }
    }
  }
}
