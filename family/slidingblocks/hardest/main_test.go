package main

import (
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"pagoda/statespace/slide"
	"pagoda/statespace/slide/find"
	"pagoda/statespace/slide/tray"
)

// The page in docs is that of the results, and there is a sheet for each board.
func TestPage(t *testing.T) {
	dir := t.TempDir()
	if err := write(dir); err != nil {
		t.Fatal(err)
	}
	names, err := filepath.Glob(filepath.Join(dir, "*"))
	if err != nil || len(names) < 5 {
		t.Fatalf("%v, %v", names, err)
	}
	for _, name := range names {
		want, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		got, err := os.ReadFile(filepath.Join("../../../docs", filepath.Base(name)))
		page := filepath.Ext(name) == ".md"
		if err != nil || page && string(got) != string(want) || !page && !slices.Equal(captions(got), captions(want)) {
			t.Errorf("docs/%s is not what go run ./family/slidingblocks/hardest docs writes: %v", filepath.Base(name), err)
		}
	}
	if err := write(filepath.Join(dir, "none")); err == nil {
		t.Error("a directory that is not there was written to")
	}
}

// captions returns the captions of a sheet.
func captions(sheet []byte) (all []string) {
	for _, match := range regexp.MustCompile(`>([0-9]+: [0-9]+)<`).FindAllSubmatch(sheet, -1) {
		all = append(all, string(match[1]))
	}
	return all
}

// The engine of single puzzles confirms each puzzle of the page.
func TestResults(t *testing.T) {
	all, err := read()
	if err != nil || len(all) < 36 {
		t.Fatalf("%d searches, %v", len(all), err)
	}
	for k, s := range all {
		if !s.Complete || len(s.Results) == 0 {
			t.Errorf("%v is not complete", k)
		}
		m, err := tray.ParseMetric(k.metric)
		if err != nil {
			t.Fatal(err)
		}
		for _, r := range s.Results {
			p, err := tray.Parse(r.Puzzle)
			if err != nil {
				t.Fatalf("%v: %q: %v", k, r.Puzzle, err)
			}
			if text, err := inLine(r.Puzzle); err != nil || strings.Contains(text, "\n") || len(p.Pieces()) != r.Pieces || r.Starts < 1 {
				t.Errorf("%v: %q in a line is %q, %v; %d pieces", k, r.Puzzle, text, err, r.Pieces)
			}
			if testing.Short() && r.Pieces%4 != 0 {
				continue
			}
			one, err := slide.Solve(t.Context(), p, m, slide.Options{ToGoal: true})
			if err != nil || !one.Solved || one.Length != r.Length || one.Solutions.String() != r.Solutions.String() {
				t.Errorf("%v: %q takes %d with %v solutions, %v, want %d with %s", k, r.Puzzle, one.Length, one.Solutions, err, r.Length, r.Solutions)
			}
		}
		checkGoals(t, k, s, all)
	}
}

// checkGoals compares goals that are strict and not: the second ones allow more.
func checkGoals(t *testing.T, k key, s *search, all results) {
	t.Helper()
	other := all[key{k.board, k.metric, loose}]
	if k.goal == loose || other == nil {
		return
	}
	for _, r := range s.Results {
		if o := other.at(r.Pieces); o == nil || o.Length < r.Length {
			t.Errorf("%v, %d pieces: %v without a strict goal, want at least %d", k, r.Pieces, o, r.Length)
		}
	}
}

// The lengths are those that were published, or that another program has found.
func TestPublished(t *testing.T) {
	all, err := read()
	if err != nil {
		t.Fatal(err)
	}
	for board, want := range map[string]struct {
		justSolved uint64
		lengths    []int
	}{
		"4x4": {12295564, []int{1, 4, 9, 19, 36, 51, 62, 89, 132, 81, 64, 73, 61, 25, 21}},
		"3x3": {3026, []int{1, 2, 5, 10, 14, 22, 18, 13}},
	} {
		s := all[key{board, "moves", strict}]
		if s == nil {
			continue // it is not there yet
		}
		var lengths []int
		for _, r := range s.Results {
			lengths = append(lengths, r.Length)
		}
		if !slices.Equal(lengths, want.lengths) || s.Placements != want.justSolved {
			t.Errorf("%s: %v of %d, want %v of %d", board, lengths, s.Placements, want.lengths, want.justSolved)
		}
	}
}

// The smallest boards come out as in the results.
func TestFind(t *testing.T) {
	all, err := read()
	if err != nil {
		t.Fatal(err)
	}
	for k, s := range all {
		sizes := map[string][3]int{"3x3": {1, 3, 3}, "2x2x2": {2, 2, 2}, "2x6": {1, 2, 6}}
		size, ok := sizes[k.board]
		if !ok {
			continue
		}
		m, err := tray.ParseMetric(k.metric)
		if err != nil {
			t.Fatal(err)
		}
		b := find.Rectangle(size[0], size[1], size[2])
		goals, err := find.Corners(b, k.goal == strict)
		if err != nil {
			t.Fatal(err)
		}
		found, err := find.Search(t.Context(), &find.Problem{Board: b, Goals: goals, Metric: m}, find.Options{})
		if err != nil {
			t.Fatal(err)
		}
		for _, r := range found {
			one := s.at(r.Pieces)
			if r.Length == 0 && one == nil {
				continue
			}
			if one == nil || one.Length != r.Length || one.Starts != len(r.Starts) {
				t.Errorf("%v, %d pieces: length %d from %d starts, the results have %v", k, r.Pieces, r.Length, len(r.Starts), one)
			}
		}
	}
}
