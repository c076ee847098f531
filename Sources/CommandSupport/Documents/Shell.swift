/// A shell that completions can be made for.
package enum Shell: String, CaseIterable, Hashable, Sendable { case bash, zsh, fish }
