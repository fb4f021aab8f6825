package pagoda_test

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"strconv"
	"testing"

	"pagoda"
	"pagoda/statespace"
)

// stairs are steps that one goes down by one or two at a time: a space with layers and
// nothing else.
type stairs struct{ frog }

func (s stairs) Parts() pagoda.Parts      { return pagoda.Parts{Layers: s} }
func (s stairs) LayerName() string        { return "steps" }
func (s stairs) Layer(x pagoda.Index) int { return int(x) }
func (s stairs) LayersFall() bool         { return true }
func (s stairs) Roots() []pagoda.Index    { return []pagoda.Index{s.stones - 1} }
func (s stairs) Definition() (d pagoda.Definition) {
	d = s.frog.Definition()
	d.Family = "stairs"
	return d
}

func (s stairs) Successors(dst []pagoda.Edge, x pagoda.Index) []pagoda.Edge {
	for move := range min(2, x) {
		dst = append(dst, pagoda.Edge{To: x - 1 - move, Move: int(move)})
	}
	return dst
}

func (s stairs) Predecessors(dst []pagoda.Edge, x pagoda.Index) []pagoda.Edge {
	for move := range min(2, s.stones-1-x) {
		dst = append(dst, pagoda.Edge{To: x + 1 + move, Move: int(move)})
	}
	return dst
}

var staircase = &pagoda.Family{
	Name: "stairs",
	Lookup: func(_ context.Context, name string, _ pagoda.Choice) (pagoda.Space, error) {
		return nil, pagoda.ErrUnknown
	},
	Define: func(_ context.Context, d pagoda.Definition, _ uint64) (pagoda.Space, error) {
		sp, err := newFrog(string(d.Puzzle))
		return stairs{sp.(frog)}, err
	},
}

// run makes a file of a space and opens it.
func run(t *testing.T, sp pagoda.Space, family *pagoda.Family) *pagoda.File {
	t.Helper()
	path := filepath.Join(t.TempDir(), "test.reach")
	if _, err := pagoda.Run(t.Context(), sp, pagoda.Options{Output: path}); err != nil {
		t.Fatal(err)
	}
	f, err := pagoda.Open(t.Context(), path, pagoda.Options{}, family)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { f.Close() })
	return f
}

// A space that offers the required methods only can begin in another state. The distance on
// the ring depends on the difference alone.
func TestPathsFrom(t *testing.T) {
	f := run(t, frog{12}, frogs)
	for from := range 12 {
		p, err := f.Paths(t.Context(), pagoda.PathQuestion{From: strconv.Itoa(from)})
		if err != nil {
			t.Fatal(err)
		}
		for by, jumps := range []int{0, 3, 2, 1, 4, 3, 2, 1, 4, 3, 2, 5} {
			s, err := p.To(strconv.Itoa((from + by) % 12))
			if err != nil || len(s.Moves) != jumps {
				t.Errorf("from %d to %d: %v, %v; want %d jumps", from, (from+by)%12, s.Moves, err, jumps)
			}
		}
		p.Close()
	}
	if _, err := f.Paths(t.Context(), pagoda.PathQuestion{From: "12"}); fmt.Sprint(err) != `from "12": the state lies outside the space: there are 12 stones` {
		t.Error(err)
	}
}

// A space with layers and nothing else counts its paths: there are Fibonacci many.
func TestPathsVia(t *testing.T) {
	f := run(t, stairs{frog{20}}, staircase)
	for _, tt := range []struct {
		from, via, to string
		want          int64
	}{
		{"", "", "9", 89}, {"15", "", "5", 89}, {"15", "10", "5", 8 * 8}, {"", "15", "9", 5 * 13},
	} {
		p, err := f.Paths(t.Context(), pagoda.PathQuestion{From: tt.from, Via: tt.via, All: true, List: new(int)})
		if err != nil {
			t.Fatal(err)
		}
		s, err := p.To(tt.to)
		if err != nil || s.Count.Int64() != tt.want {
			t.Errorf("from %q by %q to %s: %v paths, %v; want %d", tt.from, tt.via, tt.to, s.Count, err, tt.want)
		}
		n := int64(0)
		for path, err := range s.All() {
			if err != nil || tt.via != "" && !slices.ContainsFunc(path.Steps, func(s statespace.Step) bool { return strconv.FormatUint(s.State, 10) == tt.via }) {
				t.Errorf("%v, %v: not by %s", path, err, tt.via)
			}
			n++
		}
		if n != tt.want {
			t.Errorf("from %q by %q to %s: %d paths are listed, want %d", tt.from, tt.via, tt.to, n, tt.want)
		}
		s.Close()
		p.Close()
	}
}

// The zero value of a Pick picks all members, and a range of layers those at the distances.
func TestPick(t *testing.T) {
	f := run(t, frog{12}, frogs)
	for _, tt := range []struct {
		pick pagoda.Pick
		want string
	}{
		{pagoda.Pick{}, "[0 1 2 3 4 5 6 7 8 9 10 11]"},
		{pagoda.Pick{Layers: &pagoda.Range{}}, "[0]"},
		{pagoda.Pick{Layers: &pagoda.Range{Least: 4, Most: 5}}, "[4 8 11]"},
	} {
		var all []pagoda.Index
		for x, err := range f.List(t.Context(), tt.pick) {
			if err != nil {
				t.Fatal(err)
			}
			all = append(all, x)
		}
		n, err := f.Count(t.Context(), tt.pick)
		if fmt.Sprint(all) != tt.want || err != nil || n != uint64(len(all)) {
			t.Errorf("%+v picks %v, and counts %d, %v; want %s", tt.pick, all, n, err, tt.want)
		}
	}
	for x := range f.List(t.Context(), pagoda.Pick{}) {
		if x == 3 {
			break
		}
	}
	for _, err := range f.List(t.Context(), pagoda.Pick{Pattern: "?"}) {
		if err == nil {
			t.Error("a pattern of a space without cells is understood")
		}
	}
}

// A file converts to another store and back, and stays proved. Errors are of the kinds that
// callers decide on.
func TestConvert(t *testing.T) {
	f := run(t, frog{12}, frogs)
	dir, path := t.TempDir(), f.Path()
	for _, store := range []string{"set", ""} {
		path = filepath.Join(dir, "converted-"+store+".reach")
		if err := pagoda.Convert(t.Context(), f, pagoda.Options{Output: path, Store: store}); err != nil {
			t.Fatal(err)
		}
		var err error
		if f, err = pagoda.Open(t.Context(), path, pagoda.Options{}, frogs); err != nil {
			t.Fatal(err)
		}
		defer f.Close()
		if err := pagoda.Verify(t.Context(), f, pagoda.Options{}); err != nil || f.Info().States != 12 {
			t.Errorf("store %q: %+v, %v", store, f.Info(), err)
		}
	}
	if f.Info().Store != "distance" {
		t.Errorf("the best store of a directed space is %s", f.Info().Store)
	}
	if err := pagoda.Convert(t.Context(), f, pagoda.Options{Output: filepath.Join(dir, "mod3.reach"), Store: "mod3"}); !errors.Is(err, pagoda.ErrOptions) {
		t.Errorf("mod3 of a directed space: %v", err)
	}
	if _, err := pagoda.Run(t.Context(), frog{13}, pagoda.Options{Output: path}); !errors.Is(err, pagoda.ErrInTheWay) {
		t.Errorf("onto another file: %v", err)
	}
	var file *pagoda.FileError
	if _, err := pagoda.Open(t.Context(), path, pagoda.Options{}); !errors.As(err, &file) {
		t.Errorf("without its family: %v", err)
	}
	var memory *pagoda.MemoryError
	if _, err := pagoda.Run(t.Context(), frog{1 << 20}, pagoda.Options{Memory: 1 << 10}); !errors.As(err, &memory) {
		t.Errorf("in a kilobyte: %v", err)
	}
	if _, err := f.Has("x"); !errors.Is(err, pagoda.ErrQuestion) {
		t.Errorf("no state: %v", err)
	}
	if _, err := pagoda.Lookup(t.Context(), "frog/x", staircase); !errors.Is(err, pagoda.ErrUnknown) {
		t.Errorf("another family: %v", err)
	}
	ctx, stop := context.WithCancel(t.Context())
	stop()
	var stopped *pagoda.StoppedError
	again := filepath.Join(dir, "again.reach")
	if _, err := pagoda.Run(ctx, frog{12}, pagoda.Options{Output: again, Checkpoint: dir}); !errors.As(err, &stopped) {
		t.Fatalf("stopped: %v", err)
	}
	if r, err := pagoda.Resume(t.Context(), stopped.Checkpoint, pagoda.Options{}, frogs); err != nil || r.States != 12 || r.File != again {
		t.Errorf("resumed: %+v, %v", r, err)
	}
}
