/// Guesses what a mistyped word was meant to be.
package enum Spelling {
  /// The candidate with the fewest slips of the finger (a letter missing, added, wrong, or two swapped) from `word`,
  /// or, failing that, the only one it is the beginning of. Nil when nothing is near: a third of the letters may be
  /// wrong, at least one. Of equally near ones the first.
  package static func nearest(to word: String, among candidates: [String]) -> String? {
    let allowed = max(1, word.count / 3)
    var best: (candidate: String, slips: Int)?
    for candidate in candidates {
      let slips = slips(from: word, to: candidate)
      if slips <= allowed, slips < best?.slips ?? Int.max { best = (candidate, slips) }
    }
    if let best { return best.candidate }
    let longer = candidates.filter { $0.hasPrefix(word) }
    return longer.count == 1 ? longer[0] : nil
  }

  /// The optimal string alignment distance: insertions, deletions, replacements and swaps of neighbours. Time and
  /// space grow with the product of the lengths.
  static func slips(from source: String, to target: String) -> Int {
    let source = Array(source)
    let target = Array(target)
    // cost[i][j]: from the first i characters of the source to the first j of the target.
    var cost = [[Int]](repeating: [Int](repeating: 0, count: target.count + 1), count: source.count + 1)
    for i in 0...source.count { cost[i][0] = i }
    for j in 0...target.count { cost[0][j] = j }
    guard !source.isEmpty, !target.isEmpty else { return max(source.count, target.count) }
    for i in 1...source.count {
      for j in 1...target.count {
        let replaced = cost[i - 1][j - 1] + (source[i - 1] == target[j - 1] ? 0 : 1)
        cost[i][j] = min(replaced, cost[i - 1][j] + 1, cost[i][j - 1] + 1)
        if i > 1, j > 1, source[i - 1] == target[j - 2], source[i - 2] == target[j - 1] {
          cost[i][j] = min(cost[i][j], cost[i - 2][j - 2] + 1)
        }
      }
    }
    return cost[source.count][target.count]
  }
}
