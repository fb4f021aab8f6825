package chance_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"math"
	"math/big"
	"math/rand/v2"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"sync/atomic"
	"testing"

	"pagoda/internal/long"
	"pagoda/puzzle/tiles/threes"
	"pagoda/puzzle/tiles/twenty48"
	"pagoda/sorted"
	"pagoda/statespace"
	"pagoda/statespace/chance"
	"pagoda/statespace/chance/chancetest"
)

func board(t testing.TB, rows, columns int, target uint64) statespace.Game {
	t.Helper()
	g, err := twenty48.NewGame("2048", twenty48.Options{Rows: rows, Columns: columns, Target: target, P4: 0.1})
	if err != nil {
		t.Fatal(err)
	}
	return g
}

func three(t testing.TB, rows, columns int) statespace.Game {
	t.Helper()
	g, err := threes.NewGame("threes", threes.Standard(rows, columns))
	if err != nil {
		t.Fatal(err)
	}
	return g
}

func parse(t testing.TB, g statespace.Game, text string) []chance.Objective {
	t.Helper()
	all, err := chance.ParseObjectives(g, text)
	if err != nil {
		t.Fatal(err)
	}
	return all
}

func run(t testing.TB, g statespace.Game, o chance.Options) (*chance.Solver, chance.Result) {
	t.Helper()
	s, err := chance.New(g, o)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { s.Discard() })
	if err := s.Run(t.Context(), nil, nil); err != nil {
		t.Fatal(err)
	}
	return s, s.Result()
}

// A plain is a slow solver of one aim, with a map and recursion: no layers, no afterstates, no complements.
type plain struct {
	g     statespace.Game
	rules statespace.GameRules
	term  chance.Term
	found map[uint64]float64
}

func (p *plain) value(state uint64) float64 {
	if v, ok := p.found[state]; ok {
		return v
	}
	t := p.term
	if reached := t.Mark > 0 && p.rules.Mark(state) >= t.Mark; reached {
		v := map[chance.Kind]float64{chance.Reach: 1, chance.Discount: 1, chance.Moves: 0}[t.Kind]
		p.found[state] = v
		// The states beyond are found as well.
		for _, m := range p.rules.Moves(nil, state) {
			if !m.Won {
				for _, d := range p.rules.Draws(nil, m.After) {
					p.value(d.To)
				}
			}
		}
		return v
	}
	moves := p.rules.Moves(nil, state)
	v := 0.0
	if len(moves) == 0 {
		switch t.Kind {
		case chance.Score:
			v = p.rules.Final(state)
		case chance.Moves:
			v = math.Inf(1)
		}
	}
	best := make(map[uint8]float64)
	weight := make(map[uint8]float64)
	for _, m := range moves {
		after := 0.0
		if m.Won {
			after = map[chance.Kind]float64{chance.Reach: 1, chance.Discount: 1}[t.Kind]
		} else {
			for _, d := range p.rules.Draws(nil, m.After) {
				after += d.Chance * p.value(d.To)
			}
		}
		switch t.Kind {
		case chance.Score:
			after += m.Gain
		case chance.Discount:
			after *= t.Factor
		case chance.Moves, chance.Length:
			after++
		}
		old, seen := best[m.Case]
		if !seen || (after > old) != t.Least && after != old {
			best[m.Case] = after
		}
		weight[m.Case] = m.Chance
	}
	for c, b := range best {
		v += weight[c] * b
	}
	p.found[state] = v
	return v
}

func TestPlain(t *testing.T) {
	for _, c := range []struct {
		g          statespace.Game
		objectives string
	}{
		{board(t, 2, 2, 0), "score,tile,discount:0.9:16,moves:8,moves:16,length"},
		{board(t, 2, 3, 32), "score,tile,target,discount:0.95,moves,length"},
		{board(t, 1, 4, 0), "score,tile"},
		{three(t, 2, 2), "score,tile,length,discount:0.5:12"},
		{three(t, 1, 4), "score,tile"},
	} {
		all := parse(t, c.g, c.objectives)
		_, r := run(t, c.g, chance.Options{Objectives: all, Threads: 2})
		for i, o := range all {
			p := &plain{c.g, c.g.NewRules(), o.Terms[0], make(map[uint64]float64)}
			want := 0.0
			for _, d := range c.g.Start() {
				want += d.Chance * p.value(d.To)
			}
			got := r.Values[i]
			if o.Terms[0].Kind == chance.Reach {
				got = chance.Chance(got).P()
			}
			if got != want && !(math.Abs(got-want) <= 1e-12*math.Max(1, math.Abs(want))) {
				t.Errorf("%s, %s: %v, expected %v", c.g.Name(), o.Name, got, want)
			}
			if uint64(len(p.found)) != r.States {
				t.Errorf("%s: %d states, expected %d", c.g.Name(), r.States, len(p.found))
			}
		}
	}
}

// A plainTies is a plain for an objective whose terms break ties. Chances are plain numbers.
type plainTies struct {
	g     statespace.Game
	rules statespace.GameRules
	terms []chance.Term
	found map[uint64][]float64
}

func (p *plainTies) value(state uint64) []float64 {
	if v, ok := p.found[state]; ok {
		return v
	}
	// By case: its chance, and what each of its moves is worth.
	weights, options := make(map[uint8]float64), make(map[uint8][][]float64)
	for _, m := range p.rules.Moves(nil, state) {
		after := make([]float64, len(p.terms))
		if !m.Won {
			for _, d := range p.rules.Draws(nil, m.After) {
				for i, v := range p.value(d.To) {
					after[i] += d.Chance * v
				}
			}
		}
		for i, t := range p.terms {
			if m.Won && (t.Kind == chance.Reach || t.Kind == chance.Discount) {
				after[i] = 1
			}
			switch t.Kind {
			case chance.Score:
				after[i] += m.Gain
			case chance.Discount:
				after[i] *= t.Factor
			case chance.Moves, chance.Length:
				after[i]++
			}
		}
		weights[m.Case], options[m.Case] = m.Chance, append(options[m.Case], after)
	}
	v := make([]float64, len(p.terms))
	for known, left := range options {
		for i, t := range p.terms {
			if t.Mark > 0 && p.rules.Mark(state) >= t.Mark {
				continue
			}
			best := left[0][i]
			for _, o := range left {
				if t.Least {
					best = min(best, o[i])
				} else {
					best = max(best, o[i])
				}
			}
			left = slices.DeleteFunc(slices.Clone(left), func(o []float64) bool {
				return o[i] != best && !(math.Abs(o[i]-best) <= 1e-12*math.Abs(best))
			})
			v[i] += weights[known] * best
		}
	}
	for i, t := range p.terms {
		switch reached := t.Mark > 0 && p.rules.Mark(state) >= t.Mark; {
		case reached && t.Kind != chance.Moves:
			v[i] = 1
		case len(options) > 0 || reached:
		case t.Kind == chance.Score:
			v[i] = p.rules.Final(state)
		case t.Kind == chance.Moves && i == 0:
			v[i] = math.Inf(1)
		}
	}
	p.found[state] = v
	return v
}

func TestPlainTies(t *testing.T) {
	for _, c := range []struct {
		g          statespace.Game
		objectives string
	}{
		{board(t, 2, 2, 0), "tile:16>score,tile:16>-score,score>length,score>-length,tile:32>tile:16>-moves:8,moves:8>score,moves:8>-score,length>score"},
		{board(t, 2, 3, 32), "target>score,target>-score,target>moves>length,discount:0.9>-score,tile:16>target"},
		{three(t, 2, 2), "tile:12>score,tile:12>-score,length>tile:24,tile:6>-length>score"},
	} {
		all := parse(t, c.g, c.objectives)
		_, r := run(t, c.g, chance.Options{Objectives: all, Threads: 2})
		column := 0
		for _, o := range all {
			p := &plainTies{c.g, c.g.NewRules(), o.Terms, make(map[uint64][]float64)}
			want := make([]float64, len(o.Terms))
			for _, d := range c.g.Start() {
				for i, v := range p.value(d.To) {
					want[i] += d.Chance * v
				}
			}
			for i, term := range o.Terms {
				got := r.Values[column]
				if term.Kind == chance.Reach {
					got = chance.Chance(got).P()
				}
				if got != want[i] && !(math.Abs(got-want[i]) <= 1e-10*math.Max(1, math.Abs(want[i]))) {
					t.Errorf("%s, %s: term %d is %v, expected %v", c.g.Name(), o.Name, i+1, got, want[i])
				}
				column++
			}
		}
	}
}

// What breaks ties makes no first aim worse, and lies between the worst and the best.
func TestTies(t *testing.T) {
	g := board(t, 2, 3, 0)
	all := parse(t, g, "tile:64,score,tile:64>score,tile:64>-score,score>length,length")
	_, r := run(t, g, chance.Options{Objectives: all, Threads: 2})
	v := r.Values
	if v[0] != v[2] || v[0] != v[4] || v[1] != v[6] {
		t.Errorf("a second aim changed the first: %v", v)
	}
	if !(v[5] < v[3] && v[3] < v[1]) || v[7] > v[8] {
		t.Errorf("second aims should lie between the worst and the best: %v", v)
	}
}

// files returns the bytes of all files in a directory.
func files(t *testing.T, dir string) (all []byte) {
	t.Helper()
	names, err := filepath.Glob(filepath.Join(dir, "*"))
	if err != nil || len(names) == 0 {
		t.Fatalf("%s is empty (%v)", dir, err)
	}
	for _, name := range names {
		data, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		all = append(append(all, filepath.Base(name)...), data...)
	}
	return all
}

// Many threads, which share layers of more than 2^14 states, write the same bytes as one.
func TestThreads(t *testing.T) {
	if !long.Tests {
		t.Skip("a layer that is sorted by several threads takes a second")
	}
	g := board(t, 3, 3, 64)
	o := chance.Options{Objectives: parse(t, g, "score,tile:32>score"), Threads: 1, Dir: filepath.Join(t.TempDir(), "one")}
	_, want := run(t, g, o)
	bytesOf := files(t, o.Dir)
	largest := uint64(0)
	for _, l := range want.Layers {
		largest = max(largest, l.States)
	}
	if want.States != 609981 || largest <= 1<<14 {
		t.Errorf("%d states, %d in the largest layer", want.States, largest)
	}
	for _, threads := range []int{2, 5} {
		o.Threads, o.Dir = threads, filepath.Join(t.TempDir(), "more")
		if _, r := run(t, g, o); !reflect.DeepEqual(r, want) || !bytes.Equal(files(t, o.Dir), bytesOf) {
			t.Errorf("%d threads find %v, one %v", threads, r.Values, want.Values)
		}
	}
}

// A run that has come to its end goes on with the memory that it took: the values of most layers are not read again.
func TestRestoreEnd(t *testing.T) {
	g := board(t, 3, 3, 32)
	o := chance.Options{Objectives: parse(t, g, "score,tile"), Threads: 2, Memory: 1 << 21, Dir: filepath.Join(t.TempDir(), "layers")}
	s, want := run(t, g, o)
	state, err := s.Save(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	s.Close()
	if s, err = chance.New(g, o); err != nil {
		t.Fatal(err)
	}
	defer s.Discard()
	if err := s.Restore(t.Context(), state); err != nil {
		t.Fatal(err)
	}
	if err := s.Run(t.Context(), nil, nil); err != nil {
		t.Fatal(err)
	}
	if found := s.Result(); !reflect.DeepEqual(found, want) {
		t.Errorf("a run that had come to its end finds %v, expected %v", found.Values, want.Values)
	}
}

// A run has the same bytes with any number of threads, and if it stops and goes on from any place.
func TestResume(t *testing.T) {
	for name, g := range map[string]statespace.Game{"2048": board(t, 2, 3, 64), "threes": three(t, 2, 2)} {
		o := chance.Options{Objectives: parse(t, g, "score,tile"), Threads: 1, Dir: filepath.Join(t.TempDir(), "whole")}
		_, want := run(t, g, o)
		bytesOf := files(t, o.Dir)
		o.Threads, o.Dir = 3, filepath.Join(t.TempDir(), "three")
		if _, r := run(t, g, o); !slices.Equal(r.Values, want.Values) || r.Afterstates != want.Afterstates || !bytes.Equal(files(t, o.Dir), bytesOf) {
			t.Errorf("%s: three threads find %v, one %v", name, r.Values, want.Values)
		}
		stops := 2 * len(want.Layers)
		r := rand.New(rand.NewPCG(1, 2))
		for range long.Or(6, 2) {
			o.Dir = filepath.Join(t.TempDir(), "stopped")
			var state *chance.State
			errStop := errors.New("stop")
			for range 2 {
				s, err := chance.New(g, o)
				if err != nil {
					t.Fatal(err)
				}
				if state != nil {
					if err := s.Restore(t.Context(), state); err != nil {
						t.Fatal(err)
					}
				}
				left := r.IntN(stops / 2)
				err = s.Run(t.Context(), func() error {
					if left--; left < 0 {
						return errStop
					}
					return nil
				}, nil)
				if err != nil && err != errStop {
					t.Fatal(err)
				}
				if state, err = s.Save(t.Context()); err != nil {
					t.Fatal(err)
				}
				s.Close()
			}
			s, err := chance.New(g, o)
			if err != nil {
				t.Fatal(err)
			}
			if err := s.Restore(t.Context(), state); err != nil {
				t.Fatal(err)
			}
			if err := s.Run(t.Context(), nil, nil); err != nil {
				t.Fatal(err)
			}
			if found := s.Result(); !slices.Equal(found.Values, want.Values) || !bytes.Equal(files(t, o.Dir), bytesOf) {
				t.Errorf("%s: a run that went on finds %v, expected %v", name, found.Values, want.Values)
			}
			s.Discard()
			if _, err := os.Stat(o.Dir); err == nil {
				t.Errorf("%s: Discard left the directory", name)
			}
		}
	}
}

// A game that calls do before moves and answers of chance.
type watched struct {
	statespace.Game
	do func()
}

type watchedRules struct {
	statespace.GameRules
	do func()
}

func (w watched) NewRules() statespace.GameRules { return watchedRules{w.Game.NewRules(), w.do} }

func (w watchedRules) Moves(dst []statespace.GameMove, state uint64) []statespace.GameMove {
	w.do()
	return w.GameRules.Moves(dst, state)
}

func (w watchedRules) Draws(dst []statespace.GameDraw, after uint64) []statespace.GameDraw {
	w.do()
	return w.GameRules.Draws(dst, after)
}

// A run that ends in the middle of a layer, wherever it is, saves the layers that are done.
func TestSaveInterrupted(t *testing.T) {
	g := board(t, 3, 3, 32) // a thread takes many turns in its largest layers
	o := chance.Options{Objectives: parse(t, g, "score"), Threads: 3, Dir: filepath.Join(t.TempDir(), "whole")}
	var calls atomic.Int64
	_, want := run(t, watched{g, func() { calls.Add(1) }}, o)
	bytesOf := files(t, o.Dir)
	r := rand.New(rand.NewPCG(3, 4))
	for range long.Or(6, 2) {
		ctx, cancel := context.WithCancel(t.Context())
		var left atomic.Int64
		left.Store(r.Int64N(calls.Load()))
		o.Dir = filepath.Join(t.TempDir(), "stopped")
		s, err := chance.New(watched{g, func() {
			if left.Add(-1) == 0 {
				cancel()
			}
		}}, o)
		if err != nil {
			t.Fatal(err)
		}
		if err := s.Run(ctx, nil, nil); err != nil && !errors.Is(err, context.Canceled) {
			t.Fatal(err)
		}
		cancel()
		state, err := s.Save(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		s.Close()
		if s, err = chance.New(g, o); err != nil {
			t.Fatal(err)
		}
		if err := s.Restore(t.Context(), state); err != nil {
			t.Fatal(err)
		}
		if err := s.Run(t.Context(), nil, nil); err != nil {
			t.Fatal(err)
		}
		if found := s.Result(); !slices.Equal(found.Values, want.Values) || !bytes.Equal(files(t, o.Dir), bytesOf) {
			t.Errorf("a run that went on finds %v, expected %v", found.Values, want.Values)
		}
		s.Discard()
	}
}

// A layer that is not as it was saved is damaged.
func TestRestoreDamaged(t *testing.T) {
	g := board(t, 2, 2, 0)
	o := chance.Options{Objectives: parse(t, g, "score"), Dir: filepath.Join(t.TempDir(), "layers")}
	s, _ := run(t, g, o)
	state, err := s.Save(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	names, _ := filepath.Glob(filepath.Join(o.Dir, "*"))
	for _, name := range names {
		data, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		for _, bad := range [][]byte{data[:len(data)-1], append(slices.Clone(data[:len(data)-1]), data[len(data)-1]^1)} {
			os.WriteFile(name, bad, 0o666)
			again, _ := chance.New(g, o)
			if err := again.Restore(t.Context(), state); !errors.Is(err, sorted.ErrDamaged) {
				t.Errorf("%s: %v", name, err)
			}
		}
		os.WriteFile(name, data, 0o666)
	}
	// Counts that are wrong, and states that are none.
	for i, wrong := range []func(state *chance.State){
		func(state *chance.State) { state.Layers[5].States++ },
		func(state *chance.State) { state.Layers[5].Layer++ },
	} {
		changed := *state
		changed.Layers = slices.Clone(state.Layers)
		for k := range changed.Layers {
			changed.Layers[k].Values = nil
		}
		wrong(&changed)
		again, _ := chance.New(g, o)
		if err := again.Restore(t.Context(), &changed); err != nil {
			t.Fatal(err)
		}
		if err := again.Run(t.Context(), nil, nil); !errors.Is(err, sorted.ErrDamaged) {
			t.Errorf("wrong counts %d: %v", i, err)
		}
	}
	o.Objectives = parse(t, g, "score,length")
	again, _ := chance.New(g, o)
	if err := again.Restore(t.Context(), state); err == nil || !strings.Contains(err.Error(), "1 values for each state, and there are 2") {
		t.Errorf("other objectives: %v", err)
	}
}

// A layer with more afterstates than its checkpoint counts is damaged, and fills no table for ever.
func TestRestoreAfterstates(t *testing.T) {
	g := board(t, 3, 3, 64)
	o := chance.Options{Objectives: parse(t, g, "target"), Threads: 2, Dir: filepath.Join(t.TempDir(), "layers")}
	s, err := chance.New(g, o)
	if err != nil {
		t.Fatal(err)
	}
	errStop, backwards := errors.New("stop"), false
	if err := s.Run(t.Context(), func() error {
		if backwards = s.Result().States == 609981; backwards {
			return errStop
		}
		return nil
	}, nil); err != errStop {
		t.Fatal(err)
	}
	state, err := s.Save(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	s.Close()
	most := 0
	for i, l := range state.Layers {
		if l.Afterstates > state.Layers[most].Afterstates {
			most = i
		}
	}
	state.Layers[most].Afterstates = 0
	if s, err = chance.New(g, o); err != nil {
		t.Fatal(err)
	}
	defer s.Discard()
	if err := s.Restore(t.Context(), state); err != nil {
		t.Fatal(err)
	}
	if err := s.Run(t.Context(), nil, nil); !errors.Is(err, sorted.ErrDamaged) || !strings.Contains(err.Error(), "afterstates") {
		t.Error(err)
	}
}

// Verify finds a value that is wrong, if only in its last bit, a missing state, and one that cannot be reached.
func TestVerify(t *testing.T) {
	g := board(t, 2, 2, 0)
	all := parse(t, g, "score,tile:16")
	s, r := run(t, g, chance.Options{Objectives: all, Dir: filepath.Join(t.TempDir(), "layers")})
	var states, values [][]uint64
	var counts []statespace.Layer
	for i, l := range r.Layers {
		codes, err := chancetest.States(s, i)
		if err != nil {
			t.Fatal(err)
		}
		v, err := s.Values(i)
		if err != nil {
			t.Fatal(err)
		}
		states, values, counts = append(states, codes), append(values, v), append(counts, statespace.Layer{Layer: l.Layer, States: l.States})
	}
	rounded := false
	verify := func() (chance.Result, error) {
		return chance.Verify(t.Context(), g, chance.Source{Layers: counts, Objectives: all, Rounded: rounded,
			States: func(i int) ([]uint64, error) { return states[i], nil },
			Values: func(i int) ([]uint64, error) { return values[i], nil }}, 2, 0, nil)
	}
	if found, err := verify(); err != nil || !slices.Equal(found.Values, r.Values) || found.Raw != r.Raw || found.Afterstates != r.Afterstates || found.Dead != r.Dead {
		t.Errorf("%v, %v", found, err)
	}
	fault := func(what string) {
		t.Helper()
		var f *chance.Fault
		if _, err := verify(); !errors.As(err, &f) || !strings.Contains(f.What, what) {
			t.Errorf("%v, expected %q", err, what)
		}
	}
	for i := range values {
		for j := 0; j < len(values[i]); j += long.Or(1, 5) {
			old := values[i][j]
			for _, wrong := range []uint64{math.Float64bits(math.Float64frombits(old) + 1e-3), old ^ 1} {
				values[i][j] = wrong
				fault("should have the value")
			}
			values[i][j] = old
		}
	}
	exact := values
	values = nil
	for _, v := range exact {
		v = slices.Clone(v)
		for j := range v {
			v[j] = math.Float64bits(float64(float32(math.Float64frombits(v[j]))))
		}
		values = append(values, v)
	}
	fault("should have the value")
	rounded = true
	if found, err := verify(); err != nil || !slices.Equal(found.Values, r.Values) {
		t.Errorf("values of 4 bytes: %v, %v", found, err)
	}
	values[0][0] ^= 1 << 29 // the last bit of 4 bytes
	fault("should have the value")
	values, rounded = exact, false
	i := len(states) / 2
	codes, v := states[i], values[i]
	states[i], values[i] = codes[1:], v[2:]
	if _, err := verify(); !errors.As(err, new(*chance.Fault)) {
		t.Errorf("a state lacks: %v", err)
	}
	states[i], values[i] = codes, v

	// A full board without moves that no game has, at its place.
	rules := g.NewRules()
	for x := uint64(0x1111); x < 0x6000; x++ {
		text := g.Format(0, x)
		layer, state, err := g.Parse(text)
		i := slices.IndexFunc(counts, func(l statespace.Layer) bool { return l.Layer == layer })
		if err != nil || i < 0 || strings.Contains(text, ".") || len(rules.Moves(nil, state)) > 0 || slices.Contains(states[i], state) {
			continue
		}
		worth := []uint64{0, 0}
		if rules.Mark(state) >= 4 {
			worth[1] = math.Float64bits(float64(chance.Certain))
		}
		at, _ := slices.BinarySearch(states[i], state)
		states[i], values[i] = slices.Insert(states[i], at, state), slices.Insert(values[i], 2*at, worth...)
		counts[i].States++
		fault("cannot be reached")
		return
	}
	t.Error("every dead board can be reached")
}

// Games that are played with the best moves have the mean that the solver computes, within what chance allows.
func TestPlay(t *testing.T) {
	for _, g := range []statespace.Game{board(t, 2, 2, 0), three(t, 2, 2), board(t, 2, 2, 16)} {
		solution, r := chancetest.Solve(t, g, "score,tile:"+g.FormatMark(g.Marks()[len(g.Marks())-1]))
		all := solution.Objectives
		games := long.Or(4000, 1000)
		for aim := range all {
			sum, squares := 0.0, 0.0
			rules := g.NewRules()
			for k := range games {
				p, err := solution.Play(aim, nil, 0, rand.New(rand.NewPCG(1, uint64(k))))
				if err != nil {
					t.Fatal(err)
				}
				x := p.Score
				if aim == 1 {
					x = 0
					if p.Won || rules.Mark(p.State) >= all[1].Terms[0].Mark {
						x = 1
					}
				}
				sum, squares = sum+x, squares+x*x
			}
			mean := sum / float64(games)
			deviation := math.Sqrt(max(0, squares/float64(games)-mean*mean) / float64(games))
			want := r.Values[aim]
			if aim == 1 {
				want = chance.Chance(want).P()
			}
			if math.Abs(mean-want) > 4*deviation+1e-9 {
				t.Errorf("%s, %s: games have the mean %v, expected %v within %v", g.Name(), all[aim].Name, mean, want, 4*deviation)
			}
		}
	}
}

func TestMemory(t *testing.T) {
	s, err := chance.New(board(t, 2, 3, 0), chance.Options{Memory: 1 << 17})
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	if err := s.Run(t.Context(), nil, nil); !errors.Is(err, statespace.ErrMemory) {
		t.Errorf("%v, expected ErrMemory", err)
	}
}

func TestCancel(t *testing.T) {
	s, err := chance.New(board(t, 2, 3, 0), chance.Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	ctx, cancel := context.WithCancelCause(t.Context())
	stop := errors.New("stop")
	cancel(stop)
	if err := s.Run(ctx, nil, nil); !errors.Is(err, stop) {
		t.Errorf("%v, expected the cause", err)
	}
}

func TestObjectiveErrors(t *testing.T) {
	open, ends := board(t, 2, 2, 0), board(t, 2, 2, 16)
	for text, want := range map[string]string{
		"":              "expected score",
		"scor":          "did you mean score?",
		"target":        "has no target: name the tile, such as tile:32",
		"tile:3":        "a power of two",
		"-score":        "a minus sign is for what breaks ties",
		"discount":      "expected discount:F",
		"discount:2:8":  "above 0 and at most 1",
		"discount:.5":   "such as discount:.5:32",
		"discount:.5:":  "such as discount:.5:32",
		"moves:":        "such as moves:32",
		"score>":        "expected score",
		"score>\nmoves": "expected no control characters",
	} {
		if _, err := chance.ParseObjectives(open, text); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: %v, expected %q", text, err, want)
		}
	}
	if _, err := chance.ParseObjectives(ends, "tile:32"); err == nil || !strings.Contains(err.Error(), "games end at tile 16") {
		t.Errorf("a tile beyond the target: %v", err)
	}
	small, err := twenty48.NewGame("2048/1x1", twenty48.Options{Rows: 1, Columns: 1})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := chance.ParseObjectives(small, "target"); err == nil || !strings.Contains(err.Error(), "such as tile:N") {
		t.Errorf("a game without marks: %v", err)
	}
}

func TestChance(t *testing.T) {
	for _, c := range []struct {
		c    chance.Chance
		p, q float64
	}{{0, 0, 1}, {0.25, 0.25, 0.75}, {0.5, 0.5, 0.5}, {-0.25, 0.75, 0.25}, {-7e-18, 1, 7e-18}, {chance.Certain, 1, 0}} {
		if c.c.P() != c.p || c.c.Q() != c.q {
			t.Errorf("%v: %v and %v, expected %v and %v", float64(c.c), c.c.P(), c.c.Q(), c.p, c.q)
		}
	}
	rising := []chance.Chance{0, 1e-18, 0.3, 0.5, -0.4999, -0.3, -1e-18, chance.Certain}
	for i := range rising {
		for j := range rising {
			if rising[i].Less(rising[j]) != (i < j) {
				t.Errorf("%v < %v is %t", float64(rising[i]), float64(rising[j]), i >= j)
			}
		}
	}
}

// The solver finds what a game of 2048 on two by two cells is worth.
func Example() {
	g, err := twenty48.NewGame("2048/2x2", twenty48.Options{Rows: 2, Columns: 2, P4: 0.1})
	if err != nil {
		panic(err)
	}
	objectives, err := chance.ParseObjectives(g, "score,tile:16")
	if err != nil {
		panic(err)
	}
	s, err := chance.New(g, chance.Options{Objectives: objectives, Threads: 2})
	if err != nil {
		panic(err)
	}
	defer s.Close()
	if err := s.Run(context.Background(), nil, nil); err != nil {
		panic(err)
	}
	r := s.Result()
	fmt.Printf("%d boards, score %.6f, 16 with %.6f\n", r.States, r.Values[0], chance.Chance(r.Values[1]).P())
	// Output: 110 boards, score 66.964149, 16 with 0.962511
}

// A loss is the exact difference of two chances or scores, rounded once or twice.
func TestLoss(t *testing.T) {
	r := rand.New(rand.NewPCG(21, 1))
	reach := chance.Term{Kind: chance.Reach}
	exact := func(c float64) *big.Float {
		p := new(big.Float).SetPrec(2000).SetFloat64(c)
		if math.Signbit(c) {
			p.Add(p, big.NewFloat(1))
		}
		return p
	}
	for range 20_000 {
		var c [2]float64
		for i := range c {
			if c[i] = r.Float64() / 2; r.IntN(2) > 0 {
				c[i] = math.Exp(-40*r.Float64()) / 2
			}
			if r.IntN(2) > 0 {
				c[i] = -c[i]
			}
		}
		got := reach.Loss(c[0], c[1], 0)
		want, _ := new(big.Float).Sub(exact(c[0]), exact(c[1])).Float64()
		if math.Abs(got-want) > 1e-15*math.Abs(want) && !(got == 0 && math.Abs(want) <= 1e-12*math.Max(math.Abs(c[0]), math.Abs(c[1]))) {
			t.Fatalf("the loss of %v against %v is %v, want %v", c[1], c[0], got, want)
		}
	}
	least := chance.Term{Kind: chance.Moves, Least: true}
	score := chance.Term{Kind: chance.Score}
	for i, x := range []struct {
		term           chance.Term
		best, value    float64
		rounding, want float64
	}{
		{score, 12, 10, 0, 2},
		{score, 12, 12 - 1e-12, 0, 0},
		{score, 12, 11.75, 0, 0.25},
		{score, 12, 12 - 1e-5, 1e-6, 0},
		{least, 10, 12, 0, 2},
		{least, math.Inf(1), math.Inf(1), 0, 0},
		{least, 10, math.Inf(1), 0, math.Inf(1)},
		{reach, float64(chance.Certain), -1e-17, 0, 1e-17},
		{reach, -0x1p-57, -0x3p-57, 0, 0x2p-57},
		{reach, 3e-17, 0, 0, 3e-17},
		{reach, 0.5, -0.5, 0, 0},
	} {
		if got := x.term.Loss(x.best, x.value, x.rounding); got != x.want {
			t.Errorf("%d: the loss of %v against %v is %v, want %v", i, x.value, x.best, got, x.want)
		}
	}
}
