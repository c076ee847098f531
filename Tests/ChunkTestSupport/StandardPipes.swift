internal import CTestShims
internal import ChunkSystem
internal import Glibc

/// The descriptors of a child's standard streams: its ends, closed here once it runs, and ours.
struct StandardPipes: ~Copyable {
  struct Ours {
    var input: CInt?
    var output: CInt?
    let error: CInt
  }

  let ours: Ours
  private let theirs: (input: CInt, output: CInt, error: CInt)

  init(_ program: Subprocess) throws(Errno) {
    let error = try Self.pipe()
    var ours = Ours(error: error.read)
    var input = try Self.open("/dev/null", O_RDONLY)
    var output = try Self.open("/dev/null", O_WRONLY)
    if case .nothing = program.input {
    } else {
      let pipe = try Self.pipe()
      close(input)
      input = pipe.read
      ours.input = pipe.write
    }
    switch program.output {
    case .discarded: break
    case .file(let path):
      close(output)
      output = try Self.open(path, O_WRONLY | O_CREAT | O_TRUNC)
    case .captured, .onDemand:
      let pipe = try Self.pipe()
      close(output)
      output = pipe.write
      ours.output = pipe.read
    }
    self.ours = ours
    theirs = (input, output, error.write)
  }

  deinit {
    close(theirs.input)
    close(theirs.output)
    close(theirs.error)
  }

  /// Starts the program on them. Ours stay open, whoever asked closes them.
  borrowing func spawn(_ program: Subprocess) throws(Errno) -> pid_t {
    var environment = Environment.all
    for (name, value) in program.environment { environment[name] = value }
    let arguments = CStrings([program.executable] + program.arguments)
    let variables = CStrings(environment.map { "\($0.key)=\($0.value)" })
    let strings = CStrings([program.executable, program.directory].compactMap(\.self))
    var number = pid_t()
    // The strings outlive the call, which keeps nothing of them.
    let error = withExtendedLifetime((arguments, variables, strings)) {
      guard let path = unsafe strings.pointers[0] else { return EINVAL }
      var request = unsafe spawn_request(
        path: path, arguments: arguments.pointers, environment: variables.pointers,
        directory: program.directory == nil ? nil : strings.pointers[1], input: theirs.input, output: theirs.output,
        error: theirs.error, inherited: program.inherited ?? -1,
        leads_group: program.leadsGroup ? 1 : 0)
      return unsafe spawn_process(&request, &number)
    }
    guard error == 0 else {
      for end in [ours.input, ours.output, ours.error].compactMap(\.self) { close(end) }
      throw Errno(error)
    }
    return number
  }

  private static func pipe() throws(Errno) -> (read: CInt, write: CInt) {
    var ends: [CInt] = [-1, -1]
    guard unsafe Glibc.pipe(&ends) == 0 else { throw Errno(errno) }
    for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
    return (ends[0], ends[1])
  }

  private static func open(_ path: String, _ flags: CInt) throws(Errno) -> CInt {
    let file = unsafe Glibc.open(path, flags | O_CLOEXEC, 0o644)
    guard file >= 0 else { throw Errno(errno) }
    return file
  }
}

/// Strings as C has them, in an array that ends with a null pointer.
@safe
private final class CStrings {
  let pointers: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>
  private let count: Int

  init(_ strings: [String]) {
    count = strings.count
    unsafe pointers = .allocate(capacity: strings.count + 1)
    for (index, string) in strings.enumerated() { unsafe (pointers + index).initialize(to: strdup(string)) }
    unsafe (pointers + strings.count).initialize(to: nil)
  }

  deinit {
    for index in 0..<count { unsafe free(pointers[index]) }
    unsafe pointers.deallocate()
  }
}
