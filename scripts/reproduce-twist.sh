#!/usr/bin/env bash
# Counts the states of permutation puzzles again, at each distance, and compares them with
# docs/data/permutation-puzzles.csv. Exits with 1 if a number differs; times and memory may.
#
#   scripts/reproduce-twist.sh [--write] [SAMPLES [TWSEARCH]]
#
# SAMPLES is the folder samples/main of twsearch, and TWSEARCH its program: see
# docs/studies/permutation-puzzles.md. Without them, the puzzles of twsearch are left out. --write
# prints the table instead of comparing it. The script needs jq and GNU time, 8 GiB of memory and,
# with TWSEARCH, 10 GiB and half an hour. Everything runs on one thread.
set -euo pipefail
write=
if [ "${1-}" = --write ]; then
  write=yes
  shift
fi
samples=${1:+$(realpath "$1")}
twsearch=${2:+$(realpath "$2")}
cd "$(dirname "$0")/.."
known=docs/data/permutation-puzzles.csv
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
go build -o "$dir/" ./cmd/reach ./cmd/query

# The faces R and U of the cube of 3x3x3, by the numbers of its stickers.
cat >"$dir/two-faces.txt" <<END
U = (1 3 8 6)(2 5 7 4)(9 33 25 17)(10 34 26 18)(11 35 27 19)
R = (25 27 32 30)(26 29 31 28)(3 38 43 19)(5 36 45 21)(8 33 48 24)
END

# Prints a line of the table. The levels have blanks between them. States up to symmetry are counted of small puzzles.
row() { # NAME SPACE METRIC [FILE OF TWSEARCH]
  local states god antipodes peak levels seconds orbits= their=,
  { \time -f %U "$dir/reach" run "$2" --metric "$3" --no-file --threads 1 --quiet --json >"$dir/run"; } 2>"$dir/seconds"
  seconds=$(tail -1 "$dir/seconds")
  levels=$(jq -r '[.layers[].states] | join(" ")' "$dir/run")
  read -r states god antipodes peak < <(jq -r '[.states, .layers[-1].depth, .layers[-1].states, (.peak_rss_bytes / 1048576 | ceil)] | join(" ")' "$dir/run")
  if [ "$3" = moves ] && [ "$states" -lt 4000000 ]; then
    "$dir/reach" run "$2" --quiet --force -o "$dir/file.reach" >/dev/null
    orbits=$("$dir/query" layers "$dir/file.reach" --up-to-symmetry --quiet --json | jq '[.layers[].orbits] | add')
  fi
  if [ -n "${4-}" ] && [ -n "$twsearch" ] && [ "$3" = moves ]; then
    if (ulimit -t 200 && \time -o "$dir/their" -f '%U,%M' "$twsearch" --nosymmetry -t 1 -M 8000 -g "$4" >"$dir/out" 2>&1); then
      their=$(tail -1 "$dir/their" | awk -F, '{ printf "%s,%d", $1, $2 / 1024 + 1 }')
      if [ "$(awk '/^Dist/ && $4 > 0 { print $4 }' "$dir/out" | paste -sd ' ')" != "$levels" ]; then
        echo "$1: twsearch has other levels" >&2
        exit 1
      fi
    else
      their=none,none
    fi
  fi
  echo "$1,$3,$states,$god,$antipodes,$orbits,$seconds,$peak,$their,$levels"
}

table() {
  echo 'puzzle,metric,states,gods_number,antipodes,up_to_symmetry,seconds,mib,twsearch_seconds,twsearch_mib,levels'
  local name metric
  for name in 2x2x2 3x3x3-corners 3x3x3-phase-1 dino gear ivy m24 pyraminx skewb topspin-{8,9,10,11,12}-4; do
    for metric in moves turns; do row "twist/$name" "twist/$name" "$metric"; done
  done
  row twist/3x3x3-phase-2 twist/3x3x3-phase-2 moves
  for name in pancake-{2..10} burnt-pancake-{1..8}; do row "twist/$name" "twist/$name" moves; done
  for metric in moves turns; do row two-faces "$dir/two-faces.txt" "$metric"; done
  [ -n "$samples" ] || return 0
  for name in 233 235 2x2x2 3p1 Jing_pyraminx dino lo33 m24conway master_pyramorphix mastermorphix puzzlerchallenger \
    puzzlernovice pyraminx pyramorphix skewb skewb_diamond tangram ufo; do
    for metric in moves turns; do row "$name.tws" "$samples/$name.tws" "$metric" "$samples/$name.tws"; done
  done
}

if [ -n "$write" ]; then
  table
  exit
fi
table | cut -d, -f 1-6,11 >"$dir/found"
cut -d, -f 1-6,11 "$known" | { [ -n "$samples" ] && cat || grep -v '\.tws,'; } | diff - "$dir/found"
echo "$known has the same"
