#!/usr/bin/env bash
# Enumerates boards whose number of reachable positions is known, and prints each
# figure beside the known one. Exits with 1 if one differs.
set -euo pipefail
cd "$(dirname "$0")/.."
bin=$(mktemp -d)
trap 'rm -rf "$bin"' EXIT
go build -o "$bin/reach" ./cmd/reach

status=0
row() { # space, known number, where it is known from
  local line states seconds verdict=same
  line=$("$bin/reach" run "$1" --no-file --json --quiet)
  states=$(sed -E 's/^[^{]*\{"space":"[^"]*","states":([0-9]+),.*/\1/' <<<"$line")
  seconds=$(sed -E 's/.*"seconds":([0-9.e-]+),"total_seconds".*/\1/' <<<"$line")
  if [ "$states" != "$2" ]; then
    verdict=DIFFERENT
    status=1
  fi
  printf '%-16s %14s %14s  %-9s  %8.3f s  %s\n' "$1" "$states" "$2" "$verdict" "$seconds" "$3"
}
printf '%-16s %14s %14s\n' space found known
row peg/5x7 1045173439 'Oikawa, Yamazaki, Taniguchi, Uehara: A Peg Solitaire Font, Bridges 2017 (28 minutes, 64 GB)'
row peg/english 187636299 'OEIS A112737 gives 23,475,688 up to symmetry'
row peg/5x5 1183924 'counted by another program'
row peg/4x4@0,0 1687 'counted by another program'
row peg/4x4 2115 'counted by another program'
row peg/4x4@0,1 1871 'counted by another program'
row peg/triangle15 3016 'counted by another program'
exit $status
