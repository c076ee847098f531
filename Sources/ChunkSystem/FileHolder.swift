/// A process that has a file open.
package struct FileHolder: Hashable, Sendable {
  package let process: Int
  /// What the process is called, as long as it lets others know; from outside.
  package let name: String
}

extension FileSystem {
  /// The other processes that have a file open, as far as this user may know, in the order of their numbers. Looks through all of
  /// `/proc`.
  package func holders(of file: FileStatus.Identity) -> [FileHolder] {
    let own = (try? status("/proc/self/comm"))?.identity
    let processes = ((try? openDirectory("/proc").names()) ?? []).compactMap { Int($0) }.sorted()
    return processes.filter { process in
      guard let comm = try? status("/proc/\(process)/comm"), comm.identity != own else { return false }
      let descriptors = (try? openDirectory("/proc/\(process)/fd").names()) ?? []
      return descriptors.contains { (try? status("/proc/\(process)/fd/\($0)"))?.identity == file }
    }.map { process in
      let name = (try? open("/proc/\(process)/comm", .read).readText(limit: 64)) ?? ""
      return FileHolder(process: process, name: String(name.prefix { $0 != "\n" }))
    }
  }
}
