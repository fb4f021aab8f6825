#!/usr/bin/env bash
# Computes the facts of the library of sliding-block puzzles again: shortest solutions in six metrics and
# their number, positions, diameters, hardest starts. Prints a line for each puzzle, and exits with 1 if a
# number differs from puzzle/slide/library/facts.csv.
#
#   scripts/reproduce-library.sh [NAME...]
#
# The script takes some minutes, and up to 8 GiB of memory.
set -euo pipefail
cd "$(dirname "$0")/.."
exec go run ./docs/make/library --check "$@"
