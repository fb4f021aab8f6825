#!/usr/bin/env bash
# Searches all boards of Rush Hour of 6x6 again, and compares the hardest ones with docs/data/rush-hour-6x6.csv,
# docs/data/rush-hour-6x6-lengths.csv and docs/pictures/rush-hour-hardest.svg. Then it does so with the boards of 6x7 with few
# pieces, and with those of cars of one cell: docs/data/rush-hour-6x7.csv and unit-rush-hour.csv. Exits with 1 if they differ.
#
#   scripts/reproduce-rush-hour.sh [CHECKPOINT]
#
# It takes about half an hour of processor time and 3 GiB, and needs jq. CHECKPOINT is a file that keeps what is done: after
# Ctrl-C the same command goes on.
set -euo pipefail
[ $# -le 1 ] || { echo "usage: $0 [CHECKPOINT]" >&2 && exit 2; }
checkpoint=$(realpath -m "${1:-/dev/null}")
cd "$(dirname "$0")/.."
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
go build -o "$dir/" ./cmd/reach
[ $# = 1 ] || checkpoint=$dir/checkpoint
# rows prints a table of what reach find has found.
rows() {
  echo pieces,boards,solvable,length,starts,minimal,solutions,puzzle
  jq -r '.results[] | [.pieces, .placements, .solvable, .length, .starts, (if .minimal_length == .length then "yes" else "no" end), .puzzles[0].solutions, .puzzles[0].puzzle] | join(",")' "$1"
}
"$dir/reach" find rush-hour --checkpoint "$checkpoint" -o "$dir/hardest.svg" --columns 5 --json >"$dir/found.json"
rows "$dir/found.json" | diff - docs/data/rush-hour-6x6.csv
{
  echo length,boards
  jq -r '[.results[].by_length] | (map(length) | max) as $n | range($n) as $d | "\($d),\(map(.[$d] // 0) | add)"' "$dir/found.json"
} | diff - docs/data/rush-hour-6x6-lengths.csv
cmp "$dir/hardest.svg" docs/pictures/rush-hour-hardest.svg
"$dir/reach" find rush-hour 6x7 --pieces 1-7 --json >"$dir/found.json"
rows "$dir/found.json" | diff - docs/data/rush-hour-6x7.csv
{
  echo board,pieces,length,starts,solutions,puzzle
  for board in 2x2 3x3 4x4 '5x5 --pieces 24'; do
    "$dir/reach" find unit-rush-hour $board --json |
      jq -r --arg board "${board%% *}" '.results[] | "\($board),\(.pieces),\(.length),\(.starts),\(.solutions),\"\(.puzzle)\""'
  done
} | diff - docs/data/unit-rush-hour.csv
echo 'docs/data has the same'
