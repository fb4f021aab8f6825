#!/usr/bin/env bash
# Draws the pictures of the README and the documents anew.
set -euo pipefail
cd "$(dirname "$0")/.."
tmp=$(mktemp -d)
trap 'rm -rf "$tmp"' EXIT
go build -o "$tmp/" ./cmd/...
"$tmp/reach" run peg/5x7 -o "$tmp/5x7.reach" --quiet >/dev/null

# The start, and P A G O D A.
cat >"$tmp/patterns" <<'PATTERNS'
ooooo/ooooo/ooooo/oo.oo/ooooo/ooooo/ooooo
oooo./o...o/o...o/oo.o./o..../o..../o....
ooo../o...o/o...o/ooooo/o...o/o...o/o...o
.ooo./o...o/o..../o.ooo/o...o/o..../oooo.
oooo./o...o/o...o/o...o/o...o/o...o/.oooo
oooo./o...o/o...o/o...o/o...o/o...o/oo.o.
ooo../o...o/o...o/ooooo/o...o/o...o/o...o
PATTERNS
"$tmp/query" render "$tmp/5x7.reach" - --columns 7 --no-captions --size 28 -o docs/pictures/pagoda.svg <"$tmp/patterns"
"$tmp/query" render "$tmp/5x7.reach" "$(sed -n 2p "$tmp/patterns")" --solution --size 28 -o docs/pictures/p.gif

# The font.
"$tmp/query" word "$tmp/5x7.reach" "ABCDEFGHIJKLM NOPQRSTUVWXYZ 0123456789.,!?-'" --columns 16 --size 12 -o docs/pictures/font.svg

# Games of weighted peg solitaire.
"$tmp/query" score english studies/weighted/testdata/cetto.txt --weights magic --size 24 -o docs/pictures/weighted-407.svg >/dev/null
"$tmp/query" score english studies/weighted/testdata/magic-342.txt --weights magic --size 24 -o docs/pictures/weighted-342.svg >/dev/null

# Klotski, solved.
"$tmp/reach" run slide/klotski -o "$tmp/klotski.reach" --quiet >/dev/null
"$tmp/query" render "$tmp/klotski.reach" --solution --goal --no-captions --size 24 --speed 250 -o docs/pictures/klotski.gif

# Lunar Lockout, a problem of ten moves.
"$tmp/reach" run lunar/5x5:1-4 -o "$tmp/lunar.reach" --quiet >/dev/null
"$tmp/query" render "$tmp/lunar.reach" oo..o/...../..+../o..../...X. --solution --size 28 -o docs/pictures/lunar.gif

# A deck of Lunar Lockout.
"$tmp/reach" deck lunar --quiet -o docs/pictures/lunar-deck.svg
"$tmp/reach" deck lunar --quiet >docs/data/lunar-deck.txt

# A deck of Rush Hour.
"$tmp/reach" deck rush-hour --quiet -o docs/pictures/rush-hour-deck.svg

# The hardest problems of Lunar Lockout, and their page. This takes minutes.
go run ./docs/make/lunarhardest docs

# The graph of Dad's Puzzler.
"$tmp/reach" graph slide/dads -o docs/pictures/graph-dads.svg

# Packages of peg solitaire.
"$tmp/reach" package '#..o/ooo#/ooo#' '#..o/...#/...#' -o docs/pictures/package-6-purge.svg
"$tmp/reach" package ooo/ooo/ooo/o.. '???/.../.../...' -o docs/pictures/package-4x3.svg
"$tmp/reach" packages 2-purge 3-purge 6-purge L-purge -o docs/pictures/purges.svg
"$tmp/reach" packages --kind mover --block 5 -o docs/pictures/movers.svg

# A solution explained by purges.
"$tmp/reach" run peg/english -o "$tmp/english.reach" --quiet >/dev/null
"$tmp/query" render "$tmp/english.reach" .../.../......./...o.../......./.../... --solution --explain --columns 4 --size 24 -o docs/pictures/english-explained.svg

# The hardest sliding-block puzzles of boards, and their page, from the results that there are.
go run ./docs/make/hardest
