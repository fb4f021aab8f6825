package ask

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"slices"
	"unsafe"

	"pagoda/bitset"
	"pagoda/internal/memory"
	"pagoda/statespace"
	"pagoda/statespace/cells"
	"pagoda/statespace/patterns"
)

// A NearQuestion asks for the members that are nearest to patterns. The space must have cells.
type NearQuestion struct {
	// Patterns, at least one, are wished for; ? is a cell that costs nothing. The distance of a
	// member is that from the nearest pattern or, with Sum, the sum of those from all.
	Patterns []string
	Sum      bool
	// Weights, if not empty, are the costs of a cell that differs: numbers such as 2 or 0.5, in
	// the rows of the board. Without weights, every cell costs 1.
	Weights string
	// Within, if not empty, is the greatest distance of a match, in the units of the weights. If
	// it is empty, the matches are all members at the least distance.
	Within string
	// Limit is the greatest number of matches; the first ones are given. 0 is no limit; then
	// more than cells.MaxMatches are an error.
	Limit int
	// Layers, if not nil, asks for members of these layers only, as in a Pick.
	Layers *cells.Range
	// Threads share many patterns; 0 is 1.
	Threads int
}

// A Match is a member near a pattern.
type Match struct {
	Member
	Distance json.Number // in the units of the weights
	Target   int         // the nearest of the patterns, from 0
}

// MarshalJSON writes an object with the layer under its name, such as "pegs".
func (m Match) MarshalJSON() ([]byte, error) {
	o := object{{"pattern", m.Pattern}, {"distance", m.Distance}}
	if m.Layer != nil {
		o = append(o, field{m.layerName, *m.Layer})
	}
	return append(o, field{"target", m.Target}).MarshalJSON()
}

// An object is the fields of a JSON object in order.
type object []field

// A field is a name and a value.
type field struct {
	name  string
	value any
}

// MarshalJSON implements json.Marshaler.
func (o object) MarshalJSON() ([]byte, error) {
	b := []byte{'{'}
	for i, f := range o {
		name, err := json.Marshal(f.name)
		if err != nil {
			return nil, err
		}
		value, err := json.Marshal(f.value)
		if err != nil {
			return nil, err
		}
		if i > 0 {
			b = append(b, ',')
		}
		b = append(append(append(b, name...), ':'), value...)
	}
	return append(b, '}'), nil
}

// A Near is the answer to a NearQuestion: matches by distance, then by number.
type Near struct {
	Matches  []Match `json:"matches"`
	Complete bool    `json:"complete"` // no match was cut off by the limit

	several bool   // there are several patterns
	none    string // the text if there are no matches
}

// A NearCount is how many members are near patterns. Distance is the least one, if the question is about that.
type NearCount struct {
	Count    uint64       `json:"count"`
	Distance *json.Number `json:"distance,omitempty"`
}

// WriteText writes the count for people.
func (c *NearCount) WriteText(w io.Writer) error {
	_, err := fmt.Fprintln(w, c.Count)
	return err
}

// Near finds the members that are nearest to patterns. The answer is exact. The error is an
// ErrQuestion if the space has no cells, or if a part of the question makes no sense.
func (f *File) Near(ctx context.Context, q NearQuestion) (n *Near, err error) {
	err = f.near(ctx, q, func(sp statespace.Space, members bitset.Reader) error {
		n, err = near(ctx, sp, members, q)
		return err
	})
	if err != nil {
		return nil, err
	}
	n.none = f.None(Pick{Layers: q.Layers})
	return n, nil
}

// CountNear is Near that only counts, without a limit. It is faster.
func (f *File) CountNear(ctx context.Context, q NearQuestion) (n *NearCount, err error) {
	err = f.near(ctx, q, func(sp statespace.Space, members bitset.Reader) error {
		q.Limit = 0
		query, weights, err := nearQuery(sp, q)
		if err != nil {
			return err
		}
		count, distance, err := patterns.CountNear(ctx, sp, members, query)
		if n = (&NearCount{Count: count}); count > 0 && q.Within == "" {
			least := json.Number(weights.Format(distance))
			n.Distance = &least
		}
		return nearError(err)
	})
	return n, err
}

// near calls do with the space of a question and its members.
func (f *File) near(ctx context.Context, q NearQuestion, do func(sp statespace.Space, members bitset.Reader) error) error {
	sp, err := f.cells()
	if err != nil {
		return err
	}
	if _, whole := f.wholeDistances(); !whole && rangeOf(q.Layers) != cells.AllLayers && f.Space().Parts().Layers == nil {
		return Questionf("%s keeps no whole distances, so the nearest members cannot be picked by layer; convert it to the store distance", f.Path())
	}
	members, err := f.of(ctx, Pick{Layers: q.Layers})
	if err != nil {
		return err
	}
	if quotient := f.Space().Parts().Symmetry.Quotient; quotient != nil {
		members = wholeReader{members, quotient, sp.Size()}
	}
	return f.Read(func() error { return do(sp, members) })
}

// nearError says that too many matches are an ErrQuestion.
func nearError(err error) error {
	if errors.Is(err, cells.ErrMatches) {
		return Questionf("%w", err)
	}
	return err
}

// cells returns the space of the file if its states are drawn cell by cell.
func (f *File) cells() (statespace.Space, error) {
	p := f.Space().Parts()
	if q := p.Symmetry.Quotient; q != nil {
		return wholeCells(f.Space(), q)
	}
	if p.Cells == nil {
		return nil, Questionf("the question is about cells; %s has none", f.Space().Name())
	}
	return f.Space(), nil
}

// nearQuery returns a question as a query, and its weights.
func nearQuery(sp statespace.Space, q NearQuestion) (query cells.Query, weights *cells.Weights, err error) {
	switch {
	case len(q.Patterns) == 0:
		return query, nil, Questionf("there is no pattern: give at least one")
	case q.Limit < 0:
		return query, nil, Questionf("the limit is %d, expected 0 (no limit) or more", q.Limit)
	}
	parts, weights := sp.Parts(), new(cells.Weights)
	if q.Weights != "" {
		if weights, err = cells.ParseWeights(q.Weights, parts.Cells.Cells()); err != nil {
			return query, nil, &PartError{"weights", "", err}
		}
	}
	var wanted []cells.Pattern
	for _, text := range q.Patterns {
		p, err := parts.Cells.ParsePattern(text)
		if err != nil {
			return query, nil, BadPattern(text, err)
		}
		wanted = append(wanted, p)
	}
	query = cells.Query{Within: cells.Nearest, Limit: q.Limit, Layers: rangeOf(q.Layers), Threads: q.Threads}
	if parts.Layers == nil {
		query.Layers = cells.AllLayers // the members are those of the layers
	}
	alternatives := slices.Collect(slices.Chunk(wanted, 1))
	if q.Sum {
		alternatives = [][]cells.Pattern{wanted}
	}
	farthest := uint64(0)
	for _, alternative := range alternatives {
		t, err := cells.NewTarget(parts.Cells, weights.Cells, alternative...)
		if err != nil {
			return query, nil, Questionf("%w", err)
		}
		query.Targets = append(query.Targets, t)
		farthest = max(farthest, most(parts.Cells, weights.Cells, len(alternative)))
	}
	if q.Within != "" {
		if query.Within, err = weights.Parse(q.Within); err != nil {
			return query, nil, &PartError{"within", "", err}
		}
		if query.Within > farthest {
			return query, nil, &PartError{"within", q.Within, fmt.Errorf("no position is farther away than %s", weights.Format(farthest))}
		}
	}
	return query, weights, nil
}

func near(ctx context.Context, sp statespace.Space, members bitset.Reader, q NearQuestion) (*Near, error) {
	query, weights, err := nearQuery(sp, q)
	if err != nil {
		return nil, err
	}
	found, complete, err := patterns.Near(ctx, sp, members, query)
	if err != nil {
		return nil, nearError(err)
	}
	// What a match takes as an answer, besides the text of its pattern.
	const answerBytes = uint64(unsafe.Sizeof(Match{})) + 8
	share := memory.For(ctx, "the matches")
	share.Instead = "ask for fewer matches"
	defer share.Free()
	if len(found) > 0 {
		if err := share.Set(uint64(len(found)) * (answerBytes + uint64(len(sp.Format(found[0].State))) + uint64(unsafe.Sizeof(found[0])))); err != nil {
			return nil, err
		}
	}
	n := &Near{Matches: make([]Match, len(found)), Complete: complete, several: len(query.Targets) > 1}
	for i, m := range found {
		n.Matches[i] = Match{NewMember(sp, m.State), json.Number(weights.Format(m.Distance)), m.Target}
	}
	return n, nil
}

// most returns a distance that no state exceeds, for a number of patterns whose distances are
// added. Their open cells only make it less.
func most(sp cells.Celled, weights []uint64, patterns int) (d uint64) {
	if weights == nil {
		return uint64(patterns * len(sp.Cells()))
	}
	for _, w := range weights {
		d += w * uint64(patterns)
	}
	return d
}

// WriteText writes the matches for people.
func (n *Near) WriteText(w io.Writer) error {
	b := bufio.NewWriter(w)
	width := len("distance")
	for _, m := range n.Matches {
		width = max(width, len(m.Distance))
	}
	if len(n.Matches) == 0 {
		fmt.Fprintln(b, n.none)
		return b.Flush()
	}
	heading, layerWidth := fmt.Sprintf("%*s  ", width, "distance"), 0
	if first := n.Matches[0]; first.Layer != nil {
		layerWidth = max(4, len(first.layerName))
		heading += fmt.Sprintf("%*s  ", layerWidth, first.layerName)
	}
	if n.several {
		heading += "target  "
	}
	fmt.Fprintln(b, heading+"pattern")
	for _, m := range n.Matches {
		fmt.Fprintf(b, "%*s  ", width, m.Distance)
		if m.Layer != nil {
			fmt.Fprintf(b, "%*d  ", layerWidth, *m.Layer)
		}
		if n.several {
			fmt.Fprintf(b, "%6d  ", m.Target)
		}
		fmt.Fprintln(b, m.Pattern)
	}
	return b.Flush()
}
