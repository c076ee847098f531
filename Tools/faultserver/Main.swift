internal import CommandSupport
internal import Glibc

@main
enum Main {
  static func main() { exit(FaultServerCommand.run().code) }
}
