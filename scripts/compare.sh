#!/usr/bin/env bash
# Compares the benchmarks of two commits, by turns, with benchstat.
#
#   scripts/compare.sh OLD [NEW] [BENCH]     NEW is the work tree unless given
set -euo pipefail
cd "$(dirname "$0")/.."
old=${1:?usage: scripts/compare.sh OLD [NEW] [BENCH]}
new=${2:-}
bench=${3:-Enumerate}
tmp=$(mktemp -d)
cleanup() {
  git worktree remove --force "$tmp/old" 2>/dev/null || true
  [ -z "$new" ] || git worktree remove --force "$tmp/new" 2>/dev/null || true
  rm -rf "$tmp"
}
trap cleanup EXIT

build() { (cd "$1" && go test -c -o "$2" ./bench); }
git worktree add --quiet --detach "$tmp/old" "$old"
build "$tmp/old" "$tmp/old.test"
if [ -n "$new" ]; then
  git worktree add --quiet --detach "$tmp/new" "$new"
  build "$tmp/new" "$tmp/new.test"
else
  build . "$tmp/new.test"
fi
for _ in 1 2 3 4 5 6; do
  "$tmp/old.test" -test.run '^$' -test.bench "$bench" -test.benchtime 2x >>"$tmp/old.txt"
  "$tmp/new.test" -test.run '^$' -test.bench "$bench" -test.benchtime 2x >>"$tmp/new.txt"
done
go run golang.org/x/perf/cmd/benchstat@v0.0.0-20260908200009-22c9c6c9d4da "$tmp/old.txt" "$tmp/new.txt"
