internal import CommandSupport

/// The URLs of a run, from the command line and from the list, patterns expanded.
enum WantedURLs {
  /// - Throws: What is wrong with the list, a pattern, or flags that do not go with several files.
  static func all(_ operands: [String], _ options: GetOptions) throws(UsageError) -> [ListedFile] {
    if options.list != nil { try checkFlags(options) }
    let named = operands.map { url in
      var file = ListedFile(url: url, line: 0)
      file.output = options.output
      return file
    }
    let listed = try options.list.map { path throws(UsageError) in try ListedFile.read(path) } ?? []
    let files = options.globs ? try expand(named + listed) : named + listed
    guard !files.isEmpty || options.list == nil else { throw UsageError("there is no URL in what -i names") }
    try checkCount(files, operands, options)
    return files
  }

  private static func checkFlags(_ options: GetOptions) throws(UsageError) {
    if let flag = options.singleFileFlags.first {
      let hint = flag == "--report" ? nil : "write it below its URL in what -i names"
      throw UsageError("\(flag) belongs to one file, and goes not with -i", hint: hint)
    }
    if options.metalink != nil || options.lockedPath != nil {
      throw UsageError("-i, --metalink and --locked each say what is wanted; give one of them")
    }
  }

  private static func checkCount(
    _ files: [ListedFile], _ operands: [String], _ options: GetOptions
  ) throws(UsageError) {
    guard files.count > 1 else { return }
    // One pattern may make as many names as URLs.
    let isPattern = options.globs && operands.count == 1 && options.output != "-"
    if let flag = options.singleFileFlags.first(where: { !(isPattern && $0 == "--output") }) {
      throw UsageError(

        "\(flag) belongs to one file, but there are \(files.count)",
        hint: flag == "--report" ? nil : "-i FILE has a place for each")
    }
  }

  private static func expand(_ files: [ListedFile]) throws(UsageError) -> [ListedFile] {
    var expanded: [ListedFile] = []
    for file in files {
      let glob: URLGlob
      do throws(UsageError) {
        glob = try URLGlob(file.url)
      } catch {
        throw UsageError("\(SafeText.escape(file.url)): \(error.message)", hint: error.hint)
      }
      guard expanded.count + glob.count <= URLGlob.most else { throw UsageError("more than \(URLGlob.most) URLs") }
      for number in 0..<glob.count {
        var one = file
        let (url, values) = glob.url(number)
        one.url = url
        one.output = file.output.map { URLGlob.name($0, with: values) }
        expanded.append(one)
      }
    }
    return expanded
  }
}
