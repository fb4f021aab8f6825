package layers

import (
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"math"
	"math/bits"
	"slices"
	"sort"
	"strings"
	"sync/atomic"

	"pagoda/bitset"
	"pagoda/internal/mapped"
	"pagoda/sorted"
	"pagoda/statespace"
	"pagoda/statespace/chance"
)

// valuesKind is the states of a game against chance: for each layer a sorted list, one after another in the
// section "boards"; and the values of all states in the order of their numbers in the section "values": for each
// state the columns of the objectives, as floating-point numbers of 4 or 8 bytes.
type valuesKind struct{ plainKind }

// fits implements kind.
func (valuesKind) fits(sp statespace.Space) error {
	if sp.Parts().Chance == nil {
		return errors.New("it is no game against chance")
	}
	return nil
}

func (valuesKind) own(d *Details) { d.Objectives, d.ValueBytes, d.ListBytes = nil, 0, nil }

// Solved is what a solver has found, for a file of the values store.
type Solved struct {
	Everything
	Solver     *chance.Solver
	ValueBytes int // 4 or 8
}

func (valuesKind) write(b *body, j *job) error {
	found, ok := j.members.(*Solved)
	if !ok {
		return errors.New("the store " + ValuesStore + " is written by the run that solves the game")
	}
	all := found.Solver.Result().Layers
	if err := b.section("boards", func() error {
		for i := range all {
			list, err := found.Solver.List(i)
			if err != nil {
				return err
			}
			j.meta.ListBytes = append(j.meta.ListBytes, uint64(len(list)))
			if err := b.write(list); err != nil {
				return err
			}
		}
		return nil
	}); err != nil {
		return err
	}
	j.meta.ValueBytes = found.ValueBytes
	for _, o := range found.Solver.Objectives() {
		j.meta.Objectives = append(j.meta.Objectives, o.Name)
	}
	return b.section("values", func() error {
		for i := range all {
			words, err := found.Solver.Values(i)
			if err != nil {
				return err
			}
			bytes := mapped.Bytes(words)
			if found.ValueBytes == 4 {
				for k, w := range words { // in place: number k is before word k
					binary.LittleEndian.PutUint32(bytes[4*k:], math.Float32bits(float32(math.Float64frombits(w))))
				}
				bytes = bytes[:4*len(words)]
			}
			if err := b.write(bytes); err != nil {
				return err
			}
		}
		return nil
	})
}

// A layeredTable is the table of the codes of a file of the values store: a code is a layer and a state.
type layeredTable struct {
	f      *File
	game   statespace.Game
	boards part
	layers []listedLayer
	caches []atomic.Pointer[sorted.Cache]
}

type listedLayer struct {
	layer         int
	first, states uint64 // ranks
	offset, bytes uint64 // in the section
}

// table implements lister.
func (valuesKind) table(_ context.Context, f *File, sp statespace.Space) (statespace.Table, error) {
	game := sp.Parts().Chance
	if game == nil {
		return nil, f.damaged("%s is no game against chance", sp.Name())
	}
	p, err := f.part("boards", AnyLength)
	if err != nil {
		return nil, err
	}
	m := f.meta
	if len(m.ListBytes) != len(m.Layers) {
		return nil, f.damaged("it should have %d lists, and has %d", len(m.Layers), len(m.ListBytes))
	}
	t := &layeredTable{f: f, game: game, boards: p, caches: make([]atomic.Pointer[sorted.Cache], len(m.Layers))}
	first, offset := uint64(0), uint64(0)
	for i, l := range m.Layers {
		if i > 0 && l.Layer <= m.Layers[i-1].Layer || l.Layer < 0 || l.States == 0 {
			return nil, f.damaged("its layers should rise and have states, and layer %d follows %d with %d states", l.Layer, m.Layers[max(0, i-1)].Layer, l.States)
		}
		if m.ListBytes[i] > p.length-offset {
			return nil, f.damaged("its lists should have %d bytes, and have more", p.length)
		}
		t.layers = append(t.layers, listedLayer{l.Layer, first, l.States, offset, m.ListBytes[i]})
		first, offset = first+l.States, offset+m.ListBytes[i]
	}
	if offset != p.length || first != m.Size {
		return nil, f.damaged("its lists should have %d bytes and %d states, and have %d and %d", p.length, m.Size, offset, first)
	}
	return t, nil
}

// list returns the list of a layer, after a look at its checksums.
func (t *layeredTable) list(i int) (*sorted.List, error) {
	l := t.layers[i]
	if err := t.boards.check(l.offset, l.bytes); err != nil {
		return nil, err
	}
	list, err := sorted.Over(t.boards.bytes()[l.offset:][:l.bytes:l.bytes])
	if err == nil && (list.Words() != 1 || list.Len() != l.states) {
		err = fmt.Errorf("it should have %d states, and has %d", l.states, list.Len())
	}
	if err != nil {
		return nil, t.f.damaged("its list of layer %d: %v", l.layer, err)
	}
	return list, nil
}

// cache returns the list of a layer with chunks that stay decoded.
func (t *layeredTable) cache(i int) (*sorted.Cache, error) {
	if c := t.caches[i].Load(); c != nil {
		return c, nil
	}
	list, err := t.list(i)
	if err != nil {
		return nil, err
	}
	c, err := list.Cache(cacheBytes / uint64(len(t.layers)))
	if err == nil {
		t.caches[i].Store(c)
	}
	return c, err
}

// Len implements statespace.Table.
func (t *layeredTable) Len() uint64 { return t.f.meta.Size }

// At implements statespace.Table.
func (t *layeredTable) At(dst []uint64, rank uint64) ([]uint64, error) {
	i := sort.Search(len(t.layers), func(i int) bool { return t.layers[i].first > rank }) - 1
	l := t.layers[i]
	c, err := t.cache(i)
	if err != nil {
		return dst, err
	}
	if dst, err = c.At(append(dst, uint64(l.layer)), rank-l.first); err != nil {
		return dst, err
	}
	if err := t.game.Check(l.layer, dst[len(dst)-1]); err != nil {
		return dst, t.f.damaged("its state %d %v", rank, err)
	}
	return dst, nil
}

// Rank implements statespace.Table.
func (t *layeredTable) Rank(code []uint64) (rank uint64, found bool, err error) {
	i := sort.Search(len(t.layers), func(i int) bool { return uint64(t.layers[i].layer) >= code[0] })
	if i == len(t.layers) {
		return t.Len(), false, nil
	}
	if uint64(t.layers[i].layer) != code[0] {
		return t.layers[i].first, false, nil
	}
	c, err := t.cache(i)
	if err != nil {
		return 0, false, err
	}
	rank, found, err = c.Rank(code[1:2])
	return t.layers[i].first + rank, found, err
}

// A solvedReader is the members of a file of the values store, which are all numbers, and their values.
type solvedReader struct {
	Everything
	worth *Worth
}

// Worth is what the states of a file of the values store are worth.
type Worth struct {
	Game       statespace.Game
	Objectives []chance.Objective
	f          *File
	table      *layeredTable
	values     part
	terms      []chance.Term // by column
	columns    int
	bytes      int
}

func (k valuesKind) open(f *File) (bitset.Reader, error) {
	n := Everything(f.meta.Size)
	if f.meta.States != n.Len() {
		return nil, f.damaged("all of its %d numbers should be states, and %d are", n, f.meta.States)
	}
	table, err := k.table(context.Background(), f, f.space.Parts().Codes.Of)
	if err != nil {
		return nil, err
	}
	w := &Worth{f: f, table: table.(*layeredTable), bytes: f.meta.ValueBytes, Game: f.space.Parts().Chance}
	if w.Objectives, err = chance.ParseObjectives(w.Game, strings.Join(f.meta.Objectives, ",")); err != nil {
		return nil, f.damaged("%v", err)
	}
	if len(w.Objectives) != len(f.meta.Objectives) || w.bytes != 4 && w.bytes != 8 {
		return nil, f.damaged("it should have %d different objectives with values of 4 or 8 bytes, and has %d, with %d bytes", len(f.meta.Objectives), len(w.Objectives), w.bytes)
	}
	for i, o := range w.Objectives {
		if o.Name != f.meta.Objectives[i] {
			return nil, f.damaged("its objective %d should be %q, and is %q", i, o.Name, f.meta.Objectives[i])
		}
		w.terms = append(w.terms, o.Terms...)
	}
	w.columns = len(w.terms)
	high, length := bits.Mul64(f.meta.Size, uint64(w.columns*w.bytes))
	if high > 0 {
		return nil, f.damaged("%d states with %d values cannot be in a file", f.meta.Size, w.columns)
	}
	if w.values, err = f.part("values", length); err != nil {
		return nil, err
	}
	return &solvedReader{n, w}, nil
}

// Worth returns what the states are worth; false if the file does not say.
func (f *File) Worth() (*Worth, bool) {
	r, ok := f.members.(*solvedReader)
	if !ok {
		return nil, false
	}
	return r.worth, true
}

// Columns is the number of values of a state: see chance.Columns.
func (w *Worth) Columns() int { return w.columns }

// Rounding is the relative difference that values may have from the exact ones: 0 for values of 8 bytes.
func (w *Worth) Rounding() float64 {
	if w.bytes == 4 {
		return 1e-6
	}
	return 0
}

// Get puts the values of a state below Meta().Size into dst, which has room for all columns. Call it
// within Read.
func (w *Worth) Get(dst []float64, x uint64) error {
	n := uint64(w.columns * w.bytes)
	if err := w.values.check(x*n, n); err != nil {
		return err
	}
	at := w.values.bytes()[x*n:][:n]
	for c := range dst[:w.columns] {
		if w.bytes == 4 {
			dst[c] = float64(math.Float32frombits(binary.LittleEndian.Uint32(at[4*c:])))
		} else {
			dst[c] = math.Float64frombits(binary.LittleEndian.Uint64(at[8*c:]))
		}
		if !w.terms[c].Valid(dst[c]) {
			return w.f.damaged("value %d of its state %d is %v, which cannot be", c, x, dst[c])
		}
	}
	return nil
}

// State puts the values of a state of the game into dst, as Get. It reports false if the state is not in the
// file.
func (w *Worth) State(dst []float64, layer int, state uint64) (bool, error) {
	x, found, err := w.table.Rank([]uint64{uint64(layer), state})
	if err != nil || !found {
		return false, err
	}
	return true, w.Get(dst, x)
}

// Start returns the values of the start: the means over those of the game. Call it within Read.
func (w *Worth) Start() ([]float64, error) {
	m := chance.NewMeans(w.Objectives)
	values := make([]float64, w.columns)
	for _, d := range w.Game.Start() {
		found, err := w.State(values, d.Step, d.To)
		if err != nil {
			return nil, err
		}
		if !found {
			return nil, w.f.damaged("it lacks the start %s", w.Game.Format(d.Step, d.To))
		}
		m.Add(d.Chance, values)
	}
	return m.Mean(), nil
}

// ProofMemory returns about how many bytes Prove takes: for the states, values and afterstates of a layer, and the
// tables of that layer and those to which its moves lead.
func (w *Worth) ProofMemory() (most uint64) {
	const part = 2 // a table may be half empty
	steps, k := slices.Max(w.Game.Steps()), uint64(w.columns)
	all := w.f.meta.Layers
	for i, l := range all {
		words := l.States * (1 + k + 2*part)
		for _, to := range all[i:] {
			if to.Layer > l.Layer+steps {
				break
			}
			words += to.States * part * (2 + k)
		}
		most = max(most, 8*words)
	}
	return most
}

// Prove proves that the file holds exactly the states that can be reached, and each value from those of the
// states that follow: see chance.Verify. It returns the counts that were found. Call it within Read.
func (w *Worth) Prove(ctx context.Context, threads int, progress *statespace.Progress) (r chance.Result, err error) {
	m, table := w.f.meta, w.table
	src := chance.Source{Layers: m.Layers, Objectives: w.Objectives, Rounded: w.bytes == 4}
	src.States = func(i int) ([]uint64, error) {
		list, err := table.list(i)
		if err != nil {
			return nil, err
		}
		states := make([]uint64, 0, list.Len())
		for c := range list.Chunks() {
			if ctx.Err() != nil {
				return nil, context.Cause(ctx)
			}
			if states, err = list.Chunk(states, c); err != nil {
				return nil, w.f.damaged("its list of layer %d: %v", m.Layers[i].Layer, err)
			}
		}
		return states, nil
	}
	src.Values = func(i int) ([]uint64, error) {
		l, k := table.layers[i], uint64(w.columns)
		values, row := make([]uint64, 0, l.states*k), make([]float64, k)
		for x := l.first; x < l.first+l.states; x++ {
			if x%(1<<16) == 0 && ctx.Err() != nil {
				return nil, context.Cause(ctx)
			}
			if err := w.Get(row, x); err != nil {
				return nil, err
			}
			for _, v := range row {
				values = append(values, math.Float64bits(v))
			}
		}
		return values, nil
	}
	r, err = chance.Verify(ctx, w.Game, src, threads, 0, progress)
	if fault := (*chance.Fault)(nil); errors.As(err, &fault) {
		return r, w.f.damaged("the state %s of layer %d %s", w.Game.Format(fault.Layer, fault.State), fault.Layer, fault.What)
	}
	return r, err
}
