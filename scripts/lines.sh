#!/usr/bin/env bash
# The size of the program: lines of Go outside tests, without blank lines and comments, of all
# modules. Prints each package with its own number, the largest first; then the sum of those that
# only tests import, the laws of spaces and toys for example, and the sum of all others.
#
#   scripts/lines.sh
set -euo pipefail
cd "$(dirname "$0")/.."
git ls-files '*.go' | grep -v -e '_test\.go$' -e '/testdata/' | while read -r file; do
  printf '%s %d\n' "$(dirname "$file")" "$(sed -e 's#^[[:space:]]*//.*##' "$file" | grep -cv '^[[:space:]]*$')"
done | awk '
  { lines[$1] += $2 }
  END {
    sort = "sort -k1,1nr -k2"
    for (package in lines) {
      help = package ~ /(chance|csv|peg|render|slide|space|storage|weighted)test$|\/(long|toys)$/
      if (help) tests += lines[package]; else total += lines[package]
      printf "%7d  %s%s\n", lines[package], package, help ? "  (for tests)" : "" | sort
    }
    close(sort)
    printf "%7d  in packages that only tests import\n%7d  total of all others\n", tests, total
  }'
