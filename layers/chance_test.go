package layers_test

import (
	"bytes"
	"context"
	"encoding/binary"
	"errors"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"pagoda/internal/long"
	"pagoda/layers"
	_ "pagoda/layers/all"
	"pagoda/puzzle/tiles/threes"
	"pagoda/puzzle/tiles/twenty48"
	"pagoda/statespace"
	"pagoda/statespace/chance"
	"pagoda/statespace/sparse"
)

// solvedGame is a small game with its objectives.
type solvedGame struct {
	statespace.Game
	objectives string
	bytes      int
}

func solvedGames(t testing.TB) (all []solvedGame) {
	add := func(g statespace.Game, err error, objectives string, bytes int) {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
		all = append(all, solvedGame{g, objectives, bytes})
	}
	g, err := twenty48.NewGame("2048", twenty48.Options{Rows: 2, Columns: 2, P4: 0.1})
	add(g, err, "score,tile:16>-score,moves:8", 8)
	g, err = twenty48.NewGame("2048", twenty48.Options{Rows: 2, Columns: 2, P4: 0.5, Target: 16})
	add(g, err, "target,discount:0.9", 4)
	h, err := threes.NewGame("threes", threes.Options{Rows: 1, Columns: 3, Bag: 1, Hidden: true})
	add(h, err, "score,tile:6,length", 8)
	h, err = threes.NewGame("threes", threes.Options{Rows: 2, Columns: 2, Bag: 0, Hidden: true, Bonus: true, Stop: 96, Start: "24,48/24,3"})
	add(h, err, "score", 8)
	return all
}

// writeSolved solves a game and writes the file.
func writeSolved(t testing.TB, path string, g solvedGame) []byte {
	t.Helper()
	all, err := chance.ParseObjectives(g, g.objectives)
	if err != nil {
		t.Fatal(err)
	}
	s, err := chance.New(g.Game, chance.Options{Objectives: all, Threads: 2, Dir: filepath.Join(t.TempDir(), "layers")})
	if err != nil {
		t.Fatal(err)
	}
	defer s.Discard()
	if err := s.Run(t.Context(), nil, nil); err != nil {
		t.Fatal(err)
	}
	r := s.Result()
	d, err := sparse.Renumber(g.Definition())
	if err != nil {
		t.Fatal(err)
	}
	meta := &layers.Meta{Space: d, Store: layers.ValuesStore, Size: r.States, States: r.States, Layer: g.LayerName(), Figures: r.Figures()}
	for _, l := range r.Layers {
		meta.Layers = append(meta.Layers, statespace.Layer{Layer: l.Layer, States: l.States})
	}
	w, err := layers.Create(path, 1<<16, true)
	if err != nil {
		t.Fatal(err)
	}
	members := &layers.Solved{Everything: layers.Everything(r.States), Solver: s, ValueBytes: g.bytes}
	if _, err := w.Finish(t.Context(), solvedSpace{chance.NewSpace(g.Game), r.States, d}, members, meta, layers.WriteOptions{}); err != nil {
		t.Fatal(err)
	}
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return data
}

// solvedSpace is a game whose states have been numbered.
type solvedSpace struct {
	*chance.Space
	size uint64
	d    statespace.Definition
}

func (s solvedSpace) Size() uint64                      { return s.size }
func (s solvedSpace) Definition() statespace.Definition { return s.d }

// askSolved asks everything of a file, and proves it.
func askSolved(path string) error {
	f, err := layers.Open(context.Background(), path, define, 0)
	if err != nil {
		return err
	}
	defer f.Close()
	w, ok := f.Worth()
	if !ok {
		return f.Check(context.Background(), 1, nil)
	}
	solution := &chance.Solution{Game: w.Game, Objectives: w.Objectives, Lookup: func(dst []float64, layer int, state uint64) error {
		found, err := w.State(dst, layer, state)
		if err == nil && !found {
			err = errors.New("not found")
		}
		return err
	}}
	return f.Read(func() error {
		var wrong error
		sp := f.Space()
		for x := range min(f.Meta().Size, 300) {
			layer, state, err := w.Game.Parse(sp.Format(x))
			if err != nil {
				return err
			}
			sp.Successors(nil, x)
			if _, err := solution.Choices(layer, state); err != nil && wrong == nil {
				wrong = err
			}
		}
		for aim := range w.Objectives {
			if _, err := solution.Play(aim, nil, 0, rand.New(rand.NewPCG(1, 2))); err != nil && wrong == nil {
				wrong = err
			}
		}
		if _, err := w.Start(); err != nil {
			return err
		}
		_, err := w.Prove(context.Background(), 2, nil)
		return errors.Join(wrong, err)
	})
}

// A file whose bytes were changed, with checksums that are right, makes no panic. If a proof passes, its states are
// those that can be reached, and its values differ by a rounding.
func TestSolvedDamage(t *testing.T) {
	for _, g := range solvedGames(t) {
		path := filepath.Join(t.TempDir(), "game.reach")
		data := writeSolved(t, path, g)
		if err := askSolved(path); err != nil {
			t.Fatalf("%s: %v", g.Name(), err)
		}
		good := contents(t, path)
		step := long.Or(31, 307)
		for at := 12; at < len(data); at += step {
			if data[at] == 0 && at%(10*step) > 0 {
				continue // most of that is between the sections
			}
			bad := bytes.Clone(data)
			bad[at] ^= 1 << (at % 8)
			layers.MendAll(bad)
			if err := os.WriteFile(path, bad, 0o644); err != nil {
				t.Fatal(err)
			}
			if askSolved(path) != nil {
				continue
			}
			found := contents(t, path)
			if len(found) != len(good) {
				t.Fatalf("%s: byte %d changed: %d states and values are proved, there are %d", g.Name(), at, len(found), len(good))
			}
			for i, v := range found {
				if want := good[i]; v != want && !(math.Abs(v-want) <= max(1e-5*math.Abs(want), 1e-40)) {
					t.Fatalf("%s: byte %d changed: %v is proved, it is %v", g.Name(), at, v, want)
				}
			}
		}
	}
}

// contents returns the states of a file and their values.
func contents(t *testing.T, path string) (all []float64) {
	t.Helper()
	f, err := layers.Open(t.Context(), path, define, 0)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	w, _ := f.Worth()
	row := make([]float64, w.Columns())
	if err := f.Read(func() error {
		for x := range f.Meta().Size {
			if err := w.Get(row, x); err != nil {
				return err
			}
			layer, state, err := w.Game.Parse(f.Space().Format(x))
			if err != nil {
				return err
			}
			all = append(append(all, float64(layer), float64(state)), row...)
		}
		return nil
	}); err != nil {
		t.Fatal(err)
	}
	return all
}

// Values that no state can have are damage, whatever the checksums say.
func TestSolvedValues(t *testing.T) {
	g := solvedGames(t)[0]
	path := filepath.Join(t.TempDir(), "game.reach")
	data := writeSolved(t, path, g)
	first := contents(t, path)[2:] // behind the layer and the state
	for column, wrong := range [][]float64{{math.NaN(), math.Inf(1), -1}, {math.NaN(), math.Inf(-1), 0.75}, {-3}, {math.NaN(), -1}} {
		at := bytes.Index(data, binary.LittleEndian.AppendUint64(nil, math.Float64bits(first[column])))
		for _, v := range wrong {
			bad := bytes.Clone(data)
			binary.LittleEndian.PutUint64(bad[at:], math.Float64bits(v))
			layers.MendAll(bad)
			if err := os.WriteFile(path, bad, 0o644); err != nil {
				t.Fatal(err)
			}
			if err := askSolved(path); !errors.Is(err, layers.ErrDamaged) || !strings.Contains(err.Error(), "which cannot be") {
				t.Errorf("a value of %v in column %d: %v", v, column, err)
			}
		}
	}
}

func FuzzValues(f *testing.F) {
	path := filepath.Join(f.TempDir(), "game.reach")
	for _, g := range solvedGames(f) {
		f.Add(writeSolved(f, path, g))
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		// With right checksums the fuzzer gets behind them.
		layers.MendAll(data)
		if err := os.WriteFile(path, data, 0o644); err != nil {
			t.Fatal(err)
		}
		askSolved(path)
	})
}
