#!/usr/bin/env bash
# Finds again what "Sliding Block Puzzles, Part 3" (N. Bickford, 2012) publishes: the number of
# placements that are just solved on 4x4, and the lengths in moves of the hardest puzzles with 1 to
# 15 pieces. Exits with 1 if one differs. It takes a minute or two.
#
#   scripts/reproduce-find.sh
set -euo pipefail
(($# == 0)) || { echo "usage: $0" >&2 && exit 2; }
root=$(cd "$(dirname "$0")/.." && pwd)
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
(cd "$root" && go build -o "$dir/" ./cmd/reach)

"$dir/reach" find 4x4 --quiet --json >"$dir/found.json"
grep -o '"pieces":[0-9]*,"length":[0-9]*' "$dir/found.json" | sed -E 's/"pieces":([0-9]*),"length":/\1 pieces: /' >"$dir/found"
grep -o '"placements":[0-9]*' "$dir/found.json" >>"$dir/found"

pieces=0
for length in 1 4 9 19 36 51 62 89 132 81 64 73 61 25 21; do
  echo "$((++pieces)) pieces: $length"
done >"$dir/published"
echo '"placements":12295564' >>"$dir/published"

cat "$dir/found"
if ! diff "$dir/published" "$dir/found"; then
  echo 'DIFFERENT from what is published (<)' >&2
  exit 1
fi
