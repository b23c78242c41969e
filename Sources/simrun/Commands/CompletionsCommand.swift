/// `simrun completions`: the options for a shell, from the table of options.
enum CompletionsCommand {
  /// The script for a shell.
  ///
  /// - Throws: a ``Problem`` if the shell is unknown or missing.
  static func text(_ names: [String]) throws -> String {
    switch names {
    case ["bash"]: bash
    case ["zsh"]: "autoload -U bashcompinit && bashcompinit\n" + bash
    case ["fish"]: fish
    default: throw Problem("completions: name one shell: bash, zsh, or fish")
    }
  }

  private static func flags(_ command: CommandName) -> String {
    Option.allCases.filter { $0.belongs(to: command) }.map(\.flag).joined(separator: " ")
  }

  private static var bash: String {
    let commands = CommandName.allCases.map(\.rawValue).joined(separator: " ")
    let cases = CommandName.allCases.map {
      "    \($0.rawValue)) words=\"\(flags($0))\" ;;"
    }
    return """
      _simrun() {
        local words
        case "${COMP_WORDS[1]}" in
      \(cases.joined(separator: "\n"))
          *) words="\(commands) \(flags(.run))" ;;
        esac
        COMPREPLY=($(compgen -W "$words" -- "${COMP_WORDS[COMP_CWORD]}"))
      }
      complete -o default -F _simrun simrun

      """
  }

  private static var fish: String {
    let commands = CommandName.allCases.map {
      "complete -c simrun -n __fish_use_subcommand -a \($0.rawValue) -d '\($0.summary.replacing("'", with: "\\'"))'"
    }
    let options = Option.allCases.map {
      "complete -c simrun -l \($0.rawValue)\($0.placeholder == nil ? "" : " -r")"
        + " -d '\($0.help.replacing("'", with: "\\'"))'"
    }
    return (commands + options).joined(separator: "\n") + "\n"
  }
}
