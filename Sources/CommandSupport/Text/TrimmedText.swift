extension Substring {
  /// Without spaces and tabs at both ends.
  package func trimmingBlanks() -> Substring {
    var text = self.drop { $0 == " " || $0 == "\t" }
    while text.last == " " || text.last == "\t" { text.removeLast() }
    return text
  }
}
