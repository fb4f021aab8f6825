package statespace_test

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strconv"
	"sync/atomic"
	"testing"

	"pagoda/bitset"
	"pagoda/internal/mapped"
	"pagoda/statespace"
	"pagoda/statespace/catalog"
)

// countdown is a space without kernels: from n the moves lead to n-2 and n/3.
type countdown struct{ start uint64 }

type move string

func (m move) String() string { return string(m) }

// tell tells a way by the names of its moves.
func tell(sp statespace.Space, way statespace.Way, names ...move) (moves []fmt.Stringer, states []string, err error) {
	states = append(states, sp.Format(way.From))
	for _, step := range way.Steps {
		moves, states = append(moves, names[step.Move]), append(states, sp.Format(step.State))
	}
	return moves, states, nil
}

func (c countdown) Name() string              { return "countdown" }
func (c countdown) Size() uint64              { return c.start + 1 }
func (c countdown) Roots() []statespace.Index { return []uint64{c.start} }
func (c countdown) Format(x uint64) string    { return strconv.FormatUint(x, 10) }

func (c countdown) Tell(way statespace.Way) ([]fmt.Stringer, []string, error) {
	return tell(c, way, "take two", "a third")
}

func (c countdown) LayerName() string  { return "value" }
func (c countdown) Layer(x uint64) int { return int(x) }
func (c countdown) LayersFall() bool   { return true }

func (c countdown) Definition() statespace.Definition {
	return statespace.Definition{Family: "countdown", Name: c.Name()}
}

func (c countdown) Parse(text string) (uint64, error) {
	x, err := strconv.ParseUint(text, 10, 64)
	if err == nil && x > c.start {
		err = statespace.ErrOutside
	}
	return x, err
}

func (c countdown) Successors(dst []statespace.Edge, x uint64) []statespace.Edge {
	if x >= 2 {
		dst = append(dst, statespace.Edge{To: x - 2, Move: 0})
	}
	if x > 0 && x%3 == 0 {
		dst = append(dst, statespace.Edge{To: x / 3, Move: 1})
	}
	return dst
}

func (c countdown) Predecessors(dst []statespace.Edge, x uint64) []statespace.Edge {
	if x+2 <= c.start {
		dst = append(dst, statespace.Edge{To: x + 2, Move: 0})
	}
	if x > 0 && 3*x <= c.start {
		dst = append(dst, statespace.Edge{To: 3 * x, Move: 1})
	}
	return dst
}

func TestPlainSpace(t *testing.T) {
	sp := countdown{20}
	set := bitset.New(sp.Size())
	if err := statespace.Enumerate(t.Context(), sp, statespace.PlainEngine, set, 2, nil); err != nil {
		t.Fatal(err)
	}
	// 20 18 16 ... 0, and 18/3 = 6, 12/3 = 4, 6/3 = 2 are even as well.
	want := []uint64{0, 2, 4, 6, 8, 10, 12, 14, 16, 18, 20}
	if got := slices.Collect(set.All()); !slices.Equal(got, want) {
		t.Fatalf("reached %v", got)
	}
	layers, err := statespace.CountLayers(t.Context(), sp, set, 2)
	if err != nil || len(layers) != 11 || layers[0] != (statespace.Layer{Layer: 20, States: 1}) {
		t.Errorf("layers %v, %v", layers, err)
	}
	if faults, err := statespace.Verify(t.Context(), sp, set, 2, nil); err != nil || faults.Count != 0 {
		t.Errorf("%+v, %v", faults, err)
	}

	member := func(x uint64) (bool, error) { return set.Has(x), nil }
	way, err := statespace.Path(sp, member, 4)
	if err != nil {
		t.Fatal(err)
	}
	checkWay(t, sp, set, way, 4)
	if _, err := statespace.Path(sp, member, 7); !errors.Is(err, statespace.ErrNoPath) {
		t.Errorf("path to 7: %v", err)
	}
	broken := errors.New("broken")
	if _, err := statespace.Path(sp, func(uint64) (bool, error) { return false, broken }, 4); !errors.Is(err, broken) {
		t.Errorf("path in a set that cannot be read: %v", err)
	}

	for _, tt := range []struct {
		flip uint64
		want statespace.Faults
	}{
		// Without 20 there is nothing that leads to 18.
		{20, statespace.Faults{Count: 2, First: statespace.Fault{Kind: statespace.Orphan, State: 18}}},
		// 14 is two less and 16 no multiple of three.
		{16, statespace.Faults{Count: 2, First: statespace.Fault{Kind: statespace.Orphan, State: 14}}},
		{0, statespace.Faults{Count: 1, First: statespace.Fault{Kind: statespace.MissingSuccessor, State: 0}}},
		{1, statespace.Faults{Count: 1, First: statespace.Fault{Kind: statespace.Orphan, State: 1}}},
	} {
		set.Flip(tt.flip)
		if faults := statespace.Certify(sp, set); faults != tt.want {
			t.Errorf("%d flipped: %+v, want %+v", tt.flip, faults, tt.want)
		}
		set.Flip(tt.flip)
	}
	root := statespace.Faults{Count: 1, First: statespace.Fault{Kind: statespace.MissingRoot, State: 0}}
	if faults := statespace.Certify(countdown{0}, bitset.New(1)); faults != root {
		t.Errorf("an empty set: %+v", faults)
	}
	set.Words()[0] |= 5 << 60
	want2 := statespace.Faults{Count: 2, First: statespace.Fault{Kind: statespace.NoState, State: 60}}
	if faults := statespace.Certify(sp, set); faults != want2 {
		t.Errorf("two bits beyond the last number: %+v", faults)
	}
}

func TestEnumerateRefuses(t *testing.T) {
	sp := countdown{20}
	if err := statespace.Enumerate(t.Context(), sp, "sweep", bitset.New(21), 1, nil); err == nil {
		t.Error("an engine that the space does not have was taken")
	}
	if err := statespace.Enumerate(t.Context(), sp, statespace.PlainEngine, bitset.New(64), 1, nil); err == nil {
		t.Error("a set of the wrong size was taken")
	}
}

func TestInterrupt(t *testing.T) {
	sp, err := catalog.Lookup("peg/5x6", nil, catalog.Sliding{})
	if err != nil {
		t.Fatal(err)
	}
	stop := errors.New("stop")
	ctx, cancel := context.WithCancelCause(t.Context())
	cancel(stop)
	for _, engine := range statespace.Engines(sp) {
		set := bitset.New(sp.Size())
		if err := statespace.Enumerate(ctx, sp, engine, set, 2, nil); !errors.Is(err, stop) {
			t.Errorf("%s goes on after it was stopped: %v", engine, err)
		}
	}
	if _, err := statespace.Verify(ctx, sp.(statespace.Layered), bitset.New(sp.Size()), 2, nil); !errors.Is(err, stop) {
		t.Errorf("verify goes on after it was stopped: %v", err)
	}
}

// tally counts its tasks, and may look at words.
type tally struct {
	tasks []int
	words []uint64
	done  atomic.Int64
	sum   atomic.Uint64
}

func (w *tally) Stages() int                  { return len(w.tasks) }
func (w *tally) Tasks(stage int) int          { return w.tasks[stage] }
func (w *tally) NewWorker() statespace.Worker { return w }
func (w *tally) Do(stage, task int) {
	w.done.Add(1)
	for _, x := range w.words {
		w.sum.Add(x)
	}
}

func TestDo(t *testing.T) {
	var progress statespace.Progress
	work := &tally{tasks: []int{5, 0, 1000}}
	if err := statespace.Do(t.Context(), work, 3, &progress); err != nil {
		t.Fatal(err)
	}
	if done, total := progress.Read(); work.done.Load() != 1005 || done != 1005 || total != 1005 {
		t.Errorf("%d tasks were done; %d of %d, says the progress", work.done.Load(), done, total)
	}
}

// Words in a map of a file that was cut short make an error.
func TestDoOverLostFile(t *testing.T) {
	path := filepath.Join(t.TempDir(), "f")
	if err := os.WriteFile(path, make([]byte, 1<<16), 0o644); err != nil {
		t.Fatal(err)
	}
	f, err := os.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	m, err := mapped.Open(f)
	if err != nil {
		t.Fatal(err)
	}
	defer m.Close()
	work := &tally{tasks: []int{4}, words: m.Words(0, 1<<16)}
	if err := statespace.Do(t.Context(), work, 2, nil); err != nil {
		t.Fatal(err)
	}
	if runtime.GOOS == "windows" {
		t.Skip("a mapped file cannot be cut short here")
	}
	if err := os.Truncate(path, 0); err != nil {
		t.Fatal(err)
	}
	if err := statespace.Do(t.Context(), work, 2, nil); !errors.Is(err, mapped.ErrFault) {
		t.Errorf("a lost file became %v", err)
	}
}

func Example() {
	sp, err := catalog.Lookup("peg/4x4", nil, catalog.Sliding{})
	if err != nil {
		panic(err)
	}
	set := bitset.New(sp.Size())
	engine := statespace.Engines(sp)[0]
	if err := statespace.Enumerate(context.Background(), sp, engine, set, 2, nil); err != nil {
		panic(err)
	}
	fmt.Println(set.Count(), "positions")

	to, _ := sp.Parse("..../..../o.../..o.")
	member := func(x statespace.Index) (bool, error) { return set.Has(x), nil }
	way, err := statespace.Path(sp.(statespace.Layered), member, to)
	fmt.Println(set.Has(to), len(way.Steps), err)
	// Output:
	// 2115 positions
	// true 13 <nil>
}
