_simrun() {
  local words
  case "${COMP_WORDS[1]}" in
    run) words="--strategy --scenario --variant --server --network --clock --usage --lifecycle --callers --spread --opens --leaves --lifetime --margin --set --runs --precision --max-runs --rare --seed --threads --shard --format --output --color --help --version" ;;
    sweep) words="--strategy --scenario --variant --server --network --clock --usage --lifecycle --callers --spread --opens --leaves --lifetime --margin --set --over --target --runs --precision --max-runs --seed --threads --shard --format --output --svg --color --help --version" ;;
    check) words="--variant --threads --results --update --output --junit --color --help --version" ;;
    trace) words="--strategy --scenario --variant --server --network --clock --usage --lifecycle --callers --spread --opens --leaves --lifetime --margin --set --run --from --until --seed --format --output --color --help --version" ;;
    show) words="--scenario --variant --server --network --clock --usage --lifecycle --callers --spread --opens --leaves --lifetime --margin --set --output --color --help --version" ;;
    merge) words="--format --output --svg --color --help --version" ;;
    bench) words="--output --color --help --version" ;;
    completions) words="--help --version" ;;
    *) words="run sweep check trace show merge bench completions --strategy --scenario --variant --server --network --clock --usage --lifecycle --callers --spread --opens --leaves --lifetime --margin --set --runs --precision --max-runs --rare --seed --threads --shard --format --output --color --help --version" ;;
  esac
  COMPREPLY=($(compgen -W "$words" -- "${COMP_WORDS[COMP_CWORD]}"))
}
complete -o default -F _simrun simrun
