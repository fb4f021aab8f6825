#!/usr/bin/env bash
# Searches boards of Rush Hour with walls again, and compares the hardest ones with docs/data/rush-hour-walls.csv. Prints a
# line for each search. Exits with 1 if one differs.
#
#   scripts/reproduce-rush-hour-walls.sh [--write] [SIZE:WALLS[:PIECES]...]
#
# Without searches, it takes those of 4x4 and 5x5, half a minute. 6x6:1 is all boards of 6x6 with one wall, two and a half hours
# of processor time. With --write, it puts the results into the data. A search that was stopped goes on where it was: its
# checkpoint is in the directory of the environment variable CHECKPOINTS. It needs jq.
set -euo pipefail
cd "$(dirname "$0")/.."
data=docs/data/rush-hour-walls.csv
write=false
if [ "${1-}" = --write ]; then
  write=true
  shift
fi
searches=("$@")
if [ $# = 0 ]; then searches=(4x4:1 4x4:2 5x5:1 5x5:2); fi
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
checkpoints=${CHECKPOINTS:-$dir}
mkdir -p "$checkpoints"
go build -o "$dir/" ./cmd/reach

status=0
for search in "${searches[@]}"; do
  IFS=: read -r size walls pieces <<<"$search"
  "$dir/reach" find rush-hour "$size" --walls "$walls" ${pieces:+--pieces "$pieces"} --json --quiet \
    --checkpoint "$checkpoints/rush-hour-${search//:/-}.find" >"$dir/found.json"
  jq -r --arg size "$size" '.walls as $walls | .results[] | select(.length) | (.minimal_length == .length) as $minimal |
    (if $minimal then .minimal else .puzzles end)[0] as $one | [$size, $walls, .pieces, .placements, .solvable, .length, .starts,
    (if $minimal then "yes" else "no" end), $one.solutions, $one.puzzle] | join(",")' "$dir/found.json" >"$dir/rows.csv"
  if $write; then
    { cat "$dir/rows.csv" && tail -n +2 "$data"; } | sort -u -t, -k1,1 -k2,2n -k3,3n >"$dir/all.csv"
    { head -1 "$data" && cat "$dir/all.csv"; } >"$dir/data.csv"
    cp "$dir/data.csv" "$data"
  elif comm -23 <(sort "$dir/rows.csv") <(sort "$data") | grep .; then
    status=1
    echo "$search: DIFFERENT: the data has not these rows"
    continue
  fi
  echo "$search: $(wc -l <"$dir/rows.csv") rows"
done
exit $status
