package run_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"pagoda/internal/long"
	"pagoda/layers"
	"pagoda/run"
	"pagoda/statespace"
	"pagoda/statespace/sweep"
)

// Start refuses options that do not go together, and says what would.
func TestStartRefuses(t *testing.T) {
	path := filepath.Join(t.TempDir(), "a.reach")
	for _, tt := range []struct {
		sp   statespace.Space
		o    run.Options
		text string
	}{
		{directedRing, run.Options{Engine: "diesel"}, `ring/6000 has no engine "diesel": it has numbers, sparse, plain`},
		{directedRing, run.Options{Engine: "sweep"}, `it has numbers, sparse, plain`},
		{pegs(t, "peg/5x5"), run.Options{Engine: "diesel"}, `it has sweep, layers, numbers, sparse, plain`},
		{directedRing, run.Options{Store: "papyrus", Output: path}, `there is no store "papyrus": this program has set,`},
		{directedRing, run.Options{Store: layers.Mod3Store, Output: path}, "its moves cannot be taken back; the store distance keeps whole distances"},
		{directedRing, run.Options{Store: layers.FoldedStore, Output: path}, "it has no blocks"},
		{piles{N: 10}, run.Options{Store: layers.DistanceStore, Output: path}, "its layers are by things, not by distance"},
		{directedRing, run.Options{Store: layers.SetStore}, "the store set is for a file, and the run writes none"},
		{directedRing, run.Options{Engine: run.SparseEngine, Store: layers.SetStore, Output: path}, "the engine sparse of ring/6000 does not make the store set: use the store sparse, and convert it"},
		{directedRing, run.Options{Engine: run.NumbersEngine, Store: layers.SparseStore, Output: path}, "the engine numbers of ring/6000 does not make the store sparse: use the store distance, and convert it"},
		{directedRing, run.Options{Kernel: "avx2"}, "the engine numbers of ring/6000 has no kernels to choose from"},
		{pegs(t, "peg/5x5"), run.Options{Kernel: "mmx"}, "mmx"},
		{pegs(t, "peg/5x5"), run.Options{Kernel: "avx2", Engine: "layers"}, "the engine layers of peg/5x5 has no kernels"},
		{directedRing, run.Options{Engine: run.PlainEngine, Checkpoint: t.TempDir()}, "writes no checkpoints"},
	} {
		_, err := run.Start(t.Context(), tt.sp, tt.o)
		if !errors.Is(err, run.ErrOptions) || !strings.Contains(err.Error(), tt.text) || strings.Contains(err.Error(), "--") {
			t.Errorf("%+v: %v; want %q", tt.o, err, tt.text)
		}
	}
	onlyFile(t, "refused runs", path)
}

// A kernel can be named; all of them make the same file.
func TestKernels(t *testing.T) {
	sp := pegs(t, "peg/5x5")
	path := filepath.Join(t.TempDir(), "a.reach")
	var want []byte
	for _, kernel := range append(sweep.Engines(sp)[0].Kernels, "") {
		r := start(t, sp, run.Options{Kernel: kernel, Output: path, Overwrite: true})
		if kernel != "" && r.Kernel != kernel || r.Kernel == "" {
			t.Errorf("the kernel is %q, asked for %q", r.Kernel, kernel)
		}
		if data := readFile(t, path); want == nil {
			want = data
		} else if !slices.Equal(data, want) {
			t.Errorf("the kernel %s makes another file", kernel)
		}
	}
}

// A run that needs more memory than it may take says how much it needs, how much is allowed and
// what to do. What it says it needs is enough, and so is what Predict says.
func TestMemory(t *testing.T) {
	for _, w := range some() {
		for _, engine := range run.Engines(w.Space) {
			for _, store := range append(stores(w.Space), layers.Store{}) {
				if store.Name != "" && !makes(engine, store) {
					continue
				}
				if !long.Tests && store.Name != "" && !store.Lists && store.Name != run.BestStore(w.Space) && store.Name != layers.TrieStore {
					continue
				}
				path := filepath.Join(t.TempDir(), "a.reach")
				o := run.Options{Engine: engine, Store: store.Name, Output: path, Memory: 1}
				what := fmt.Sprintf("%s by %s in %q", w.Name(), engine, store.Name)
				if store.Name == "" {
					o.Output = ""
				}
				_, err := run.Start(t.Context(), w.Space, o)
				var memory *statespace.MemoryError
				if !errors.As(err, &memory) || memory.Allowed != 1 || memory.Name != w.Name() {
					t.Fatalf("%s: %v", what, err)
				}
				if text := err.Error(); !strings.Contains(text, "of memory, ") || !strings.Contains(text, "; the limit is 1 B: raise it") || strings.Contains(text, "--") {
					t.Errorf("%s: %s", what, text)
				}
				onlyFile(t, what, path)
				if store.Name != "" {
					p, err := run.Predict(t.Context(), w.Space, o)
					if err != nil || p.Memory != memory.Need || p.Fits || p.Limit != 1 {
						t.Errorf("%s: %+v is predicted, %d are needed (%v)", what, p, memory.Need, err)
					}
				}
				o.Memory = memory.Need - 1
				if _, err := run.Start(t.Context(), w.Space, o); !errors.As(err, &memory) {
					t.Errorf("%s: a byte less than it needs: %v", what, err)
				}
				o.Memory = memory.Need
				start(t, w.Space, o)
			}
		}
	}
}

// Where another engine or store takes less, the error says so, and it is true.
func TestInstead(t *testing.T) {
	sp := pegs(t, "peg/6x6")
	predict := func(engine, store string) uint64 {
		t.Helper()
		p, err := run.Predict(t.Context(), sp, run.Options{Engine: engine, Store: store})
		if err != nil {
			t.Fatal(err)
		}
		return p.Memory
	}
	path := filepath.Join(t.TempDir(), "a.reach")
	levels, least := predict("layers", layers.SetStore), predict("sweep", layers.FoldedStore)
	if least >= levels {
		t.Fatalf("the sweep needs %d bytes, levels %d", least, levels)
	}
	var memory *statespace.MemoryError
	_, err := run.Start(t.Context(), sp, run.Options{Engine: "layers", Store: layers.SetStore, Output: path, Memory: least})
	if !errors.As(err, &memory) || !strings.HasPrefix(memory.Instead, "use the engine sweep and the store folded (") || !strings.HasSuffix(err.Error(), memory.Instead) {
		t.Errorf("levels in a set: %v", err)
	}
	_, err = run.Start(t.Context(), sp, run.Options{Engine: "layers", Memory: least})
	if !errors.As(err, &memory) || !strings.HasPrefix(memory.Instead, "use the engine sweep (") {
		t.Errorf("levels without a file: %v", err)
	}
	_, err = run.Start(t.Context(), sp, run.Options{Engine: "layers", Memory: 1})
	if !errors.As(err, &memory) || memory.Instead != "" {
		t.Errorf("nothing fits: %v", err)
	}
	// If no engine is named, the first that fits is used.
	numbers, err1 := run.Predict(t.Context(), directedRing, run.Options{Engine: run.NumbersEngine})
	plain, err2 := run.Predict(t.Context(), directedRing, run.Options{Engine: run.PlainEngine})
	if err := errors.Join(err1, err2); err != nil || plain.Memory >= numbers.Memory {
		t.Fatalf("the plain search needs %d bytes, numbers %d (%v)", plain.Memory, numbers.Memory, err)
	}
	for _, memory := range []uint64{0, numbers.Memory} {
		r := start(t, directedRing, run.Options{Output: path, Overwrite: true, Memory: memory})
		if r.Engine != run.NumbersEngine {
			t.Errorf("with %d bytes it is the engine %s", memory, r.Engine)
		}
	}
	// The plain search is there to compare with.
	_, err = run.Start(t.Context(), directedRing, run.Options{Output: path, Overwrite: true, Memory: numbers.Memory - 1})
	if !errors.As(err, &memory) || !strings.HasPrefix(memory.Instead, "use the engine plain and the store distance (") {
		t.Errorf("a byte less than numbers need: %v", err)
	}
}

// A run does not overwrite what is there, unless it is allowed to.
func TestInTheWay(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "a.reach")
	refused := func(what, text string, o run.Options) {
		t.Helper()
		o.Output = path
		before, _ := os.ReadFile(path)
		_, err := run.Start(t.Context(), directedRing, o)
		if !errors.Is(err, run.ErrInTheWay) || !strings.Contains(err.Error(), text) || !strings.Contains(err.Error(), path) {
			t.Errorf("%s: %v; want %q", what, err, text)
		}
		if after, _ := os.ReadFile(path); !slices.Equal(before, after) {
			t.Errorf("%s: it is another now", what)
		}
	}
	writeFile(t, path, []byte("somebody's"))
	refused("a text", "not a file of states", run.Options{})
	start(t, undirectedRing, run.Options{Output: path, Overwrite: true})
	refused("another space", "holds ring/3000, not this space", run.Options{})
	start(t, directedRing, run.Options{Output: path, Overwrite: true, Store: layers.SetStore})
	refused("another store", "holds this space in the store set, not distance: convert it", run.Options{})
	bad := readFile(t, path)
	bad[4100] ^= 1
	writeFile(t, path, bad)
	refused("a damaged file", "checksum", run.Options{Store: layers.SetStore})
	start(t, directedRing, run.Options{Output: path, Overwrite: true, Store: layers.SetStore})
	if err := verify(t, path); err != nil {
		t.Error(err)
	}
	onlyFile(t, "runs", path)
	if err := os.Remove(path); err != nil {
		t.Fatal(err)
	}
	if err := os.Mkdir(path, 0o777); err != nil {
		t.Fatal(err)
	}
	refused("a directory", "not a regular file", run.Options{})
}

// Predictions agree with each other and with the runs.
func TestPredict(t *testing.T) {
	for _, w := range append(small(), world{Space: pegs(t, "peg/5x5")}) {
		sp := w.Space
		p, err := run.Predict(t.Context(), sp, run.Options{Threads: 3})
		if err != nil {
			t.Fatal(err)
		}
		if p.Space != sp.Name() || p.Size != sp.Size() || p.Engine != run.Engines(sp)[0] || p.Threads != 3 || p.SetBytes != run.SetBytes(sp) || p.FileBytes != run.FileSize(sp) {
			t.Errorf("%+v", p)
		}
		if p.Memory < p.SetBytes && p.BlockPrediction == nil || p.Most == "" {
			t.Errorf("%s: %d bytes for a set of %d, %q", p.Space, p.Memory, p.SetBytes, p.Most)
		}
		if p.Limit != run.MemoryLimit(0) && p.Machine != 0 || p.Fits != (p.Memory <= run.MemoryLimit(0)) {
			t.Errorf("%s: %d bytes fit into %d: %t", p.Space, p.Memory, p.Limit, p.Fits)
		}
		if b := p.BlockPrediction; b != nil {
			if b.RingBytes != b.WindowBlocks*b.BlockBytes || b.WindowBlocks > b.Representatives || b.RingBytes+b.TableBytes > p.Memory || b.Representatives*b.BlockBytes > p.FileBytes {
				t.Errorf("%s: %+v", p.Space, b)
			}
		}
		name, err := run.OutputName(sp, run.Options{})
		if err != nil {
			t.Fatal(err)
		}
		path := filepath.Join(t.TempDir(), name)
		r := start(t, sp, run.Options{Output: path})
		if p.FileBytes > 0 && (r.FileBytes > p.FileBytes+1<<16 || p.FileBytes > r.FileBytes+1<<13) {
			t.Errorf("%s: the file has %d bytes, %d are predicted", p.Space, r.FileBytes, p.FileBytes)
		}
		if r.Engine != p.Engine || r.Kernel != p.Kernel {
			t.Errorf("%s: the run was by %s %s, %s %s is predicted", p.Space, r.Engine, r.Kernel, p.Engine, p.Kernel)
		}
	}
	if _, err := run.Predict(t.Context(), directedRing, run.Options{Engine: "diesel"}); !errors.Is(err, run.ErrOptions) {
		t.Errorf("another engine: %v", err)
	}
	if _, err := run.Predict(t.Context(), directedRing, run.Options{Store: "papyrus"}); !errors.Is(err, run.ErrOptions) {
		t.Errorf("another store: %v", err)
	}
}

// The name of a file is that of the space.
func TestOutputName(t *testing.T) {
	for _, tt := range []struct {
		sp          statespace.Space
		store, want string
	}{
		{pegs(t, "peg/4x4"), "", "peg-4x4.reach"},
		{pegs(t, "peg/4x4"), layers.PackedStore, "peg-4x4.reachz"},
		{directedRing, "", "ring-6000.reach"},
		{endingRing, "", "ring-6000-goal.reach"},
	} {
		if name, err := run.OutputName(tt.sp, run.Options{Store: tt.store}); err != nil || name != tt.want {
			t.Errorf("%s: %q, %v; want %q", tt.sp.Name(), name, err, tt.want)
		}
	}
	if _, err := run.OutputName(directedRing, run.Options{Store: layers.Mod3Store}); !errors.Is(err, run.ErrOptions) {
		t.Errorf("a store that it cannot have: %v", err)
	}
}

// The best store of a space answers every question.
func TestBestStore(t *testing.T) {
	for want, sp := range map[string]statespace.Space{
		layers.Mod3Store:     undirectedRing,
		layers.DistanceStore: directedRing,
		layers.FoldedStore:   pegs(t, "peg/4x4"),
		layers.SetStore:      piles{N: 10},
	} {
		if store := run.BestStore(sp); store != want {
			t.Errorf("%s: %s, want %s", sp.Name(), store, want)
		}
	}
}

// Warnings say what does not stop a run.
func TestWarn(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "a.reach")
	// A directory at the place of the checkpoint's partial file.
	if err := os.Mkdir(path+run.CheckpointSuffix+layers.PartialSuffix, 0o777); err != nil {
		t.Fatal(err)
	}
	var warnings []error
	start(t, directedRing, run.Options{Output: path, Every: -1, Warn: func(err error) { warnings = append(warnings, err) }})
	if len(warnings) != 1 || !strings.Contains(warnings[0].Error(), "the run continues") {
		t.Errorf("the warnings are %v", warnings)
	}
}

// noJSON has a definition that no file can have.
type noJSON struct{ ring }

func (n noJSON) Definition() statespace.Definition {
	d := n.ring.Definition()
	d.Puzzle = json.RawMessage("5 5,")
	return d
}

// A definition that is no JSON is found before the run.
func TestNoJSON(t *testing.T) {
	_, err := run.Start(t.Context(), noJSON{ring{N: 12, Steps: []uint64{1}}}, run.Options{Output: filepath.Join(t.TempDir(), "f")})
	if want := `the Puzzle of its Definition is no JSON, which a file must have: "5 5,"`; err == nil || !strings.Contains(err.Error(), want) {
		t.Errorf("%v, want %s", err, want)
	}
}
