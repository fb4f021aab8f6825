#!/usr/bin/env bash
# Compares searches for the best games of weighted peg solitaire, as docs/weighted.md does: a greedy
# player, a plain beam and reach best, on 27 boards. Prints the table. It takes nearly an hour; with
# --time 10s it takes nine minutes. The flags are those of the study:
#
#   scripts/reproduce-weighted.sh [--time 60s] [--threads 2] [--boards "english magic,10x10 random 1-3"]
set -euo pipefail
root=$(cd "$(dirname "$0")/.." && pwd)
cd "$root"
exec go run ./docs/make/weighted "$@"
