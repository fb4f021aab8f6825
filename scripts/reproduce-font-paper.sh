#!/usr/bin/env bash
# Does what "A Peg Solitaire Font" does (Oikawa, Yamazaki, Taniguchi, Uehara, Bridges 2017):
# enumerates the patterns of the 5x7 board, finds characters among them, rebuilds their
# solutions and animates a word. Prints each figure beside the published one; exits with 1
# if one differs that should be the same.
#
#   scripts/reproduce-font-paper.sh [--array] [WORD [OUTPUT]]
#
# --array also writes the paper's array of all 2^35 patterns: 24 GiB, some minutes. WORD is
# HELLO, and OUTPUT, a GIF, is left out if they are not given.
set -euo pipefail
root=$(cd "$(dirname "$0")/.." && pwd)
array=false
if [ "${1-}" = --array ]; then
  array=true
  shift
fi
case ${1-} in -*) echo "usage: $0 [--array] [WORD [OUTPUT]]" >&2 && exit 2 ;; esac
word=${1-HELLO}
output=${2-}
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
(cd "$root" && go build -o "$dir/" ./cmd/...)
file=$dir/5x7.reach

status=0
row() { # what, here, published
  printf '%-44s %22s   %s\n' "$1" "$2" "$3"
}
same() { # what, here, published: they must be equal
  local verdict=same
  if [ "$2" != "$3" ]; then
    verdict=DIFFERENT
    status=1
  fi
  row "$1" "$2" "$3, $verdict"
}
field() { # of a JSON object, the first of its name
  awk -v key="\"$1\":" '{ s = substr($0, index($0, key) + length(key)); match(s, /^[0-9.e+-]+/); print substr(s, 1, RLENGTH) }'
}
seconds() { # runs a command, and sets took
  local from=$EPOCHREALTIME
  "$@"
  took=$(awk -v a="$from" -v b="$EPOCHREALTIME" 'BEGIN { printf "%.2f s", b - a }')
}

row '' here published
run=$("$dir/reach" run peg/5x7 -o "$file" --json --quiet)
same 'patterns that can be reached' "$(field states <<<"$run")" 1045173439
same 'lines of three cells' "$("$dir/reach" explain peg/5x7 --json | field lines)" 46
row 'time to enumerate them' "$(field seconds <<<"$run") s" '28 minutes on a supercomputer'
row 'with the file written' "$(field total_seconds <<<"$run") s" ''
row 'memory at most' "$(($(field peak_rss_bytes <<<"$run") >> 20)) MiB" '64 GB'
row 'file' "$(($(field file_bytes <<<"$run") >> 20)) MiB" '24 GiB: 2^35 patterns, 6 bits each'
if $array; then
  seconds "$dir/reach" convert "$file" --store backptr --numbering raw -o "$dir/raw.reach" --quiet >"$dir/convert"
  row "the paper's array, pointers to the move before" "$took" ''
  # The array, and less than 1 MiB that tells what it is.
  same 'its size in GiB' "$(($(wc -c <"$dir/raw.reach") >> 30))" 24
  "$dir/query" path "$dir/raw.reach" oooo./o...o/o...o/oo.o./o..../o..../o.... >"$dir/path"
  row 'a solution rebuilt from it' "$(($(wc -l <"$dir/path") - 1)) jumps" ''
  rm "$dir/raw.reach"
else
  row "the paper's array" 'not made' '--array makes it'
fi

# The characters: what is wished for, and what is chosen.
awk '/, distance / { if (wish) print wish, pattern, distance; wish = pattern = ""; distance = $NF; next }
  /^[o.]+  [o.]+$/ { sep = wish ? "/" : ""; wish = wish sep $1; pattern = pattern sep $2 }
  END { print wish, pattern, distance }' "$root/puzzle/peg/font/glyphs.txt" >"$dir/glyphs"
find_all() {
  while read -r wish _ _; do
    "$dir/query" near "$file" "$wish" --limit 1 --json | field distance
  done <"$dir/glyphs" >"$dir/nearest"
}
seconds find_all
row 'characters, with digits and signs' "$(wc -l <"$dir/glyphs")" ''
row 'the nearest patterns to all found in' "$took" 'a list of all patterns is searched for each'
row 'wishes that can be reached as they are' "$(grep -c '^0$' "$dir/nearest")" ''
row 'greatest distance of a nearest pattern' "$(sort -n "$dir/nearest" | tail -n 1)" ''
row 'greatest distance of a pattern chosen' "$(awk '{ print $3 }' "$dir/glyphs" | sort -n | tail -n 1)" ''

solve_all() { awk '{ print $2 }' "$dir/glyphs" | "$dir/query" path "$file" - >"$dir/solutions"; }
seconds solve_all
row 'solutions of all rebuilt in' "$took" ''
row 'jumps in them' "$(grep -c ' over ' "$dir/solutions")" ''
# The last position of each solution is the pattern that was chosen.
same 'solutions that end as they should' \
  "$(awk '$2 == "start" && last { print last } { last = $NF } END { print last }' "$dir/solutions" |
    paste -d' ' - "$dir/glyphs" | awk '$1 == $3' | wc -l)" "$(wc -l <"$dir/glyphs")"

gif=${output:-$dir/word.gif}
seconds "$dir/query" word "$file" "$word" -o "$gif"
row "$word animated in" "$took" 'a GIF of each character'
row 'size of the GIF' "$(($(wc -c <"$gif") / 1000)) kB" ''
exit $status
