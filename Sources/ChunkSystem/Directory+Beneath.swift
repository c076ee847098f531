internal import CLinuxShims

extension Directory {
  /// Opens a file somewhere below the directory for reading, and nothing outside of it: `..` and symbolic links are followed only as
  /// long as they stay below, absolute ones never. The kernel guards every step (`openat2(2)`, Linux 5.6), so that no
  /// change of the tree meanwhile leads out.
  ///
  /// Does not wait for the other side of a FIFO.
  ///
  /// - Throws: ``Errno/crossDevice`` for a path that leads out; ``Errno/systemCallMissing`` on an older kernel.
  package func openBeneath(_ path: String) throws(Errno) -> FileDescriptor {
    if path.utf8.contains(0) { throw .invalidArgument }
    let calls = descriptor.calls
    var attempts = 0
    while true {
      do throws(Errno) {
        let number = try calls.make(.open) { unsafe shim_open_beneath(descriptor.rawValue, path) }
        return FileDescriptor(owning: number, calls: calls)
      } catch {
        // A rename somewhere crossed the kernel's check of a `..`, which then asks to be asked again.
        attempts += 1
        guard error == .wouldBlock, attempts < 16 else { throw error }
      }
    }
  }
}
