/// Why a signature is not believed, or a key not used.
///
/// Two errors are equal when their codes are; the messages are for people.
package struct SignatureError: Error, Sendable {
  /// The kinds of failure. `Spec/signature-v1.md` lists those of signatures, in the order in which a reader looks for them.
  package enum Code: String, Sendable {
    case signatureTooLong, signatureTruncated, signatureMalformed, wrongKey, legacyTooLong, wrongSignature
    case commentChanged, manifestChanged, otherFile, rolledBack, otherFileID
    case keyMalformed, wrongPassword, noMemory, nameNotSignable
  }

  package let code: Code
  /// A sentence without a full stop. Names in it are as they came.
  package let message: String

  init(_ code: Code, _ message: String) {
    self.code = code
    self.message = message
  }
}

extension SignatureError: Equatable {
  /// Whether both have the same code.
  package static func == (left: SignatureError, right: SignatureError) -> Bool { left.code == right.code }
}
