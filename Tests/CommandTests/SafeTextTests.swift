import CommandSupport
import Testing

@Suite struct SafeTextTests {
  @Test(arguments: ["", "plain text: ~/file (1).bin", "häßlich", "日本語", "👩‍👩‍👧 family", "نص عربي", "a\\nb", "e\u{301}"])
  func leavesWhatIsHarmless(text: String) {
    #expect(SafeText.escape(text) == text)
  }

  @Test(arguments: [
    ("\u{1B}]0;title\u{7}", "\\u{1B}]0;title\\u{7}"), ("a\nb\r\tc\0", "a\\nb\\r\\tc\\u{0}"),
    ("\u{7F}\u{9B}31m", "\\u{7F}\\u{9B}31m"),
    ("gpj.\u{202E}exe", "gpj.\\u{202E}exe"),
    ("\u{2066}x\u{2069}\u{200E}\u{61C}", "\\u{2066}x\\u{2069}\\u{200E}\\u{61C}"),
    ("\u{2028}\u{2029}\u{FEFF}\u{200B}\u{AD}", "\\u{2028}\\u{2029}\\u{FEFF}\\u{200B}\\u{AD}"),
    ("\u{E0041}tag", "\\u{E0041}tag"), ("\r\n", "\\r\\n"),
  ])
  func escapesWhatATerminalWouldObey(text: String, safe: String) {
    #expect(SafeText.escape(text) == safe)
  }

  @Test func boundsTheLength() {
    #expect(SafeText.escape("abcdef", limit: 6) == "abcdef")
    #expect(SafeText.escape("abcdef", limit: 5) == "abcd…")
    #expect(SafeText.escape("abcdef", limit: 0) == "…")
  }

  /// Whatever goes in, nothing that comes out is a control character.
  @Test func nothingHazardousComesOut() {
    for value in UInt32(0)...0x2_FFFF {
      guard let scalar = Unicode.Scalar(value), SafeText.isHazardous(scalar) else { continue }
      #expect(SafeText.escape(String(scalar)).utf8.allSatisfy { (0x20...0x7E).contains($0) })
    }
  }
}

@Suite struct TextWidthTests {
  @Test(arguments: [("", 0), ("abc", 3), ("e\u{301}", 1), ("日本", 4), ("ｆ", 2), ("👩‍👩‍👧", 2), ("❤️", 2), ("…", 1), ("한", 2)])
  func columns(text: String, expected: Int) {
    #expect(TextWidth.columns(of: text) == expected)
  }

  @Test func truncatesToColumnsNotCharacters() {
    #expect(TextWidth.truncate("日本語です", toColumns: 10) == "日本語です")
    #expect(TextWidth.truncate("日本語です", toColumns: 9) == "日本語で…")
    #expect(TextWidth.truncate("日本語です", toColumns: 8) == "日本語…")
    #expect(TextWidth.truncate("abc", toColumns: 1) == "…")
    #expect(TextWidth.truncate("abc", toColumns: 0) == "")
    #expect(TextWidth.fit("ab", toColumns: 4) == "ab  ")
  }
}
