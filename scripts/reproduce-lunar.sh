#!/usr/bin/env bash
# Counts again what "Computer Analysis of the UFO Puzzle" (J. Rausch, 1999) counts: the problems of
# Lunar Lockout on 5x5 and on the cross, by group, and the configurations of number pieces. Prints each
# count beside the known one. Exits with 1 if one differs that should be the same.
#
#   scripts/reproduce-lunar.sh [--beyond]
#
# Known means published, where it says so. The other rows were counted by a program of another design in
# another language. Four published counts do not come out: the end of the output has the readings that
# were tried, and docs/studies/lunar.md more. --beyond also counts larger groups and other boards, and lists their hardest
# problems. The script takes half a minute, with --beyond some minutes.
set -euo pipefail
beyond=false
case $#,${1-} in
  0,) ;;
  1,--beyond) beyond=true ;;
  *) echo "usage: $0 [--beyond]" >&2 && exit 2 ;;
esac
root=$(cd "$(dirname "$0")/.." && pwd)
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
(cd "$root" && go build -o "$dir/" ./cmd/reach ./cmd/query)
cd "$dir"

status=0
verdict() { # what was found, what is known: sets said, and the status
  said=same
  if [ "$1" != "$2" ]; then
    said=DIFFERENT
    status=1
  fi
}
field() { # of a JSON object, the first of its name
  awk -v key="\"$1\":" '{ s = substr($0, index($0, key) + length(key)); match(s, /^[0-9.e+-]+/); print substr(s, 1, RLENGTH) }'
}
comma() { # a number with its thousands apart
  sed -E ':a; s/([0-9])([0-9]{3})($|,)/\1,\2\3/; ta' <<<"$1"
}
file() { echo "lunar-${1/:/-}.reach"; } # of a group, as reach run names it

heading() {
  printf '\n%s\n%-12s %11s %11s %10s %15s %6s %6s  ' "$1" group problems 'with a move' solvable 'all significant' moves steps
}
figures() { # group: sets run, the JSON of a run, and found
  run=$(./reach run "lunar/$1" --json --quiet)
  found=
  for name in problems with_move solvable all_significant max_moves max_steps; do
    found+="${found:+ }$(field $name <<<"$run")"
  done
}
row() { # group, figures
  local group=$1 n
  local -a cells=()
  for n in $2; do cells+=("$(comma "$n")"); done
  printf '%-12s %11s %11s %10s %15s %6s %6s  ' "$group" "${cells[@]}"
}
known() { # group, the known figures, where they are from
  figures "$1"
  verdict "$found" "$2"
  row "$1" "$found"
  printf '%s\n' "$said, $3"
  if [ $said != same ]; then printf '%12s %s\n' known: "$2"; fi
}

rows() { # table, function: calls it with each group of the table, its figures, and where they are from
  local table group a b c d e f from
  while IFS=, read -r table group a b c d e f from <&3; do
    if [ "$table" = "$1" ]; then "$2" "$group" "$a $b $c $d $e $f" "$from"; fi
  done 3<"$root/docs/data/lunar-groups.csv"
}
table1() {
  heading 'Table 1: 5x5. moves and steps are the most of a problem'
  printf 'known\n'
  rows 1 known
}
table2() {
  heading 'Table 2: the cross'
  printf 'known\n'
  rows 2 known
}

# What is said of a count in the text: what, the count here, the published one.
text() {
  verdict "$2" "$3"
  printf '%-62s %9s %9s  %s\n' "$1" "$(comma "$2")" "$(comma "$3")" "$said"
}
differs() { # what, the count here, which is known to differ, the published one
  verdict "$2" "$3"
  if [ $said = same ]; then said="not as published"; fi
  printf '%-62s %9s %9s  %s\n' "$1" "$(comma "$2")" "$(comma "$4")" "$said"
}
count() { # group, expression: the configurations for which it is true
  ./query configurations "$(file "$1")" --where "$2" --json --quiet | field configurations
}
most() { # group: how many problems, how many configurations have them, how many more are solvable and not
  local list significant
  list=$(./query configurations "$(file "$1")" --list --sort=-significant --limit 1 --show significant,otherwise,unsolvable --quiet)
  significant=$(sed -E 's/.*significant=([0-9]+).*/\1/' <<<"$list")
  echo "$significant $(count "$1" "significant == $significant") $(sed -E 's/.*otherwise=([0-9]+) +unsolvable=([0-9]+).*/\1 \2/' <<<"$list")"
}
peak() { # group, the published problems, configurations, otherwise solvable, unsolvable; - is not published
  local -a here want=("${@:2}")
  read -ra here <<<"$(most "$1")"
  local i what=("most problems with all significant" "configurations with as many" "their other problems: solvable" "their other problems: unsolvable")
  for i in 0 1 2 3; do
    if [ "${want[i]}" != - ]; then text "$1 ${what[i]}" "${here[i]}" "${want[i]}"; fi
  done
}

all='unsolvable == 0 && symmetries == 1'
single='places == 1 && significant == 1'
texts() {
  printf '\nCounts of the text. Configurations are the places of the number pieces, up to symmetry.\n%-62s %9s %9s\n' '' here published
  peak 5x5:1-4 16 - - -
  peak 5x5:1-5 15 2 4 0
  peak 5x5:1-6 13 - - -
  peak 5x5:2-4 155 - 1 34
  peak 5x5:2-5 146 - 25 0
  peak cross:1-5 23 3 - -
  text '5x5:1-5 configurations, all problems solvable' "$(count 5x5:1-5 "$all")" 215
  differs '5x5:1-6 configurations, all problems solvable' "$(count 5x5:1-6 "$all")" 3621 3239
  text 'cross:1-4 configurations, all problems solvable' "$(count cross:1-4 "$all")" 1
  differs 'cross:1-5 configurations, all problems solvable' "$(count cross:1-5 "$all")" 388 6
  text '5x5:1-5 configurations, one place solvable, all significant' "$(count 5x5:1-5 "$single")" 59
  text '5x5:2-5 configurations, one place solvable, all significant' "$(count 5x5:2-5 "$single")" 11
  differs 'cross:1-5 configurations, one place solvable, all significant' "$(count cross:1-5 "$single")" 461 458
  differs 'cross:2-4 configurations, one place solvable, all significant' "$(count cross:2-4 "$single")" 56 55
  local sample
  sample=$(./reach solve 'lunar/5x5:oo..o/...../..+../o..../...X.' --json --quiet)
  text 'moves of oo..o/...../..+../o..../...X.' "$(field moves <<<"$sample")" 10
  text 'steps of oo..o/...../..+../o..../...X.' "$(field steps <<<"$sample")" 12
}

# A reading is an expression; each group has a published count.
reading() { # what, expression, groups
  local group
  printf '%-58s' "$1"
  for group in "${@:3}"; do printf ' %9s' "$(comma "$(count "$group" "$2")")"; done
  printf '\n'
}
line() { # what, texts
  printf '%-58s' "$1"
  printf ' %9s' "${@:2}"
  printf '\n'
}
best() { # group: the greatest number of solvable problems of a configuration
  ./query configurations "$(file "$1")" --json --quiet | sed -E 's/.*"most_solvable","most":([0-9]+).*/\1/'
}
readings() {
  local group groups=(5x5:1-5 5x5:1-6 cross:1-4 cross:1-5)
  printf '\nReadings of the four counts that differ. Configurations in which X can stand anywhere:\n'
  line '' "${groups[@]}"
  line published 215 3,239 1 6
  reading 'every problem is solvable' 'unsolvable == 0' "${groups[@]}"
  reading '  without symmetry (as above)' "$all" "${groups[@]}"
  reading '  without symmetry, exit free' "$all && covered == 0" "${groups[@]}"
  reading '  without symmetry, exit covered' "$all && covered == 1" "${groups[@]}"
  reading '  and one problem with all significant' "$all && significant > 0" "${groups[@]}"
  reading 'all but one at most' 'unsolvable <= 1 && symmetries == 1' "${groups[@]}"
  printf '%-58s' 'as many as in any configuration'
  for group in "${groups[@]}"; do printf ' %9s' "$(comma "$(count "$group" "solvable == $(best "$group")")")"; done
  groups=(5x5:1-5 5x5:2-5 cross:1-5 cross:2-4)
  printf '\n\nConfigurations with a single solvable place, with all significant:\n'
  line '' "${groups[@]}"
  line published 59 11 458 55
  reading 'one placement (as above)' "$single" "${groups[@]}"
  reading '  without symmetry' "$single && symmetries == 1" "${groups[@]}"
  reading '  exit free' "$single && covered == 0" "${groups[@]}"
  reading 'one placement, significant or not' 'places == 1' "${groups[@]}"
  reading 'one problem up to symmetry' 'solvable == 1 && significant == 1' "${groups[@]}"
  reading 'one problem with all significant, others may be solvable' 'significant == 1' "${groups[@]}"
  cat <<'EOF'

No reading gives all eight counts. The nearest are those marked "as above". Other rules, other
meanings of significant, and bounds on moves, steps and solutions were tried too, with a second
program: docs/studies/lunar.md lists them. One alone brings out a count, 458, and breaks none: problems
of more than 17 steps count as unsolvable. Why they should is not known.
The 6 of the cross are those configurations that leave all 28 places to X: the exit is covered. The
other 382 have 27 places, with all of them solvable. But on 5x5, the same gives 5 and 258. And 3,239
is 3,621 less the same 382. This may be a slip in the article; it is no proof of one. For 55 there
is no guess.
EOF
}

hardest() { # group: its hardest problems, by moves and then by steps, and the other way round
  local letters=${1#*:} keys listed last=
  for keys in moves,steps steps,moves; do
    listed=$(./query list "$(file "$1")" --where "letters == ${letters%-*}" --sort="-${keys/,/,-},-significant,solutions" --show moves,steps,solutions,significant --limit 1 --quiet)
    if [ "$listed" != "$last" ]; then printf '    %s\n' "$listed"; fi
    last=$listed
  done
}
further() { # group, the known figures
  figures "$1"
  row "$1" "$found"
  printf '%7.1f s  %5d MiB\n' "$(field total_seconds <<<"$run")" "$(($(field peak_rss_bytes <<<"$run") >> 20))"
  verdict "$found" "$2"
  if [ $said != same ]; then printf '%12s %s, DIFFERENT\n' known: "$2"; fi
  hardest "$1"
  rm "$(file "$1")"
}
furthers() {
  heading 'Beyond the article. Below each group: its hardest problem, by moves and, if that is another, by steps'
  printf '%9s  %9s\n' time memory
  rows beyond further
}

table1
table2
texts
readings
if $beyond; then furthers; fi
exit $status
