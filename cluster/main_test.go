package cluster

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"strconv"
	"strings"
	"testing"

	"pagoda/cluster/beamrun"
	"pagoda/internal/console"
	"pagoda/puzzle"
	"pagoda/puzzle/builtin"
	"pagoda/statespace"
)

// TestMain makes this program what it is in a run: a worker process, or a driver that tests kill.
func TestMain(m *testing.M) {
	families = puzzle.NewSet(append(builtin.Families().All(), toys)...)
	beamrun.Work()
	if args, ok := os.LookupEnv("PAGODA_TEST_DRIVER"); ok {
		os.Exit(console.Main(Command("reach-beam", families), strings.Split(args, "\n"), os.Stdin, os.Stdout, os.Stderr))
	}
	os.Exit(m.Run())
}

// toys have traits that no space of the catalogue has: ring-N is directed, and down-N has layers that
// moves skip.
var toys = &puzzle.Family{
	Name:    "toys",
	About:   "toys",
	Naming:  "toys/ring-100 and toys/down-100.",
	Writing: "A number.",
	Lookup: func(_ context.Context, name string, _ puzzle.Choice) (statespace.Space, error) {
		return toyOf(strings.TrimPrefix(name, "toys/"))
	},
	Define: func(_ context.Context, d statespace.Definition, _ uint64) (statespace.Space, error) {
		var name string
		if err := json.Unmarshal(d.Puzzle, &name); err != nil {
			return nil, err
		}
		return toyOf(name)
	},
}

func toyOf(name string) (statespace.Space, error) {
	kind, size, _ := strings.Cut(name, "-")
	n, err := strconv.ParseUint(size, 10, 64)
	if err != nil || n < 10 {
		return nil, fmt.Errorf("%w %q", statespace.ErrUnknown, name)
	}
	switch t := (toy{name, n}); kind {
	case "ring":
		return ring{t}, nil
	case "down":
		return down{t}, nil
	}
	return nil, fmt.Errorf("%w %q", statespace.ErrUnknown, name)
}

// A toy is the numbers below n.
type toy struct {
	name string
	n    uint64
}

func (t toy) Name() string { return "toys/" + t.name }
func (t toy) Size() uint64 { return t.n }
func (t toy) Parse(text string) (uint64, error) {
	x, err := strconv.ParseUint(text, 10, 64)
	if err == nil && x >= t.n {
		err = statespace.ErrOutside
	}
	return x, err
}
func (t toy) Format(x uint64) string                           { return strconv.FormatUint(x, 10) }
func (t toy) FormatMove(_ uint64, move statespace.Edge) string { return "to " + t.Format(move.To) }
func (t toy) Parts() statespace.Parts                          { return statespace.Parts{} }
func (t toy) Definition() statespace.Definition {
	name, _ := json.Marshal(t.name)
	return statespace.Definition{Family: "toys", Name: t.Name(), Puzzle: name, Numbering: json.RawMessage("{}")}
}

// A ring is directed: moves lead from x to x+1, and to 3x where that is a square number modulo 7. Some
// lead far back.
type ring struct{ toy }

func (r ring) Roots() []uint64 { return []uint64{5} }
func (r ring) Successors(dst []statespace.Edge, x uint64) []statespace.Edge {
	dst = append(dst, statespace.Edge{To: (x + 1) % r.n})
	if y := 3 * x % r.n; y%7 == 1 || y%7 == 2 || y%7 == 4 {
		dst = append(dst, statespace.Edge{To: y, Move: 1})
	}
	return dst
}
func (r ring) Predecessors(dst []statespace.Edge, y uint64) []statespace.Edge {
	dst = append(dst, statespace.Edge{To: (y + r.n - 1) % r.n})
	for _, s := range []uint64{1, 2, 4} {
		if y%7 == s {
			for k := range uint64(3) {
				if (y+k*r.n)%3 == 0 {
					dst = append(dst, statespace.Edge{To: (y + k*r.n) / 3, Move: 1})
				}
			}
		}
	}
	return dst
}

// A down has layers: the number itself. Moves lead from x to x-1 and x-3.
type down struct{ toy }

func (d down) Roots() []uint64 { return []uint64{d.n - 1} }
func (d down) Successors(dst []statespace.Edge, x uint64) []statespace.Edge {
	for _, step := range []uint64{2, 3} {
		if x >= step {
			dst = append(dst, statespace.Edge{To: x - step, Move: int(step)})
		}
	}
	return dst
}
func (d down) Predecessors(dst []statespace.Edge, x uint64) []statespace.Edge {
	for _, step := range []uint64{2, 3} {
		if x+step < d.n {
			dst = append(dst, statespace.Edge{To: x + step, Move: int(step)})
		}
	}
	return dst
}
func (d down) Parts() statespace.Parts { return statespace.Parts{Layers: d} }
func (d down) LayerName() string       { return "steps left" }
func (d down) Layer(x uint64) int      { return int(x) }
func (d down) LayersFall() bool        { return true }
