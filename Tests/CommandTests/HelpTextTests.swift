import CommandSupport
import Testing

@Suite struct HelpTextTests {
  @Test func eightyColumns() {
    #expect(
      HelpText(sampleTable.command).render(columns: 80) == """
        sample: fetch something, with every kind of flag there is

        Usage: sample [options] URL…
               sample -i FILE

        Output:
          -o, --output PATH    write to PATH; - is standard output

        Network:
          -x, --connections N  connections at a time, from 1 to 64
              --mirror URL     fetch from URL too (repeatable)
              --retry-all      retry whatever happens

        Messages:
          -q, --quiet          say nothing but errors
          -v, --verbose        say more
          -h, --help           show this and exit
              --version        show the version and exit

        A note that follows the flags.

        Exit codes:
          0    every file is there, right
          1    something else
          2    the command line is wrong
          3    not trusted: manifest invalid, not the pinned one, bad signature, digest
               mismatch, --require-verified
          4    source unreachable or refusing
          5    source changed
          6    no source has the right bytes
          7    disk: full, read-only, no permission, I/O error
          8    locked by another process
          130  interrupted (SIGINT), can be resumed
          143  terminated (SIGTERM), can be resumed

        """)
  }

  @Test(arguments: [0, 20, 40, 57, 80, 100, 500])
  func keepsToTheWidth(columns: Int) {
    let width = min(max(columns, 40), 100)
    for line in HelpText(sampleTable.command).render(columns: columns).split(separator: "\n") {
      #expect(TextWidth.columns(of: line) <= width, "\(line)")
      #expect(line.last != " ")
    }
  }

  @Test func showsEveryFlagThatIsNotAHabit() {
    let help = HelpText(sampleTable.command).render(columns: 100)
    for flag in sampleTable.command.flags { #expect(help.contains(flag.name) != flag.isHidden, "\(flag.name)") }
  }
}

@Suite struct ExitStatusTests {
  @Test func codesAreUniqueAndAscending() {
    let codes = ExitStatus.all.map(\.code)
    #expect(codes == [0, 1, 2, 3, 4, 5, 6, 7, 8, 130, 143])
    #expect(Set(ExitStatus.all.map(\.name)).count == codes.count)
  }

  @Test func signalsHaveTheCodesOfShells() {
    #expect(ExitStatus.interruption(bySignal: 2) == .interrupted)
    #expect(ExitStatus.interruption(bySignal: 15) == .terminated)
    #expect(ExitStatus.interruption(bySignal: 9) == nil)
    #expect(ExitStatus.interruption(bySignal: -120) == nil, "8 is no signal")
  }
}
