package ask

import (
	"cmp"
	"context"
	"fmt"
	"io"
	"math/big"
	"strings"

	"github.com/dustin/go-humanize"

	"pagoda/internal/amount"
	"pagoda/internal/lists"
	"pagoda/internal/printable"
	"pagoda/internal/table"
	"pagoda/run"
	"pagoda/statespace"
	"pagoda/statespace/paths"
)

// Ways are the numbers of all paths from the start of a space, and of all games: the paths from the
// start to a dead end, a state without a move.
type Ways struct {
	Space  string
	Games  *big.Int
	Name   string                 // what layers count
	Layers []statespace.WaysLayer // in the order of moves
}

// Ways counts all paths and games, exactly. The space must have layers, or the error is an
// ErrQuestion. It is statespace.ErrMemory if that takes more than the memory of the options.
func (f *File) Ways(ctx context.Context, o run.Options) (*Ways, error) {
	all, err := f.countWays(ctx, statespace.WaysQuestion{Layers: true}, o)
	if err != nil {
		return nil, err
	}
	sp := f.Space()
	w := &Ways{Space: sp.Name(), Games: new(big.Int), Name: sp.Parts().Layers.LayerName(), Layers: all.Layers}
	states := uint64(0)
	for _, l := range w.Layers {
		w.Games.Add(w.Games, l.Games)
		states += l.States
	}
	if states != f.Meta().States {
		return nil, f.Damaged(fmt.Sprintf("it says that %d states are reached, and moves reach %d", f.Meta().States, states))
	}
	return w, nil
}

// countWays answers a question about the paths of the file's space.
func (f *File) countWays(ctx context.Context, q statespace.WaysQuestion, o run.Options) (ways *statespace.Ways, err error) {
	sp := f.Space()
	if sp.Parts().Layers == nil {
		return nil, Questionf("paths are counted in puzzles whose moves lose something, so that each game ends; a game of %s need not end", sp.Name())
	}
	progress, stop := o.Meter.Start("paths", f.Meta().States, "states")
	defer stop()
	q.Memory, q.Threads, q.Progress = run.MemoryLimit(cmp.Or(o.Memory, f.Memory())), o.Threads, progress
	err = f.Read(func() error {
		ways, err = paths.CountWays(ctx, sp, f.Members(), q)
		return f.explain(err)
	})
	return ways, err
}

// A MemberWays says how many paths lead from the start to a member.
type MemberWays struct {
	Pattern string   `json:"pattern"`
	Paths   *big.Int `json:"paths"`
}

// maxWays bounds the members whose paths are counted each.
const maxWays = 1 << 20

// WaysTo counts the paths from the start to each of the members that are picked, in one pass. The
// errors are those of Ways.
func (f *File) WaysTo(ctx context.Context, c Pick) ([]MemberWays, error) {
	var q statespace.WaysQuestion
	err := f.Read(func() error {
		for x, err := range f.List(ctx, c) {
			if err != nil {
				return err
			}
			if len(q.To) == maxWays {
				return Questionf("expected at most %d positions whose paths are counted, found more: pick fewer", maxWays)
			}
			q.To = append(q.To, x)
		}
		return nil
	})
	if err != nil || len(q.To) == 0 {
		return nil, err
	}
	ways, err := f.countWays(ctx, q, c.Options)
	if err != nil {
		return nil, err
	}
	all := make([]MemberWays, len(q.To))
	for i, x := range q.To {
		if ways.To[i].Sign() == 0 {
			return nil, f.Damaged(fmt.Sprintf("%s is a member, and no path leads there", f.Space().Format(x)))
		}
		all[i] = MemberWays{f.Space().Format(x), ways.To[i]}
	}
	return all, nil
}

// MarshalJSON writes an object. Its layers are objects such as
// {"pegs":1,"states":5,"paths":12,"dead_ends":5,"games":12}.
func (w *Ways) MarshalJSON() ([]byte, error) {
	layers := lists.Map(w.Layers, func(l statespace.WaysLayer) object {
		return object{{w.Name, l.Layer}, {"states", l.States}, {"paths", l.Paths}, {"dead_ends", l.DeadEnds}, {"games", l.Games}}
	})
	return object{{"space", w.Space}, {"games", w.Games}, {"layers", layers}}.MarshalJSON()
}

// WriteText writes a table of the layers and their total.
func (w *Ways) WriteText(to io.Writer) error {
	states, dead := uint64(0), uint64(0)
	rows := [][]string{{printable.Line(w.Name), "states", "paths", "dead ends", "games"}}
	for _, l := range w.Layers {
		states, dead = states+l.States, dead+l.DeadEnds
		rows = append(rows, []string{fmt.Sprint(l.Layer), amount.Comma(l.States), humanize.BigComma(l.Paths), amount.Comma(l.DeadEnds), humanize.BigComma(l.Games)})
	}
	// The blank makes the first column six wide at least.
	rows = append(rows, []string{" total", amount.Comma(states), "", amount.Comma(dead), humanize.BigComma(w.Games)})
	var s strings.Builder
	fmt.Fprintln(&s, printable.Line(w.Space))
	table.Write(&s, rows)
	_, err := io.WriteString(to, s.String())
	return err
}
