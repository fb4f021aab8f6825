#!/usr/bin/env bash
# Finds the components of the classes of Huarong Dao again, and compares them with docs/data/huarong-dao.csv and
# docs/data/huarong-dao-classes.csv. Prints a line for each class and metric. Exits with 1 if one differs.
#
#   scripts/reproduce-huarong-dao.sh [--write] [CLASS...]
#
# A class is the numbers of horizontal pieces, of vertical ones and of single cells, such as 1-4-4. Without classes, it takes
# those with six or more pieces of 1x2, which take seconds; "all" are all. With --write, it writes both files anew, from all
# classes. The tables of the classes are in the directory of the environment variable TABLES, and those that are there are not
# made again. METRICS chooses among "steps lines moves supersteps superlines supermoves". SEARCHES, if not 0, bounds the searches
# for a diameter. Then some diameters and radii are bounds only; a class with bounds is not compared.
set -euo pipefail
cd "$(dirname "$0")/.."
write=false
if [ "${1-}" = --write ]; then
  write=true
  shift
fi
classes=()
for dominoes in 7 6 5 4 3 2 1 0; do
  if [ "${1-}" != all ] && ! $write && [ $dominoes -lt 6 ]; then break; fi
  for horizontal in $(seq 0 $dominoes); do
    for single in $(seq 0 $((14 - 2 * dominoes))); do
      class=$horizontal-$((dominoes - horizontal))-$single
      if [ $class != 0-7-0 ]; then classes+=($class); fi # it does not fit
    done
  done
done
if [ $# -gt 0 ] && [ "$1" != all ]; then classes=("$@"); fi
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
tables=${TABLES:-$dir}
go build -o "$dir/reach" ./cmd/reach

# Rows of components with 50 positions or more, in a metric. Of those with equal figures, such as reflections, there is one, with
# their number.
components() {
  awk -F, -v OFS=, 'NR > 1 && $5 >= 50 {
    key = $5 OFS $6 OFS $7 OFS $8 OFS $9 OFS $10 OFS $11 OFS $12
    if (!count[key]++) { order[++n] = key; at[key] = $1 OFS $2 OFS $3 OFS $4 }
  }
  END { for (i = 1; i <= n; i++) print at[order[i]], count[order[i]], order[i] }' "$1"
}
# A row for a class in a metric, of all components.
class() {
  awk -F, -v OFS=, 'NR == 1 { next }
  { class = $1; metric = $2; placements += $5; if ($5 == 1) alone++; if ($5 > largest) largest = $5
    if ($6 > 0) { solvable += $5; goals += $6 }
    if ($12 > 0 && $11 > hardest) { hardest = $11; starts = 0 }
    if ($12 > 0 && $11 == hardest) { starts += $12; if (starts == $12) start = $4 }
    if ($7 > diameter) diameter = $7; if ($8 > most) most = $8 }
  END { print class, metric, placements, NR - 1, alone + 0, largest, solvable + 0, goals + 0, diameter, most, hardest + 0, starts + 0, start }' "$1"
}

small=docs/data/huarong-dao-classes.csv large=docs/data/huarong-dao.csv
if $write; then
  echo puzzle,metric,placements,components,alone,largest,solvable,goals,diameter,diameter_most,hardest,starts,start >"$dir/small"
  echo puzzle,metric,first,start,components,positions,goals,diameter,diameter_most,radius_least,radius,hardest,starts >"$dir/large"
fi
status=0
for metric in ${METRICS-steps lines moves supersteps superlines supermoves}; do
  mkdir -p "$tables/$metric"
  for class in "${classes[@]}"; do
    name=huarong-dao/$class table=$tables/$metric/$class.csv
    if [ ! -s "$table" ]; then "$dir/reach" components "$name" --metric "$metric" --searches "${SEARCHES-0}" --quiet -o "$table"; fi
    if $write; then
      class "$table" >>"$dir/small"
      components "$table" >>"$dir/large"
    elif ! { grep "^$name,$metric," $large || true; } | awk -F, '$8 != $9 || $10 != $11 { bounds = 1 } END { exit bounds }'; then
      echo "$name $metric: only bounds are known"
    elif diff <(grep -h "^$name,$metric," $small $large) <(class "$table" && components "$table"); then
      echo "$name $metric: same"
    else
      echo "$name $metric: DIFFERENT"
      status=1
    fi
  done
done
if $write; then
  cat "$dir/small" >$small
  cat "$dir/large" >$large
fi
exit $status
