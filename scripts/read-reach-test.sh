#!/usr/bin/env bash
# Reads files of every store with scripts/read_reach.py, which was written from docs/reference/format.md
# alone, and compares what it finds with the commands. Needs Python 3 and the command zstd.
set -euo pipefail
cd "$(dirname "$0")/.."
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
go build -o "$dir/" ./cmd/...
read_reach=$PWD/scripts/read_reach.py
cd "$dir"

known=' ' # stores that were read
same() { # FILE...: files with the same members
  local sums
  sums=$(for file in "$@"; do
    python3 "$read_reach" "$file" | awk 'NR == 1 {print > "/dev/stderr"; sub(/.*sha256 /, ""); print}'
  done | sort -u)
  [ "$(wc -l <<<"$sums")" = 1 ] || { echo "these files should have the same members: $*"; exit 1; }
  for file in "$@"; do
    known+="$(./reach info "$file" --json | sed -E 's/.*"store":"([^"]*)".*/\1/') "
  done
}

for space in peg/4x4 peg/triangle15; do
  ./reach run "$space" -o folded.reach --quiet --force >/dev/null
  files=(folded.reach)
  for store in set backptr backptr-raw roaring trie packed packed-trie sparse; do
    ./reach convert folded.reach --store "$store" -o "$store.reach" --quiet --force
    files+=("$store.reach")
  done
  same "${files[@]}"
  cmp <(python3 "$read_reach" folded.reach --patterns | sort) <(./query list folded.reach --limit 0 | awk '{print $NF}' | sort)
done
for space in slide/dads slide/klotski slide/n2x3; do
  ./reach run "$space" -o mod3.reach --quiet --force >/dev/null
  files=(mod3.reach)
  for store in set distance packed-mod3 packed-distance roaring trie packed packed-trie sparse; do
    ./reach convert mod3.reach --store "$store" -o "$store.reach" --quiet --force
    files+=("$store.reach")
  done
  same "${files[@]}"
done

for space in lunar/5x5:2-3 lunar/cross:1-4; do
  ./reach run "$space" -o distance.reach --quiet --force >/dev/null
  files=(distance.reach)
  for store in set packed-distance backptr roaring trie packed packed-trie; do
    ./reach convert distance.reach --store "$store" -o "$store.reach" --quiet --force
    files+=("$store.reach")
  done
  # A list of states has no columns, so there is no conversion to it.
  ./reach run "$space" --store sparse -o sparse.reach --quiet --force >/dev/null
  same "${files[@]}" sparse.reach
  for file in distance.reach packed-distance.reach; do
    cmp <(python3 "$read_reach" "$file" --values) \
      <(./query list "$file" --limit 0 --show moves,steps,solutions,always,some --json |
        sed -E 's/.*"moves":([0-9]+),"steps":([0-9]+),"solutions":([0-9]+),"always":([0-9]+),"some":([0-9]+).*/\1 \2 \3 \4 \5/')
  done
done

# What boards are worth, as the commands say it; small values have 7 digits. A chance above one half is kept as that of the
# opposite, with a minus sign.
for bytes in 4 8; do
  ./reach run 2048/2x2 -o values.reach --value-bytes "$bytes" --objective score,length,moves:8,tile:16 --quiet --force >/dev/null
  same values.reach
  ./query list values.reach --limit 0 | while read -r board; do ./query value values.reach "$board" --json; done >values.json
  python3 "$read_reach" values.reach --values | python3 -c '
import json, math, sys
lines = [list(map(float, line.split())) for line in sys.stdin]
for line in lines:
    x = line.pop()
    line += [1 + x, -x] if math.copysign(1, x) < 0 else [x, None]
said = []
for line in map(json.loads, open("values.json")):
    v = line["values"]
    said.append([v[k] if v[k] is not None else math.inf for k in ("score", "length", "moves:8")])
    said[-1] += [v["tile"]["16"], line.get("complements", {"tile": {}}).get("tile", {}).get("16")]
assert len(lines) == 110 and lines == said, "the values differ"
assert sum(s[-1] not in (0, None) for s in said) > 20, "few chances are kept as those of the opposite"'
done

for store in $(./reach convert --help | awk '/^  [a-z]/ && $2 ~ /^(a|the|which)$/ {print $1}'); do
  [[ $known = *" $store "* ]] || { echo "no file of the store $store was read"; exit 1; }
done

# Codes of two words.
./reach run threes/2x2 --store sparse -o threes.reach --quiet >/dev/null
python3 "$read_reach" threes.reach | grep -q '^threes/2x2: sparse, 575 states, '

# The members by layer, and a file that would take too long. The help says it all.
cmp <(python3 "$read_reach" folded.reach | sed 1d) <(./query layers folded.reach | awk '$1 ~ /^[0-9]+$/ {gsub(",", "", $2); print "pegs " $1 ": " $2}')
code=0
python3 "$read_reach" folded.reach --most 100 2>err || code=$?
[ "$code" = 2 ] || { echo "a file of more than 100 states ends with exit code $code, expected 2"; exit 1; }
grep -q 'bytes, and would take about .*: --most [0-9]* allows that$' err
python3 "$read_reach" --help | grep -q -- --patterns

# What is damaged is refused, and is no traceback.
refused() {
  if python3 "$read_reach" bad.reach 2>err; then
    echo "$1: it is read"; exit 1
  fi
  if [ "$(wc -l <err)" != 1 ]; then
    echo "$1:"; cat err; exit 1
  fi
}
size=$(stat -c %s packed-trie.reach)
for at in 9 20 100 4100 5000 $((size - 4096)); do
  cp packed-trie.reach bad.reach
  byte=$(od -An -tu1 -j "$at" -N 1 bad.reach)
  printf "\\x$(printf %02x $((byte ^ 4)))" | dd of=bad.reach bs=1 seek="$at" conv=notrunc status=none
  refused "byte $at flipped"
done
for length in 0 5 4096 $((size - 1)); do
  head -c "$length" packed-trie.reach >bad.reach
  refused "cut to $length bytes"
done
echo "read_reach.py reads every store"
