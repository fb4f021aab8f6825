#!/usr/bin/env bash
# Writes what the archives of a release have besides the commands, into DIR: manual pages and
# completions, dated by the last commit. Anything in DIR is removed first.
set -euo pipefail
[ $# = 1 ] || { echo "usage: $0 DIR"; exit 2; }
dir=$(realpath -m "$1")
cd "$(dirname "$0")/.."
rm -rf "$dir"
mkdir -p "$dir/completions"
bin=$(mktemp -d)
trap 'rm -rf "$bin"' EXIT
SOURCE_DATE_EPOCH=$(git log -1 --format=%ct)
export SOURCE_DATE_EPOCH
go build -buildvcs=false -o "$bin/" ./cmd/...
for command in reach query; do
  "$bin/$command" man "$dir/man"
  for shell in bash zsh fish powershell; do
    "$bin/$command" completion "$shell" >"$dir/completions/$command.$shell"
  done
done
