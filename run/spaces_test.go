package run_test

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"sync/atomic"
	"testing"

	"pagoda/bitset"
	"pagoda/layers"
	"pagoda/puzzle/lunar"
	"pagoda/puzzle/peg"
	"pagoda/puzzle/slide"
	"pagoda/puzzle/slide/library"
	"pagoda/puzzle/slide/tray"
	"pagoda/puzzle/tiles/twenty48"
	"pagoda/run"
	"pagoda/statespace"
)

// TestMain keeps the files of the tests in memory where it can: there are hundreds, and to make
// each durable on a disk takes longer than all else.
func TestMain(m *testing.M) {
	const memory = "/dev/shm"
	if info, err := os.Stat(memory); err == nil && info.IsDir() && os.Getenv("TMPDIR") == "" {
		os.Setenv("TMPDIR", memory)
	}
	os.Exit(m.Run())
}

// A stopper calls stop at one of the steps of a run. A nil stopper does nothing.
type stopper struct {
	left atomic.Int64
	stop func()
}

func stopAt(step int64, stop func()) *stopper {
	s := &stopper{stop: stop}
	s.left.Store(step)
	return s
}

func (s *stopper) step() {
	if s != nil && s.left.Add(-1) == 0 {
		s.stop()
	}
}

// A ring is the numbers below N. A move adds one of Steps, modulo N; where moves can be taken
// back, it may also subtract one. It has cycles, and brings no kernels. Successors is a step.
type ring struct {
	N     uint64   `json:"n"`
	Steps []uint64 `json:"steps"`
	Back  bool     `json:"back"` // moves can be taken back
	Goals []uint64 `json:"goals,omitempty"`
	Ends  bool     `json:"ends,omitempty"` // at the nearest goals

	stop *stopper
}

var (
	directedRing   = ring{N: 6000, Steps: []uint64{9, 300}, Goals: []uint64{5997, 3000}} // a third can be reached
	undirectedRing = ring{N: 3000, Steps: []uint64{3, 90}, Back: true, Goals: []uint64{1500}}
	endingRing     = ring{N: 6000, Steps: []uint64{9, 300}, Goals: []uint64{5997, 3000}, Ends: true}
	hopelessRing   = ring{N: 300, Steps: []uint64{3}, Goals: []uint64{1}}
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
	r.stop.step()
	return r.edges(dst, x, true, r.Back)
}

func (r ring) Predecessors(dst []statespace.Edge, x uint64) []statespace.Edge {
	return r.edges(dst, x, r.Back, true)
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

func (r ring) Definition() statespace.Definition { return definition("ring", r.Name(), r) }

// A piles is two piles of fewer than N things; a move takes two from one. It has layers and a
// symmetry, and brings no kernels. Successors is a step.
type piles struct {
	N    uint64 `json:"n"`
	stop *stopper
}

func (p piles) Name() string           { return fmt.Sprintf("piles/%d", p.N) }
func (p piles) Size() uint64           { return p.N * p.N }
func (p piles) Roots() []uint64        { return []uint64{p.Size() - 1} }
func (p piles) LayerName() string      { return "things" }
func (p piles) Layer(x uint64) int     { return int(x/p.N + x%p.N) }
func (p piles) LayersFall() bool       { return true }
func (p piles) Format(x uint64) string { return fmt.Sprintf("%d,%d", x/p.N, x%p.N) }

func (p piles) Parse(text string) (uint64, error) {
	var left, right uint64
	_, err := fmt.Sscanf(text, "%d,%d", &left, &right)
	return left*p.N + right, err
}

func (p piles) FormatMove(_ uint64, e statespace.Edge) string {
	return []string{"from the left", "from the right"}[e.Move]
}

func (p piles) Successors(dst []statespace.Edge, x uint64) []statespace.Edge {
	p.stop.step()
	if x/p.N >= 2 {
		dst = append(dst, statespace.Edge{To: x - 2*p.N, Move: 0})
	}
	if x%p.N >= 2 {
		dst = append(dst, statespace.Edge{To: x - 2, Move: 1})
	}
	return dst
}

func (p piles) Predecessors(dst []statespace.Edge, x uint64) []statespace.Edge {
	if x/p.N+2 < p.N {
		dst = append(dst, statespace.Edge{To: x + 2*p.N, Move: 0})
	}
	if x%p.N+2 < p.N {
		dst = append(dst, statespace.Edge{To: x + 2, Move: 1})
	}
	return dst
}

func (p piles) Parts() statespace.Parts {
	return statespace.Parts{Layers: p, Symmetry: statespace.Symmetric{Fixed: func() []statespace.Symmetry { return []statespace.Symmetry{exchange(p.N)} }}}
}

// exchange exchanges the piles.
type exchange uint64

func (e exchange) Map(x uint64) uint64 { return x%uint64(e)*uint64(e) + x/uint64(e) }

func (p piles) Definition() statespace.Definition { return definition("piles", p.Name(), p) }

func definition(family, name string, puzzle any) statespace.Definition {
	data, err := json.Marshal(puzzle)
	if err != nil {
		panic(err) // numbers always have a JSON form
	}
	return statespace.Definition{Family: family, Name: name, Puzzle: data, Numbering: []byte(`{}`)}
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
	case "ring":
		var r ring
		err := json.Unmarshal(d.Puzzle, &r)
		return r, err
	case "counted":
		var c counted
		err := json.Unmarshal(d.Puzzle, &c.ring)
		return c, err
	case lunar.FamilyName:
		return lunar.Define(ctx, d, memory)
	case "grid":
		var g grid
		err := json.Unmarshal(d.Puzzle, &g)
		return g, err
	case "piles":
		var p piles
		err := json.Unmarshal(d.Puzzle, &p)
		return p, err
	}
	return nil, fmt.Errorf("%w: %q", statespace.ErrUnknown, d.Family)
}

func pegs(t testing.TB, name string) *peg.Space {
	t.Helper()
	sp, err := peg.Lookup(name)
	if err != nil {
		t.Fatal(err)
	}
	return sp
}

func slides(t testing.TB, name string) *slide.Space {
	t.Helper()
	p, err := library.Lookup(name)
	if err != nil {
		t.Fatal(err)
	}
	sp, err := slide.NewSpace(t.Context(), name, p, tray.Moves, false, 0)
	if err != nil {
		t.Fatal(err)
	}
	return sp
}

// withStop returns a space whose runs take steps that a stopper counts: a move of the plain
// search, a task of an engine, or the moves of 64 numbers or a level of a search.
func withStop(t testing.TB, sp statespace.Space, s *stopper) statespace.Space {
	t.Helper()
	switch sp := sp.(type) {
	case ring:
		sp.stop = s
		return sp
	case counted:
		sp.stop = s
		return sp
	case piles:
		sp.stop = s
		return sp
	case grid:
		sp.stop = s
		return sp
	case *peg.Space:
		return stoppingPegs{sp, s}
	case *slide.Space:
		return stoppingSlides{sp, s}
	}
	t.Fatalf("%s cannot be stopped", sp.Name())
	return nil
}

type stoppingPegs struct {
	*peg.Space
	stop *stopper
}

func (p stoppingPegs) Successors(dst []statespace.Edge, x uint64) []statespace.Edge {
	p.stop.step()
	return p.Space.Successors(dst, x)
}

func (p stoppingPegs) Parts() statespace.Parts {
	parts := p.Space.Parts()
	kernels := *p.Space.Parts().Sweep
	kernels.Engines = func() []statespace.SweepEngine {
		all := p.Space.Parts().Sweep.Engines()
		for i := range all {
			fill := all[i].Fill
			all[i].Fill = func(set *bitset.Set) statespace.Work { return stoppingWork{fill(set), p.stop} }
		}
		return all
	}
	blocks := *p.Space.Parts().Sweep.Blocks()
	kernels.Blocks = func() *statespace.SweepBlocks {
		own := blocks
		own.Stream = func(memory []uint64) statespace.Stream { return stoppingStream{blocks.Stream(memory), p.stop} }
		return &own
	}
	parts.Sweep, parts.Graph = &kernels, nil // moves are made by Successors
	return parts
}

type stoppingWork struct {
	statespace.Work
	stop *stopper
}

func (w stoppingWork) NewWorker() statespace.Worker {
	return stoppingWorker{w.Work.NewWorker(), w.stop}
}

type stoppingStream struct {
	statespace.Stream
	stop *stopper
}

func (s stoppingStream) NewWorker() statespace.Worker {
	return stoppingWorker{s.Stream.NewWorker(), s.stop}
}

type stoppingWorker struct {
	statespace.Worker
	stop *stopper
}

func (w stoppingWorker) Do(stage, task int) {
	w.stop.step()
	w.Worker.Do(stage, task)
}

type stoppingSlides struct {
	*slide.Space
	stop *stopper
}

func (s stoppingSlides) Successors(dst []statespace.Edge, x uint64) []statespace.Edge {
	s.stop.step()
	return s.Space.Successors(dst, x)
}

func (s stoppingSlides) Parts() statespace.Parts {
	p := s.Space.Parts()
	p.Graph = s.Graph
	return p
}

func (s stoppingSlides) Graph() statespace.Graph {
	g := s.Space.Graph()
	g.NewBlockExpander = nil
	if expander := g.NewExpander; expander != nil {
		g.NewExpander = func() statespace.Expander { return stoppingExpander{expander(), s.stop} }
	}
	if stepper := g.NewStepper; stepper != nil {
		g.NewStepper = func(marks []uint64, threads int) statespace.Stepper {
			return stoppingStepper{stepper(marks, threads), s.stop}
		}
	}
	return g
}

type stoppingExpander struct {
	statespace.Expander
	stop *stopper
}

func (e stoppingExpander) Expand(dst []uint64, first, word uint64, goals *[]uint64) []uint64 {
	e.stop.step()
	return e.Expander.Expand(dst, first, word, goals)
}

type stoppingStepper struct {
	statespace.Stepper
	stop *stopper
}

func (s stoppingStepper) Goals(level int) []uint64 {
	s.stop.step()
	return s.Stepper.Goals(level)
}

// A world is a space with the layers that a run of it should find.
type world struct {
	statespace.Space
	layers []statespace.Layer
	states *bitset.Set
}

// explore finds out in the plainest way what can be reached, by layer or distance.
func explore(sp statespace.Space) world {
	w := world{Space: sp}
	layered := sp.Parts().Layers
	counts := make(statespace.LayerCounts)
	seen := bitset.New(sp.Size())
	level := sp.Roots()
	for depth, goal := 0, false; len(level) > 0 && !goal; depth++ {
		var next []uint64
		for _, x := range level {
			if seen.Has(x) {
				continue
			}
			seen.Add(x)
			if layered != nil {
				counts.Of(layered, x).States++
			} else {
				if counts[depth] == nil {
					counts[depth] = &statespace.Layer{Layer: depth}
				}
				counts[depth].States++
				goal = goal || sp.Parts().Goals.Ends && sp.Parts().Goals.Has(x)
			}
			for _, e := range sp.Successors(nil, x) {
				next = append(next, e.To)
			}
		}
		level = next
	}
	w.layers, w.states = counts.List(sp.Parts().Layers), seen
	return w
}

// stores lists the stores that a space can have.
func stores(sp statespace.Space) (fit []layers.Store) {
	for _, s := range layers.Stores {
		if s.Fits(sp) == nil {
			fit = append(fit, s)
		}
	}
	return fit
}

// makes reports whether an engine makes files of a store: the engine sparse makes the list of its
// store, and the others all else.
func makes(engine string, store layers.Store) bool {
	return (engine == run.SparseEngine) == store.Lists
}

// start runs a space, and fails the test if the run does.
func start(t testing.TB, sp statespace.Space, o run.Options) *run.Result {
	t.Helper()
	r, err := run.Start(t.Context(), sp, o)
	if err != nil {
		t.Fatalf("%s by %q in the store %q: %v", sp.Name(), o.Engine, o.Store, err)
	}
	return r
}

func readFile(t testing.TB, path string) []byte {
	t.Helper()
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return data
}

func writeFile(t testing.TB, path string, data []byte) {
	t.Helper()
	if err := os.WriteFile(path, data, 0o644); err != nil {
		t.Fatal(err)
	}
}

// sameFile fails the test unless a file has the given bytes and nothing else is beside it. Then
// it removes the file.
func sameFile(t testing.TB, what, path string, want []byte) {
	t.Helper()
	if got := readFile(t, path); !bytes.Equal(got, want) {
		t.Fatalf("%s: the file has other bytes: %d, want %d", what, len(got), len(want))
	}
	onlyFile(t, what, path)
	if err := os.Remove(path); err != nil {
		t.Fatal(err)
	}
}

// onlyFile fails the test if there is something else in the directory of a file.
func onlyFile(t testing.TB, what, path string) {
	t.Helper()
	entries, err := os.ReadDir(filepath.Dir(path))
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range entries {
		if e.Name() != filepath.Base(path) {
			t.Errorf("%s: %s was left behind", what, e.Name())
		}
	}
}

// verify opens a file and verifies it.
func verify(t testing.TB, path string) error {
	t.Helper()
	f, err := layers.Open(t.Context(), path, define, 0)
	if err != nil {
		return err
	}
	defer f.Close()
	return run.Verify(t.Context(), f, run.Options{Threads: 2})
}
