package layers_test

import (
	"context"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"os"
	"slices"
	"strconv"
	"testing"

	"pagoda/bitset"
	"pagoda/internal/long"
	"pagoda/layers"
	"pagoda/puzzle/lunar"
	lunarboard "pagoda/puzzle/lunar/board"
	"pagoda/puzzle/peg"
	"pagoda/puzzle/peg/board"
	"pagoda/puzzle/slide"
	"pagoda/puzzle/slide/library"
	"pagoda/puzzle/slide/tray"
	"pagoda/puzzle/tiles/threes"
	"pagoda/puzzle/tiles/twenty48"
	"pagoda/statespace"
	"pagoda/statespace/bfs"
	"pagoda/statespace/sweep"
)

// A numbers is a space whose numbers are no states of anything: it has no moves.
type numbers struct {
	statespace.Space
	n uint64
}

func (s numbers) Name() string { return "test/example" }

func (s numbers) Size() uint64 { return s.n }

func (s numbers) Roots() []statespace.Index { return []statespace.Index{0} }

func (s numbers) Successors(dst []statespace.Edge, _ statespace.Index) []statespace.Edge { return dst }

func (s numbers) Predecessors(dst []statespace.Edge, _ statespace.Index) []statespace.Edge {
	return dst
}

func (s numbers) Definition() statespace.Definition {
	return statespace.Definition{Family: "test", Name: s.Name(), Puzzle: fmt.Appendf(nil, `{"n":%d}`, s.n), Numbering: []byte(`{}`)}
}

func (s numbers) Parts() statespace.Parts { return statespace.Parts{Layers: s} }

func (s numbers) LayerName() string { return "all" }

func (s numbers) Layer(statespace.Index) int { return 0 }

func (s numbers) LayersFall() bool { return true }

func (s numbers) Format(x statespace.Index) string { return fmt.Sprint(x) }

// A ring is the numbers below N. A move adds one of Steps, modulo N; where moves can be taken
// back, it may also subtract one. It brings no kernels.
type ring struct {
	N     uint64   `json:"n"`
	Steps []uint64 `json:"steps"`
	Back  bool     `json:"back"` // moves can be taken back
	Goals []uint64 `json:"goals,omitempty"`
	Ends  bool     `json:"ends,omitempty"` // at the nearest goals
}

// The rings of the tests: all numbers can be reached, or those that 3 divides.
var (
	directedRing   = ring{N: 2000, Steps: []uint64{7, 100}, Goals: []uint64{1999, 999}}
	longRing       = ring{N: 999, Steps: []uint64{3}}
	undirectedRing = ring{N: 3000, Steps: []uint64{3, 90}, Back: true, Goals: []uint64{1500}}
	endingRing     = ring{N: 2000, Steps: []uint64{7, 100}, Goals: []uint64{1999, 999}, Ends: true}
)

func (r ring) Name() string                   { return fmt.Sprintf("ring/%d", r.N) }
func (r ring) Size() uint64                   { return r.N }
func (r ring) Roots() []uint64                { return []uint64{0} }
func (r ring) Format(x uint64) string         { return fmt.Sprint(x) }
func (r ring) Parse(s string) (uint64, error) { return strconv.ParseUint(s, 10, 64) }

func (r ring) Parts() (p statespace.Parts) {
	p.Undirected, p.Goals.Ends = r.Back, r.Ends
	if len(r.Goals) > 0 {
		p.Goals.Is = func(x uint64) bool { return slices.Contains(r.Goals, x) }
	}
	return p
}

func (r ring) FormatMove(from uint64, e statespace.Edge) string {
	return fmt.Sprintf("%d to %d", from, e.To)
}

func (r ring) Successors(dst []statespace.Edge, x uint64) []statespace.Edge {
	return r.edges(dst, x, true, r.Back)
}

func (r ring) Predecessors(dst []statespace.Edge, x uint64) []statespace.Edge {
	first := len(dst)
	dst = r.edges(dst, x, r.Back, true)
	for i := range dst[first:] {
		dst[first+i].Move ^= 1 // the move that leads to x
	}
	return dst
}

// edges appends the numbers to which moves forward and back lead.
func (r ring) edges(dst []statespace.Edge, x uint64, forward, back bool) []statespace.Edge {
	for i, step := range r.Steps {
		if forward {
			dst = append(dst, statespace.Edge{To: (x + step) % r.N, Move: 2 * i})
		}
		if back {
			dst = append(dst, statespace.Edge{To: (x + r.N - step) % r.N, Move: 2*i + 1})
		}
	}
	return dst
}

func (r ring) Definition() statespace.Definition {
	puzzle, err := json.Marshal(r)
	if err != nil {
		panic(err) // numbers always have a JSON form
	}
	return statespace.Definition{Family: "ring", Name: r.Name(), Puzzle: puzzle, Numbering: []byte(`{}`)}
}

// problems is a group of problems of Lunar Lockout.
func problems(t testing.TB, name string, letters, numbers int) *lunar.Group {
	t.Helper()
	b, ok := lunarboard.Named(name)
	if !ok {
		t.Fatal(name)
	}
	g, err := lunar.New(t.Context(), name, b, letters, numbers, 0)
	if err != nil {
		t.Fatal(err)
	}
	return g
}

// define makes the spaces of the tests.
func define(ctx context.Context, d statespace.Definition, memory uint64) (statespace.Space, error) {
	switch d.Family {
	case peg.FamilyName:
		return peg.Define(d)
	case slide.FamilyName:
		return slide.Define(ctx, d, memory)
	case twenty48.Family:
		return twenty48.Define(d)
	case threes.Family:
		return threes.Define(d)
	case "ring":
		var r ring
		err := json.Unmarshal(d.Puzzle, &r)
		if err == nil && (r.N == 0 || r.N > 1<<20 || len(r.Steps) > 100 || slices.ContainsFunc(r.Steps, func(s uint64) bool { return s >= r.N })) {
			err = fmt.Errorf("no such ring: %+v", r)
		}
		return r, err
	case lunar.FamilyName:
		return lunar.Define(ctx, d, memory)
	case "counted":
		sp, err := define(ctx, statespace.Definition{Family: "ring", Puzzle: d.Puzzle}, memory)
		if err != nil {
			return nil, err
		}
		return counted{sp.(ring)}, nil
	case "test":
		var puzzle struct{ N uint64 }
		err := json.Unmarshal(d.Puzzle, &puzzle)
		return numbers{n: puzzle.N}, err
	}
	return nil, fmt.Errorf("%w: %q", statespace.ErrUnknown, d.Family)
}

// TestMain keeps the files of the tests in memory where it can: there are thousands, and to make
// each durable on a disk takes longer than all else.
func TestMain(m *testing.M) {
	const memory = "/dev/shm"
	if info, err := os.Stat(memory); err == nil && info.IsDir() && os.Getenv("TMPDIR") == "" {
		os.Setenv("TMPDIR", memory)
	}
	os.Exit(m.Run())
}

// A reached is a space with what can be reached in it, and the layers of that.
type reached struct {
	statespace.Space
	set    *bitset.Set
	layers []statespace.Layer
}

// stores lists the stores that the space can have.
func (sp reached) stores() (fit []layers.Store) {
	for _, s := range layers.Stores {
		if s.Fits(sp.Space) == nil {
			fit = append(fit, s)
		}
	}
	return fit
}

// explore returns a space with what the plain search finds in it.
func explore(t testing.TB, sp statespace.Space) reached {
	t.Helper()
	if sp.Parts().Layers == nil {
		s := searchPlain(t, sp)
		r := reached{sp, s.set, nil}
		for i, n := range s.Layers {
			r.layers = append(r.layers, statespace.Layer{Layer: i, States: n})
		}
		return r
	}
	set := bitset.New(sp.Size())
	if err := statespace.Search(t.Context(), sp, set, nil); err != nil {
		t.Fatal(err)
	}
	return reached{sp, set, statespace.CountLayers(sp, set)}
}

// A searched is what the plain search finds in a space without layers.
type searched struct {
	*bfs.Result
	set       *bitset.Set
	marks     *bitset.Planes
	distances bfs.Distances // whole if the space is directed
}

func searchPlain(t testing.TB, sp statespace.Space) searched {
	t.Helper()
	marks, err := bitset.PlanesOver(make([]uint64, bitset.PlaneWords(sp.Size(), bfs.MarkBits)), sp.Size(), bfs.MarkBits)
	if err != nil {
		t.Fatal(err)
	}
	r, depths, err := bfs.SearchPlain(t.Context(), sp, marks, 1, new(statespace.Progress))
	if err != nil {
		t.Fatal(err)
	}
	if depths != nil {
		t.Cleanup(depths.Free)
	}
	members := bfs.NewMembers(marks, depths)
	set, free, err := layers.LoadSet(t.Context(), members, 1)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(free)
	return searched{r, set, marks, members.Distances()}
}

// slides is a sliding-block puzzle, with a metric or moves.
func slides(t testing.TB, name string, metric ...tray.Metric) reached {
	t.Helper()
	p, err := library.Lookup(name)
	if err != nil {
		t.Fatal(err)
	}
	sp, err := slide.NewSpace(t.Context(), name, p, append(metric, tray.Moves)[0], false, 0)
	if err != nil {
		t.Fatal(err)
	}
	return explore(t, sp)
}

// pegs is a board of peg solitaire.
func pegs(t testing.TB, text string) *peg.Space {
	t.Helper()
	b, start, err := board.ParseBoard(text)
	if err != nil {
		t.Fatal(err)
	}
	sp, err := peg.New("test", b, start)
	if err != nil {
		t.Fatal(err)
	}
	return sp
}

// fiveByFive is a board whose sweep has several stages.
const fiveByFive = "ooooo\nooooo\noo.oo\nooooo\nooooo"

// reach is a board and what the plain search finds, swept is that by the best engine.
func reach(t testing.TB, text string) reached { return explore(t, pegs(t, text)) }

func swept(t testing.TB, text string) reached {
	t.Helper()
	sp := pegs(t, text)
	set := bitset.New(sp.Size())
	if err := sweep.Enumerate(t.Context(), sp, set, 1, nil); err != nil {
		t.Fatal(err)
	}
	return reached{sp, set, statespace.CountLayers(sp, set)}
}

// A foldable is a peg space with another Folding than its own: blocks of any number of bits, in any
// order.
type foldable struct {
	*peg.Space
	folding statespace.Folding
}

func (s foldable) Folding() *statespace.Folding { return &s.folding }

func (s foldable) Parts() statespace.Parts {
	p := s.Space.Parts()
	kernels := *s.Space.Parts().Sweep
	kernels.Blocks = func() *statespace.SweepBlocks {
		return &statespace.SweepBlocks{Bits: s.folding.Bits, Representatives: uint64(len(s.folding.Order)), Folding: s.Folding}
	}
	p.Sweep = &kernels
	return p
}

// refold gives a peg space blocks of 2^bits numbers, or of the next number of bits that its
// symmetries allow, in a random order. Half of the representatives without members are left
// out.
func refold(t testing.TB, sp reached, bits int) reached {
	t.Helper()
	for sweep.CheckFolding(sp.Space, bits) != nil {
		if bits++; bits > 63 {
			t.Fatalf("%s cannot be folded", sp.Name())
		}
	}
	f := foldable{sp.Space.(*peg.Space), statespace.Folding{Bits: bits}}
	symmetries := sweep.Symmetries(f)
	n := uint64(1) << bits / 64
	rng := rand.New(rand.NewPCG(uint64(bits), 1))
	for _, block := range rng.Perm(int(sp.Size() >> bits)) {
		_, by := sweep.Represent(symmetries, bits, uint64(block))
		empty := !slices.ContainsFunc(sp.set.Words()[uint64(block)*n:][:n], func(w uint64) bool { return w != 0 })
		if by == nil && !(empty && rng.IntN(2) == 0) {
			f.folding.Order = append(f.folding.Order, uint32(block))
		}
	}
	return reached{f, sp.set, sp.layers}
}

// octagon has 8 symmetries, and 2^9 blocks of 2^8 numbers.
func octagon(t testing.TB) reached {
	return refold(t, reach(t, " ooo \nooooo\noo.oo\nooooo\n ooo "), 8)
}

// small has 64 numbers at most.
func small(t testing.TB) reached { return reach(t, "ooo\no.o\nooo") }

// spaces are what stores are tested on: pegs, sliding blocks and rings, with and without
// symmetries, of fewer numbers than a word has, and of more than a block.
func spaces(t testing.TB) map[string]reached {
	all := map[string]reached{
		"line":            reach(t, "oo."),
		"3x3":             small(t),
		"4x4":             reach(t, "oooo\no.oo\noooo\noooo"),
		"odd":             reach(t, "ooo\noo.o\n oooo\noo oo"),
		"4x4 folded":      refold(t, reach(t, "oooo\no.oo\noooo\noooo"), 6),
		"octagon":         octagon(t),
		"dads":            slides(t, "slide/dads"),
		"triangular":      reach(t, "lattice: triangular\n.\noo\nooo\noooo\nooooo"),
		"diagonal":        reach(t, "lattice: diagonal\noooo\no.oo\noooo"),
		"directed ring":   explore(t, directedRing),
		"long ring":       explore(t, longRing),
		"undirected ring": explore(t, undirectedRing),
		"ending ring":     explore(t, endingRing),
		"counted":         explore(t, counted{directedRing}),
		"counted, back":   explore(t, counted{undirectedRing}),
		"counted, ending": explore(t, counted{endingRing}),
		"lunar":           explore(t, problems(t, "5x5", 1, 3)),
	}
	if long.Tests {
		all["klotski"] = slides(t, "slide/klotski", tray.Steps)
		all["4x6"] = reach(t, "oooo\noooo\noo.o\noooo\noooo\noooo")
		all["5x5"] = refold(t, reach(t, fiveByFive), 12)
	}
	return all
}

// metaOf describes what can be reached, by the layers of the space or by distance.
func metaOf(sp reached, store string) *layers.Meta {
	meta := &layers.Meta{Space: sp.Definition(), Store: store, Size: sp.Size(), Layer: "depth", Layers: slices.Clone(sp.layers)}
	if l := sp.Space.Parts().Layers; l != nil {
		meta.Layer = l.LayerName()
	}
	for _, l := range meta.Layers {
		meta.States += l.States
	}
	return meta
}

func writeMembers(t testing.TB, path, store string, sp reached, members bitset.Reader, threads int) {
	t.Helper()
	w, err := layers.Create(path, 0, true)
	if err != nil {
		t.Fatal(err)
	}
	meta := metaOf(sp, store)
	space, members := inStore(t, sp.Space, members, meta)
	if _, err := w.Finish(t.Context(), space, members, meta, layers.WriteOptions{Threads: threads}); err != nil {
		t.Fatal(err)
	}
}

func writeStore(t testing.TB, path, store string, sp reached) {
	t.Helper()
	writeMembers(t, path, store, sp, sp.set, 1)
}
