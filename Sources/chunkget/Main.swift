internal import CommandSupport
internal import Glibc

@main
enum Main {
  static func main() async {
    // Not exit(3): it would take the runtime's and the libraries' globals apart while threads of theirs still run. Nothing is
    // buffered that it would write.
    _exit(await GetCommand.run().code)
  }
}
