package play

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"math"
	"math/rand/v2"
	"regexp"
	"slices"
	"strings"
	"testing"

	"pagoda/internal/cli"
	"pagoda/statespace/tiles"
	"pagoda/statespace/tiles/twenty48"
)

// exact knows all values of a small board, by plain recursion: the expected score to come, the chance of a tile,
// and the expected number of moves to the end.
type exact struct {
	game  *Twenty48
	tile  uint8
	known map[tiles.Board][]float64
}

func (e *exact) Objectives() []Objective {
	return []Objective{{Name: "score"}, {Name: "tile"}, {Name: "length", Least: true}}
}

func (e *exact) Advise(s State) (all [tiles.Directions][]float64, err error) {
	for d := range tiles.Direction(tiles.Directions) {
		slid, gain := e.game.Grid().Slide(s.Board(), d)
		if slid == s.Board() {
			continue
		}
		mean, empty := []float64{float64(gain), 0, 1}, 0.0
		for cell := range e.game.Grid().Cells() {
			if slid.At(cell) == 0 {
				empty++
			}
		}
		for cell := range e.game.Grid().Cells() {
			if slid.At(cell) != 0 {
				continue
			}
			for tile, p := range map[uint8]float64{1: 1 - e.game.rules.P4, 2: e.game.rules.P4} {
				for o, v := range e.value(slid.With(cell, tile)) {
					mean[o] += p / empty * v
				}
			}
		}
		all[d] = mean
	}
	return all, nil
}

// value returns the best values of a state.
func (e *exact) value(b tiles.Board) []float64 {
	if v, ok := e.known[b]; ok {
		return v
	}
	var best []float64
	all, _ := e.Advise(scored{board: b})
	for _, v := range all {
		switch {
		case v == nil:
		case best == nil:
			best = v
		default:
			best = []float64{max(best[0], v[0]), max(best[1], v[1]), min(best[2], v[2])}
		}
	}
	if best == nil {
		best = []float64{0, 0, 0}
	}
	if tiles.Max(b) >= e.tile {
		best[1] = 1
	}
	e.known[b] = best
	return best
}

func of2048(t testing.TB, rows, columns int, target uint64) *Twenty48 {
	t.Helper()
	g, err := twenty48.NewGame(fmt.Sprintf("2048/%dx%d", rows, columns), twenty48.Options{Rows: rows, Columns: columns, P4: twenty48.DefaultP4, Target: target})
	if err != nil {
		t.Fatal(err)
	}
	return NewTwenty48(g)
}

func small(t testing.TB) (*Twenty48, *exact) {
	t.Helper()
	g := of2048(t, 2, 2, 0)
	return g, &exact{g, 5, make(map[tiles.Board][]float64)}
}

// script plays by words.
func script(t testing.TB, g Game, o Options, text string) string {
	t.Helper()
	var out strings.Builder
	if err := Words(strings.NewReader(text), &out, g, o); err != nil {
		t.Fatal(err)
	}
	return out.String()
}

// The advisor of the tests has the published value of 2x2, and the game draws tiles as it should: so the
// mean score of games that follow the advice comes near it.
func TestTwenty48(t *testing.T) {
	g, e := small(t)
	sum := 0.0
	const games = 20_000
	for n := range uint64(games) {
		r := rand.New(rand.NewPCG(71, n))
		s := g.Start(r)
		for {
			v := advise(e, s)
			if len(v.best[0]) == 0 {
				break
			}
			s = g.Slide(s, v.best[0][0], r)
		}
		sum += s.Score()
	}
	const want = 66.964149457101
	if mean := sum / games; math.Abs(mean-want) > 1.2 { // four standard errors
		t.Errorf("the mean score is %.3f, want %.3f", mean, want)
	}
	// The exact value of a random start.
	mean, boards := 0.0, 0.0
	for a := range 4 {
		for b := range 4 {
			if a == b {
				continue
			}
			for x, p := range map[uint8]float64{1: 0.9, 2: 0.1} {
				for y, q := range map[uint8]float64{1: 0.9, 2: 0.1} {
					mean += p * q * e.value(tiles.Board(0).With(a, x).With(b, y))[0]
				}
			}
			boards++
		}
	}
	if got := mean / boards; math.Abs(got-want) > 1e-9 {
		t.Errorf("the advisor has the value %.12f, want %.12f", got, want)
	}
}

// A game by words: the board, the score and the cost of each move; hints; and moves that are none.
func TestWords(t *testing.T) {
	g, e := small(t)
	got := script(t, g, Options{Seed: 0, Advisor: e}, "left UP\nu\n\n?  w q\nnonsense")
	const want = `2 .
2 .
game 1, 0 moves, score 0

2 .
2 .
game 1, 0 moves, score 0
left changes nothing

4 .
2 .
game 1, 1 move, score 4
up: costs 0.02145 of length (best: right)
mistakes so far: 0.02145 of length

2 .
2 .
game 1, 0 moves, score 0
the last move is taken back

2 .
2 .
game 1, 0 moves, score 0
         score        tile    length
up     67.6963*  0.0828958*  4.01419
down   67.6963*  0.0828958*  4.01419
left         -           -         -
right  67.6963*  0.0828958*  3.99274*

4 .
2 .
game 1, 1 move, score 4
up: costs 0.02145 of length (best: right)
mistakes so far: 0.02145 of length
         score        tile    length
up           -           -         -
down         -           -         -
left         -           -         -
right  64.0061*  0.0828008*  3.10315*

`
	if got != want {
		t.Errorf("found\n%s", got)
	}
}

// A move that is taken back and made again brings the same tile; another game other tiles.
func TestUndo(t *testing.T) {
	g := of2048(t, 4, 4, 0)
	tab := newTable(g, Options{Seed: 3})
	var boards []tiles.Board
	for i := range 40 {
		boards = append(boards, tab.now().Board())
		tab.do(slide, tiles.Direction(i%4))
		if again := tab.now().Board(); len(tab.history) > 1 {
			tab.do(undo, 0)
			tab.do(slide, tiles.Direction(i%4))
			if tab.now().Board() != again && again != boards[i] {
				t.Fatalf("move %d gives %x, then %x", i, again, tab.now().Board())
			}
		}
	}
	first, score := boards[0], tab.now().Score()
	for len(tab.history) > 1 {
		tab.do(undo, 0)
	}
	if tab.now().Board() != first || tab.now().Score() != 0 || score == 0 {
		t.Errorf("all moves taken back give %x with %v", tab.now().Board(), tab.now().Score())
	}
	if tab.do(undo, 0); tab.said != "there is no move to take back" {
		t.Errorf("it says %q", tab.said)
	}
	if tab.do(again, 0); tab.number != 2 || tab.now().Board() == first {
		t.Errorf("game %d begins with %x as well", tab.number, first)
	}
	if newTable(g, Options{Seed: 3}).now().Board() != first || newTable(g, Options{Seed: 4}).now().Board() == first {
		t.Error("the start does not depend on the seed alone")
	}
}

// The value of the start is what all moves are worth: the values of the states passed, and the costs, add up.
func TestCosts(t *testing.T) {
	g, e := small(t)
	mistakes := 0
	for seed := range uint64(50) {
		tab := newTable(g, Options{Seed: seed, Advisor: e})
		want := []float64{0, 0, 0}
		for i := 0; !tab.over(); i++ {
			before := tab.now()
			d := tiles.Direction(i % 4)
			tab.do(slide, d)
			if tab.now().Board() == before.Board() {
				if tab.said != d.String()+" changes nothing" {
					t.Fatalf("it says %q", tab.said)
				}
				continue
			}
			all, _ := e.Advise(before)
			best, costs := e.value(before.Board()), 0
			for o := range want {
				cost := best[o] - all[d][o]
				if o == 1 && tiles.Max(before.Board()) >= e.tile {
					cost = 0
				}
				if o == 2 {
					cost = -cost
				}
				if cost > 1e-9 {
					costs++
				}
				want[o] += cost
			}
			mistakes += costs
			if (costs == 0) != strings.HasSuffix(tab.said, ": no move is better") || strings.Count(tab.said, " of ") != costs {
				t.Errorf("%x %v with %d costs: %s", before.Board(), d, costs, tab.said)
			}
		}
		for o, got := range tab.now().costs {
			if math.Abs(got-want[o]) > 1e-9 {
				t.Errorf("seed %d: the mistakes cost %v, want %v", seed, tab.now().costs, want)
			}
		}
	}
	if mistakes < 50 {
		t.Errorf("there are %d mistakes", mistakes)
	}
}

// fixed is an advisor that knows one answer.
type fixed struct {
	values [tiles.Directions][]float64
	err    error
}

func (fixed) Objectives() []Objective {
	return []Objective{{Name: "score"}, {Name: "moves", Least: true}}
}
func (f fixed) Advise(State) ([tiles.Directions][]float64, error) {
	return f.values, f.err
}

func TestAdvice(t *testing.T) {
	inf := math.Inf(1)
	v := advise(fixed{values: [tiles.Directions][]float64{{100, inf}, nil, {100 + 1e-12, 20}, {99.5, 1234567.8}}}, nil)
	want := []string{
		"       score     moves",
		"up       100*     +Inf",
		"down       -         -",
		"left     100*       20*",
		"right   99.5   1234568",
	}
	if got := v.table(); !slices.Equal(got, want) {
		t.Errorf("found\n%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
	for d, want := range map[tiles.Direction]string{
		tiles.Up:    "up: costs +Inf of moves (best: left)",
		tiles.Left:  "left: no move is better",
		tiles.Right: "right: costs 0.5 of score (best: up or left), 1234548 of moves (best: left)",
	} {
		if got := v.after(d); got != want {
			t.Errorf("found %q, want %q", got, want)
		}
	}
	for want, f := range map[string]fixed{
		"no advice: the board is not in the file":       {err: errors.New("the board is not in the file")},
		"no advice: up has 1 values, expected 2":        {values: [tiles.Directions][]float64{{1}}},
		"no advice: left has a value that is no number": {values: [tiles.Directions][]float64{2: {1, math.NaN()}}},
	} {
		v := advise(f, nil)
		if got := v.table(); !slices.Equal(got, []string{want}) {
			t.Errorf("found %q, want %s", got, want)
		}
		if got := v.after(tiles.Up); !strings.HasPrefix(got, "up: its cost is not known: ") {
			t.Errorf("after a move it says %q", got)
		}
	}
	// The game goes on without advice.
	g, _ := small(t)
	for _, o := range []Options{{Advisor: fixed{}, Hints: true}, {Advisor: fixed{err: errors.New("unknown")}, Hints: true}, {}} {
		if got := script(t, g, o, "left right up down ?"); !strings.Contains(got, "moves, score") {
			t.Errorf("the game is\n%s", got)
		}
	}
}

func TestWon(t *testing.T) {
	g := of2048(t, 3, 3, 8)
	got := script(t, g, Options{Seed: 1}, strings.Repeat("left down right down ", 20)+"n")
	if !strings.Contains(got, "\nwon\n") || !strings.Contains(got, "the game is won: n begins a new one") || !strings.Contains(got, "game 2, 0 moves") {
		t.Errorf("the game is\n%s", got)
	}
}

// keys plays by keys.
func keys(t testing.TB, g Game, o Options, text string) (string, error) {
	t.Helper()
	var out bytes.Buffer
	err := Keys(strings.NewReader(text), &out, g, o)
	if !strings.HasPrefix(out.String(), enter) || strings.Count(out.String(), leave) != 1 {
		t.Errorf("the terminal is not left as it was:\n%q", out.String())
	}
	return out.String(), err
}

// Keys and words make the same game. All sequences of arrows are understood, others are not.
func TestKeys(t *testing.T) {
	g, e := small(t)
	o := Options{Seed: 5, Advisor: e, Hints: true}
	last := func(text string) string {
		all, err := keys(t, g, o, text)
		if err != nil {
			t.Fatal(err)
		}
		_, end, _ := strings.Cut(all, leave)
		return strings.ReplaceAll(end, "\r", "")
	}
	board := regexp.MustCompile(`(?s)[ .0-9]+\n[ .0-9]+\n`)
	find := func(text string) string { return strings.Join(strings.Fields(board.FindString(text)), " ") }
	byWords := script(t, g, o, "left up right down")
	parts := strings.Split(strings.TrimSpace(byWords), "\n\n")
	want := find(parts[len(parts)-1] + "\n")
	for _, text := range []string{"\x1b[D\x1b[A\x1b[C\x1b[B", "\x1bOD\x1bOA\x1bOC\x1bOB", "awds", "hklj", "AWDS", "\x1b[1;2D\x1b[A\x1b[5~\x1b[C\x1bs", "xa\x00w\xffd\x1b[Zs"} {
		if got := find(last(text)[strings.Index(last(text), "\n\n"):]); got != want {
			t.Errorf("%q ends with %q, want %q", text, got, want)
		}
	}
	if got := last("a\x04w"); !strings.Contains(got, "game 1, ") || strings.Contains(got, "slide  ") {
		t.Errorf("after Ctrl-D the terminal has\n%s", got)
	}
	if _, err := keys(t, g, o, "aw\x03ds"); !errors.Is(err, cli.ErrInterrupted) {
		t.Errorf("after Ctrl-C the error is %v", err)
	}
	if _, err := keys(t, g, o, "\x1b"); err != nil {
		t.Errorf("after Esc the error is %v", err)
	}
	all, _ := keys(t, g, Options{Color: true}, "q")
	if none, _ := keys(t, g, Options{}, "q"); !strings.Contains(all, "\x1b[48;5;255;38;5;16m 2 \x1b[0m") || strings.Contains(none, "\x1b[48") || strings.Contains(none, "38;5") {
		t.Errorf("with colours the screen is\n%q\nand without\n%q", all, none)
	}
	if strings.Contains(strings.ReplaceAll(all, "\r\n", ""), "\n") {
		t.Errorf("a line ends without going back to its begin:\n%q", all)
	}
}

// broken is a game that panics.
type broken struct{ *Twenty48 }

func (broken) Slide(State, tiles.Direction, *rand.Rand) State { panic("broken") }

func TestPanic(t *testing.T) {
	g, _ := small(t)
	var out bytes.Buffer
	func() {
		defer func() {
			if recover() != "broken" {
				t.Error("the panic is lost")
			}
		}()
		Keys(strings.NewReader("awds"), &out, broken{g}, Options{})
	}()
	if !strings.Contains(out.String(), leave) {
		t.Errorf("the terminal is left with\n%q", out.String())
	}
}

// full takes some bytes only.
type full struct{ room int }

func (f *full) Write(p []byte) (int, error) {
	if f.room -= len(p); f.room < 0 {
		return 0, io.ErrShortWrite
	}
	return len(p), nil
}

func TestErrors(t *testing.T) {
	g, _ := small(t)
	play := func(text string, room int) error {
		return Words(strings.NewReader(text), &full{room}, g, Options{})
	}
	for want, err := range map[string]error{
		"line 2: expected up, down, left, right, undo, hint, new or quit, found \"lft\"; did you mean left?": play("left\nlft", 10_000),
		"line 1: expected up, down, left, right, undo, hint, new or quit, found \"\\x1b\"":                   play("\x1b", 10_000),
		"reading moves: bufio.Scanner: token too long":                                                       play(strings.Repeat(" ", 1<<17), 10_000),
		"short write": errors.Join(play("left", 10), nil),
	} {
		if err == nil || err.Error() != want {
			t.Errorf("the error is %v, want %s", err, want)
		}
	}
	for room := range 3 {
		if err := Keys(strings.NewReader("awds"), &full{room * 40}, g, Options{}); !errors.Is(err, io.ErrShortWrite) {
			t.Errorf("with %d bytes of room the error is %v", room*40, err)
		}
	}
}

func ExampleWords() {
	rules, err := twenty48.NewGame("2048/2x3", twenty48.Options{Rows: 2, Columns: 3, P4: twenty48.DefaultP4, Start: "2,.,2/.,2,."})
	if err != nil {
		fmt.Println(err)
		return
	}
	var out strings.Builder
	if err := Words(strings.NewReader("left left undo"), &out, NewTwenty48(rules), Options{Seed: 1}); err != nil {
		fmt.Println(err)
	}
	fmt.Print(out.String())
	// Output:
	// 2 . 2
	// . 2 .
	// game 1, 0 moves, score 0
	//
	// 4 . 2
	// 2 . .
	// game 1, 1 move, score 4
	//
	// 4 2 .
	// 2 . 2
	// game 1, 2 moves, score 4
	//
	// 4 . 2
	// 2 . .
	// game 1, 1 move, score 4
	// the last move is taken back
}
