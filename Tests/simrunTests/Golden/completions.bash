_simrun() {
  local words
  case "${COMP_WORDS[1]}" in
    run) words="--strategy --server --network --clock --usage --callers --spread --opens --leaves --lifetime --margin --set --runs --seed --threads --format --output --color --help --version" ;;
    trace) words="--strategy --server --network --clock --usage --callers --spread --opens --leaves --lifetime --margin --set --run --seed --format --output --color --help --version" ;;
    show) words="--server --network --clock --usage --callers --spread --opens --leaves --lifetime --margin --set --output --color --help --version" ;;
    bench) words="--output --color --help --version" ;;
    completions) words="--help --version" ;;
    *) words="run trace show bench completions --strategy --server --network --clock --usage --callers --spread --opens --leaves --lifetime --margin --set --runs --seed --threads --format --output --color --help --version" ;;
  esac
  COMPREPLY=($(compgen -W "$words" -- "${COMP_WORDS[COMP_CWORD]}"))
}
complete -o default -F _simrun simrun
