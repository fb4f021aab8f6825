#!/usr/bin/env bash
# Enumerates boards whose number of reachable positions is known, and asks for other
# known figures, and prints each beside the known one. Exits with 1 if one differs.
set -euo pipefail
cd "$(dirname "$0")/.."
bin=$(mktemp -d)
trap 'rm -rf "$bin"' EXIT
go build -o "$bin/" ./cmd/...

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

figure() { # what, known number, where it is known from, found number
  local verdict=same
  if [ "$4" != "$2" ]; then
    verdict=DIFFERENT
    status=1
  fi
  printf '%-40s %20s %20s  %-9s  %s\n' "$1" "$4" "$2" "$verdict" "$3"
}
printf '\n%-40s %20s %20s\n' figure found known
"$bin/reach" run peg/english -o "$bin/english.reach" --quiet >/dev/null
centre=.../.../......./...o.../......./.../...
figure 'English: solutions, centre to centre' 40861647040079968 'published' \
  "$("$bin/query" path "$bin/english.reach" $centre --all --quiet)"
figure 'English: fewest moves' 18 'Bergholt, 1912' \
  "$("$bin/query" path "$bin/english.reach" $centre --fewest-moves --quiet --json | sed -E 's/.*"fewest_moves":([0-9]+).*/\1/')"
figure 'English: fewest moves from each vacancy' '16 18 16 19 15 16 18' 'published' \
  "$("$bin/query" solve "$bin/english.reach" --vacancies --quiet | awk 'NR > 1 { printf "%s%s", sep, $2; sep = " " }')"
solve=$("$bin/query" solve "$bin/english.reach" --to 3,3 --quiet --json)
figure 'English: winning positions' 13428122 'counted by another program' "$(sed -E 's/.*"winning":([0-9]+).*/\1/' <<<"$solve")"
figure 'English: dead ends' 162352 'counted by another program' "$(sed -E 's/.*"dead_ends":([0-9]+).*/\1/' <<<"$solve")"
exit $status
