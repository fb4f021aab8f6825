package census

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"testing"

	"pagoda/internal/csvtest"
	"pagoda/internal/long"
)

// docs/data/rush-hour-sizes.csv has what a search of the smaller sizes finds.
func TestSizes(t *testing.T) {
	for _, row := range csvtest.Rows(t, "../../../docs/data/rush-hour-sizes.csv")[1:] {
		boards, err := strconv.ParseUint(row[1], 10, 64)
		if err != nil {
			t.Fatal(err)
		}
		if boards > 1e7 || !long.Tests && boards > 2e5 {
			continue
		}
		z := Size{Rows: int(row[0][0] - '0'), Cols: int(row[0][2] - '0')}
		z.Exit = (z.Rows - 1) / 2
		all := uint64(0)
		for _, n := range z.Placements() {
			all += n
		}
		want, got := row[1:7], []string{fmt.Sprint(all)}
		for _, steps := range []bool{false, true} {
			z.Steps = steps
			tally := runAll(t, Options{Size: z, Threads: 2})
			most, pieces, solvable := -1, 0, uint64(0)
			for k, r := range tally.Hardest {
				solvable += tally.Solvable(k)
				if r.Moves > most {
					most, pieces = r.Moves, k
				}
			}
			if !steps {
				got = append(got, fmt.Sprint(solvable))
			}
			got = append(got, fmt.Sprint(most), fmt.Sprint(pieces))
		}
		if fmt.Sprint(got) != fmt.Sprint(want) {
			t.Errorf("%v: %v, want %v", z, got, want)
		}
	}
}

// docs/data/rush-hour-walls.csv has what a search of all boards of 4x4 with walls finds.
func TestWalls(t *testing.T) {
	rows := csvtest.Rows(t, "../../../docs/data/rush-hour-walls.csv")
	for walls := 1; walls <= 2; walls++ {
		z := Size{Rows: 4, Cols: 4, Exit: 1}
		most := slices.Repeat([]int{-1}, z.MostVehicles()+1)
		all, solvable, starts := make([]uint64, len(most)), make([]uint64, len(most)), make([]uint64, len(most))
		for _, one := range z.WithWalls(walls) {
			tally := runAll(t, Options{Size: one, Threads: 2})
			for k, n := range one.Placements() {
				all[k] += n
				solvable[k] += tally.Solvable(k)
				moves := tally.Hardest[k].Moves
				if moves > most[k] {
					most[k], starts[k] = moves, 0
				}
				if moves >= 0 && moves == most[k] {
					starts[k] += tally.ByMoves[k][moves]
				}
			}
		}
		var want, got [][]string
		for _, row := range rows[1:] {
			if row[0] == "4x4" && row[1] == strconv.Itoa(walls) {
				want = append(want, row[2:7])
			}
		}
		for k := range most {
			if solvable[k] > 0 {
				got = append(got, strings.Fields(fmt.Sprint(k, all[k], solvable[k], most[k], starts[k])))
			}
		}
		if fmt.Sprint(got) != fmt.Sprint(want) {
			t.Errorf("%d walls: %v, want %v", walls, got, want)
		}
	}
}
