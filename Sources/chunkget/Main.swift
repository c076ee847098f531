internal import CommandSupport
internal import Glibc

@main
enum Main {
  static func main() async {
    exit(await GetCommand.run().code)
  }
}
