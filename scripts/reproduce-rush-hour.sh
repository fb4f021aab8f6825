#!/usr/bin/env bash
# Searches all boards of Rush Hour of 6x6 again, and compares the hardest ones with docs/studies/rush-hour.md and
# docs/pictures/rush-hour-hardest.svg. Exits with 1 if they differ.
#
#   scripts/reproduce-rush-hour.sh [CHECKPOINT]
#
# It takes half an hour of processor time. CHECKPOINT is a file that keeps what is done: after Ctrl-C the
# same command goes on.
set -euo pipefail
[ $# -le 1 ] || { echo "usage: $0 [CHECKPOINT]" >&2 && exit 2; }
checkpoint=$(realpath -m "${1:-/dev/null}")
cd "$(dirname "$0")/.."
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
go build -o "$dir/" ./cmd/reach
[ $# = 1 ] || checkpoint=$dir/checkpoint
"$dir/reach" find rush-hour --checkpoint "$checkpoint" -o "$dir/hardest.svg" --columns 5 >"$dir/hardest.txt"
cat "$dir/hardest.txt"
sed -n '/^```text$/,/^```$/p' docs/studies/rush-hour.md | sed '1d;$d' | diff - "$dir/hardest.txt"
cmp "$dir/hardest.svg" docs/pictures/rush-hour-hardest.svg
echo 'docs/studies/rush-hour.md has the same'
