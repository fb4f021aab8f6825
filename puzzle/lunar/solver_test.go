package lunar

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"pagoda/internal/long"
	"pagoda/puzzle/lunar/board"
	"pagoda/puzzle/lunar/solver"
	"pagoda/statespace"
)

func solveBy(t testing.TB, b *board.Board, p board.Position, threads int) *solver.Result {
	t.Helper()
	r, err := solver.Solve(t.Context(), b, p, 0, threads)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

func TestSample(t *testing.T) {
	b := boardOf(t, "5x5")
	d, err := b.ParseDrawing("oo..o/...../..+../o..../...X.")
	if err != nil {
		t.Fatal(err)
	}
	r := solveBy(t, b, d.Position(), 2)
	found := fmt.Sprintf("%t %d moves %d steps %v", r.Solved, r.Moves, r.Steps, r.Solutions)
	for s := range r.All() {
		found += ": " + plays(b, d, s.Moves)
	}
	if want := "true 10 moves 12 steps 1: 2-R 1-R 2-D 3-LD 2-L X-U 2-R 4-R 2-U X-LU"; found != want {
		t.Errorf("found %s, want %s", found, want)
	}
	if r.Always != d.Position().Numbers || r.Ever != r.Always {
		t.Errorf("significant are %x and %x, want all of %x", r.Always, r.Ever, d.Position().Numbers)
	}
}

// TestPlain compares the solver with a search in the words of the rules, on random problems.
func TestPlain(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 4))
	const most = 4
	cases := 3000
	if !long.Tests {
		cases = 600
	}
	solved, several, not := 0, 0, 0
	for n := range cases {
		names := []string{"5x5", "cross", "5x5", "octagon", "3x5", "7x7", ""}
		name := names[n%len(names)]
		b := randomBoard(t, rng)
		if name != "" {
			b = boardOf(t, name)
		}
		d := drawingOf(t, b, randomPosition(rng, b, 1+rng.IntN(3), 2+rng.IntN(5)))
		r := solveBy(t, b, d.Position(), 2)
		want, ok := solvePlain(b, d, most)
		switch {
		case ok:
			comparePlain(t, b, d, r, want)
			if solved++; len(want.Solutions) > 1 {
				several++
			}
		case r.Solved:
			if r.Moves <= most {
				t.Fatalf("%s: solved in %d moves, the plain search finds none of at most %d", b.Format(d), r.Moves, most)
			}
		default:
			if not++; r.Reason == "" || r.Solutions.Sign() != 0 {
				t.Fatalf("%s: not solved for the reason %q, with %v solutions", b.Format(d), r.Reason, r.Solutions)
			}
		}
	}
	if solved < cases/10 || several < cases/30 || not < cases/3 {
		t.Errorf("only %d were solved, %d in several ways; %d were not", solved, several, not)
	}
}

// TestGroups solves all problems with some numbers of letters and number pieces, up to symmetry, and
// compares with J. Rausch's article (1-1 to 1-3 on 5x5) and with another program of ours.
func TestGroups(t *testing.T) {
	for _, c := range []struct{ group, want string }{
		{"5x5 1-1", "80 17 2 2; 1 1 1"},
		{"5x5 1-2", "860 423 34 11; 2 2 2"},
		{"5x5 1-3", "6160 4532 511 115; 5 5 4"},
		{"5x5 1-4", "32090 28344 6307 1597; 10 12 12"},
		{"5x5 2-1", "829 410 1 1; 2 2 1"},
		{"5x5 2-2", "8879 6551 47 36; 5 5 2"},
		{"5x5 2-3", "61484 54395 1977 1303; 10 13 12"},
		{"5x5 3-1", "5650 4180 0 0; 0 0 0"},
		{"5x5 3-2", "58765 52086 45 45; 7 8 3"},
		{"cross 1-3", "20002 14344 1328 274; 4 5 4"},
		{"cross 2-2", "29121 20775 144 98; 6 6 2"},
		{"octagon 1-3", "32363 22707 1673 341; 5 5 4"},
		{"7x7 1-2", "6876 3122 96 24; 2 2 2"},
		{"7x7 1-3", "104214 73627 2847 493; 5 5 4"},
	} {
		t.Run(c.group, func(t *testing.T) {
			t.Parallel()
			problems := 0
			if fmt.Sscan(c.want, &problems); !long.Tests && problems > 3_000 {
				t.Skip("a large group")
			}
			var name string
			var letters, numbers int
			if _, err := fmt.Sscanf(strings.ReplaceAll(c.group, "-", " "), "%s %d %d", &name, &letters, &numbers); err != nil {
				t.Fatal(err)
			}
			if got := solveGroup(t, boardOf(t, name), letters, numbers); got != c.want {
				t.Errorf("found %s, want %s", got, c.want)
			}
		})
	}
}

// subsets yields the subsets of a set with n elements.
func subsets(of board.Set, n int, yield func(board.Set)) {
	if n == 0 {
		yield(0)
		return
	}
	for ; of != 0; of &= of - 1 {
		subsets(of&(of-1), n-1, func(s board.Set) { yield(s | of&-of) })
	}
}

// solveGroup counts problems, those with a move, those that are solvable, and those with all pieces
// significant; and then says the most moves, steps and solutions.
func solveGroup(t *testing.T, b *board.Board, letters, numbers int) string {
	t.Helper()
	var problems, movable, solvable, significant, moves, steps, solutions int
	turns := b.Turns()
	subsets(b.All()&^b.Exits(), letters, func(l board.Set) {
		subsets(b.All()&^l, numbers, func(n board.Set) {
			p := board.Position{Letters: l, Numbers: n}
			for _, turn := range turns {
				if q := p.Turned(turn); q.Letters < l || q.Letters == l && q.Numbers < n {
					return
				}
			}
			problems++
			if len(b.Moves(nil, p)) == 0 {
				return
			}
			movable++
			r := solveBy(t, b, p, 1)
			if !r.Solved {
				return
			}
			solvable++
			moves, steps, solutions = max(moves, r.Moves), max(steps, r.Steps), max(solutions, int(r.Solutions.Int64()))
			if r.Always == n {
				significant++
			}
		})
	})
	return fmt.Sprintf("%d %d %d %d; %d %d %d", problems, movable, solvable, significant, moves, steps, solutions)
}

// A problem without letters is solved, by one solution without moves.
func TestSolved(t *testing.T) {
	b := boardOf(t, "5x5")
	r := solveBy(t, b, board.Position{Numbers: 3}, 2)
	n := 0
	for s := range r.All() {
		if n++; len(s.Moves) > 0 {
			t.Errorf("it has the moves %v", s.Moves)
		}
	}
	if !r.Solved || r.Moves != 0 || r.Steps != 0 || r.Solutions.Int64() != 1 || n != 1 || r.Always != 0 {
		t.Errorf("a solved problem is %+v", r)
	}
}

func TestReasons(t *testing.T) {
	b := boardOf(t, "5x5")
	for drawing, want := range map[string]string{
		"X.Y../...../..+../...../.....": "no number piece",
		"X1.../.2.../..+../3..../...4.": "one of them never comes",
		"X1.../2..../..+../...../.....": "two opposite sides",
		"X...1/...../..+../...../.....": "one of them never comes",
		"X..../...../1.+../...../2....": "one of them never comes",
		"...../X...1/..+../...../2...3": " positions were looked at; in all others",
		"..1../...../..+../...../X.2..": "the pieces there are too few",
		"X.1../...../..+../...../..2..": "the pieces there are too few",
		"X..../....1/..+../...3./.2...": "no piece can move",
	} {
		p, err := b.ParsePosition(drawing)
		if err != nil {
			t.Fatal(err)
		}
		if r := solveBy(t, b, p, 2); r.Solved || !strings.Contains(r.Reason, want) {
			t.Errorf("%s: %t for the reason %q, want %q", drawing, r.Solved, r.Reason, want)
		}
	}
}

// Threads make no difference, in levels that several of them share.
func TestThreads(t *testing.T) {
	b := boardOf(t, "7x7")
	rng := rand.New(rand.NewPCG(11, 12))
	for large, n := 0, 0; large < 3; n++ {
		if n == 1000 {
			t.Fatal("there are too few large problems")
		}
		p := randomPosition(rng, b, 3, 5)
		r := solveBy(t, b, p, 2)
		if r.Positions < 30_000 {
			continue
		}
		large++
		one, err := solver.Solve(t.Context(), b, p, 0, 1)
		if err != nil || one.Positions != r.Positions || one.Moves != r.Moves || one.Steps != r.Steps || one.Solutions.Cmp(r.Solutions) != 0 || one.Reason != r.Reason {
			t.Fatalf("%s: by one thread %+v, %v; by two %+v", b.FormatPosition(p), one, err, r)
		}
	}
}

// The limits of memory and time are kept.
func TestLimits(t *testing.T) {
	b := boardOf(t, "7x7")
	p, err := b.ParsePosition("X.....Y/......./......./...+.../......./1Z...23/.45....")
	if err != nil {
		t.Fatal(err)
	}
	if _, err := solver.Solve(t.Context(), b, p, 100<<10, 2); !errors.Is(err, statespace.ErrMemory) {
		t.Errorf("with little memory: %v, want ErrMemory", err)
	}
	errStop := errors.New("enough")
	ctx, cancel := context.WithCancelCause(t.Context())
	cancel(errStop)
	if _, err := solver.Solve(ctx, b, p, 0, 2); !errors.Is(err, errStop) {
		t.Errorf("after the end: %v, want %v", err, errStop)
	}
}
