#!/usr/bin/env bash
# Compares searches for the best games of weighted peg solitaire, for docs/data/weighted.csv: a greedy
# player, a plain beam and reach best, on 27 boards. Prints the table. It takes nearly an hour; with
# --study 10s it takes nine minutes. The flags are those of TestStudy:
#
#   scripts/reproduce-weighted.sh [--study 60s] [--threads 2] [--boards "english magic,10x10 random 1-3"]
set -euo pipefail
root=$(cd "$(dirname "$0")/.." && pwd)
cd "$root"
go test -run '^TestStudy$' -v -timeout 0 ./studies/weighted/best -args --study 60s "$@" | grep --line-buffered '^[a-z0-9]*,'
