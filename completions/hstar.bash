# completions/hstar.bash: verbs, options and files of the hstar command for bash.
#
# It asks the program itself (`hstar --help`, `hstar VERB --help`), so it never goes out of date. Installed into
# share/bash-completion/completions; from a source tree: `source completions/hstar.bash`.

_hstar() {
  local word=${COMP_WORDS[COMP_CWORD]} program=${COMP_WORDS[0]} verb=${COMP_WORDS[1]}
  local section='/^Options:/,/^$/'
  COMPREPLY=()
  if [ "$COMP_CWORD" -eq 1 ]; then
    if [[ $word == -* ]]; then
      mapfile -t COMPREPLY < <(compgen -W "--help --version" -- "$word")
    else
      mapfile -t COMPREPLY < <(compgen -W "$("$program" --help | sed -nE '/^Example/q; s/^  ([a-z]+) .*/\1/p')" -- "$word")
    fi
  elif [[ $word == -* ]]; then
    local options
    options=$("$program" "$verb" --help 2>/dev/null | sed -n "$section p" | grep -oE -- '(^  |,)--?[a-z][a-z-]*' | tr -d ' ,')
    mapfile -t COMPREPLY < <(compgen -W "$options" -- "$word")
  elif [[ ${COMP_WORDS[COMP_CWORD-1]} == --integrator || ${COMP_WORDS[COMP_CWORD-1]} == --formulation ]]; then
    local kind=${COMP_WORDS[COMP_CWORD-1]#--}
    mapfile -t COMPREPLY < <(compgen -W "$("$program" list | awk -v k="$kind" '
      /^[a-z]/ {on = index($0, k) == 1} /^  [a-z]/ && on {print $1}')" -- "$word")
  else
    mapfile -t COMPREPLY < <(compgen -f -- "$word")
  fi
}
complete -o filenames -F _hstar hstar
