package main

import (
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"pagoda/internal/long"
	"pagoda/puzzle/slide"
	"pagoda/puzzle/slide/library"
	"pagoda/puzzle/slide/tray"
	"pagoda/studies/hardest"
)

// The page in docs is that of the results, there is a sheet for each board, and the library has the
// hardest puzzles.
func TestPage(t *testing.T) {
	all, err := read("results")
	if err != nil {
		t.Fatal(err)
	}
	page, err := os.ReadFile("../../../docs/studies/hardest.md")
	if err != nil || string(page) != all.page() {
		t.Errorf("docs/studies/hardest.md is not what go run ./docs/make/hardest writes: %v", err)
	}
	for _, board := range boards {
		want, err := all.sheet(board)
		if err != nil {
			t.Fatal(err)
		}
		if want == nil {
			continue
		}
		got, err := os.ReadFile("../../../docs/pictures/hardest-" + board + ".svg")
		if err != nil || !slices.Equal(captions(got), captions(want)) {
			t.Errorf("docs/pictures/hardest-%s.svg is not what go run ./docs/make/hardest writes: %v", board, err)
		}
		records, err := all.records(board)
		if err != nil || len(records) == 0 && board != "4x4" {
			t.Errorf("%s: %v, %v", board, records, err)
		}
		for _, r := range records {
			if p, err := library.Lookup(library.Prefix + r.name); err != nil || p.Format() != r.puzzle.Format() {
				t.Errorf("the library has another puzzle %s: %v", r.name, err)
			}
		}
	}
}

// What is added is written again as it was.
func TestAdd(t *testing.T) {
	root := t.TempDir()
	for _, dir := range []string{resultsDir, docsDir + "/pictures", docsDir + "/studies", libraryDir} {
		if err := os.MkdirAll(filepath.Join(root, dir), 0o777); err != nil {
			t.Fatal(err)
		}
	}
	const name = "3x4-lines-loose.json"
	if err := add(root, []string{"results/" + name}); err != nil {
		t.Fatal(err)
	}
	got, err := os.ReadFile(filepath.Join(root, resultsDir, name))
	want, wrong := os.ReadFile("results/" + name)
	if err != nil || wrong != nil || string(got) != string(want) {
		t.Errorf("%s, %v, want %s, %v", got, err, want, wrong)
	}
	if err := write(root); err != nil {
		t.Error(err)
	}
	bad := filepath.Join(root, "bad.json")
	for _, text := range []string{"", `{"board":"3x3","complete":false}`, `{"complete":true,"from":"anywhere","to":"corner"}`} {
		if err := os.WriteFile(bad, []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
		if err := add(root, []string{bad}); err == nil {
			t.Errorf("%q was added", text)
		}
	}
	if err := write(bad); err == nil {
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
	all, err := read("results")
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
			if !long.Tests && r.Pieces%4 != 0 {
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

// checkGoals compares goals with those that allow more.
func checkGoals(t *testing.T, k key, s *search, all results) {
	t.Helper()
	for _, more := range map[string][]string{strict: {loose, fromAnywhere, toAnywhere}, fromAnywhere: {bothAnywhere}, toAnywhere: {bothAnywhere}}[k.goal] {
		other := all[key{k.board, k.metric, more}]
		for _, r := range s.Results {
			if o := other.at(r.Pieces); other != nil && (o == nil || o.Length < r.Length) {
				t.Errorf("%v, %d pieces: %v with the goal %s, want at least %d", k, r.Pieces, o, more, r.Length)
			}
		}
	}
}

// The lengths are those that were published, or that another program has found.
func TestPublished(t *testing.T) {
	all, err := read("results")
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
	all, err := read("results")
	if err != nil {
		t.Fatal(err)
	}
	for k, s := range all {
		sizes := map[string][3]int{"3x3": {1, 3, 3}, "2x2x2": {2, 2, 2}, "2x4": {1, 2, 4}}
		size, ok := sizes[k.board]
		if !ok {
			continue
		}
		from, to := k.goal == fromAnywhere || k.goal == bothAnywhere, k.goal == toAnywhere || k.goal == bothAnywhere
		m, err := tray.ParseMetric(k.metric)
		if err != nil {
			t.Fatal(err)
		}
		b := hardest.Rectangle(size[0], size[1], size[2])
		goals, err := hardest.Goals(b, hardest.Journey{Strict: k.goal != loose && !to, FromAnywhere: from, ToAnywhere: to}, 0)
		if err != nil {
			t.Fatal(err)
		}
		found, err := hardest.Search(t.Context(), &hardest.Problem{Board: b, Goals: goals, Metric: m}, hardest.Options{})
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
