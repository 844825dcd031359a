#!/usr/bin/env bash
# tests/docs/completion.sh HSTAR: what the Tab key offers after the words of a command line.
#
# What must hold: verbs, options and methods come from the program itself, all that fit and no others.
set -u
source "$(dirname "$0")/../../completions/hstar.bash"
failed=0
expect() {  # what is offered, the words
  local wanted=$1
  shift
  COMP_WORDS=("$@")
  COMP_CWORD=$(($# - 1))
  _hstar
  [ "${COMPREPLY[*]}" = "$wanted" ] || { echo "BAD '${*:2}' offers '${COMPREPLY[*]}', not '$wanted'"; failed=1; }
}
expect "equilibrium" "$1" eq
expect "report run" "$1" r
expect "--help --version" "$1" --
expect "--integrator" "$1" run --int
expect "dopri5 dop853" "$1" run model.toml --integrator dop
expect "projection" "$1" run model.toml --formulation pro
expect "" "$1" nothing --x
exit $failed
