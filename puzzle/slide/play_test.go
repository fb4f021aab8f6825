package slide

import (
	"context"
	"encoding/json"
	"errors"
	"math/rand/v2"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"pagoda/ask"
	"pagoda/layers"
	_ "pagoda/layers/all"
	"pagoda/puzzle"
	"pagoda/puzzle/slide/library"
	"pagoda/puzzle/slide/tray"
	"pagoda/run"
	_ "pagoda/run/all"
	"pagoda/statespace"
)

// fileOf runs a space and opens its file.
func fileOf(t testing.TB, name, store string, o puzzle.Choice) *ask.File {
	t.Helper()
	fam := Family()
	sp, err := fam.Lookup(t.Context(), name, o)
	if err != nil {
		t.Fatal(err)
	}
	return fileOfSpace(t, sp, store)
}

func playerOf(t testing.TB, f *ask.File, o run.Options) *player {
	t.Helper()
	made, err := newPlayer(f.Space(), f, o)
	if err != nil || made == nil {
		t.Fatalf("%s: %v, %v", f.Path(), made, err)
	}
	t.Cleanup(made.Close)
	return made.(*player)
}

func hintOf(t testing.TB, p *player, pattern string) *slideHint {
	t.Helper()
	h, err := p.Hint(t.Context(), pattern, "")
	if err != nil {
		t.Fatalf("%s: %v", pattern, err)
	}
	return h.(*slideHint)
}

// plainDistances searches all positions from the start, and then backwards from the goals among them.
func plainDistances(p *tray.Puzzle, m tray.Metric) (all []tray.Position, distance map[string]int) {
	seen := map[string]bool{p.Key(p.Start()): true}
	all = []tray.Position{p.Start()}
	for i := 0; i < len(all); i++ {
		for _, s := range p.Successors(m, all[i]) {
			if key := p.Key(s.To); !seen[key] {
				seen[key] = true
				all = append(all, s.To)
			}
		}
	}
	distance = make(map[string]int)
	var todo []tray.Position
	for _, pos := range all {
		if p.Solved(pos) {
			distance[p.Key(pos)] = 0
			todo = append(todo, pos)
		}
	}
	for ; len(todo) > 0; todo = todo[1:] {
		for _, s := range p.Successors(m, todo[0]) {
			if key := p.Key(s.To); !has(distance, key) {
				distance[key] = distance[p.Key(todo[0])] + 1
				todo = append(todo, s.To)
			}
		}
	}
	return all, distance
}

func has(m map[string]int, key string) bool {
	_, ok := m[key]
	return ok
}

// The distances are those of a plain search, in all metrics and stores.
func TestHintDistances(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	for _, c := range []struct{ name, store string }{
		{"slide/dads", ""},
		{"slide/dads@steps", layers.Mod3Store},
		{"slide/dads@lines", layers.DistanceStore},
		{"slide/dads@supersteps", ""},
		{"slide/hardest-2x4@supermoves", ""},
		{"slide/hardest-3x3@superlines", ""},
		{"slide/hardest-2x4", layers.SetStore},
		{"slide/n2x3@steps", ""},
		{"slide/n2x3@moves", ""},
		{"slide/hardest-4x4-lines@lines", ""},
		{"slide/rushhour1@lines", ""},
		// All goals say where every piece is: none, one and two of them can be reached.
		{"tray:\n12\n34\n5.\ndistinct: 1 2 3 4 5\ngoal:\n21\n34\n5.\n", ""},
		{"tray:\n12\n34\n5.\ndistinct: 1 2 3 4 5\ngoal:\n.1\n32\n54\ngoal:\n21\n34\n5.\n", ""},
		{"tray:\n12\n34\n5.\ndistinct: 1 2 3 4 5\ngoal:\n.1\n32\n54\ngoal:\n12\n34\n.5\n", ""},
		{"tray:\nAA.\n.B.\nhorizontal: A B\ngoal:\n...\nBAA\n", ""},
	} {
		t.Run(strings.NewReplacer("/", "-", "\n", " ").Replace(c.name), func(t *testing.T) {
			var f *ask.File
			if strings.Contains(c.name, "\n") {
				sp, err := Family().Read(t.Context(), "drawn", c.name, puzzle.Choice{})
				if err != nil {
					t.Fatal(err)
				}
				f = fileOfSpace(t, sp, c.store)
			} else {
				f = fileOf(t, c.name, c.store, puzzle.Choice{})
			}
			p := playerOf(t, f, run.Options{Threads: 2})
			pz, m := p.space.Puzzle(), p.space.Metric()
			all, distance := plainDistances(pz, m)
			if uint64(len(all)) != f.Meta().States {
				t.Fatalf("%d positions, the file has %d", len(all), f.Meta().States)
			}
			checkBoard(t, p)
			most := 0
			for _, d := range distance {
				most = max(most, d)
			}
			for n := range 40 {
				pos := all[rng.IntN(len(all))]
				switch n {
				case 0:
					pos = pz.Start()
				case 1:
					pos = all[len(all)-1]
				}
				h := hintOf(t, p, pz.FormatPosition(pos))
				if len(h.ToGoal) != most+1 && len(distance) > 0 {
					t.Errorf("%d distances, want %d", len(h.ToGoal), most+1)
				}
				checkHint(t, pz, m, pos, h, distance)
			}
		})
	}
}

func checkHint(t *testing.T, pz *tray.Puzzle, m tray.Metric, pos tray.Position, h *slideHint, distance map[string]int) {
	t.Helper()
	d, ok := distance[pz.Key(pos)]
	same := func(got *int, pos tray.Position) bool {
		want, ok := distance[pz.Key(pos)]
		return (got != nil) == ok && (got == nil || *got == want)
	}
	if !same(h.Distance, pos) || (h.Solution != nil) != ok {
		t.Fatalf("%s: %v, want %d, %v", h.Pattern, h.Distance, d, ok)
	}
	successors := pz.Successors(m, pos)
	if len(successors) != len(h.Moves) {
		t.Fatalf("%s: %d moves, want %d", h.Pattern, len(h.Moves), len(successors))
	}
	for i, s := range successors {
		got := h.Moves[i]
		if got.Text != pz.Move(s).String() || got.Pattern != pz.FormatPosition(s.To) || !same(got.Distance, s.To) {
			t.Fatalf("%s: move %+v, want %v", h.Pattern, got, pz.Move(s))
		}
		if keeps := ok && distance[pz.Key(s.To)] == d-1; got.Keeps != keeps {
			t.Fatalf("%s: %s keeps: %v", h.Pattern, got.Text, got.Keeps)
		}
	}
	if !ok {
		return
	}
	if len(h.Solution.Moves) != d || len(h.Solution.Positions) != d+1 || h.Solution.Positions[0] != h.Pattern {
		t.Fatalf("%s: the solution has %d moves, %d positions; want %d", h.Pattern, len(h.Solution.Moves), len(h.Solution.Positions), d)
	}
	for i, mv := range h.Solution.Moves { // each is a move, and the pieces keep their names
		at, err := pz.ParsePosition(h.Solution.Positions[i])
		if err != nil {
			t.Fatal(err)
		}
		found := false
		for _, s := range pz.Successors(m, at) {
			found = found || pz.FormatPosition(s.To) == h.Solution.Positions[i+1] && pz.Move(s).String() == mv.String()
		}
		if !found {
			t.Fatalf("%s: move %d, %v, does not lead to %s", h.Pattern, i+1, mv, h.Solution.Positions[i+1])
		}
	}
	if end, err := pz.ParsePosition(h.Solution.Positions[d]); err != nil || !pz.Solved(end) {
		t.Fatalf("%s: the solution ends in %s", h.Pattern, h.Solution.Positions[d])
	}
}

// checkBoard compares the description with the puzzle.
func checkBoard(t *testing.T, p *player) {
	t.Helper()
	pz := p.space.Puzzle()
	b := p.Board().(*slideBoard)
	if b.Kind != "slide" || b.Start != pz.FormatPosition(pz.Start()) || len(b.Pieces) != len(pz.Pieces()) || len(b.Goals) != pz.Goals() || b.NoHints != "" {
		t.Errorf("the board is %+v", b)
	}
	h := hintOf(t, p, b.Start)
	if (b.Length == nil) != (h.Distance == nil) || b.Length != nil && *b.Length != *h.Distance {
		t.Errorf("the board has the length %v, the hint %v", b.Length, h.Distance)
	}
	if text, err := json.Marshal(b); err != nil || strings.Contains(string(text), "null") && b.Length != nil {
		t.Errorf("%s, %v", text, err)
	}
}

// A puzzle whose positions are listed has hints too, whether or not they have numbers of their own.
func TestHintListed(t *testing.T) {
	pz, err := library.Lookup("slide/hardest-2x4")
	if err != nil {
		t.Fatal(err)
	}
	unnumbered, err := NewUnnumbered("slide/hardest-2x4", pz, tray.Moves, false)
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range []*ask.File{fileOf(t, "slide/hardest-2x4", layers.SparseStore, puzzle.Choice{}), fileOfSpace(t, unnumbered, "")} {
		p := playerOf(t, f, run.Options{})
		all, distance := plainDistances(pz, tray.Moves)
		for _, pos := range all {
			checkHint(t, pz, tray.Moves, pos, hintOf(t, p, pz.FormatPosition(pos)), distance)
		}
	}
}

// Questions that make no sense are ErrQuestions.
func TestHintErrors(t *testing.T) {
	p := playerOf(t, fileOf(t, "slide/dads", "", puzzle.Choice{}), run.Options{})
	start := p.Board().(*slideBoard).Start
	for _, c := range []struct{ pattern, target, want string }{
		{"", "", "row"},
		{"AABB", "", "5 rows"},
		{"garbage/\x00\xff", "", "rows"},
		{strings.ReplaceAll(start, "A", "."), "", "A is missing"},
		{strings.ReplaceAll(start, "A", "?"), "", "no such piece"},
		{strings.Replace(start, ".", "A", 1), "", "A"},
		{start, start, "no target"},
		{start + "/....", "", "rows"},
	} {
		if h, err := p.Hint(t.Context(), c.pattern, c.target); !errors.Is(err, ask.ErrQuestion) || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%q, %q: %v, %v; want an error with %q", c.pattern, c.target, h, err, c.want)
		}
	}
	n := playerOf(t, fileOf(t, "slide/n2x3", "", puzzle.Choice{}), run.Options{})
	pz := n.space.Puzzle()
	other := []byte(pz.FormatPosition(pz.Start())) // two tiles exchanged: of the other class
	i, j := -1, -1
	for k, c := range other {
		if c != '.' && c != '/' {
			i, j = j, k
		}
	}
	other[i], other[j] = other[j], other[i]
	if _, err := n.Hint(t.Context(), string(other), ""); !errors.Is(err, ask.ErrQuestion) || !strings.Contains(err.Error(), "cannot be reached") {
		t.Errorf("%s: %v", other, err)
	}
}

// Without memory, a goal or all positions there are no hints. Several floors cannot be shown.
func TestNoHints(t *testing.T) {
	var noHints *puzzle.NoHintsError
	check := func(p *player, want string) {
		t.Helper()
		start := p.space.Puzzle().FormatPosition(p.space.Puzzle().Start())
		if _, err := p.Hint(t.Context(), start, ""); !errors.As(err, &noHints) || !strings.Contains(err.Error(), want) {
			t.Errorf("%v, want %q", err, want)
		}
		if b := p.Board().(*slideBoard); !strings.Contains(b.NoHints, want) {
			t.Errorf("the board says %q, want %q", b.NoHints, want)
		}
	}
	check(playerOf(t, fileOf(t, "slide/dads", "", puzzle.Choice{}), run.Options{Memory: 1 << 20}), "for the distances")
	toGoal := puzzle.Choice{Options: map[string]string{goalOption: "true"}}
	check(playerOf(t, fileOf(t, "slide/dads", "", toGoal), run.Options{}), "nearest goal")
	for text, want := range map[string]string{"tray: AB.": "no goal"} {
		pz, err := tray.Parse(text)
		if err != nil {
			t.Fatal(err)
		}
		sp, err := spaceOf(t.Context(), "mine", pz, "", puzzle.Choice{})
		if err != nil {
			t.Fatal(err)
		}
		check(playerOf(t, fileOfSpace(t, sp, ""), run.Options{}), want)
	}
	pz, err := library.Lookup("slide/box-2x2x3")
	if err != nil || pz.Floors() < 2 {
		t.Fatal("it has one floor", err)
	}
	f := fileOf(t, "slide/hardest-2x2x2", "", puzzle.Choice{})
	if p, err := newPlayer(f.Space(), f, run.Options{}); p != nil || err != nil {
		t.Errorf("several floors: %v, %v", p, err)
	}
}

// A goal that cannot be reached has no distance.
func TestHintUnsolvable(t *testing.T) {
	pz, err := tray.Parse("tray: AB.\ngoal: BA")
	if err != nil {
		t.Fatal(err)
	}
	sp, err := spaceOf(t.Context(), "mine", pz, "", puzzle.Choice{})
	if err != nil {
		t.Fatal(err)
	}
	h := hintOf(t, playerOf(t, fileOfSpace(t, sp, ""), run.Options{}), "AB.")
	if h.Distance != nil || h.Solution != nil || len(h.Moves) != 1 || h.Moves[0].Distance != nil || h.Moves[0].Keeps {
		t.Errorf("%+v", h)
	}
}

// Many requests at once share one search; a request that ends gives up, and Close is safe.
func TestHintConcurrent(t *testing.T) {
	p := playerOf(t, fileOf(t, "slide/klotski", "", puzzle.Choice{}), run.Options{Threads: 2})
	start := p.Board().(*slideBoard).Start
	ended, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := p.Hint(ended, start, ""); !errors.Is(err, context.Canceled) {
		t.Errorf("after the end: %v", err)
	}
	var all sync.WaitGroup
	for i := range 16 {
		all.Go(func() {
			ctx, cancel := context.WithTimeout(t.Context(), time.Duration(1+i)*20*time.Millisecond)
			defer cancel()
			h, err := p.Hint(ctx, start, "")
			if err == nil && *h.(*slideHint).Distance != 81 || err != nil && !errors.Is(err, context.DeadlineExceeded) {
				t.Errorf("%v, %v", h, err)
			}
		})
	}
	all.Wait()
	if h := hintOf(t, p, start); *h.Distance != 81 {
		t.Errorf("the distance is %d", *h.Distance)
	}
	for range 4 {
		all.Go(func() { p.Hint(t.Context(), start, "") })
	}
	p.Close()
	all.Wait()
	var noHints *puzzle.NoHintsError
	if _, err := p.Hint(t.Context(), start, ""); !errors.As(err, &noHints) {
		t.Errorf("after Close: %v", err)
	}
}

func BenchmarkHint(b *testing.B) {
	f := fileOf(b, "slide/klotski", "", puzzle.Choice{})
	b.Run("first", func(b *testing.B) {
		for b.Loop() {
			p := playerOf(b, f, run.Options{Threads: 2})
			hintOf(b, p, p.space.Puzzle().FormatPosition(p.space.Puzzle().Start()))
			p.Close()
		}
	})
	b.Run("later", func(b *testing.B) {
		p := playerOf(b, f, run.Options{Threads: 2})
		start := p.space.Puzzle().FormatPosition(p.space.Puzzle().Start())
		hintOf(b, p, start)
		for b.Loop() {
			hintOf(b, p, start)
		}
	})
}

func fileOfSpace(t testing.TB, sp statespace.Space, store string) *ask.File {
	t.Helper()
	path := filepath.Join(t.TempDir(), "test.reach")
	if _, err := run.Start(t.Context(), sp, run.Options{Output: path, Store: store, Threads: 2}); err != nil {
		t.Fatal(err)
	}
	f, err := ask.Open(t.Context(), path, Family().Define, 0)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { f.Close() })
	return f
}

// What is left of a solution is the answer to somebody who asks for the first time.
func TestHintOnTheWay(t *testing.T) {
	for _, name := range []string{"slide/klotski", "slide/dads@steps", "slide/dads@supersteps", "slide/hardest-3x3@superlines", "slide/n2x3"} {
		f := fileOf(t, name, "", puzzle.Choice{})
		p, other := playerOf(t, f, run.Options{}), playerOf(t, f, run.Options{})
		route := hintOf(t, p, p.space.Puzzle().FormatPosition(p.space.Puzzle().Start())).Solution
		if route == nil || len(route.Moves) < 3 {
			t.Fatalf("%s has no solution", name)
		}
		for _, text := range route.Positions {
			got, err := json.Marshal(hintOf(t, p, text))
			if err != nil {
				t.Fatal(err)
			}
			other.last.Store(nil)
			if want, err := json.Marshal(hintOf(t, other, text)); err != nil || string(got) != string(want) {
				t.Fatalf("%s, %s: %s, %v\nwant %s", name, text, got, err, want)
			}
		}
	}
}

// Without a file, hints of an n-puzzle come from a search with bounds. They are those of the file.
func TestHintProved(t *testing.T) {
	known := playerOf(t, fileOf(t, "slide/n3x3", "", puzzle.Choice{}), run.Options{})
	for _, metric := range []string{"moves", "steps", "superlines"} {
		sp, err := Family().Lookup(t.Context(), "slide/n3x3", puzzle.Choice{Options: map[string]string{metricOption: metric}})
		if err != nil {
			t.Fatal(err)
		}
		made, err := newPlayer(sp, nil, run.Options{})
		if err != nil {
			t.Fatal(err)
		}
		defer made.Close()
		p := made.(*player)
		if super := strings.HasPrefix(metric, "super"); p.Proves() == super {
			t.Errorf("in %s it proves: %v", metric, p.Proves())
		} else if super {
			continue
		}
		for _, pattern := range []string{"123/456/78.", "837/142/.65", "8.6/547/231", ".12/345/678"} {
			want, got := hintOf(t, known, pattern), hintOf(t, p, pattern)
			if *got.Distance != *want.Distance || len(got.Solution.Moves) != *got.Distance {
				t.Errorf("%s in %s: distance %d by %d moves, want %d", pattern, metric, *got.Distance, len(got.Solution.Moves), *want.Distance)
			}
			if *got.Distance == 0 {
				continue
			}
			first := got.Moves[0]
			after := hintOf(t, p, first.Pattern) // on the way
			if !first.Keeps || *after.Distance != *got.Distance-1 || first.Text != got.Solution.Moves[0].String() || first.Pattern != got.Solution.Positions[1] {
				t.Errorf("%s in %s: the first move is %+v, and %d are left", pattern, metric, first, *after.Distance)
			}
		}
	}
	// Two tiles in each other's places: no sequence of moves exchanges them.
	sp, err := Family().Read(t.Context(), "odd", "2 1 3\n4 5 6\n7 8 0\n", puzzle.Choice{})
	if err != nil {
		t.Fatal(err)
	}
	p, err := newPlayer(sp, nil, run.Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer p.Close()
	if h := hintOf(t, p.(*player), "213/456/78."); h.Distance != nil || h.Solution != nil {
		t.Errorf("what cannot be solved has the hint %+v", h)
	}
}
