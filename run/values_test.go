package run_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"pagoda/internal/long"
	"pagoda/layers"
	"pagoda/puzzle/lunar"
	"pagoda/puzzle/lunar/board"
	"pagoda/run"
	"pagoda/statespace"
)

// A counted ring keeps values: how many shortest paths lead to a number, up to 255, and the number
// itself in 4 bytes. Value is a step, too.
type counted struct{ ring }

func (c counted) Name() string { return "counted " + c.ring.Name() }

func (c counted) Definition() statespace.Definition { return definition("counted", c.Name(), c.ring) }

func (c counted) Parts() statespace.Parts {
	p := c.ring.Parts()
	p.Values = statespace.Values{Value: c.value, Best: c.best, Figures: c.figures, DistanceName: "depth",
		Columns: []statespace.Column{{Name: "paths", About: "shortest paths", Bytes: 1}, {Name: "number", About: "the number itself", Bytes: 4}}}
	return p
}

func (c counted) value(dst []uint64, x uint64, near statespace.Near) {
	c.stop.step()
	dst[0], dst[1] = 0, x
	for _, e := range c.best(nil, x, near) {
		dst[0] = min(255, dst[0]+near(e.To)[0])
	}
	dst[0] = max(1, dst[0]) // the root
}

func (c counted) best(dst []statespace.Edge, x uint64, near statespace.Near) []statespace.Edge {
	for _, e := range c.Predecessors(nil, x) {
		if near(e.To) != nil {
			dst = append(dst, e)
		}
	}
	return dst
}

func (c counted) figures(ctx context.Context, _ int, at func(dst []uint64, x uint64) (int, error)) ([]statespace.Figure, error) {
	most, values := uint64(0), make([]uint64, 2)
	for x := range c.N {
		if distance, err := at(values, x); err != nil {
			return nil, err
		} else if distance >= 0 {
			most = max(most, values[0])
		}
	}
	return []statespace.Figure{{Name: "most_paths", Value: most}}, context.Cause(ctx)
}

// problems is a group of problems of Lunar Lockout.
func problems(t testing.TB, name string, letters, numbers int) *lunar.Group {
	t.Helper()
	b, ok := board.Named(name)
	if !ok {
		t.Fatal(name)
	}
	g, err := lunar.New(t.Context(), fmt.Sprintf("lunar/%s:%d-%d", name, letters, numbers), b, letters, numbers, 0)
	if err != nil {
		t.Fatal(err)
	}
	return g
}

// valuedSpaces are spaces with values.
func valuedSpaces(t testing.TB) []statespace.Space {
	return []statespace.Space{counted{directedRing}, counted{undirectedRing}, counted{endingRing}, counted{hopelessRing},
		problems(t, "5x5", 1, 3), problems(t, "cross", 1, 1)}
}

// Every engine makes the same file, on any number of threads, and so does every conversion from a
// store without values.
func TestValues(t *testing.T) {
	for _, sp := range valuedSpaces(t) {
		dir := t.TempDir()
		path, other := filepath.Join(dir, "a.reach"), filepath.Join(dir, "b.reach")
		first := start(t, sp, run.Options{Output: path, Threads: 1})
		want := readFile(t, path)
		if first.Store != layers.DistanceStore || len(first.Figures) == 0 || first.LayerName != sp.Parts().Values.DistanceName {
			t.Errorf("%s: the store is %s, the figures are %v of %s", sp.Name(), first.Store, first.Figures, first.LayerName)
		}
		if err := verify(t, path); err != nil {
			t.Errorf("%s: %v", sp.Name(), err)
		}
		for _, engine := range []string{run.NumbersEngine, run.PlainEngine} {
			for _, threads := range long.Or([]int{1, 2, 3, 7}, []int{1, 3}) {
				r := start(t, sp, run.Options{Output: other, Store: layers.DistanceStore, Engine: engine, Threads: threads, Overwrite: true})
				if data := readFile(t, other); !bytes.Equal(data, want) {
					t.Errorf("%s by %s on %d threads: another file", sp.Name(), engine, threads)
				}
				if fmt.Sprint(r.Figures) != fmt.Sprint(first.Figures) {
					t.Errorf("%s by %s on %d threads: %v, want %v", sp.Name(), engine, threads, r.Figures, first.Figures)
				}
			}
		}
		distance, err := layers.FindStore(layers.DistanceStore)
		if err != nil {
			t.Fatal(err)
		}
		for _, store := range stores(sp) {
			converted, err := convert(t, path, store, run.Options{Threads: 2})
			if losesValues(sp, store) {
				refusesToLose(t, err)
				start(t, sp, run.Options{Output: other, Store: store.Name, Overwrite: true, Threads: 2})
				converted, err = readFile(t, other), nil
			}
			if err != nil {
				t.Errorf("%s in %s: %v", sp.Name(), store.Name, err)
				continue
			}
			writeFile(t, other, converted)
			if err := verify(t, other); err != nil {
				t.Errorf("%s in %s: %v", sp.Name(), store.Name, err)
			}
			if data, err := convert(t, other, distance, run.Options{Threads: 3}); err != nil || !bytes.Equal(data, want) {
				t.Errorf("%s, from %s: another file, %v", sp.Name(), store.Name, err)
			}
			if store.Lists {
				continue
			}
			start(t, sp, run.Options{Output: other, Store: store.Name, Overwrite: true, Threads: 2})
			if data := readFile(t, other); !bytes.Equal(data, converted) {
				t.Errorf("%s in %s: a run makes another file than a conversion", sp.Name(), store.Name)
			}
		}
	}
}

// A run that is stopped while values are found keeps a checkpoint.
func TestStopsAtValues(t *testing.T) {
	sp := counted{directedRing}
	path := filepath.Join(t.TempDir(), "a.reach")
	o := run.Options{Output: path, Threads: 1, Every: 1 << 40}
	start(t, sp, o)
	want := readFile(t, path)
	if err := os.Remove(path); err != nil {
		t.Fatal(err)
	}
	successors := steps(t, directedRing, run.Options{Threads: 1})
	all := steps(t, sp, run.Options{Threads: 1})
	if all < successors+1000 {
		t.Fatalf("%d steps, %d of them in the search", all, successors)
	}
	for _, stop := range []int64{successors + 1, (successors + all) / 2, all} {
		ctx, cancel := stopping(t)
		_, err := run.Start(ctx, withStop(t, sp, stopAt(stop, cancel)), o)
		var stopped *run.StoppedError
		if !errors.As(err, &stopped) || !errors.Is(err, errStop) {
			t.Fatalf("stopped at step %d of %d: %v", stop, all, err)
		}
		r, err := run.Resume(t.Context(), stopped.Checkpoint, define, run.Options{Threads: 2})
		if err != nil || len(r.Figures) == 0 {
			t.Fatalf("resumed after step %d: %v, %v", stop, r, err)
		}
		sameFile(t, fmt.Sprintf("stopped at step %d", stop), path, want)
	}
}

// A proof finds each entry and each value that is changed, and says which state it is.
func TestVerifyRefusesValues(t *testing.T) {
	every := long.Or[uint64](13, 131) // for its time
	for _, sp := range []statespace.Space{counted{hopelessRing}, problems(t, "5x5", 1, 2)} {
		path := filepath.Join(t.TempDir(), "a.reach")
		start(t, sp, run.Options{Output: path})
		good := readFile(t, path)
		f, err := layers.Open(t.Context(), path, define, 0)
		if err != nil {
			t.Fatal(err)
		}
		width := uint64(f.Meta().DistanceBits)
		for _, c := range f.Meta().Columns {
			width += uint64(c.Bits)
		}
		distances := uint64(f.Meta().DistanceBits)
		f.Close()
		said := make(map[string]bool)
		for x := range sp.Size() {
			for bit := range width {
				if (x*width+bit)%every != 0 {
					continue
				}
				bad := bytes.Clone(good)
				bad[4096+8*(x/64*width+bit)+x%64/8] ^= 1 << (x % 8)
				mend(bad)
				writeFile(t, path, bad)
				err := verify(t, path)
				if !errors.Is(err, layers.ErrDamaged) {
					t.Fatalf("%s: bit %d of the entry of number %d may change: %v", sp.Name(), bit, x, err)
				}
				if bit >= distances {
					for _, text := range []string{"keeps numbers of it", "another number that is kept"} {
						said[text] = said[text] || strings.Contains(err.Error(), text)
					}
				}
			}
		}
		if !said["keeps numbers of it"] || !said["another number that is kept"] {
			t.Errorf("%s: of the errors, %v", sp.Name(), said)
		}
	}
}

// Figures of other stores, and others than the right ones, are refused.
func TestVerifyRefusesFigures(t *testing.T) {
	sp := counted{undirectedRing}
	path := filepath.Join(t.TempDir(), "a.reach")
	start(t, sp, run.Options{Output: path})
	good := readFile(t, path)
	bad := bytes.Replace(good, []byte(`"most_paths","value":`), []byte(`"most_pathe","value":`), 1)
	if bytes.Equal(bad, good) {
		t.Fatal("the file has no figure")
	}
	mend(bad)
	writeFile(t, path, bad)
	if err := verify(t, path); !errors.Is(err, layers.ErrDamaged) || !strings.Contains(err.Error(), "figures") {
		t.Errorf("another figure: %v", err)
	}
}

// A space with values is never listed unless that was asked for: the list has none.
func TestValuesNeedNumbers(t *testing.T) {
	sp := problems(t, "5x5", 3, 4)
	_, err := run.Start(t.Context(), sp, run.Options{Memory: 20 << 20})
	var memory *statespace.MemoryError
	if !errors.As(err, &memory) || memory.Need < 12*sp.Size() {
		t.Errorf("in little memory: %v", err)
	}
	p, err := run.Predict(t.Context(), sp, run.Options{})
	if err != nil || p.ValueBytes != 12*sp.Size() || p.Memory < p.ValueBytes || p.FileBytes != 0 {
		t.Errorf("the prediction is %+v, %v", p, err)
	}
}
