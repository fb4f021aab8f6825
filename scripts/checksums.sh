#!/usr/bin/env bash
# Makes files of well-known spaces and compares their SHA-256 with those in docs/data/SHA256SUMS.
# The bytes of a file depend only on the space and the store, so they are the same on every
# machine, with any number of threads.
#
#   scripts/checksums.sh              all but the largest spaces, in less than a GiB of disk
#   scripts/checksums.sh peg/5x8 ...  these spaces
#   scripts/checksums.sh --write ...  replaces the sums in docs/data/SHA256SUMS
#
# Exits with 1 if one differs. TMPDIR is where the files are made, one at a time.
set -euo pipefail
cd "$(dirname "$0")/.."
sums=docs/data/SHA256SUMS
large='peg/5x8 peg/6x7' # 4.1 and 16 GiB

write=
if [ "${1-}" = --write ]; then
  write=yes
  shift
fi
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
go build -o "$dir/" ./cmd/reach

# The name of the space in a line. Names of files have - for / and :.
name() { sed -E 's/^[0-9a-f]{64}  //; s/\.reach$//; s/-/\//; s/^(lunar\/.*)-([0-9]+-[0-9]+)$/\1:\2/' <<<"$1"; }
spaces=("$@")
if [ $# = 0 ]; then
  while read -r line; do
    space=$(name "$line")
    [[ " $large " = *" $space "* ]] || spaces+=("$space")
  done <"$sums"
fi
status=0
for space in "${spaces[@]}"; do
  file=${space//[\/:]/-}.reach
  "$dir/reach" run "$space" -o "$dir/$file" --quiet >/dev/null
  found=$(cd "$dir" && sha256sum "$file")
  rm "$dir/$file"
  known=$(grep -F "  $file" "$sums" || true)
  if [ "$found" = "$known" ]; then
    printf '%s  same\n' "$found"
  elif [ -n "$write" ]; then
    { grep -vF "  $file" "$sums" || true; echo "$found"; } | sort -k 2 >"$dir/sums"
    cat "$dir/sums" >"$sums"
    printf '%s  written\n' "$found"
  else
    printf '%s  DIFFERENT from %s\n' "$found" "${known:-none}"
    status=1
  fi
done
exit $status
