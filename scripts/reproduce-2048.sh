#!/usr/bin/env bash
# Solves small boards of 2048 and Threes again, and compares counts and values with docs/data/2048-values.csv.
# Prints each line. Exits with 1 if one differs.
#
#   scripts/reproduce-2048.sh [--all]
#
# It takes seconds. --all also solves the boards of millions of states: half an hour and 6 GiB on two cores.
set -euo pipefail
all=false
case $#,${1-} in
  0,) ;;
  1,--all) all=true ;;
  *) echo "usage: $0 [--all]" >&2 && exit 2 ;;
esac
root=$(cd "$(dirname "$0")/.." && pwd)
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
(cd "$root" && go build -o "$dir/" ./cmd/reach)
field() { # of a JSON object without its layers
  sed -E 's/"layers":\[[^]]*\]//' "$dir/run.json" | grep -oE "\"$1\":[0-9.e+-]+" | head -n 1 | cut -d: -f2
}

status=0 last=
while IFS=, read -r space quantity value by <&3; do
  if ! $all; then
    case $space in 2048/3x3 | 2048/4x4* | threes/3x3* | threes/2x4*) continue ;; esac
  fi
  if [ "$space" != "$last" ]; then
    objective=score,tile
    if [ "$space" = 2048/4x4:32 ]; then objective=target; fi
    "$dir/reach" run "$space" --objective "$objective" --no-file --json --quiet >"$dir/run.json"
    last=$space
  fi
  case $quantity in
    'boards not dead') found=$(($(field states) - $(field dead))) ;;
    tile:*) found=$(field "${quantity#tile:}") ;;
    *) found=$(field "$quantity") ;;
  esac
  decimals=${value#*.}
  if [ "$decimals" != "$value" ]; then found=$(printf "%.${#decimals}f" "$found"); fi
  said=same
  if [ "$found" != "$value" ]; then said=DIFFERENT status=1; fi
  printf '%-24s %-16s %18s %18s  %s%s\n' "$space" "$quantity" "$found" "$value" "$said" "${by:+, as $by}"
done 3< <(tail -n +2 "$root/docs/data/2048-values.csv")
exit $status
