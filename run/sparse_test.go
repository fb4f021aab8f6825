package run_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"math/big"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"

	"pagoda/bitset"
	"pagoda/internal/failpoint"
	"pagoda/internal/long"
	"pagoda/layers"
	"pagoda/puzzle/slide"
	"pagoda/puzzle/slide/library"
	"pagoda/puzzle/slide/tray"
	"pagoda/run"
	"pagoda/sorted"
	"pagoda/statespace"
	"pagoda/statespace/spacetest"
	"pagoda/statespace/sparse"
)

// The engine sparse finds the goals that the engine numbers finds, by their places in the list.
func TestSparseGoals(t *testing.T) {
	spaces := []statespace.Space{directedRing, undirectedRing, endingRing, hopelessRing, slides(t, "slide/dads"), slides(t, "slide/n2x3")}
	for _, toGoal := range []bool{false, true} {
		spaces = append(spaces, must(slide.NewSpace(t.Context(), "slide/dads", must(library.Lookup("slide/dads")), tray.Steps, toGoal, 0)))
	}
	for _, sp := range spaces {
		want := start(t, sp, run.Options{Engine: run.NumbersEngine})
		got := start(t, sp, run.Options{Engine: run.SparseEngine})
		if !slices.Equal(got.Layers, want.Layers) || (got.Goal == nil) != (want.Goal == nil) {
			t.Errorf("%s: found %+v, want %+v", sp.Name(), got, want)
		}
		if want.Goal == nil {
			continue
		}
		states := explore(sp).states
		places := *want.Goal
		places.Nearest = nil
		for _, x := range want.Goal.Nearest {
			places.Nearest = append(places.Nearest, must(bitset.Rank(states, x)))
		}
		if fmt.Sprintf("%+v", *got.Goal) != fmt.Sprintf("%+v", places) {
			t.Errorf("%s: found %+v, want %+v", sp.Name(), *got.Goal, places)
		}
	}
}

// A run that is stopped at some level leaves its levels and a checkpoint, and makes the bytes of one
// that is not. Then the levels are gone.
func TestSparseResumeLevels(t *testing.T) {
	all := []world{explore(directedRing), explore(piles{N: 12}), explore(pegs(t, "peg/4x4")), grids(t)[0]}
	if long.Tests {
		all = append(all, explore(undirectedRing), explore(endingRing), grids(t)[1])
	}
	for _, w := range all {
		path := filepath.Join(t.TempDir(), "a.reach")
		o := run.Options{Engine: run.SparseEngine, Output: path, Every: -1, Threads: 1}
		start(t, w.Space, o)
		onlyFile(t, w.Name(), path)
		want := readFile(t, path)
		if err := os.Remove(path); err != nil {
			t.Fatal(err)
		}
		counts := slices.Clone(w.layers)
		if l := w.Space.Parts().Layers; l != nil && l.LayersFall() {
			slices.SortFunc(counts, func(a, b statespace.Layer) int { return b.Layer - a.Layer })
		}
		expanded := int64(1)
		for level, l := range counts {
			if len(counts) > 20 && level > 1 && level < len(counts)-1 && level%long.Or(3, 29) > 0 {
				expanded += int64(l.States)
				continue
			}
			o.Threads = 1 + level%3
			ctx, cancel := stopping(t)
			_, err := run.Start(ctx, withStop(t, w.Space, stopAt(expanded, cancel)), o)
			if expanded += int64(l.States); err == nil {
				if !w.Space.Parts().Goals.Ends || level < len(counts)-1 { // which it does not expand
					t.Errorf("%s: not stopped at level %d", w.Name(), level)
				}
				continue
			}
			var stopped *run.StoppedError
			if !errors.As(err, &stopped) || !errors.Is(err, errStop) {
				t.Fatalf("%s, stopped at level %d: %v", w.Name(), level, err)
			}
			if _, err := os.Stat(path + run.LevelsSuffix); err != nil {
				t.Errorf("%s, stopped at level %d: %v", w.Name(), level, err)
			}
			if _, err := run.Resume(t.Context(), stopped.Checkpoint, define, run.Options{Threads: 3 - level%3}); err != nil {
				t.Fatalf("%s, stopped at level %d: %v", w.Name(), level, err)
			}
			sameFile(t, fmt.Sprintf("%s, stopped at level %d", w.Name(), level), path, want)
		}
	}
}

// grids are spaces without numbers, with the layers that are easy to see.
func grids(t testing.TB) (all []world) {
	for _, g := range []grid{{W: 9, H: 7, Words: 2}, {W: 5, H: 11, Words: 3, Forward: true}, {W: 60, H: 40, Words: 2}} {
		w := world{Space: g}
		for distance := range int(g.W + g.H - 1) {
			w.layers = append(w.layers, statespace.Layer{Layer: distance})
		}
		for x := range g.W * g.H {
			w.layers[x%g.W+x/g.W].States++
		}
		all = append(all, w)
	}
	return all
}

// A space without numbers is run, verified and taken up, and has the sparse store only.
func TestCoded(t *testing.T) {
	for _, w := range grids(t) {
		g := w.Space.(grid)
		path := filepath.Join(t.TempDir(), "a.reach")
		var want []byte
		for _, threads := range long.Or([]int{1, 2, 3}, []int{1, 3}) {
			r := start(t, g, run.Options{Output: path, Overwrite: true, Threads: threads})
			if r.Engine != run.SparseEngine || r.Store != layers.SparseStore {
				t.Errorf("%s: the run says %+v", g.Name(), r)
			}
			testResult(t, w, r)
			// Every shortest way is one of the ways to mix the moves in both directions.
			ways := new(big.Int).Binomial(int64(g.W+g.H-2), int64(g.W-1))
			if goal := r.Goal; goal == nil || goal.Distance != int(g.W+g.H-2) || goal.Count != 1 || goal.Solutions.Cmp(ways) != 0 {
				t.Errorf("%s: found %+v, want %v ways", g.Name(), r.Goal, ways)
			}
			if data := readFile(t, path); want == nil {
				want = data
			} else if !bytes.Equal(data, want) {
				t.Errorf("%s: other bytes on %d threads", g.Name(), threads)
			}
			onlyFile(t, g.Name(), path)
		}
		if err := verify(t, path); err != nil {
			t.Error(err)
		}
		if r := start(t, g, run.Options{Output: path}); !r.Existing {
			t.Errorf("%s: the file is not found", g.Name())
		}
		f, err := layers.Open(t.Context(), path, define, 0)
		if err != nil {
			t.Fatal(err)
		}
		defer f.Close()
		spacetest.Test(t, f.Space(), 30)
		for _, store := range layers.Stores {
			data, err := convert(t, path, store, run.Options{})
			if store.Name == layers.ValuesStore {
				if !errors.Is(err, run.ErrOptions) || !strings.Contains(err.Error(), "it is no game against chance") {
					t.Errorf("%s: to %s: %v", g.Name(), store.Name, err)
				}
				continue
			}
			if store.Lists {
				if err != nil || !bytes.Equal(data, want) {
					t.Errorf("%s: converted to the same store, it has other bytes (%v)", g.Name(), err)
				}
			} else if !errors.Is(err, run.ErrOptions) || !strings.Contains(err.Error(), "its states have no numbers before they are found; the store sparse lists them") {
				t.Errorf("%s: to %s: %v", g.Name(), store.Name, err)
			}
			if _, err := run.Start(t.Context(), g, run.Options{Output: path + ".new", Store: store.Name}); store.Lists != (err == nil) || err != nil && !errors.Is(err, run.ErrOptions) {
				t.Errorf("%s in the store %s: %v", g.Name(), store.Name, err)
			}
		}
		for _, engine := range []string{run.NumbersEngine, run.PlainEngine} {
			if _, err := run.Start(t.Context(), g, run.Options{Engine: engine}); !errors.Is(err, run.ErrOptions) || !strings.Contains(err.Error(), "it has sparse") {
				t.Errorf("%s by %s: %v", g.Name(), engine, err)
			}
		}
		p, err := run.Predict(t.Context(), g, run.Options{})
		if err != nil || p.Engine != run.SparseEngine || p.Size != 0 || p.Sparsely || p.FileBytes != 0 {
			t.Errorf("%s: %+v is predicted (%v)", g.Name(), p, err)
		}
		r := start(t, g, run.Options{})
		testResult(t, w, r)
	}
	// A checkpoint without a file.
	dir := t.TempDir()
	checkpoint := stopHalfway(t, grids(t)[2].Space, run.Options{Checkpoint: dir, Threads: 1})
	r, err := run.Resume(t.Context(), checkpoint, define, run.Options{})
	if err != nil {
		t.Fatal(err)
	}
	testResult(t, grids(t)[2], r)
	onlyFile(t, "a run without a file", filepath.Join(dir, "none"))
}

// A sparse file becomes one of any other store with the bytes of a run, and one of its own.
func TestConvertSparse(t *testing.T) {
	for _, w := range some() {
		dir := t.TempDir()
		from := filepath.Join(dir, layers.SparseStore)
		start(t, w.Space, run.Options{Engine: run.SparseEngine, Output: from})
		for i, store := range stores(w.Space) {
			path := filepath.Join(dir, store.Name)
			if !store.Lists {
				start(t, w.Space, run.Options{Store: store.Name, Output: path})
			}
			got, err := convert(t, from, store, run.Options{Threads: 1 + i%3})
			if err != nil || !bytes.Equal(got, readFile(t, path)) {
				t.Errorf("%s: %s from the list has other bytes than a run writes (%v)", w.Name(), store.Name, err)
			}
			list, err := layers.FindStore(layers.SparseStore)
			if err != nil {
				t.Fatal(err)
			}
			if got, err = convert(t, path, list, run.Options{Threads: 1 + i%3}); store.WholeDistances && losesValues(w.Space, list) {
				refusesToLose(t, err)
			} else if err != nil || !bytes.Equal(got, readFile(t, from)) {
				t.Errorf("%s: the list from %s has other bytes than a run writes (%v)", w.Name(), store.Name, err)
			}
		}
	}
	// A conversion leaves a file that is in the way, and says so.
	dir := t.TempDir()
	from, there := filepath.Join(dir, "from"), filepath.Join(dir, "there")
	list, _ := layers.FindStore(layers.SparseStore)
	for _, engine := range []string{run.SparseEngine, run.NumbersEngine} {
		start(t, directedRing, run.Options{Engine: engine, Output: from, Overwrite: true})
		writeFile(t, there, []byte("somebody's"))
		f, err := layers.Open(t.Context(), from, define, 0)
		if err != nil {
			t.Fatal(err)
		}
		if err := run.Convert(t.Context(), f, list, run.Options{Output: there}); !errors.Is(err, run.ErrInTheWay) {
			t.Errorf("over another file: %v", err)
		}
		var memory *statespace.MemoryError
		if err := run.Convert(t.Context(), f, list, run.Options{Output: there, Overwrite: true, Memory: 1 << 20}); !errors.As(err, &memory) {
			t.Errorf("in 1 MiB: %v", err)
		}
		if data := readFile(t, there); string(data) != "somebody's" {
			t.Errorf("it is now %q", data)
		}
		if err := run.Convert(t.Context(), f, list, run.Options{Output: from, Overwrite: true}); err != nil {
			t.Errorf("over itself: %v", err)
		}
		f.Close()
		if err := verify(t, from); err != nil {
			t.Error(err)
		}
		if err := os.Remove(there); err != nil {
			t.Fatal(err)
		}
		onlyFile(t, "conversions", from)
	}
}

// A list is the codes and the distances of a file of the sparse store, which a test changes.
type list struct {
	codes     []uint64
	distances []uint16 // nil in a space with layers
	meta      layers.Meta
	goals     []uint64 // the codes of the nearest ones
}

func loadList(t testing.TB, path string) *list {
	t.Helper()
	f, err := layers.Open(t.Context(), path, define, 0)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	l := &list{meta: *f.Meta()}
	l.meta.Layers = slices.Clone(l.meta.Layers)
	code := f.Space().Parts().Codes.Number
	for x := range f.Space().Size() {
		l.codes = append(l.codes, code(x))
		if d, ok := f.Distances(); ok {
			l.distances = append(l.distances, must(d.At(x)))
		}
	}
	if g := l.meta.Goal; g != nil {
		for _, x := range g.Nearest {
			l.goals = append(l.goals, code(x))
		}
	}
	return l
}

// write writes the file of the list.
func (l *list) write(t testing.TB, path string, sp statespace.Space) error {
	t.Helper()
	var data bytes.Buffer
	w := must(sorted.NewWriter(&data, 1))
	if err := w.Append(l.codes); err != nil {
		t.Fatal(err)
	}
	must(w.Close())
	codes := must(sorted.Over(data.Bytes()))
	listed, err := sparse.Of(sp).Numbered(codes)
	if err != nil {
		return err
	}
	n := codes.Len()
	found := &layers.Found{Everything: layers.Everything(n), List: codes}
	meta := l.meta
	meta.Size, meta.States, meta.Details = n, n, layers.Details{}
	if l.distances != nil {
		width := l.meta.DistanceBits
		found.Whole = true
		found.Distances = must(bitset.PlanesOver(make([]uint64, bitset.PlaneWords(n, width)), n, width))
		for x, e := range l.distances {
			found.Distances.Set(uint64(x), e)
		}
	}
	if meta.Goal != nil {
		g := *meta.Goal
		g.Nearest = nil
		for _, code := range l.goals {
			if rank, ok, _ := codes.Rank([]uint64{code}); ok {
				g.Nearest = append(g.Nearest, rank)
			}
		}
		meta.Goal = &g
	}
	out, err := layers.Create(path, 0, true)
	if err != nil {
		t.Fatal(err)
	}
	_, err = out.Finish(t.Context(), listed, found, &meta, layers.WriteOptions{})
	return err
}

// layer returns the layer of a code, by distance or by that of the space.
func (l *list) layer(sp statespace.Space, level int, code uint64) *statespace.Layer {
	if layered := sp.Parts().Layers; layered != nil {
		level = layered.Layer(code)
	}
	i := slices.IndexFunc(l.meta.Layers, func(l statespace.Layer) bool { return l.Layer == level })
	return &l.meta.Layers[i]
}

// distancesOf finds the distances of all states in the plainest way.
func distancesOf(sp statespace.Space) map[uint64]int {
	distances := make(map[uint64]int)
	for level, next := sp.Roots(), []uint64(nil); len(level) > 0; level, next = next, nil {
		for _, x := range level {
			if _, seen := distances[x]; !seen && len(distances) == 0 {
				distances[x] = 0
			}
			for _, e := range sp.Successors(nil, x) {
				if _, seen := distances[e.To]; !seen {
					distances[e.To] = distances[x] + 1
					next = append(next, e.To)
				}
			}
		}
	}
	return distances
}

// Verify finds a state that a list lacks, one that it has too many, and a wrong distance, even if
// the layers are counted accordingly.
func TestVerifySparse(t *testing.T) {
	for _, w := range some() {
		path := filepath.Join(t.TempDir(), "a.reach")
		start(t, w.Space, run.Options{Engine: run.SparseEngine, Output: path})
		distances := distancesOf(w.Space)
		refused := func(what string, change func(l *list)) {
			t.Helper()
			l := loadList(t, path)
			change(l)
			bad := path + ".bad"
			if err := l.write(t, bad, w.Space); err != nil {
				t.Fatalf("%s, %s: %v", w.Name(), what, err)
			}
			var wrong *layers.FileError
			if err := verify(t, bad); (err == nil) != (what == "") || err != nil && (!errors.As(err, &wrong) || !errors.Is(err, layers.ErrDamaged)) {
				t.Errorf("%s, %s: %v", w.Name(), what, err)
			}
		}
		refused("", func(*list) {})
		codes := loadList(t, path).codes
		if want := slices.Collect(w.states.All()); !slices.Equal(codes, want) {
			t.Fatalf("%s: the list has %d codes, want %d", w.Name(), len(codes), len(want))
		}
		last := codes[0] // one that no move leaves, or that is far away
		for i, x := range codes {
			if distances[x] > distances[last] {
				last = codes[i]
			}
		}
		tries := long.Or(12, 3)
		for i := 0; i <= len(codes); i += 1 + len(codes)/tries {
			lacking := append(codes, last)[i]
			if slices.Contains(w.Roots(), lacking) {
				continue
			}
			refused(fmt.Sprintf("without %d", lacking), func(l *list) {
				at, _ := slices.BinarySearch(l.codes, lacking)
				l.codes = slices.Delete(l.codes, at, at+1)
				if l.distances != nil {
					l.distances = slices.Delete(l.distances, at, at+1)
				}
				counts := l.layer(w.Space, distances[lacking], lacking)
				if counts.States--; counts.States == 0 {
					l.meta.Layers = slices.DeleteFunc(l.meta.Layers, func(l statespace.Layer) bool { return l.States == 0 })
				}
				if len(l.goals) == 1 && l.goals[0] == lacking {
					l.meta.Goal = nil
				}
				if l.meta.DistanceBits > 0 {
					l.meta.DistanceBits = bitLen(len(l.meta.Layers))
				}
			})
		}
		tried := 0
		for x := uint64(0); x < w.Size() && tried < tries; x += 1 + w.Size()/50 {
			if w.states.Has(x) {
				continue
			}
			level := distances[codes[len(codes)/2]]
			if l := w.Space.Parts().Layers; l != nil && !slices.ContainsFunc(loadList(t, path).meta.Layers, func(m statespace.Layer) bool { return m.Layer == l.Layer(x) }) {
				continue
			}
			tried++
			refused(fmt.Sprintf("with %d", x), func(l *list) {
				at, _ := slices.BinarySearch(l.codes, x)
				l.codes = slices.Insert(l.codes, at, x)
				if l.distances != nil {
					entry := uint16(level%3 + 1)
					if !w.Space.Parts().Undirected {
						entry = uint16(level + 1)
					}
					l.distances = slices.Insert(l.distances, at, entry)
				}
				l.layer(w.Space, level, x).States++
			})
		}
		if w.Space.Parts().Layers != nil {
			continue
		}
		for i := 1; i < len(codes); i += 1 + len(codes)/tries {
			x := codes[i]
			refused(fmt.Sprintf("another distance of %d", x), func(l *list) {
				counts := l.layer(w.Space, distances[x], x)
				if counts.States == 1 || slices.Contains(l.goals, x) {
					l.distances[i] = l.distances[i]%3 + 1 // the layers do not agree either
					return
				}
				counts.States--
				if distances[x] > 1 {
					l.layer(w.Space, distances[x]-1, x).States++
				} else {
					l.layer(w.Space, distances[x]+1, x).States++
				}
				switch whole := !w.Space.Parts().Undirected; {
				case whole && distances[x] > 1:
					l.distances[i]--
				case whole:
					l.distances[i]++
				case distances[x] > 1:
					l.distances[i] = (l.distances[i]+1)%3 + 1
				default:
					l.distances[i] = l.distances[i]%3 + 1
				}
			})
		}
	}
}

func bitLen(n int) (bits int) {
	for ; n > 0; n >>= 1 {
		bits++
	}
	return bits
}

// A level that is not as it was saved is not taken back, and stays where it is.
func TestSparseLevelsLost(t *testing.T) {
	for _, sp := range []statespace.Space{undirectedRing, grids(t)[2].Space} {
		path := filepath.Join(t.TempDir(), "a.reach")
		o := run.Options{Engine: run.SparseEngine, Output: path, Every: -1, Threads: 1}
		start(t, sp, o)
		want := readFile(t, path)
		if err := os.Remove(path); err != nil {
			t.Fatal(err)
		}
		checkpoint := stopHalfway(t, sp, o)
		dir := path + run.LevelsSuffix
		names, err := os.ReadDir(dir)
		if err != nil || len(names) < 3 {
			t.Fatalf("%d levels: %v", len(names), err)
		}
		refused := func(what, name string) {
			t.Helper()
			_, err := run.Resume(t.Context(), checkpoint, define, run.Options{})
			if !errors.Is(err, layers.ErrLost) || !strings.Contains(err.Error(), dir) || !strings.Contains(err.Error(), name) || !strings.Contains(err.Error(), "put the directory of the levels back beside the checkpoint, or begin again") {
				t.Errorf("%s, %s: %v", sp.Name(), what, err)
			}
			if _, err := os.Stat(path); err == nil {
				t.Errorf("%s, %s: a file was made", sp.Name(), what)
			}
			if _, err := os.Stat(checkpoint); err != nil {
				t.Errorf("%s, %s: %v", sp.Name(), what, err)
			}
		}
		for _, name := range names {
			level := filepath.Join(dir, name.Name())
			good := readFile(t, level)
			bad := bytes.Clone(good)
			bad[len(bad)/2] ^= 4
			writeFile(t, level, bad)
			refused("a bit flipped", name.Name())
			writeFile(t, level, good[:len(good)-1])
			refused("cut short", name.Name())
			if err := os.Remove(level); err != nil {
				t.Fatal(err)
			}
			refused("no file", name.Name())
			writeFile(t, level, good)
		}
		if err := os.Rename(dir, dir+".moved"); err != nil {
			t.Fatal(err)
		}
		refused("no directory", names[0].Name())
		if err := os.Rename(dir+".moved", dir); err != nil {
			t.Fatal(err)
		}
		if after, err := os.ReadDir(dir); err != nil || len(after) != len(names) {
			t.Errorf("%s: %d levels are left of %d: %v", sp.Name(), len(after), len(names), err)
		}
		if _, err := run.Resume(t.Context(), checkpoint, define, run.Options{}); err != nil {
			t.Fatal(err)
		}
		sameFile(t, sp.Name(), path, want)
	}
}

// A run that fails and keeps no checkpoint leaves no levels, and a run that begins again removes
// those of an earlier one.
func TestSparseLeavesNothing(t *testing.T) {
	path := filepath.Join(t.TempDir(), "a.reach")
	o := run.Options{Engine: run.SparseEngine, Output: path, Every: time.Hour}
	// fails starts a run that fails at an operation on a file.
	fails := func(op, name string) {
		t.Helper()
		undo := failpoint.Inject(func(failing, path string) error {
			if failing == op && filepath.Base(path) == name {
				return syscall.EIO
			}
			return nil
		})
		defer undo()
		_, err := run.Start(t.Context(), directedRing, o)
		var stopped *run.StoppedError
		if !errors.Is(err, syscall.EIO) || errors.As(err, &stopped) || !strings.Contains(err.Error(), name) {
			t.Errorf("%s of %s fails: %v", op, name, err)
		}
		onlyFile(t, "a short run", path)
	}
	fails("open", "level-00000.sorted")
	fails("write", "level-00001.sorted")
	fails("write", "level-00100.sorted")
	fails("write", "table.sorted")
	fails("sync", "a.reach.partial")
	// One that is interrupted and has done nothing.
	ctx, cancel := stopping(t)
	if _, err := run.Start(ctx, withStop(t, directedRing, stopAt(1, cancel)), o); !errors.Is(err, errStop) {
		t.Errorf("stopped at the first step: %v", err)
	}
	onlyFile(t, "a short run", path)
	// Another engine begins again, too.
	stopHalfway(t, directedRing, run.Options{Engine: run.SparseEngine, Output: path, Every: -1, Threads: 1})
	start(t, directedRing, run.Options{Engine: run.NumbersEngine, Output: path, Overwrite: true})
	onlyFile(t, "a run by another engine", path)
	if err := os.Remove(path); err != nil {
		t.Fatal(err)
	}
	// The levels of a run that was killed, and what somebody has put beside them.
	dir := path + run.LevelsSuffix
	if err := os.Mkdir(dir, 0o777); err != nil {
		t.Fatal(err)
	}
	writeFile(t, filepath.Join(dir, "level-00003.sorted"), []byte("part of a level"))
	fails("write", "level-00050.sorted")
	if err := os.Mkdir(dir, 0o777); err != nil {
		t.Fatal(err)
	}
	writeFile(t, filepath.Join(dir, "level-00003.sorted"), []byte("part of a level"))
	start(t, directedRing, o)
	onlyFile(t, "a run over the levels of another", path)
	if err := os.Mkdir(dir, 0o777); err != nil {
		t.Fatal(err)
	}
	precious := filepath.Join(dir, "precious")
	writeFile(t, precious, []byte("somebody's"))
	o.Overwrite = true
	start(t, directedRing, o)
	if data := readFile(t, precious); string(data) != "somebody's" {
		t.Errorf("it is now %q", data)
	}
}

// A wide ring has very many numbers, and only a few of them can be reached.
var wideRing = ring{N: 1 << 33, Steps: []uint64{1 << 23}, Back: true, Goals: []uint64{1 << 30}}

// Where the numbers do not fit into memory, or take much of it and few of them are states, the
// engine sparse is used.
func TestSparsely(t *testing.T) {
	for memory, what := range map[uint64]string{100 << 20: "too little memory", 1 << 40: "much memory"} {
		path := filepath.Join(t.TempDir(), "a.reach")
		p, err := run.Predict(t.Context(), wideRing, run.Options{Memory: memory})
		if err != nil || !p.Sparsely || p.Engine != run.NumbersEngine || p.Memory < run.SetBytes(wideRing) || p.Fits != (memory > 1<<32) {
			t.Errorf("with %s: %+v is predicted (%v)", what, p, err)
		}
		for _, output := range []string{path, ""} {
			r := start(t, wideRing, run.Options{Memory: memory, Output: output})
			// Half of the ring in each direction.
			if r.Engine != run.SparseEngine || r.States != 1024 || len(r.Layers) != 513 || r.Goal == nil || r.Goal.Distance != 128 || r.Goal.Solutions.Int64() != 1 {
				t.Errorf("with %s: found %+v", what, r)
			}
			if output != "" && r.Store != layers.SparseStore {
				t.Errorf("with %s the store is %s", what, r.Store)
			}
		}
		if err := verify(t, path); err != nil {
			t.Error(err)
		}
		onlyFile(t, what, path)
		// Not if another store is asked for.
		o := run.Options{Memory: memory, Store: layers.Mod3Store, Output: path + ".mod3"}
		p, err = run.Predict(t.Context(), wideRing, o)
		if err != nil || p.Sparsely || p.Engine != run.NumbersEngine {
			t.Errorf("with %s and another store: %+v is predicted (%v)", what, p, err)
		}
	}
	path := filepath.Join(t.TempDir(), "a.reach")
	var memory *statespace.MemoryError
	_, err := run.Start(t.Context(), wideRing, run.Options{Memory: 100 << 20, Store: layers.Mod3Store, Output: path})
	if !errors.As(err, &memory) || !strings.Contains(memory.Instead, "use the engine sparse and the store sparse (") {
		t.Errorf("another store in too little memory: %v", err)
	}
	if _, err := run.Start(t.Context(), wideRing, run.Options{Memory: 1 << 20, Output: path}); !errors.As(err, &memory) || memory.Allowed != 1<<20 {
		t.Errorf("in too little memory for any engine: %v", err)
	}
	onlyFile(t, "runs in too little memory", path)
	// Many levels or many states: the probe ends, and the numbers are used.
	many := wideRing
	many.Steps = []uint64{1}
	p, err := run.Predict(t.Context(), many, run.Options{Memory: 1 << 40})
	if err != nil || p.Sparsely || p.Engine != run.NumbersEngine {
		t.Errorf("%+v is predicted (%v)", p, err)
	}
	if !long.Tests {
		return
	}
	many.Steps = nil
	for step := uint64(1); step < many.N; step *= 2 {
		many.Steps = append(many.Steps, step)
	}
	p, err = run.Predict(t.Context(), many, run.Options{Memory: 1 << 40})
	if err != nil || p.Sparsely || p.Engine != run.NumbersEngine {
		t.Errorf("%+v is predicted (%v)", p, err)
	}
}

// The engine sparse, if nobody has asked for it, gives up when the list takes more than the memory
// that is allowed.
func TestListOutgrowsMemory(t *testing.T) {
	testOutgrows(t, undirectedRing)
	testOutgrows(t, grids(t)[2].Space)
}

func testOutgrows(t *testing.T, sp statespace.Space) {
	path := filepath.Join(t.TempDir(), "a.reach")
	o := run.Options{Output: path, Every: time.Hour}
	outgrows := func() {
		t.Helper()
		err := run.StartSparse(t.Context(), sp, o, 600, false)
		var memory *statespace.MemoryError
		if !errors.As(err, &memory) || memory.Allowed != 600 || memory.Need <= 600 {
			t.Fatalf("in 600 bytes: %v", err)
		}
		for _, text := range []string{"use the engine sparse", "its list of ", " states up to distance ", ", and there are more", "on the disk"} {
			if !strings.Contains(err.Error(), text) {
				t.Errorf("%v; want %q", err, text)
			}
		}
	}
	outgrows()
	onlyFile(t, "a list that outgrew the memory", path)
	if err := run.StartSparse(t.Context(), sp, o, 600, true); err != nil {
		t.Errorf("asked for, in 600 bytes: %v", err)
	}
	want := readFile(t, path)
	sameFile(t, "a list that was asked for", path, want)
	// What it has found so far is not lost.
	o.Every = -1
	outgrows()
	checkpoint := path + run.CheckpointSuffix
	var memory *statespace.MemoryError
	var stopped *run.StoppedError
	err := run.ResumeIn(t.Context(), checkpoint, define, run.Options{Every: -1}, 700)
	if !errors.As(err, &memory) || !errors.As(err, &stopped) || memory.Allowed != 700 || memory.Need <= 700 || memory.Instead != "" {
		t.Errorf("resumed in 700 bytes: %v", err)
	}
	if _, err := run.Resume(t.Context(), checkpoint, define, run.Options{}); err != nil {
		t.Error(err)
	}
	sameFile(t, "a list that outgrew the memory, resumed", path, want)
}

// A run without a file keeps its levels in memory, and says what to do when that is full.
func TestSparseInMemory(t *testing.T) {
	if !long.Tests {
		t.Skip("fills 80 MiB")
	}
	dir := t.TempDir()
	t.Chdir(dir)
	large := grid{W: 1500, H: 1000, Words: 8}
	_, err := run.Start(t.Context(), large, run.Options{Memory: 80 << 20, Threads: 2})
	if !errors.Is(err, statespace.ErrMemory) || !strings.Contains(err.Error(), large.Name()+": this takes more memory than is allowed: found ") || !strings.Contains(err.Error(), "; the limit is 80 MiB: raise it, or keep what is found on the disk with --checkpoint or -o") {
		t.Errorf("in 80 MiB: %v", err)
	}
	onlyFile(t, "a run in memory", filepath.Join(dir, "none"))
}

// Runs in memory stop when their context ends.
func TestSparseStops(t *testing.T) {
	ctx, cancel := stopping(t)
	if _, err := run.Start(ctx, withStop(t, undirectedRing, stopAt(500, cancel)), run.Options{Engine: run.SparseEngine}); !errors.Is(err, errStop) {
		t.Errorf("in memory: %v", err)
	}
	done, cancel2 := context.WithCancelCause(t.Context())
	cancel2(errStop)
	path := filepath.Join(t.TempDir(), "a.reach")
	if _, err := run.Start(done, undirectedRing, run.Options{Engine: run.SparseEngine, Output: path}); !errors.Is(err, errStop) {
		t.Errorf("before it began: %v", err)
	}
	onlyFile(t, "a run that was stopped before it began", path)
}
