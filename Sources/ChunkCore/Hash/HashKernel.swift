package struct HashKernel: Hashable, Sendable {
  package static let openSSL = HashKernel()
  package static var best: HashKernel { openSSL }
  package static var available: [HashKernel] { [openSSL] }
  package var lanes: Int { 1 }
  package var name: String { "openssl" }
}
