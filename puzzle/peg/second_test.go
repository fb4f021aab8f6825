package peg

import (
	"os"
	"slices"
	"testing"

	"pagoda/internal/long"
	"pagoda/puzzle/peg/board"
	"pagoda/puzzle/peg/layout"
	"pagoda/statespace/sweep"
)

// A board has the same layers by another sweep, folded by the rotations of the start alone: it has other
// weights, and so other stages, and twice as many blocks. 7x7 takes 11 GiB and two hours of a processor,
// so it runs only where PAGODA_SECOND is 7x7.
func TestSecondCount(t *testing.T) {
	for name, memory := range map[string]uint64{"peg/5x5": 8 << 20, "peg/english": 32 << 20, "peg/7x7": 10 << 30} {
		t.Run(name, func(t *testing.T) {
			if name == "peg/english" && !long.Tests {
				t.Skip("two sweeps of 2^29 numbers")
			}
			sp, err := Lookup(name)
			if err != nil {
				t.Fatal(err)
			}
			var layers []uint64
			for _, l := range facts("peg/7x7")().Layers {
				layers = append(layers, l.States)
			}
			if name != "peg/7x7" {
				layers = packedLayers(t, sp, memory)
			} else if os.Getenv("PAGODA_SECOND") != "7x7" {
				t.Skip("PAGODA_SECOND is not 7x7")
			}
			if got := packedLayers(t, byRotations(t, sp), memory); !slices.Equal(got, layers) {
				t.Errorf("the layers are %d, expected %d", got, layers)
			}
		})
	}
}

// byRotations returns the space of a start in the numbering for its rotations, and folded by them.
func byRotations(t *testing.T, sp *Space) *Space {
	cells := sp.board.Cells()
	at := func(row, col int) int { return slices.Index(cells, board.Cell{Row: row, Col: col}) }
	turns := func(s board.Permutation) bool {
		a, b, c := cells[s[at(3, 3)]], cells[s[at(3, 4)]], cells[s[at(4, 3)]]
		return (b.Col-a.Col)*(c.Row-a.Row) > (b.Row-a.Row)*(c.Col-a.Col)
	}
	l := layout.New(sp.board, slices.DeleteFunc(sp.board.Stabilizer(sp.start), func(s board.Permutation) bool { return !turns(s) }))
	if l == nil {
		t.Fatal("there is no layout for the rotations")
	}
	other, err := newSpace(sp.name, sp.board, sp.start, l.Free, func() *layout.Layout { return l })
	if err != nil {
		t.Fatal(err)
	}
	rotations := slices.DeleteFunc(other.symmetries(), func(s *board.Symmetry) bool { return !turns(s.Cells) })
	other.symmetries = func() []*board.Symmetry { return rotations }
	return other
}

// packedLayers returns how many positions each layer has, by a run that packs its blocks.
func packedLayers(t *testing.T, sp *Space, memory uint64) (states []uint64) {
	blocks := sp.Parts().Sweep.Blocks()
	t.Logf("%d blocks of 2^%d numbers, %d are needed at a time", blocks.Representatives, blocks.Bits, blocks.Window)
	r, err := sweep.NewPackedRun(t.Context(), sp, sweep.PackedOptions{Memory: memory, Scratch: t.TempDir(), Threads: 2}, nil)
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	shown := uint64(0)
	if err := r.Run(t.Context(), func(int) error {
		if made := r.Blocks(); made-shown > blocks.Representatives/50 {
			t.Logf("%d blocks are made", made)
			shown = made
		}
		return nil
	}, 2, nil); err != nil {
		t.Fatal(err)
	}
	for _, l := range r.Layers() {
		states = append(states, l.States)
	}
	return states
}
