import CommandSupport
import Testing

@Suite struct ByteSizeTests {
  @Test(arguments: [
    ("0", 0), ("65536", 65536), ("1B", 1), ("256K", 262_144), ("256k", 262_144), ("4KiB", 4096), ("1.5M", 1_572_864),
    ("0.5G", 536_870_912), (".25T", 274_877_906_944), ("2GiB", 2_147_483_648), ("0.3K", 307), ("16777215T", 0),
    ("18446744073709551615", UInt64.max),
  ])
  func reads(text: String, bytes: UInt64) {
    // 2^24 − 1 tebibytes are the most that fit.
    let expected = text == "16777215T" ? 16_777_215 << 40 : bytes
    #expect(ByteSize(text)?.bytes == expected)
  }

  @Test(arguments: [
    "", "K", ".", "1.", "1.5", "1.5B", "1KB", "1MB", "1 K", " 1", "-1", "+1", "1Ki", "1BiB", "1iB", "1P", "1e3", "0x10",
    "１", "18446744073709551616", "16777216T", "1.0000000001K", "1..5K", "1.5.5K",
  ])
  func refuses(text: String) {
    #expect(ByteSize(text) == nil)
  }

  @Test(arguments: [
    (0, "0 B"), (1, "1 B"), (1023, "1023 B"), (1024, "1.00 KiB"), (1536, "1.50 KiB"), (10_239, "10.0 KiB"),
    (102_348, "99.9 KiB"), (102_349, "100 KiB"), (262_144, "256 KiB"), (1_048_063, "1023 KiB"), (1_048_064, "1.00 MiB"),
    (1_048_576, "1.00 MiB"), (536_870_912, "512 MiB"), (1 << 40, "1.00 TiB"), (UInt64.max, "16.0 EiB"),
  ])
  func shows(bytes: UInt64, text: String) {
    #expect("\(ByteSize(bytes: bytes))" == text)
  }

  /// Three digits that matter: the text, read back, is within half of its last digit.
  @Test func showsWithinOnePercent() {
    for shift in 10..<44 {
      for offset in [UInt64(0), 1, 511, 777] {
        let bytes = (UInt64(1) << shift) + offset << (shift - 10)
        let compact = "\(ByteSize(bytes: bytes))".filter { $0 != " " }
        let back = ByteSize(compact)?.bytes ?? 0
        #expect(max(back, bytes) - min(back, bytes) <= bytes / 100, "\(bytes) is shown as \(compact)")
      }
    }
  }

  @Test func rates() {
    #expect(ByteSize.rate(bytesPerSecond: 12.9 * 1024 * 1024) == "12.9 MiB/s")
    #expect(ByteSize.rate(bytesPerSecond: 0.4) == "0 B/s")
    for nothing in [-1, Double.nan, -Double.infinity] { #expect(ByteSize.rate(bytesPerSecond: nothing) == "0 B/s") }
    #expect(ByteSize.rate(bytesPerSecond: .infinity) == "888 PiB/s")
  }
}
