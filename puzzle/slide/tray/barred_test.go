package tray_test

import (
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"pagoda/puzzle/slide/slidetest"
	"pagoda/puzzle/slide/tray"
)

// TestBarred compares what is known of a goal at once with a search of all positions.
func TestBarred(t *testing.T) {
	rng := rand.New(rand.NewPCG(43, 44))
	barred, solved := 0, 0
	for _, rows := range []string{"...", "../..", ".../...", "../../..", "#../...", "..#/.../.#.", "....", "floors: 2\n../..", "floors: 2\n.#/../../.."} {
		for range 25 {
			p := slidetest.Parse(t, randomTiles(rng, rows))
			why := p.Barred()
			can := reaches(p)
			if can && why != "" || !can && why == "" && rows == ".../..." { // from half of all placements the goal is reached
				t.Fatalf("%sbarred: %q, reached: %t", p.Format(), why, can)
			}
			if can {
				solved++
			}
			if why != "" {
				barred++
			}
		}
	}
	if min(barred, solved) < 40 {
		t.Errorf("%d goals are barred, %d are reached", barred, solved)
	}
}

// randomTiles fills a tray with tiles, except for one cell, and draws a goal that leaves some of them open.
func randomTiles(rng *rand.Rand, rows string) string {
	head, rows, headed := strings.Cut(rows, "\n")
	if !headed {
		head, rows = "", head
	}
	draw := func(open int) string {
		names := []byte(tray.PieceNames[:strings.Count(rows, ".")-1] + ".")
		rng.Shuffle(len(names), func(i, j int) { names[i], names[j] = names[j], names[i] })
		for i := 0; open > 0; i++ {
			if names[i] != '.' {
				names[i] = '.'
				open--
			}
		}
		rng.Shuffle(len(names), func(i, j int) { names[i], names[j] = names[j], names[i] })
		return strings.Map(func(ch rune) rune {
			if ch == '.' {
				ch, names = rune(names[0]), names[1:]
			}
			return ch
		}, rows)
	}
	return head + "\ndistinct: *\ntray: " + draw(0) + "\ngoal: " + draw(rng.IntN(min(3, strings.Count(rows, ".")-1)))
}

// reaches reports whether a search finds a goal.
func reaches(p *tray.Puzzle) bool {
	seen := map[string]bool{p.Key(p.Start()): true}
	for todo := []tray.Position{p.Start()}; len(todo) > 0; {
		at := todo[len(todo)-1]
		todo = todo[:len(todo)-1]
		if p.Solved(at) {
			return true
		}
		for _, s := range p.Successors(tray.Steps, at) {
			if key := p.Key(s.To); !seen[key] {
				seen[key] = true
				todo = append(todo, slices.Clone(s.To))
			}
		}
	}
	return false
}

// TestBarredReasons has the reasons, and large trays.
func TestBarredReasons(t *testing.T) {
	for text, want := range map[string]string{
		"1237/C8F4/DAB5/96E. 1234/5678/9ABC/DEF.":                           "an odd permutation",
		"12345/6789A/BCDEF/GHIJK/LMNO. .2134/56789/ABCDE/FGHIJ/KLMNO":       "an odd permutation",
		"12345/6789A/BCDEF/GHIJK/LMNO. .2143/56789/ABCDE/FGHIJ/KLMNO":       "",
		"1234/5678/9ABC/DEF. 1234/5678/9ABC/DFE":                            "an odd permutation",
		"1234/5678/9ABC/DEF. 1234/5678/9ABC/FDE":                            "",
		"1234/5678/9ABC/DEF. 1234/5678/9ABC/FED":                            "an odd permutation",
		"1234/5678/9ABC/DEF. 1234/5678/9ABC/FE":                             "an odd permutation",
		"distinct: *\ntray: 1234/5678/9ABC/DEF.\ngoal: 2134/5678/9ABC/D":    "",
		"distinct: *\ntray: 1234/5678/9ABC/DEF.\ngoal: 2134/5678/9ABC/..FE": "",
		"distinct: *\ntray: 1234/5678/9ABC/DEF.\ngoal: 2134/5678/9ABC/DE.F": "an odd permutation",
		"tray: AB.\ngoal: BA.\ngoal: A.B":                                   "",
		"tray: AB.\ngoal: BA.\ngoal: .BA":                                   "an odd permutation",
		"tray: AB..\ngoal: BA..":                                            "",
		"tray: AAB.\nalike: *\ngoal: ..AA":                                  "",
		"horizontal: A\ntray: AA./...\ngoal: .../AA":                        "piece A cannot come to its place in the goal",
		"tray: A#.\ngoal: -":                                                "no position is at the goal",
		"tray: A..":                                                         "",
	} {
		if got := slidetest.Parse(t, text).Barred(); got != want {
			t.Errorf("%s: %q, want %q", text, got, want)
		}
	}
}
