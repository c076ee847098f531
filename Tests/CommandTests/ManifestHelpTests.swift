import ChunkTestSupport
import CommandSupport
import Testing

@testable import chunkmanifest

@Suite struct ManifestHelpTests {
  @Test func theCommandListsItsCommands() async throws {
    let result = try await Subprocess("chunkmanifest", ["--help"]).run()
    #expect(result.end == .exited(0))
    #expect(
      result.outputText.hasPrefix(
        """
        chunkmanifest: describe files so that they can be fetched and verified chunk by
        chunk

        Usage: chunkmanifest COMMAND [options] …
               chunkmanifest COMMAND --help

        Commands:
          build         write the manifest of a file beside it, as FILE.chunks
          show          check a manifest and show what it says
          verify        compare a file with its manifest, chunk by chunk
          diff          tell what a download would take of somebody who has another file
          keygen        make a key to sign manifests with: NAME.key and NAME.pub
          sign          sign a manifest, as MANIFEST.minisig
          metalink      write a Metalink 4 of what a manifest describes, as NAME.meta4
          export-store  write the chunks of files into a directory, for static hosting
          serve         serve the files of a directory over HTTP, with ranges

        Options:
          -h, --help               show this and exit
              --version            show the version and exit
              --completions SHELL  print completions for bash, zsh or fish

        """))
  }

  @Test func build() async throws {
    let result = try await Subprocess("chunkmanifest", ["build", "--help"]).run()
    #expect(
      result.outputText == """
        chunkmanifest build: write the manifest of a file beside it, as FILE.chunks

        Usage: chunkmanifest build [options] FILE…

        Options:
          -o, --output OUT          write to OUT; - is standard output
              --chunk-size SIZE     cut the file into chunks of SIZE, a power of two
                                    from 4K to 4M; 256K if not given, more for files
                                    over 256G
              --sha256              note the SHA-256 of the whole file too, which takes
                                    longer
              --weak                add what finds chunks at any place of an older
                                    version, also where bytes were inserted; 8 bytes a
                                    chunk
              --pack                write the file compressed too, as FILE.zst beside
                                    the manifest, of which every chunk can be fetched
                                    alone
              --level N             compress the pack with this level of zstd, 1 to 22;
                                    3 if not given
              --checksums           as --sha256, and write it to SHA256SUMS beside FILE,
                                    for sha256sum -c
              --source URL          note that the file is there too, in full or relative
                                    to the manifest's own place (repeatable)
              --source-store URL    note that the chunks are there, as export-store
                                    writes them; in full or relative (repeatable)
              --sign KEY            sign the manifest too, with the secret key in this
                                    file
              --sign-version N      sign the number N too; see sign --help
              --password-file FILE  the key's password is the first line of FILE; it is
                                    asked for at the terminal otherwise
          -q, --quiet               show no progress and no file IDs
          -h, --help                show this and exit
              --version             show the version and exit

        Writes one line for each file on standard output: its file ID, which a user can
        pin with chunkget --id, and its name. The same file and options always give the
        same manifest. A manifest that is there already is replaced once the new one is
        complete; in SHA256SUMS what is said of other files is kept.

        Exit codes:
          0    every file is there, right
          1    something else
          2    the command line is wrong
          3    not trusted: manifest invalid, not the pinned one, bad signature, digest
               mismatch, --require-verified
          5    source changed
          7    disk: full, read-only, no permission, I/O error
          130  interrupted (SIGINT), can be resumed
          143  terminated (SIGTERM), can be resumed

        """)
  }

  @Test func eachCommandHasHelpThatFitsAndAVersion() async throws {
    for name in ChunkManifest.subcommands.map({ $0.name }) {
      let help = try await Subprocess("chunkmanifest", [name, "--help"]).run()
      #expect(help.end == .exited(0))
      #expect(help.outputText.hasPrefix("chunkmanifest \(name): "))
      for line in help.outputText.split(separator: "\n") {
        #expect(TextWidth.columns(of: line) <= 80)
      }
      // There the flag has a value: the version that is signed.
      if name == SignCommand.name { continue }
      let version = try await Subprocess("chunkmanifest", [name, "--version"]).run()
      #expect(version.outputText == "chunkmanifest \(Release.version)\n")
    }
  }

  @Test func wordsThatAreNoCommand() async throws {
    for (words, message) in [
      ([], "needs a command: build, show, verify, diff, keygen, sign, metalink, export-store, serve"),
      (["biuld"], "no command biuld; did you mean build?"),
      (["--nonsense"], "no option --nonsense"), (["\u{1B}c"], "no command \\u{1B}c"),
      (["verify", "--manfest", "x"], "no option --manfest; did you mean --manifest?"),
    ] {
      let result = try await Subprocess("chunkmanifest", words).run()
      #expect(result.end == .exited(2))
      #expect(result.errorText.contains(": \(message)\n"), "\(result)")
      #expect(result.errorText.hasSuffix(" --help'.\n"))
    }
  }

  /// A path that was repaired on the way in would be another path.
  @Test func wordsThatAreNotUTF8() async throws {
    let result = try await Subprocess(
      "bash", ["-c", "exec '\(PackagePaths.product("chunkmanifest"))' show $'a\\xFFb'"]
    ).run()
    #expect(result.end == .exited(2))
    #expect(result.errorText.contains("word 2 of the command line is not UTF-8"))
  }
}
