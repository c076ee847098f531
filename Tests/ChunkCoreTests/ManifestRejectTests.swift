import ChunkCore
import Testing

/// What the Spec says a reader must refuse, and with which error.
@Suite struct ManifestRejectTests {
  private struct Vectors: Decodable, Sendable {
    let bases: [String: HexBytes]
    let rejects: [Reject]
    let accepts: [Accept]
    let flips: [Flips]
    let prefixes: [Prefix]
    let pages: [Page]

    struct Reject: Decodable {
      let name: String
      let error: String
      let prefixError: String?
      let pin: String?
    }
    struct Accept: Decodable {
      let name: String
      let fileID: String
      let pin: String?
      let metadata: MetadataVector?
    }
    struct Flips: Decodable {
      let base: String
      let pin: String
      let errors: [String: [Int]]
      let accepted: [Int]
    }
    struct Prefix: Decodable {
      let base: String
      let length: Int
      let error: String?
    }
    struct Page: Decodable {
      let name: String
      let base: String
      let group: Int
      let from: Int
      let error: String?
    }
  }

  /// The bytes of a case: given, or a base with changes; for a page, changes of the page of another.
  private struct Recipe: Decodable {
    let hex: HexBytes?
    let base: String?
    let edits: [Edit]?
    let truncate: Int?
    let append: HexBytes?

    struct Edit: Decodable {
      let offset: Int
      let hex: HexBytes
    }

    func bytes(_ bases: [String: HexBytes]) throws -> [UInt8] {
      if let hex { return hex.bytes }
      let base = try #require(base)
      return changed(try #require(bases[base]).bytes)
    }

    func changed(_ original: [UInt8]) -> [UInt8] {
      var bytes = original
      for edit in edits ?? [] {
        bytes.replaceSubrange(edit.offset..<edit.offset + edit.hex.bytes.count, with: edit.hex.bytes)
      }
      if let truncate { bytes.removeLast(bytes.count - truncate) }
      return bytes + (append?.bytes ?? [])
    }
  }

  private struct Recipes: Decodable, Sendable {
    let rejects: [Recipe]
    let accepts: [Recipe]
    let pages: [Recipe]
  }

  // Read once for all tests.
  private static let loadedVectors = Result { try SpecVectors.load("rejects.json", as: Vectors.self) }
  private static let loadedRecipes = Result { try SpecVectors.load("rejects.json", as: Recipes.self) }
  private let vectors: Vectors
  private let recipes: Recipes

  init() throws {
    vectors = try Self.loadedVectors.get()
    recipes = try Self.loadedRecipes.get()
  }

  private func wholeError(_ bytes: [UInt8], pin: String?) throws -> String? {
    let pin = try pin.map { try #require(FileID($0)) }
    return errorName { () throws(ManifestError) in _ = try Manifest.decode(whole: bytes.span, expecting: pin) }
  }

  /// Reads as much as the bytes say is needed and verifies it.
  private func prefixError(_ bytes: [UInt8], pin: String?) throws -> String? {
    let pin = try pin.map { try #require(FileID($0)) }
    return errorName { () throws(ManifestError) in
      let needed = try UnverifiedManifest.neededPrefixLength(bytes.span.extracting(first: min(448, bytes.count)))
      let prefix = bytes.span.extracting(first: min(needed, bytes.count))
      _ = try UnverifiedManifest(prefix: prefix).verified(expecting: pin)
    }
  }

  @Test func refusesWhatMustBeRefused() throws {
    #expect(!vectors.rejects.isEmpty)
    for (vector, recipe) in zip(vectors.rejects, recipes.rejects) {
      let bytes = try recipe.bytes(vectors.bases)
      #expect(try wholeError(bytes, pin: vector.pin) == vector.error, "\(vector.name)")
      #expect(try prefixError(bytes, pin: vector.pin) == vector.prefixError, "\(vector.name)")
    }
  }

  @Test func acceptsWhatMustBeAccepted() throws {
    #expect(!vectors.accepts.isEmpty)
    for (vector, recipe) in zip(vectors.accepts, recipes.accepts) {
      let bytes = try recipe.bytes(vectors.bases)
      #expect(try wholeError(bytes, pin: vector.pin) == nil, "\(vector.name)")
      #expect(try prefixError(bytes, pin: vector.pin) == nil, "\(vector.name)")
      let (manifest, _) = try Manifest.decode(whole: bytes.span, expecting: nil)
      #expect(manifest.fileID.description == vector.fileID, "\(vector.name)")
      if let metadata = vector.metadata { #expect(manifest.metadata == (try metadata.metadata()), "\(vector.name)") }
    }
  }

  /// Every bit, one at a time. Those that are accepted turn the type of an optional section into another one.
  @Test func findsFlippedBits() throws {
    #expect(!vectors.flips.isEmpty)
    for vector in vectors.flips {
      var bytes = try #require(vectors.bases[vector.base]).bytes
      var expected = [String?](repeating: "not in the vectors", count: 8 * bytes.count)
      for bit in vector.accepted { expected[bit] = nil }
      for (error, bits) in vector.errors {
        for bit in bits { expected[bit] = error }
      }
      // One expectation for all of them: thousands of single ones take seconds.
      let wrong = try expected.indices.filter { bit in
        bytes[bit / 8] ^= 1 << (bit % 8)
        defer { bytes[bit / 8] ^= 1 << (bit % 8) }
        return try wholeError(bytes, pin: vector.pin) != expected[bit]
      }
      #expect(wrong == [], "bits of \(vector.base)")
    }
  }

  @Test func readsPrefixesOfAnyLength() throws {
    #expect(!vectors.prefixes.isEmpty)
    for vector in vectors.prefixes {
      let bytes = try #require(vectors.bases[vector.base]).bytes
      let error = errorName { () throws(ManifestError) in
        _ = try UnverifiedManifest(prefix: bytes.span.extracting(first: vector.length)).verified(expecting: nil)
      }
      #expect(error == vector.error, "\(vector.length) bytes of \(vector.base)")
    }
  }

  @Test func checksPagesAlone() throws {
    #expect(!vectors.pages.isEmpty)
    for (vector, recipe) in zip(vectors.pages, recipes.pages) {
      let base = try #require(vectors.bases[vector.base]).bytes
      let (manifest, _) = try Manifest.decode(whole: base.span, expecting: nil)
      let range = manifest.leafPageRange(group: vector.from)
      let bytes = recipe.changed(Array(base[Int(range.offset)..<Int(range.end)]))
      let error = errorName { () throws(ManifestError) in
        _ = try manifest.leafPage(group: vector.group, bytes: bytes.span)
      }
      #expect(error == vector.error, "\(vector.name)")
    }
  }
}
