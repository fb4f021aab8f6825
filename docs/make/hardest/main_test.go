package main

import (
	"encoding/json"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"testing"

	_ "pagoda/layers/all"
	"pagoda/puzzle/slide"
	"pagoda/puzzle/slide/library"
	"pagoda/puzzle/slide/tray"
	_ "pagoda/run/all"
	"pagoda/studies/hardest"
)

// root is that of the module.
const root = "../../.."

// data reads the data.
func data(t *testing.T) *results {
	t.Helper()
	all, err := read(root)
	if err != nil {
		t.Fatal(err)
	}
	return all
}

// The data and the page are as the program writes them, there is a sheet for each board, and the library has the
// hardest puzzles.
func TestPage(t *testing.T) {
	all := data(t)
	page, err := all.page()
	if err != nil {
		t.Fatal(err)
	}
	for name, want := range map[string]string{pageFile: page, puzzlesFile: all.puzzles(), boardsFile: all.boards()} {
		if got, err := os.ReadFile(filepath.Join(root, name)); err != nil || string(got) != want {
			t.Errorf("%s is not what go run ./docs/make/hardest writes: %v", name, err)
		}
	}
	for _, board := range boards {
		want, err := all.sheet(board)
		if err != nil {
			t.Fatal(err)
		}
		got, err := os.ReadFile(filepath.Join(root, picturesDir, "hardest-"+board+".svg"))
		if err != nil || !slices.Equal(captions(got), captions(want)) {
			t.Errorf("%s/hardest-%s.svg is not what go run ./docs/make/hardest writes: %v", picturesDir, board, err)
		}
		records, err := all.records(board)
		if err != nil {
			t.Errorf("%s: %v", board, err)
		}
		for _, r := range records {
			p, err := library.Lookup(library.Prefix + r.Name)
			if err != nil || r.Name != record4x4 && p.Format() != r.puzzle.Format() || r.Name == record4x4 && p.Lengths[tray.Moves] != r.puzzle.Lengths[tray.Moves] {
				t.Errorf("the library has another puzzle %s: %v", r.Name, err)
			}
		}
	}
}

// Results that are added are in the data as they were; others are not the same.
func TestRun(t *testing.T) {
	dir := t.TempDir()
	for _, name := range []string{"docs/data", "docs/studies", picturesDir, libraryDir} {
		if err := os.MkdirAll(filepath.Join(dir, name), 0o777); err != nil {
			t.Fatal(err)
		}
	}
	all := data(t)
	k := key{"2x2x3", loose, "lines"}
	n := all.sizes[[2]string{k.board, k.goal}]
	text, err := json.Marshal(search{k.board, k.metric, "corner", "corner", false, true, n.solved, n.searched, all.found[k]})
	if err != nil {
		t.Fatal(err)
	}
	file := filepath.Join(dir, "found.json")
	write := func(text string) {
		if err := os.WriteFile(file, []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	write(string(text))
	delete(all.found, k)
	if err := all.write(dir); err != nil {
		t.Fatal(err)
	}
	if err := run(dir, []string{"--check", file}); err == nil {
		t.Error("results that are not there are the same")
	}
	if err := run(dir, []string{file}); err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{puzzlesFile, boardsFile} {
		got, err := os.ReadFile(filepath.Join(dir, name))
		want, wrong := os.ReadFile(filepath.Join(root, name))
		if err != nil || wrong != nil || string(got) != string(want) {
			t.Errorf("%s is not as it was: %v, %v", name, err, wrong)
		}
	}
	if err := run(dir, []string{"--check", file}); err != nil {
		t.Error(err)
	}
	// A result of some numbers of pieces is no result of the board.
	few := `{"board":"3x3","metric":"moves","from":"corner","to":"corner","strict":true,"complete":true,"results":[{"pieces":6,"length":22}]}`
	for _, text := range []string{"", `{"board":"3x3","complete":false}`, `{"complete":true,"from":"anywhere","to":"corner"}`, few} {
		write(text)
		if err := run(dir, []string{file}); err == nil {
			t.Errorf("%q was added", text)
		}
	}
	if err := run(file, nil); err == nil {
		t.Error("a directory that is not there was read")
	}
}

// captions returns the captions of a sheet.
func captions(sheet []byte) (all []string) {
	for _, match := range regexp.MustCompile(`>([0-9]+: [0-9]+)<`).FindAllSubmatch(sheet, -1) {
		all = append(all, string(match[1]))
	}
	return all
}

// The engine of single puzzles confirms each puzzle of the data.
func TestResults(t *testing.T) {
	all := data(t)
	if len(all.found) < 78 {
		t.Fatalf("%d searches", len(all.found))
	}
	for k, found := range all.found {
		m, err := tray.ParseMetric(k.metric)
		if err != nil {
			t.Fatal(err)
		}
		for _, r := range found {
			p, err := tray.Parse(r.Puzzle)
			if err != nil {
				t.Fatalf("%v: %q: %v", k, r.Puzzle, err)
			}
			if len(p.Pieces()) != r.Pieces || r.Starts < 1 {
				t.Errorf("%v: %q has %d pieces, and %d are like it", k, r.Puzzle, r.Pieces, r.Starts)
			}
			one, err := slide.Solve(t.Context(), p, m, slide.Options{ToGoal: true})
			if err != nil || !one.Solved || one.Length != r.Length || one.Solutions.String() != r.Solutions.String() {
				t.Errorf("%v: %q takes %d with %v solutions, %v, want %d with %s", k, r.Puzzle, one.Length, one.Solutions, err, r.Length, r.Solutions)
			}
		}
		checkGoals(t, k, all)
	}
}

// checkGoals compares goals with those that allow more.
func checkGoals(t *testing.T, k key, all *results) {
	t.Helper()
	for _, more := range map[string][]string{strict: {loose, fromAnywhere, toAnywhere}, fromAnywhere: {bothAnywhere}, toAnywhere: {bothAnywhere}}[k.goal] {
		other := key{k.board, more, k.metric}
		for _, r := range all.found[k] {
			if o := all.at(other, r.Pieces); all.found[other] != nil && (o == nil || o.Length < r.Length) {
				t.Errorf("%v, %d pieces: %v with the goal %s, want at least %d", k, r.Pieces, o, more, r.Length)
			}
		}
	}
}

// The lengths are those that were published, or that another program has found.
func TestPublished(t *testing.T) {
	all := data(t)
	for board, want := range map[string]struct {
		justSolved uint64
		lengths    []int
	}{
		"4x4": {12295564, []int{1, 4, 9, 19, 36, 51, 62, 89, 132, 81, 64, 73, 61, 25, 21}}, // N. Bickford, Sliding Block Puzzles, Part 3
		"3x3": {3026, []int{1, 2, 5, 10, 14, 22, 18, 13}},
	} {
		var lengths []int
		for _, r := range all.found[key{board, strict, "moves"}] {
			lengths = append(lengths, r.Length)
		}
		if n := all.sizes[[2]string{board, strict}].solved; !slices.Equal(lengths, want.lengths) || n != want.justSolved {
			t.Errorf("%s: %v of %d, want %v of %d", board, lengths, n, want.lengths, want.justSolved)
		}
	}
}

// The smallest boards come out as in the data.
func TestFind(t *testing.T) {
	all := data(t)
	for k := range all.found {
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
			one := all.at(k, r.Pieces)
			if r.Length == 0 && one == nil {
				continue
			}
			if one == nil || one.Length != r.Length || one.Starts != len(r.Starts) {
				t.Errorf("%v, %d pieces: length %d from %d starts, the data has %v", k, r.Pieces, r.Length, len(r.Starts), one)
			}
		}
	}
}
