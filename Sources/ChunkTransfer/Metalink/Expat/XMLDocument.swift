internal import CLibExpat

/// Takes what an XML document consists of, in order. Comments and processing instructions are passed over.
protocol XMLReceiver: AnyObject {
  /// An element begins; its name is that of its namespace, a space and its own.
  func elementBegan(_ name: String, attributes: [String: String]) throws(XMLProblem)
  /// Characters of the innermost element; those of one element may come in several pieces.
  func charactersCame(_ text: String) throws(XMLProblem)
  func elementEnded() throws(XMLProblem)
}

/// What is wrong with a document, in a clause without a full stop.
struct XMLProblem: Error {
  let message: String

  init(_ message: String) { self.message = message }
}

/// XML that somebody else wrote, gone through with libexpat.
///
/// A document type declaration ends it, and with it everything that grows: there are no entities but the five that XML has
/// by itself, none that are read from elsewhere, and no default attributes. Elements are nested at most 16 deep.
struct XMLDocument {
  let bytes: [UInt8]

  fileprivate static let deepest = 16

  /// Hands all of it to `receiver`, up to what is wrong with the document or what `receiver` throws.
  func read(into receiver: any XMLReceiver) throws(XMLProblem) {
    let walk = XMLWalk(receiver)
    let isWhole = walk.parse(bytes)
    if let problem = walk.problem { throw problem }
    guard isWhole else { throw walk.syntaxError }
  }
}

/// One pass of the parser. What libexpat hands to the functions below is its address.
@safe
private final class XMLWalk {
  private let parser: XML_Parser
  private let receiver: any XMLReceiver
  private var depth = 0
  private(set) var problem: XMLProblem?

  init(_ receiver: any XMLReceiver) {
    guard let parser = unsafe XML_ParserCreateNS(nil, XML_Char(UInt8(ascii: " "))) else {
      preconditionFailure("out of memory for an XML parser")
    }
    unsafe self.parser = parser
    self.receiver = receiver
  }

  deinit {
    unsafe XML_ParserFree(parser)
  }

  /// - Returns: Whether the parser came to the end.
  func parse(_ bytes: [UInt8]) -> Bool {
    guard let count = CInt(exactly: bytes.count) else {
      problem = XMLProblem("it is too long")
      return false
    }
    // The parser is freed with this object, so it never sees a pointer to one that is gone.
    unsafe XML_SetUserData(parser, Unmanaged.passUnretained(self).toOpaque())
    unsafe XML_SetElementHandler(parser, elementBegan, elementEnded)
    unsafe XML_SetCharacterDataHandler(parser, charactersCame)
    unsafe XML_SetStartDoctypeDeclHandler(parser, declarationBegan)
    // Plain bytes as characters; all are parsed before the call returns.
    let status = unsafe bytes.withUnsafeBytes { bytes in
      unsafe XML_Parse(parser, bytes.baseAddress?.assumingMemoryBound(to: CChar.self), count, 1)
    }
    return status == XML_STATUS_OK
  }

  var syntaxError: XMLProblem {
    let line = unsafe XML_GetCurrentLineNumber(parser)
    // Static text, never freed.
    let reason = unsafe XML_ErrorString(XML_GetErrorCode(parser)).map { unsafe String(cString: $0) }
    return XMLProblem("in line \(line), \(reason ?? "it is not XML")")
  }

  func began(_ name: String, _ attributes: [String: String]) {
    depth += 1
    pass { receiver throws(XMLProblem) in
      guard depth <= XMLDocument.deepest else {
        throw XMLProblem("its elements are nested more than \(XMLDocument.deepest) deep")
      }
      try receiver.elementBegan(name, attributes: attributes)
    }
  }

  func ended() {
    depth -= 1
    pass { receiver throws(XMLProblem) in try receiver.elementEnded() }
  }

  func came(_ text: String) {
    pass { receiver throws(XMLProblem) in try receiver.charactersCame(text) }
  }

  /// A few calls may still come after the parser was stopped.
  func pass(_ event: (any XMLReceiver) throws(XMLProblem) -> Void) {
    guard problem == nil else { return }
    do throws(XMLProblem) {
      try event(receiver)
    } catch {
      problem = error
      unsafe XML_StopParser(parser, XML_Bool(XML_FALSE))
    }
  }
}

// MARK: What libexpat calls, with the address of the walk, which is alive

private func walk(_ address: UnsafeMutableRawPointer?) -> XMLWalk? {
  unsafe address.map { unsafe Unmanaged<XMLWalk>.fromOpaque($0).takeUnretainedValue() }
}

/// Name and attributes are zero-terminated; names and values of attributes alternate, up to a null pointer.
private func elementBegan(
  _ address: UnsafeMutableRawPointer?, _ name: UnsafePointer<XML_Char>?,
  _ list: UnsafeMutablePointer<UnsafePointer<XML_Char>?>?
) {
  guard let name = unsafe name.map({ unsafe String(cString: $0) }) else { return }
  var attributes: [String: String] = [:]
  var next = unsafe list
  while let place = unsafe next, let key = unsafe place[0], let value = unsafe place[1] {
    unsafe attributes[String(cString: key)] = unsafe String(cString: value)
    unsafe next = place + 2
  }
  unsafe walk(address)?.began(name, attributes)
}

private func elementEnded(_ address: UnsafeMutableRawPointer?, _ name: UnsafePointer<XML_Char>?) {
  unsafe walk(address)?.ended()
}

private func charactersCame(
  _ address: UnsafeMutableRawPointer?, _ text: UnsafePointer<XML_Char>?, _ count: CInt
) {
  // As many bytes as libexpat says, which it has made UTF-8.
  let bytes = unsafe UnsafeBufferPointer(start: text, count: Int(count))
  unsafe walk(address)?.came(String(decoding: bytes.map { UInt8(bitPattern: $0) }, as: UTF8.self))
}

private func declarationBegan(
  _ address: UnsafeMutableRawPointer?, _: UnsafePointer<XML_Char>?, _: UnsafePointer<XML_Char>?,
  _: UnsafePointer<XML_Char>?, _: CInt
) {
  unsafe walk(address)?.pass { _ throws(XMLProblem) in
    throw XMLProblem("it has a document type declaration, which no Metalink needs")
  }
}
