import Testing

@testable import chunkmanifest

@Suite struct RequestedRangeTests {
  @Test(arguments: [
    ("bytes=0-0", 0..<1), ("bytes=0-9", 0..<10), ("bytes=9-9", 9..<10), ("bytes=3-5", 3..<6), ("bytes=5-", 5..<10),
    ("bytes=0-", 0..<10), ("bytes=5-100", 5..<10), ("bytes=5-99999999999999999999999", 5..<10), ("bytes=-1", 9..<10),
    ("bytes=-10", 0..<10), ("bytes=-11", 0..<10), ("bytes=-99999999999999999999999", 0..<10), ("BYTES=1-2", 1..<3),
    ("bytes= 1-2\t", 1..<3), ("bytes=007-008", 7..<9),
  ])
  func partsOfTenBytes(field: String, range: Range<UInt64>) {
    #expect(RequestedRange(field, length: 10) == .part(range))
  }

  @Test(arguments: ["bytes=10-", "bytes=10-10", "bytes=99999999999999999999999-", "bytes=-0", "bytes=-00"])
  func unsatisfiable(field: String) {
    #expect(RequestedRange(field, length: 10) == .unsatisfiable)
  }

  @Test(
    arguments: [
      nil, "", "bytes", "bytes=", "bytes=-", "bytes=a-b", "bytes=1", "bytes=5-3", "bytes=1-2,4-5", "bytes=1-2, 4-5",
      "chunks=1-2",
      "bytes=+1-2", "bytes=1--2", "bytes=--1", "bytes=0x1-2", "bytes=1 -2", "bytes=1- 2", " bytes=1-2", "bytes =1-2",
      "bytes=１-2",
      "bytes=1-2-3",
    ] as [String?])
  func whatIsNotUnderstoodIsTheWhole(field: String?) {
    #expect(RequestedRange(field, length: 10) == .whole)
  }

  @Test func theEmptyFile() {
    #expect(RequestedRange("bytes=0-", length: 0) == .unsatisfiable)
    #expect(RequestedRange("bytes=0-0", length: 0) == .unsatisfiable)
    #expect(RequestedRange("bytes=-5", length: 0) == .whole)
    #expect(RequestedRange("bytes=-0", length: 0) == .unsatisfiable)
  }

  @Test func theLargestLengths() {
    #expect(RequestedRange("bytes=18446744073709551614-", length: .max) == .part(UInt64.max - 1..<UInt64.max))
    #expect(RequestedRange("bytes=18446744073709551615-", length: .max) == .unsatisfiable)
    #expect(RequestedRange("bytes=0-18446744073709551615", length: .max) == .part(0..<UInt64.max))
  }
}
