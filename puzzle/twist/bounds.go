package twist

import (
	"context"
	"fmt"
	"hash/maphash"
	"math"
	"slices"
	"strconv"
	"strings"

	"pagoda/internal/amount"
	"pagoda/puzzle/twist/definition"
	"pagoda/statespace"
	"pagoda/statespace/bfs"
	"pagoda/statespace/rows"
)

// A pattern is some kinds of pieces of a set: all other pieces look alike. Its distances are lower bounds.
type pattern struct {
	set         int
	first, most int // of the kinds, in their order
}

// sees returns a piece as it is in a pattern.
func (of pattern) sees(set int, p definition.Piece) definition.Piece {
	if set != of.set || p.Kind < of.first || p.Kind >= of.first+of.most {
		return definition.Piece{Kind: of.most, Turn: definition.Any}
	}
	return definition.Piece{Kind: p.Kind - of.first, Turn: p.Turn}
}

// puzzle returns the puzzle of a pattern, which is solved as a state is.
func (m *model) puzzle(of pattern, solved []uint8) *definition.Puzzle {
	p := *m.Puzzle
	p.Solved, p.Illegal = make(definition.Arrangement, len(m.Sets)), nil
	for place, q := range m.pieces(solved) {
		set := int(m.setOf[place])
		p.Solved[set] = append(p.Solved[set], of.sees(set, q))
	}
	for _, is := range m.Illegal {
		if seen := of.sees(is.Set, definition.Piece{Kind: is.Kind}); seen.Turn != definition.Any {
			p.Illegal = append(p.Illegal, definition.Illegal{Set: is.Set, Place: is.Place, Kind: seen.Kind})
		}
	}
	return &p
}

// states returns at least as many as the states of a pattern.
func (m *model) states(of pattern) float64 {
	n, left := 1.0, m.Sets[of.set].Places
	for kind := of.first; kind < of.first+of.most; kind++ {
		for i := range m.placesOf(of.set, kind) {
			n *= float64(left*m.Sets[of.set].Turns) / float64(i+1)
			left--
		}
	}
	return n
}

// What bounds the states of patterns: those whose tables are kept, and others. A table has two bits a state, and links; while
// it is made, it takes about a byte a state more, and what links leave behind.
const (
	mostKept   = 600e6
	mostMade   = 300e6
	leastMade  = 1e4
	linksBytes = 1 << 18
	leftBytes  = 1 << 24
)

// patterns returns those that the options name, by how many kinds of each set they have, or the largest that fit.
func (s *Space) patterns(o statespace.BoundsOptions) ([]pattern, error) {
	most, words := mostMade, strings.Split(o.Cut, "/")
	if o.Lasting {
		most = mostKept
	}
	for least := uint64(math.MaxUint64); ; most /= 4 {
		var all []pattern
		bytes, largest := 0.0, 0.0
		for set := range s.Sets {
			kinds := len(s.kindsOf(set))
			of := pattern{set: set, most: kinds}
			if o.Cut != "" {
				var err error
				if of.most, err = strconv.Atoi(words[min(set, len(words)-1)]); err != nil || of.most < 0 || of.most > kinds || len(words) != len(s.Sets) {
					return nil, &statespace.CutError{Reason: fmt.Sprintf("the cut of %s says for each set how many kinds of its pieces are in a pattern, with / between the %s, at most %d of %s; found %.40q", s.name, amount.Of(len(s.Sets), "set"), kinds, s.Sets[set].Name, o.Cut)}
				}
			}
			for o.Cut == "" && of.most > 0 && s.states(of) > most {
				of.most--
			}
			if of.most == 0 {
				continue
			}
			last, parts := kinds-of.most, (kinds-1)/of.most+1
			for i := range parts { // they overlap, so that each has as many kinds
				of.first = i * last / max(1, parts-1)
				all = append(all, of)
				bytes, largest = bytes+linksBytes+s.states(of)/4, max(largest, s.states(of))
			}
		}
		need := uint64(bytes + largest + leftBytes)
		least = min(least, need)
		switch {
		case o.Memory == 0 || need <= o.Memory:
			return all, nil
		case o.Cut != "":
			return nil, &statespace.MemoryError{Name: s.name, Need: need, Most: "the tables of this cut", Allowed: o.Memory, Instead: "leave --cut out: it takes patterns that fit"}
		case most < leastMade:
			return nil, &statespace.MemoryError{Name: s.name, Need: least, Most: "the least tables", Allowed: o.Memory}
		}
	}
}

// A table has the distances of a pattern.
type table struct {
	of    pattern
	space *Space
	*numbering
	marks []uint64
}

// table returns the table of a pattern.
func (s *Space) table(ctx context.Context, tables *statespace.Tables, of pattern, memory uint64) (*table, error) {
	name := fmt.Sprintf("%s:%s-%d-%d", s.name, s.Sets[of.set].Name, of.first+1, of.first+of.most)
	if !slices.Equal(s.end, s.full.start) {
		name += " to " + s.format(s.end)
	}
	sp, marks, err := tables.Get(ctx, name, func() (statespace.Space, error) {
		sp, err := New(ctx, name, s.puzzle(of, s.end), s.metric, memory)
		if err == nil && sp.rows == nil {
			err = &statespace.CutError{Reason: fmt.Sprintf("the pattern %s has too many states for a table: --cut takes fewer kinds of pieces", name)}
		}
		return sp, err
	})
	if err != nil {
		return nil, err
	}
	return &table{of, sp.(*Space), sp.(*Space).numbers.(*numbering), marks}, nil
}

// A sight is what a table sees of a state: its number, with the distance.
type sight struct {
	row, column uint32
	distance    int
}

// see returns the sight of pieces, if moves lead from there to the end.
func (t *table) see(pieces []definition.Piece) (s sight, ok bool) {
	var state []uint8
	for _, place := range t.full.places {
		set := t.setOf[place]
		state = append(state, t.full.sets[set].code(t.of.sees(int(set), pieces[place])))
	}
	x, ok := t.rank(state)
	if !ok || rows.MarkOf(t.marks, x) == 0 {
		return s, false
	}
	return sight{uint32(x / uint64(t.columns)), uint32(x % uint64(t.columns)), t.space.rows.Distance(t.marks, t.space.Roots(), x)}, true
}

// after returns the sight after a move.
func (t *table) after(from sight, move uint16) sight {
	to := t.numbering.after(from.row, int(move))
	if by := t.maps[to.Map]; by != nil {
		from.column = uint32(by[from.column])
	}
	from.row = to.Row
	switch rows.MarkOf(t.marks, uint64(from.row)*uint64(t.columns)+uint64(from.column)) {
	case bfs.Mark(from.distance):
	case bfs.Mark(from.distance + 1):
		from.distance++
	default:
		from.distance--
	}
	return from
}

// walks is for the Parts: bounds are the greatest distances of some patterns.
func (s *Space) walks(ctx context.Context, o statespace.BoundsOptions) (*statespace.Walks, error) {
	patterns, err := s.patterns(o)
	if err != nil {
		return nil, err
	}
	tables, all := o.Tables(), []*table(nil)
	for _, of := range patterns {
		t, err := s.table(ctx, tables, of, o.Memory)
		if err == nil {
			if _, ok := t.see(s.pieces(s.start)); !ok {
				err = fmt.Errorf("%s: %w", s.name, statespace.ErrClass)
			}
		}
		if err != nil {
			tables.Close()
			return nil, err
		}
		all = append(all, t)
	}
	w := &statespace.Walks{Kept: tables.Kept, Close: tables.Close, New: func() statespace.Walk { return &walk{Space: s, tables: all} }}
	if len(s.Illegal) == 0 && len(s.moves) < 256 { // so any word can be made anywhere
		seed := maphash.MakeSeed()
		w.Tracer = func() statespace.Tracer { return &tracer{s.model, seed, []action{s.identity()}} }
	}
	return w, nil
}

// A walk is a statespace.Walk.
type walk struct {
	*Space
	tables []*table
	sights []sight // by length of the path and table
	path   []uint16
	states [][]uint8 // by length of the path, as far as they were needed
}

// Start implements statespace.Walk.
func (w *walk) Start(code []uint64) {
	w.path, w.sights, w.states = w.path[:0], w.sights[:0], [][]uint8{w.state(code)}
	for _, t := range w.tables {
		s, _ := t.see(w.pieces(w.states[0]))
		w.sights = append(w.sights, s)
	}
}

// at returns the state at the end of the path.
func (w *walk) at() []uint8 {
	for n := len(w.states); n <= len(w.path); n++ {
		next := make([]uint8, len(w.start))
		w.full.act(next, w.states[n-1], w.moves[w.path[n-1]].action)
		w.states = append(w.states, next)
	}
	return w.states[len(w.path)]
}

// last returns the sights of the state.
func (w *walk) last() []sight { return w.sights[len(w.sights)-len(w.tables):] }

// Bound implements statespace.Walk.
func (w *walk) Bound() (bound int) {
	for _, s := range w.last() {
		bound = max(bound, s.distance)
	}
	return bound
}

// Goal implements statespace.Walk.
func (w *walk) Goal() bool { return slices.Equal(w.at(), w.end) }

// Moves implements statespace.Walk.
func (w *walk) Moves(dst []uint16) []uint16 {
	for i := range w.moves {
		if len(w.Illegal) == 0 || w.after(make([]uint8, len(w.start)), w.at(), i) {
			dst = append(dst, uint16(i))
		}
	}
	return dst
}

// Do implements statespace.Walk.
func (w *walk) Do(move uint16) int {
	for i, s := range w.last() {
		w.sights = append(w.sights, w.tables[i].after(s, move))
	}
	w.path = append(w.path, move)
	return w.Bound()
}

// Undo implements statespace.Walk.
func (w *walk) Undo() {
	w.path, w.sights = w.path[:len(w.path)-1], w.sights[:len(w.sights)-len(w.tables)]
	w.states = w.states[:min(len(w.states), len(w.path)+1)]
}

// Code implements statespace.Walk.
func (w *walk) Code(dst []uint64) []uint64 { return w.code(dst, w.at()) }

// A tracer is a statespace.Tracer. It keeps what each beginning of its word does.
type tracer struct {
	*model
	seed maphash.Seed
	does []action
}

// Moves implements statespace.Tracer.
func (t *tracer) Moves() int { return len(t.moves) }

// Do implements statespace.Tracer.
func (t *tracer) Do(move uint8) {
	t.does = append(t.does, t.then(t.does[len(t.does)-1], t.moves[move].action))
}

// Undo implements statespace.Tracer.
func (t *tracer) Undo() { t.does = t.does[:len(t.does)-1] }

// Effect implements statespace.Tracer.
func (t *tracer) Effect(dst []byte) []byte { return append(dst, t.does[len(t.does)-1].key()...) }

// Checksum implements statespace.Tracer.
func (t *tracer) Checksum() uint64 { return maphash.Bytes(t.seed, t.Effect(nil)) }

// Room implements statespace.Tracer: a word can be made anywhere.
func (t *tracer) Room() [4]int8 { return [4]int8{} }
