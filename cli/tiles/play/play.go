package play

import (
	"bufio"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"iter"
	"math/rand/v2"
	"os"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"pagoda/internal/amount"
	"pagoda/internal/console"
	"pagoda/internal/suggest"
	"pagoda/puzzle/tiles/glide"
	"pagoda/puzzle/tiles/player"
	"pagoda/statespace/chance"
)

// Options say how a game is played.
type Options struct {
	Seed uint64
	// Solution is that of the game. It may be nil: then there are no hints and no costs.
	Solution *chance.Solution
	// Hints shows the values of all moves from the beginning.
	Hints bool
	// Patient goes on after a word that is none, with Words: somebody types them.
	Patient bool
	// Color draws tiles in colours, with Keys. Run sets it.
	Color bool
}

// Run plays on the terminal of a command, or else reads words from its stdin. It ends when the player quits,
// or stdin does. The error is console.ErrInterrupted after Ctrl-C. The terminal is always put back.
// The environment variable NO_COLOR, if not empty, turns colours off.
func Run(cmd *cobra.Command, g player.Game, o Options) (err error) {
	in, out := cmd.InOrStdin(), cmd.OutOrStdout()
	if !console.Terminal(out) || os.Getenv("TERM") == "dumb" {
		o.Patient = console.TerminalIn(in)
		return Words(in, out, g, o)
	}
	restore, err := console.Raw(in)
	if err != nil {
		return err
	}
	if restore == nil {
		return Words(in, out, g, o)
	}
	defer func() { err = errors.Join(err, restore()) }()
	o.Color = os.Getenv("NO_COLOR") == ""
	return Keys(in, console.Binary(out), g, o)
}

// An action is what the player wants.
type action int

const (
	slide action = iota // and the direction
	undo
	hint
	again
	quit
)

// words are those that a line may have, and what they mean.
var words = []struct {
	action action
	to     glide.Direction
	names  []string // the first in full, the others are keys
}{
	{slide, glide.Up, []string{"up", "w", "k"}},
	{slide, glide.Down, []string{"down", "s", "j"}},
	{slide, glide.Left, []string{"left", "a", "h"}},
	{slide, glide.Right, []string{"right", "d", "l"}},
	{undo, 0, []string{"undo", "u"}},
	{hint, 0, []string{"hint", "?"}},
	{again, 0, []string{"new", "n"}},
	{quit, 0, []string{"quit", "q"}},
}

// find returns what a word means.
func find(word string) (a action, to glide.Direction, ok bool) {
	for _, w := range words {
		for _, name := range w.names {
			if name == word {
				return w.action, w.to, true
			}
		}
	}
	return 0, 0, false
}

// A table is a game that is played.
type table struct {
	player.Game
	Options
	number  uint64 // of the game, from 1
	history []turn // the last is now
	said    string // about the last action
}

// A turn is a state, what slides have gained until then, and what their mistakes have cost.
type turn struct {
	player.State
	gains int64
	costs []float64
}

func newTable(g player.Game, o Options) *table {
	t := &table{Game: g, Options: o}
	t.deal()
	return t
}

// draws returns the random numbers of the next move.
func (t *table) draws() *rand.Rand {
	var seed [32]byte
	for i, x := range []uint64{t.Seed, t.number, uint64(len(t.history))} {
		binary.LittleEndian.PutUint64(seed[8*i:], x)
	}
	return rand.New(rand.NewChaCha8(seed))
}

// deal begins a new game.
func (t *table) deal() {
	t.number++
	t.history = nil
	start := turn{State: t.Start(t.draws())}
	if t.Solution != nil {
		start.costs = make([]float64, len(t.Solution.Objectives))
	}
	t.history = []turn{start}
}

// over reports whether the game has ended.
func (t *table) over() bool { return player.Over(t.Game, t.now().State) }

func (t *table) now() turn { return t.history[len(t.history)-1] }

// do makes an action. It is false if the player quits.
func (t *table) do(a action, to glide.Direction) bool {
	t.said = ""
	switch a {
	case slide:
		t.slide(to)
	case undo:
		if len(t.history) == 1 {
			t.said = "there is no move to take back"
		} else {
			t.history = t.history[:len(t.history)-1]
			t.said = "the last move is taken back"
		}
	case hint:
		if t.Solution == nil {
			t.said = "there are no hints: no values are known"
		} else {
			t.Hints = !t.Hints
		}
	case again:
		t.deal()
	case quit:
		return false
	}
	return true
}

func (t *table) slide(to glide.Direction) {
	now := t.now()
	after, gain, moved := t.Slide(now.State, to)
	switch {
	case player.Won(t.Game, now.Board):
		t.said = "the game is won: n begins a new one"
		return
	case !moved:
		t.said = fmt.Sprintf("%v changes nothing", to)
		return
	}
	next := turn{t.Draw(t.draws(), after), now.gains + int64(gain), now.costs}
	if t.Solution != nil {
		v := judge(t.Game, t.Solution, now.State)
		if v.err == nil && v.Slide[to] == nil {
			v.err = errors.New("the move has no value")
		}
		t.said = v.after(to)
		next.costs = append([]float64(nil), now.costs...)
		for o, cost := range v.costs(to) {
			next.costs[o] += cost
		}
	}
	t.history = append(t.history, next)
}

// lines describes the game below its board.
func (t *table) lines() []string {
	now := t.now()
	line := fmt.Sprintf("game %d, %s, score %d", t.number, amount.Of(len(t.history)-1, "move"), t.Score(now.gains, now.Board))
	if hint := t.Hint(now.State); hint != "" {
		line += ", next tile " + hint
	}
	all := []string{line}
	switch {
	case player.Won(t.Game, now.Board):
		all = append(all, "won")
	case t.over():
		all = append(all, "the game is over: no slide changes the board")
	}
	if t.said != "" {
		all = append(all, t.said)
	}
	var lost []string
	for o, cost := range now.costs {
		if cost != 0 {
			lost = append(lost, fmt.Sprintf("%s of %s", number(cost), t.Solution.Objectives[o].Name))
		}
	}
	if lost != nil {
		all = append(all, "mistakes so far: "+strings.Join(lost, ", "))
	}
	if t.Hints && t.Solution != nil && !t.over() {
		v := judge(t.Game, t.Solution, now.State)
		all = append(all, v.table()...)
	}
	return all
}

// rows returns the texts of the cells of each row, all equally wide.
func (t *table) rows() iter.Seq[[]string] {
	return slices.Chunk(t.Grid().Texts(t.now().Board), t.Grid().Columns())
}

// Words plays by words: it reads lines of words, and writes the board and what is to be said after each word. The
// words are up, down, left, right, undo, hint, new and quit, or the keys for them. Hints, as on a screen,
// turns the table of values on and off. An error names the line with a word that is none, unless the game is Patient.
func Words(in io.Reader, out io.Writer, g player.Game, o Options) error {
	t := newTable(g, o)
	show := func() error {
		var s strings.Builder
		for row := range t.rows() {
			s.WriteString(strings.Join(row, " ") + "\n")
		}
		s.WriteString(strings.Join(t.lines(), "\n") + "\n\n")
		_, err := io.WriteString(out, s.String())
		return err
	}
	if err := show(); err != nil {
		return err
	}
	lines := bufio.NewScanner(in)
	for n := 1; lines.Scan(); n++ {
		for _, word := range strings.Fields(lines.Text()) {
			a, to, ok := find(strings.ToLower(word))
			if !ok {
				var list []string
				for _, w := range words {
					list = append(list, w.names[0])
				}
				wrong := fmt.Sprintf("expected %s, found %.20q%s", suggest.Either(list), word, suggest.Question(word, list))
				if !o.Patient {
					return console.Usagef("line %d: %s", n, wrong)
				}
				t.said = wrong
			} else if !t.do(a, to) {
				return nil
			}
			if err := show(); err != nil {
				return err
			}
		}
	}
	if err := lines.Err(); err != nil {
		return fmt.Errorf("reading moves: %w", err)
	}
	return nil
}
