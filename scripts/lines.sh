#!/usr/bin/env bash
# The size of the program: lines of Go outside tests, without blank lines and comments, of all
# modules. Prints each package with its own number, the largest first, and the total.
#
#   scripts/lines.sh
set -euo pipefail
cd "$(dirname "$0")/.."
git ls-files '*.go' | grep -v -e '_test\.go$' -e '/testdata/' | while read -r file; do
  printf '%s %d\n' "$(dirname "$file")" "$(sed -e 's#^[[:space:]]*//.*##' "$file" | grep -cv '^[[:space:]]*$')"
done | awk '{ lines[$1] += $2; total += $2 }
  END { for (package in lines) printf "%7d  %s\n", lines[package], package | "sort -k1,1nr -k2"; close("sort -k1,1nr -k2"); printf "%7d  total\n", total }'
