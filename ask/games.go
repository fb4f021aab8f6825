package ask

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"math/big"
	"strings"

	"github.com/dustin/go-humanize"

	"pagoda/internal/printable"
	"pagoda/run"
	"pagoda/statespace"
	"pagoda/statespace/paths"
)

// Games are all games of a space: the paths from the start to a dead end, a state without a move.
type Games struct {
	Space string
	Count *big.Int
	Name  string        // what layers count
	Ends  []paths.Games // by the layer of the dead ends, in the order of moves
}

// Games counts all games, exactly. The space must have layers, or the error is an ErrQuestion. It is
// statespace.ErrMemory if that takes more than the memory of the options.
func (f *File) Games(ctx context.Context, o run.Options) (*Games, error) {
	sp, ok := f.Space().(statespace.Layered)
	if !ok {
		return nil, Questionf("games are counted in puzzles whose moves lose something, so that each game ends; a game of %s need not end", f.Space().Name())
	}
	if o.Memory == 0 {
		o.Memory = f.Memory()
	}
	progress := new(statespace.Progress)
	if o.Meter != nil {
		defer o.Meter("games", f.Meta().States, "states", progress.Read)()
	}
	g := &Games{Space: sp.Name(), Count: new(big.Int), Name: sp.LayerName()}
	err := f.Read(func() (err error) {
		g.Ends, err = paths.CountGames(ctx, sp, f.Members(), run.MemoryLimit(o.Memory), o.Threads, progress)
		return f.explain(err)
	})
	if err != nil {
		return nil, err
	}
	for _, end := range g.Ends {
		g.Count.Add(g.Count, end.Count)
	}
	return g, nil
}

// MarshalJSON writes an object. Its layers are objects such as {"pegs":1,"dead_ends":5,"games":12}.
func (g *Games) MarshalJSON() ([]byte, error) {
	ends := make([]json.RawMessage, len(g.Ends))
	for i, end := range g.Ends {
		object, err := marshalFields(field{g.Name, end.Layer}, field{"dead_ends", end.DeadEnds}, field{"games", end.Count})
		if err != nil {
			return nil, err
		}
		ends[i] = object
	}
	return marshalFields(field{"space", g.Space}, field{"games", g.Count}, field{"layers", ends})
}

// WriteText writes a table of the layers and their total.
func (g *Games) WriteText(w io.Writer) error {
	dead := uint64(0)
	rows := [][3]string{{printable.Line(g.Name), "dead ends", "games"}}
	for _, end := range g.Ends {
		dead += end.DeadEnds
		rows = append(rows, [3]string{fmt.Sprint(end.Layer), Comma(end.DeadEnds), humanize.BigComma(end.Count)})
	}
	rows = append(rows, [3]string{"total", Comma(dead), humanize.BigComma(g.Count)})
	width := [3]int{6, 9, 5}
	for _, row := range rows {
		for i, text := range row {
			width[i] = max(width[i], len(text))
		}
	}
	var s strings.Builder
	fmt.Fprintln(&s, printable.Line(g.Space))
	for _, row := range rows {
		fmt.Fprintf(&s, "%*s  %*s  %*s\n", width[0], row[0], width[1], row[1], width[2], row[2])
	}
	_, err := io.WriteString(w, s.String())
	return err
}
