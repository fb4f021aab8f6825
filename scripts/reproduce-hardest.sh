#!/usr/bin/env bash
# Finds the hardest sliding-block puzzles of boards again, in three metrics, strict and not, and compares them with
# docs/data/hardest.csv. Prints a line for each search. Exits with 1 if one differs or is not there.
#
#   scripts/reproduce-hardest.sh [--write] [BOARD...]
#
# Without boards, it takes those that take seconds. With --write, it adds the results that are not there yet, and writes
# docs/studies/hardest.md, its pictures, and the puzzles of the library. A search that was stopped goes on where it was:
# its checkpoint is in the directory of the environment variable CHECKPOINTS. METRICS and GOALS choose among "steps lines
# moves" and "strict loose from-anywhere to-anywhere anywhere"; loose goals are those that are not strict, and in the last
# three the goal piece starts or ends anywhere, or both.
set -euo pipefail
cd "$(dirname "$0")/.."
write=false
if [ "${1-}" = --write ]; then
  write=true
  shift
fi
boards=("$@")
if [ $# = 0 ]; then boards=(2x4 3x3 3x4 2x6 2x7 2x2x2 2x2x3); fi
case "${boards[*]}" in *-*) echo "usage: $0 [--write] [BOARD...]" >&2 && exit 2 ;; esac
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
checkpoints=${CHECKPOINTS:-$dir}
mkdir -p "$checkpoints"
go build -o "$dir/reach" ./cmd/reach
go build -o "$dir/hardest" ./docs/make/hardest

status=0
search() { # board, metric, kind of goal
  local name=$1-$2-$3 begin=$SECONDS said goal known=false
  local found=$dir/$name.json
  case $3 in
    strict) goal= ;;
    loose) goal=--strict=false ;;
    from-anywhere) goal='--from anywhere' ;;
    to-anywhere) goal='--to anywhere' ;;
    anywhere) goal='--from anywhere --to anywhere' ;;
    *) echo "unknown goal $3" >&2 && exit 2 ;;
  esac
  if grep -q "^$1,$3,$2," docs/data/hardest.csv; then known=true; fi
  if $write && $known; then
    echo "$name: known"
    return
  fi
  # A strict search is part of a loose one.
  # shellcheck disable=SC2086 # these are words
  "$dir/reach" find "$1" --metric "$2" $goal --json --checkpoint "$checkpoints/$1-$2-${3/loose/strict}.find" >"$found"
  if $write; then
    said=new
    "$dir/hardest" "$found"
  elif ! $known; then
    said='not known: --write adds it'
    status=1
  elif "$dir/hardest" --check "$found"; then
    said=same
  else
    said=DIFFERENT
    status=1
  fi
  echo "$name: $said, $((SECONDS - begin)) s"
}
for board in "${boards[@]}"; do
  for metric in ${METRICS-steps lines moves}; do
    for goal in ${GOALS-strict loose}; do search "$board" "$metric" "$goal"; done
  done
done
exit $status
