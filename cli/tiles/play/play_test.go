package play

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"math"
	"math/rand/v2"
	"regexp"
	"strings"
	"testing"

	"pagoda/internal/amount"
	"pagoda/internal/console"
	"pagoda/puzzle/tiles/glide"
	"pagoda/puzzle/tiles/player"
	"pagoda/puzzle/tiles/threes"
	"pagoda/puzzle/tiles/twenty48"
	"pagoda/statespace"
	"pagoda/statespace/chance"
	"pagoda/statespace/chance/chancetest"
)

// of returns the game of an exact one.
func of(t testing.TB, exact statespace.Game, err error) player.Game {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
	g, ok := player.Of(exact)
	if !ok {
		t.Fatalf("%s is no game to play", exact.Name())
	}
	return g
}

func of2048(t testing.TB, rows, columns int, target uint64) player.Game {
	t.Helper()
	g, err := twenty48.NewGame(fmt.Sprintf("2048/%dx%d", rows, columns), twenty48.Options{Rows: rows, Columns: columns, P4: twenty48.DefaultP4, Target: target})
	return of(t, g, err)
}

// solve solves a game.
func solve(t testing.TB, exact statespace.Game, objectives string) *chance.Solution {
	t.Helper()
	solution, _ := chancetest.Solve(t, exact, objectives)
	return solution
}

// small is 2048 on 2x2, solved.
func small(t testing.TB) (player.Game, *chance.Solution) {
	t.Helper()
	exact, err := twenty48.NewGame("2048/2x2", twenty48.Options{Rows: 2, Columns: 2, P4: twenty48.DefaultP4})
	return of(t, exact, err), solve(t, exact, "score,tile:32,length,tile:16>score")
}

// script plays by words.
func script(t testing.TB, g player.Game, o Options, text string) string {
	t.Helper()
	var out strings.Builder
	if err := Words(strings.NewReader(text), &out, g, o); err != nil {
		t.Fatal(err)
	}
	return out.String()
}

// A game by words: the board, the score and the cost of each move; hints; and moves that are none.
func TestWords(t *testing.T) {
	_, e := small(t)
	drawn, err := twenty48.NewGame("2048/2x2", twenty48.Options{Rows: 2, Columns: 2, P4: twenty48.DefaultP4, Start: "2,./2,."})
	g := of(t, drawn, err)
	got := script(t, g, Options{Seed: 0, Solution: e}, "left UP\nu\n\n?  w q\nnonsense")
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
up: no move is better

2 .
2 .
game 1, 0 moves, score 0
the last move is taken back

2 .
2 .
game 1, 0 moves, score 0
                                     up                     down   left                    right
          score                 67.6963*                 67.6963*     -                  67.6963*
        tile:32               0.0828958*               0.0828958*     -                0.0828958*
         length                 12.1429*                 12.1429*     -                  12.1429*
  tile:16>score  0.962613, then 67.6963*  0.962613, then 67.6963*     -   0.962613, then 67.6963*

4 .
2 .
game 1, 1 move, score 4
up: no move is better
                 up   down   left                    right
          score   -      -      -                  64.0061*
        tile:32   -      -      -                0.0828008*
         length   -      -      -                  11.2271*
  tile:16>score   -      -      -   0.961484, then 64.0061*

`
	if got != want {
		t.Errorf("found\n%s", got)
	}
}

// A move that is taken back and made again brings the same tile; another game other tiles.
func TestUndo(t *testing.T) {
	g := of2048(t, 4, 4, 0)
	tab := newTable(g, Options{Seed: 3})
	var boards []glide.Board
	for i := range 40 {
		boards = append(boards, tab.now().Board)
		tab.do(slide, glide.Direction(i%4))
		if again := tab.now().Board; len(tab.history) > 1 {
			tab.do(undo, 0)
			tab.do(slide, glide.Direction(i%4))
			if tab.now().Board != again && again != boards[i] {
				t.Fatalf("move %d gives %x, then %x", i, again, tab.now().Board)
			}
		}
	}
	first, score := boards[0], tab.now().gains
	for len(tab.history) > 1 {
		tab.do(undo, 0)
	}
	if tab.now().Board != first || tab.now().gains != 0 || score == 0 {
		t.Errorf("all moves taken back give %x with %v", tab.now().Board, tab.now().gains)
	}
	if tab.do(undo, 0); tab.said != "there is no move to take back" {
		t.Errorf("it says %q", tab.said)
	}
	if tab.do(again, 0); tab.number != 2 || tab.now().Board == first {
		t.Errorf("game %d begins with %x as well", tab.number, first)
	}
	if newTable(g, Options{Seed: 3}).now().Board != first || newTable(g, Options{Seed: 4}).now().Board == first {
		t.Error("the start does not depend on the seed alone")
	}
}

// What a slide costs is the best mean over what may follow, less that of the slide: computed here by the rules of
// players and the values of boards.
func TestCosts(t *testing.T) {
	g, e := small(t)
	names := []string{"score", "tile:32", "length"}
	value := func(s player.State) (v [3]float64) {
		layer, state, err := e.Game.Parse(g.Grid().Format(s.Board))
		if err != nil {
			t.Fatal(err)
		}
		row := make([]float64, chance.Columns(e.Objectives))
		if err := e.Lookup(row, layer, state); err != nil {
			t.Fatal(err)
		}
		return [3]float64{row[0], chance.Chance(row[1]).P(), row[2]}
	}
	mistakes := 0
	for seed := range uint64(50) {
		tab := newTable(g, Options{Seed: seed, Solution: e})
		var want [3]float64
		for i := 0; !tab.over(); i++ {
			before := tab.now()
			if got := tab.Score(before.gains, before.Board); tab.lines()[0] != fmt.Sprintf("game 1, %s, score %d", amount.Of(len(tab.history)-1, "move"), got) {
				t.Fatalf("it says %q", tab.lines()[0])
			}
			d := glide.Direction(i % 4)
			tab.do(slide, d)
			if tab.now().Board == before.Board {
				if tab.said != d.String()+" changes nothing" {
					t.Fatalf("it says %q", tab.said)
				}
				continue
			}
			var means [glide.Directions][3]float64
			best := [3]float64{-1, -1, -1}
			for to := range glide.Direction(glide.Directions) {
				after, gain, moved := g.Slide(before.State, to)
				if !moved {
					continue
				}
				means[to] = [3]float64{float64(gain), 0, 1}
				for _, draw := range g.Draws(nil, after) {
					for o, v := range value(draw.To) {
						means[to][o] += draw.Chance * v
					}
				}
				for o := range best {
					best[o] = max(best[o], means[to][o])
				}
			}
			for o, name := range names {
				cost := best[o] - means[d][o]
				if o == 1 && glide.Max(before.Board) >= 5 {
					cost = 0
				}
				if cost < 1e-9 {
					cost = 0
				} else {
					mistakes++
				}
				if says := strings.Contains(tab.said, " of "+name+" (best: "); says != (cost > 0) {
					t.Errorf("%x %v costs %v of %s: %s", before.Board, d, cost, name, tab.said)
				}
				want[o] += cost
			}
		}
		for o, got := range tab.now().costs[:3] {
			if math.Abs(got-want[o]) > 1e-9 {
				t.Errorf("seed %d: the mistakes cost %v, want %v", seed, tab.now().costs, want)
			}
		}
	}
	if mistakes < 50 {
		t.Errorf("there are %d mistakes", mistakes)
	}
}

// A slide that only loses what breaks a tie says so. Chances near 1 that differ are different.
func TestAdvice(t *testing.T) {
	exact, err := twenty48.NewGame("2048/3x3:64", twenty48.Options{Rows: 3, Columns: 3, P4: twenty48.DefaultP4, Target: 64})
	g := of(t, exact, err)
	e := solve(t, exact, "target,tile:8>score,moves:32")
	at := func(text string) judgement {
		b, err := g.Grid().Parse(text)
		if err != nil {
			t.Fatal(err)
		}
		return judge(g, e, player.State{Board: b})
	}
	v := at("4,4,2/2,.,./.,.,.")
	want := []string{
		"                              up              down              left             right",
		"         target  1 - 3.35667e-16  1 - 1.05071e-17*  1 - 1.05071e-17*  1 - 1.38173e-17",
	}
	if got := v.table(); len(got) != 4 || !strings.HasPrefix(got[1], "         target  ") || strings.Count(got[1], "1 - ") < 3 || strings.Count(got[1], "*") == 0 || strings.Count(got[1], "*") > 2 {
		t.Errorf("found\n%s\nwant about\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
	if got := v.after(glide.Right); !strings.HasPrefix(got, "right: costs ") || !strings.Contains(got, "e-18 of target (best: ") || !strings.Contains(got, " of score in tile:8>score (best: ") {
		t.Errorf("found %q", got)
	}
	if got := number(math.Inf(1)); got != "infinitely much" {
		t.Error(got)
	}
	// A solution without the board, and a game without a solution.
	failing := &chance.Solution{Game: exact, Objectives: e.Objectives, Lookup: func([]float64, int, uint64) error { return errors.New("unknown") }}
	unknown := judge(g, failing, player.State{Board: 0x11})
	if got := unknown.table(); len(got) != 1 || got[0] != "no advice: unknown" || unknown.after(glide.Down) != "down: its cost is not known: unknown" {
		t.Errorf("an unknown board: %q, %q", got, unknown.after(glide.Down))
	}
	for _, o := range []Options{{Solution: failing, Hints: true}, {}} {
		if got := script(t, g, o, "left right up down ?"); !strings.Contains(got, "moves, score") {
			t.Errorf("the game is\n%s", got)
		}
	}
}

// Threes shows the next tile. In a game with a stop tile, the next tile still enters after it.
func TestThrees(t *testing.T) {
	exact, err := threes.NewGame("threes/2x2:12", threes.Options{Rows: 2, Columns: 2, Bag: 4, Stop: 12, Start: "6,6/.,1@3"})
	g := of(t, exact, err)
	e := solve(t, exact, "score")
	got := script(t, g, Options{Solution: e, Hints: true}, "left")
	if !strings.HasPrefix(got, "6 6\n. 1\ngame 1, 0 moves, score 18, next tile 3\n") || !strings.Contains(got, "score 30") || !strings.Contains(got, "\nwon\nleft: no move is better\n") {
		t.Errorf("the game is\n%s", got)
	}
	hidden, err := threes.NewGame("threes/2x2@hidden", threes.Options{Rows: 2, Columns: 2, Bag: 4, Hidden: true})
	g = of(t, hidden, err)
	if got := script(t, g, Options{Solution: solve(t, hidden, "score"), Hints: true}, "left up right down"); strings.Contains(got, "next tile") || !strings.Contains(got, "game 1, 2 moves") {
		t.Errorf("the game is\n%s", got)
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
func keys(t testing.TB, g player.Game, o Options, text string) (string, error) {
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
	o := Options{Seed: 5, Solution: e, Hints: true}
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
	if _, err := keys(t, g, o, "aw\x03ds"); !errors.Is(err, console.ErrInterrupted) {
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
type broken struct{ player.Game }

func (broken) Draw(r *rand.Rand, after player.State) player.State {
	if glide.Max(after.Board) > 1 {
		panic("broken")
	}
	return player.State{Board: 0x11}
}

func (b broken) Start(*rand.Rand) player.State { return player.State{Board: 0x11} }

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
	g, _ := player.Of(rules)
	var out strings.Builder
	if err := Words(strings.NewReader("left left undo"), &out, g, Options{Seed: 1}); err != nil {
		fmt.Println(err)
	}
	fmt.Print(out.String())
	// Output:
	// 2 . 2
	// . 2 .
	// game 1, 0 moves, score 0
	//
	// 4 . .
	// 2 2 .
	// game 1, 1 move, score 4
	//
	// 4 . .
	// 4 2 .
	// game 1, 2 moves, score 8
	//
	// 4 . .
	// 2 2 .
	// game 1, 1 move, score 4
	// the last move is taken back
}
