package lunar

import (
	"context"
	"encoding/json"
	"errors"
	"math/bits"
	"math/rand/v2"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"pagoda/ask"
	"pagoda/internal/long"
	"pagoda/layers"
	_ "pagoda/layers/all"
	"pagoda/puzzle"
	"pagoda/puzzle/lunar/board"
	"pagoda/puzzle/lunar/replay"
	"pagoda/run"
	_ "pagoda/run/all"
)

// fileOf runs a group and opens its file. A name with line ends is a text that draws a board.
func fileOf(t testing.TB, name, store string) *ask.File {
	t.Helper()
	fam := Family()
	sp, err := fam.Lookup(t.Context(), name, puzzle.Choice{})
	if strings.Contains(name, "\n") {
		sp, err = fam.Read(t.Context(), "mine", name, puzzle.Choice{})
	}
	if err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(t.TempDir(), "test.reach")
	if _, err := run.Start(t.Context(), sp, run.Options{Output: path, Store: store, Threads: 2}); err != nil {
		t.Fatal(err)
	}
	f, err := ask.Open(t.Context(), path, fam.Define, 0)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { f.Close() })
	return f
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

func hintOf(t testing.TB, p *player, pattern string) *lunarHint {
	t.Helper()
	h, err := p.Hint(t.Context(), pattern, "")
	if err != nil {
		t.Fatalf("%s: %v", pattern, err)
	}
	return h.(*lunarHint)
}

// A length is moves and steps; unsolved stands for no solution.
type length struct{ moves, steps int }

var unsolved = length{-1, -1}

func lengthOf(moves, steps *int) length {
	if moves == nil || steps == nil {
		return unsolved
	}
	return length{*moves, *steps}
}

// lengthsFrom finds the lengths of all positions that can be reached from some. It improves them until none
// changes, without any order of the positions.
func lengthsFrom(b *board.Board, starts []board.Position) map[board.Position]length {
	all := make(map[board.Position]length)
	todo := slices.Clone(starts)
	for ; len(todo) > 0; todo = todo[1:] {
		p := todo[0]
		if _, known := all[p]; known {
			continue
		}
		all[p] = unsolved
		if p.Solved() {
			all[p] = length{}
		}
		for _, m := range b.Moves(nil, p) {
			todo = append(todo, p.After(m))
		}
	}
	for changed := true; changed; {
		changed = false
		for p, old := range all {
			best := old
			for _, m := range b.Moves(nil, p) {
				next := all[p.After(m)]
				if next == unsolved {
					continue
				}
				if l := (length{next.moves + 1, next.steps + len(m.Steps)}); best == unsolved || l.moves < best.moves || l.moves == best.moves && l.steps < best.steps {
					best = l
				}
			}
			if best != old {
				all[p], changed = best, true
			}
		}
	}
	return all
}

// randomly sets up positions of at most some pieces on a board.
func randomly(b *board.Board, letters, numbers, n int) (all []board.Position) {
	rng := rand.New(rand.NewPCG(1, 2))
	for range n {
		var p board.Position
		for range 1 + rng.IntN(letters) {
			p.Letters |= 1 << rng.IntN(len(b.Cells())) &^ b.Exits()
		}
		for range rng.IntN(numbers + 1) {
			p.Numbers |= 1 << rng.IntN(len(b.Cells())) &^ p.Letters
		}
		all = append(all, p)
	}
	return all
}

const twoExits = "lunar:\ngroup: 2-3\n.+....\n.. ...\n...+..\n"

// The hints are those of a plain search, for problems of all groups on the board of the file.
func TestHintLengths(t *testing.T) {
	for _, c := range []struct {
		name                     string
		letters, numbers, starts int
	}{{"lunar/3x5:1-2", 2, 4, 600}, {"lunar/5x5:1-3", 2, 5, 60}, {twoExits, 2, 5, 600}, {"lunar/cross:1-2", 1, 5, 60}} {
		tried := 1500
		if !long.Tests {
			tried = 300
		}
		p := playerOf(t, fileOf(t, c.name, ""), run.Options{Threads: 2})
		all := lengthsFrom(p.board, randomly(p.board, c.letters, c.numbers, c.starts))
		solvable, hopeless := 0, 0
		for at, want := range all {
			if len(all) > 2*tried && (at.Letters*31+at.Numbers)%uint64(len(all)/tried) != 0 {
				continue // enough of them
			}
			checkHint(t, p, at, all)
			if want == unsolved {
				hopeless++
			} else if want.moves > 1 {
				solvable++
			}
		}
		if solvable < tried/75 || hopeless < tried/75 {
			t.Errorf("%s: %d problems have a solution of two moves or more, %d none", c.name, solvable, hopeless)
		}
	}
}

func checkHint(t *testing.T, p *player, at board.Position, all map[board.Position]length) {
	t.Helper()
	d, err := p.board.NewDrawing(at)
	if err != nil {
		t.Fatal(err)
	}
	h := hintOf(t, p, p.board.Format(d))
	want := all[at]
	if h.Pattern != p.board.Format(d) || lengthOf(h.Distance, h.Steps) != want || (h.Solution != nil) != (want != unsolved) || (h.Reason == "") != (want != unsolved) {
		t.Fatalf("%s: %+v, want %v", h.Pattern, h, want)
	}
	moves := p.board.Moves(nil, at)
	if len(moves) != len(h.Moves) {
		t.Fatalf("%s: %d moves, want %d", h.Pattern, len(h.Moves), len(moves))
	}
	keeps := 0
	for i, m := range moves {
		got := h.Moves[i]
		after, play := p.board.Make(d, m)
		next := all[after.Position()]
		if got.Text != play.String() || got.Text != got.Piece+"-"+got.Path || got.Pattern != p.board.Format(after) || got.Leaves != m.Leaves || lengthOf(got.Distance, got.Steps) != next {
			t.Fatalf("%s: move %+v, want %v and %v", h.Pattern, got, play, next)
		}
		if best := next != unsolved && next.moves == want.moves-1 && next.steps == want.steps-len(m.Steps); got.Keeps != best {
			t.Fatalf("%s: %s keeps: %v", h.Pattern, got.Text, got.Keeps)
		}
		if got.Keeps {
			keeps++
		}
	}
	if want == unsolved {
		if keeps > 0 || h.Solutions.Sign() != 0 {
			t.Fatalf("%s has no solution, and %v solutions", h.Pattern, h.Solutions)
		}
		return
	}
	if want.moves > 0 && (keeps == 0 || h.Solutions.Sign() <= 0) {
		t.Fatalf("%s: no move is the first of a best solution; there are %v", h.Pattern, h.Solutions)
	}
	var plays []string
	steps := 0
	for _, m := range h.Solution.Moves {
		plays = append(plays, m.String())
		steps += len(m.String()) - len("X-")
	}
	drawings, err := replay.Solution(p.board, d, strings.Join(plays, " "))
	if err != nil || len(plays) != want.moves || steps != want.steps || !slices.Equal(drawings, h.Solution.Positions) {
		t.Fatalf("%s: the solution %v: %v", h.Pattern, plays, err)
	}
}

// The hints agree with the values of a file.
func TestHintValues(t *testing.T) {
	f := fileOf(t, "lunar/5x5:2-3", "")
	p := playerOf(t, f, run.Options{})
	values, _ := f.Values()
	distances, _ := f.Distances()
	n := 0
	for x := uint64(0); x < f.Meta().Size; x += 97 {
		text := f.Space().Format(x)
		if _, stands := f.Space().Parts().Symmetry.Quotient.StandsFor(x); stands == 0 {
			continue // another problem stands for it
		}
		want, solutions := unsolved, uint64(0)
		if entry, err := distances.At(x); err != nil {
			t.Fatal(err)
		} else if entry > 0 {
			var row [Columns]uint64
			if err := values.Get(row[:], x); err != nil {
				t.Fatal(err)
			}
			want, solutions = length{int(entry) - 1, int(row[StepsColumn])}, row[SolutionsColumn]
		}
		if h := hintOf(t, p, text); lengthOf(h.Distance, h.Steps) != want || h.Solutions.Uint64() != solutions {
			t.Fatalf("%s: %v, %v solutions; the file has %v and %d", text, lengthOf(h.Distance, h.Steps), h.Solutions, want, solutions)
		}
		n++
	}
	if n < 500 {
		t.Errorf("only %d problems", n)
	}
}

// Pieces keep their names, and o gets one.
func TestHintNames(t *testing.T) {
	p := playerOf(t, fileOf(t, "lunar/5x5:1-2", ""), run.Options{})
	h := hintOf(t, p, "..Z../..o../..+../...../..7..")
	var found []string
	for _, m := range h.Moves {
		found = append(found, m.Text+" "+m.Pattern)
	}
	if want := []string{"1-D ..Z../...../..+../..1../..7..", "7-U ..Z../..1../..7../...../....."}; h.Pattern != "..Z../..1../..+../...../..7.." || !slices.Equal(found, want) {
		t.Errorf("%s: %q, want %q", h.Pattern, found, want)
	}
	if h := hintOf(t, p, "...../.1.../...../...../....."); *h.Distance != 0 || len(h.Moves) != 0 || len(h.Solution.Positions) != 1 {
		t.Errorf("without letters: %+v", h)
	}
}

// Questions that make no sense are ErrQuestions.
func TestHintErrors(t *testing.T) {
	p := playerOf(t, fileOf(t, "lunar/5x5:1-2", ""), run.Options{})
	for _, c := range []struct{ pattern, target, want string }{
		{"", "", "25 cells"},
		{"X..1", "", "25 cells"},
		{"garbage/\x00\xff", "", "row"},
		{"..X../..1../..X../...../..2..", "", "letter piece stands on the exit"},
		{"..?../..1../..+../...../..2..", "", "expected a cell"},
		{"+.X../..1../..+../...../..2..", "", "no"},
		{"..X../..1../..+../...../..2../.....", "", "end of the board"},
		{"..X../..1../..+../...../..2..", "..X../..1../..+../...../..2..", "no target"},
		{strings.Repeat("X", 1<<20), "", "1048576 bytes"},
	} {
		h, err := p.Hint(t.Context(), c.pattern, c.target)
		if !errors.Is(err, ask.ErrQuestion) || !strings.Contains(err.Error(), c.want) || len(err.Error()) > 500 {
			t.Errorf("%.60q, %q: %v, %v; want an error with %q", c.pattern, c.target, h, err, c.want)
		}
	}
}

// Without memory there is no hint, and an error says how much it would take. A request that ends gives up.
func TestNoHints(t *testing.T) {
	f := fileOf(t, "lunar/7x7:1-2", "")
	p := playerOf(t, f, run.Options{Memory: puzzle.ServerMemory + 200<<10})
	const hard = "1.....2/.Y...../..3..../...+.../....4.X/.5...../......6"
	var noHints *puzzle.NoHintsError
	if h, err := p.Hint(t.Context(), hard, ""); !errors.As(err, &noHints) || !strings.Contains(err.Error(), "positions that can be reached") {
		t.Errorf("%v, %v", h, err)
	}
	ended, cancel := context.WithCancel(t.Context())
	cancel()
	if h, err := playerOf(t, f, run.Options{}).Hint(ended, hard, ""); !errors.Is(err, context.Canceled) {
		t.Errorf("after the end: %v, %v", h, err)
	}
}

// The problems of the page have the lengths that it says, are of the group, and come from easy to hard. The
// description is the same each time.
func TestBoard(t *testing.T) {
	for _, c := range []struct {
		name, store string
		longest     int // 0: not known, as the file has no distances
		cards       int
	}{
		{"lunar/5x5:2-3", "", 10, 40},
		{"lunar/5x5:1-3", layers.SetStore, 0, 40},
		{"lunar/5x5:1-3", layers.SparseStore, 0, 40},
		{"lunar/7x7:1-3", "", 5, 0},
		{twoExits, "", 3, 0},
	} {
		f := fileOf(t, c.name, c.store)
		p := playerOf(t, f, run.Options{})
		b := p.Board().(*lunarBoard)
		text, err := json.Marshal(b)
		if again, _ := json.Marshal(playerOf(t, f, run.Options{}).Board()); err != nil || string(text) != string(again) || strings.Contains(string(text), "null") {
			t.Errorf("%s: %s, then %s, %v", c.name, text, again, err)
		}
		if len(b.Cells) != len(p.board.Cells()) || len(b.Exits) != bits.OnesCount64(p.board.Exits()) || len(b.Cards) != c.cards || len(b.Problems) < 5 {
			t.Errorf("%s: %s", c.name, text)
		}
		count := make(map[int]int)
		before := 0
		for _, one := range b.Problems {
			h := hintOf(t, p, one.Pattern)
			at, err := p.board.ParsePosition(one.Pattern)
			if err != nil || lengthOf(h.Distance, h.Steps) != (length{one.Moves, one.Steps}) || one.Moves < max(1, before) ||
				bits.OnesCount64(at.Letters) != b.Letters || bits.OnesCount64(at.Numbers) != b.Numbers {
				t.Errorf("%s: problem %+v, and the hint has %v", c.name, one, lengthOf(h.Distance, h.Steps))
			}
			before = one.Moves
			count[one.Moves]++
		}
		for moves := max(2, b.Letters); moves <= c.longest; moves++ {
			if n := count[moves]; n < 1 || n > perLength {
				t.Errorf("%s: %d problems of %d moves", c.name, n, moves)
			}
		}
		if h := hintOf(t, p, b.Start); h.Distance == nil || *h.Distance == 0 {
			t.Errorf("%s begins with %s", c.name, b.Start)
		}
	}
}

// What cannot be played is no player: on a board without a deck, a group without problems.
func TestNothingToPlay(t *testing.T) {
	f := fileOf(t, "lunar/3x3:2-1", "")
	if p, err := newPlayer(f.Space(), f, run.Options{}); p != nil || err != nil {
		t.Errorf("%v, %v", p, err)
	}
	b := playerOf(t, fileOf(t, "lunar/5x5:3-1", ""), run.Options{}).Board().(*lunarBoard)
	if len(b.Problems) != 0 || len(b.Cards) != 40 {
		t.Errorf("%+v", b)
	}
}

// The cards are those that the command deals.
func BenchmarkHint(b *testing.B) {
	p := playerOf(b, fileOf(b, "lunar/5x5:1-3", ""), run.Options{Threads: 2})
	for b.Loop() {
		hintOf(b, p, "12..X/Y..../..+../...../3..4.")
	}
}

func BenchmarkNewPlayer(b *testing.B) {
	f := fileOf(b, "lunar/5x5:3-4", "")
	for b.Loop() {
		playerOf(b, f, run.Options{Threads: 2})
	}
}
