/// The 32 bytes that SHA-256 yields.
///
/// Prints as the 64 lower-case hexadecimal digits that `sha256sum` prints. Digests are ordered as their bytes are.
/// Comparing two takes a time that depends on their content: nothing in this package keeps a digest secret.
public struct SHA256Digest: Hashable, Sendable {
  /// The length of a digest in bytes.
  package static let byteCount = 32

  // Four words, most significant first, each holding eight bytes in big-endian order. Unlike an InlineArray they make
  // equality and hashing synthesised, and comparing words in this order compares bytes.
  private let word0: UInt64
  private let word1: UInt64
  private let word2: UInt64
  private let word3: UInt64

  /// Takes the digest that lies in `bytes`.
  ///
  /// - Precondition: `bytes` holds exactly 32 bytes.
  package init(_ bytes: Span<UInt8>) {
    precondition(bytes.count == Self.byteCount, "a SHA-256 digest has 32 bytes")
    word0 = bytes.bigEndianWord(at: 0)
    word1 = bytes.bigEndianWord(at: 8)
    word2 = bytes.bigEndianWord(at: 16)
    word3 = bytes.bigEndianWord(at: 24)
  }

  /// The 32 bytes, first to last.
  public var bytes: [UInt8] {
    [UInt8](capacity: Self.byteCount) { output in
      for word in [word0, word1, word2, word3] {
        for shift in stride(from: 56, through: 0, by: -8) {
          output.append(UInt8(truncatingIfNeeded: word >> UInt64(shift)))
        }
      }
    }
  }

  /// The first eight bytes as a number, the first one most significant: enough to find a digest among many.
  package var prefix: UInt64 { word0 }

  /// Writes the 32 bytes into `target`, the first at `offset`.
  ///
  /// - Precondition: `target` has 32 bytes from `offset` on.
  package func write(into target: inout MutableSpan<UInt8>, at offset: Int) {
    // A view of plain bytes as plain bytes; `storeBytes` checks every offset against the span's length.
    var raw = unsafe target.mutableBytes
    raw.storeBytes(of: word0.bigEndian, toByteOffset: offset, as: UInt64.self)
    raw.storeBytes(of: word1.bigEndian, toByteOffset: offset + 8, as: UInt64.self)
    raw.storeBytes(of: word2.bigEndian, toByteOffset: offset + 16, as: UInt64.self)
    raw.storeBytes(of: word3.bigEndian, toByteOffset: offset + 24, as: UInt64.self)
  }
}

extension SHA256Digest: Comparable {
  /// Whether the bytes of `left` come before those of `right` in lexicographic order.
  public static func < (left: SHA256Digest, right: SHA256Digest) -> Bool {
    (left.word0, left.word1, left.word2, left.word3) < (right.word0, right.word1, right.word2, right.word3)
  }
}

extension SHA256Digest: CustomStringConvertible {
  /// Reads 64 hexadecimal digits, lower or upper case.
  ///
  /// - Returns: `nil` when `hex` is anything else; there is no trimming.
  public init?(hex: String) {
    guard hex.utf8.count == 2 * Self.byteCount else { return nil }
    var words = InlineArray<4, UInt64>(repeating: 0)
    for (position, digit) in hex.utf8.enumerated() {
      guard let value = Self.hexValue(of: digit) else { return nil }
      words[position / 16] = words[position / 16] << 4 | UInt64(value)
    }
    word0 = words[0]
    word1 = words[1]
    word2 = words[2]
    word3 = words[3]
  }

  /// The digest as 64 lower-case hexadecimal digits, as `sha256sum` prints it.
  public var hex: String {
    let digits = [UInt8](capacity: 2 * Self.byteCount) { output in
      for word in [word0, word1, word2, word3] {
        for shift in stride(from: 60, through: 0, by: -4) {
          output.append(Self.hexDigit(UInt8(truncatingIfNeeded: word >> UInt64(shift) & 15)))
        }
      }
    }
    return String(decoding: digits, as: UTF8.self)
  }

  /// Same as ``hex``.
  public var description: String { hex }

  private static func hexDigit(_ value: UInt8) -> UInt8 {
    value < 10 ? UInt8(ascii: "0") + value : UInt8(ascii: "a") + value - 10
  }

  private static func hexValue(of digit: UInt8) -> UInt8? {
    switch digit {
    case UInt8(ascii: "0")...UInt8(ascii: "9"): digit - UInt8(ascii: "0")
    case UInt8(ascii: "a")...UInt8(ascii: "f"): digit - UInt8(ascii: "a") + 10
    case UInt8(ascii: "A")...UInt8(ascii: "F"): digit - UInt8(ascii: "A") + 10
    default: nil
    }
  }
}

extension Span<UInt8> {
  fileprivate func bigEndianWord(at offset: Int) -> UInt64 {
    // The caller has checked that the span has 32 bytes and passes at most 24.
    let raw = unsafe bytes
    return UInt64(bigEndian: unsafe raw.unsafeLoadUnaligned(fromByteOffset: offset, as: UInt64.self))
  }
}
