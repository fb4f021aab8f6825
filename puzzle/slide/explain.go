package slide

import (
	"context"
	"errors"
	"fmt"

	"pagoda/internal/amount"
	"pagoda/puzzle/slide/npuzzle"
	"pagoda/puzzle/slide/packing"
)

// An Explanation says how a space is numbered.
type Explanation struct {
	Metric    string `json:"metric"`
	Cells     int    `json:"cells"`
	Pieces    int    `json:"pieces"`
	Kinds     int    `json:"kinds"`
	Numbering string `json:"numbering"`
	Numbers   uint64 `json:"numbers"`
	// KeyWords is the number of 64-bit words of a position's key, or 0 if positions have numbers
	// of their own.
	KeyWords int `json:"key_words,omitempty"`
	// Nodes and TableBytes are 0 if the numbering is not a Packing.
	Nodes      int    `json:"nodes,omitempty"`
	TableBytes uint64 `json:"table_bytes,omitempty"`
}

// Explain describes how the space is numbered, for statespace.Texts.
func (s *Space) Explain() fmt.Stringer {
	p := s.puzzle
	e := Explanation{Metric: s.metric.String(), Cells: len(p.Cells()), Pieces: len(p.Pieces()), Kinds: len(p.Kinds()), Numbering: s.numbers.Name(), Numbers: s.Size()}
	switch n := s.numbers.(type) {
	case *packing.Packing:
		e.Nodes, e.TableBytes = n.Nodes(), n.Bytes()
	case *ranks:
		e.KeyWords = n.keys.Words()
	}
	return e
}

// planBytes is the size of two levels from which on an n-puzzle has a plan.
const planBytes = 1 << 30

// Plan is for statespace.Texts: a large n-puzzle has a *npuzzle.Plan, even if its positions have
// no numbers here.
func (s *Space) Plan(ctx context.Context, threads int, _ uint64) (fmt.Stringer, error) {
	if s.metric.Super() || npuzzle.LevelBytes(len(s.puzzle.Cells())) < planBytes {
		return nil, nil
	}
	plan, err := npuzzle.NewPlan(ctx, s.puzzle, threads)
	if errors.Is(err, npuzzle.ErrNotNPuzzle) {
		return nil, nil
	}
	return plan, err
}

// String returns the explanation in lines.
func (e Explanation) String() string {
	how := fmt.Sprintf("tiles in the order of reading: %d positions, and all can be reached", e.Numbers)
	switch {
	case e.Nodes > 0:
		how = fmt.Sprintf("packing rank: %d placements, %d nodes, %d bytes of tables", e.Numbers, e.Nodes, e.TableBytes)
	case e.KeyWords > 0 && e.Numbers > 0:
		how = fmt.Sprintf("rank in a list of %d positions, by keys of %d bytes", e.Numbers, 8*e.KeyWords)
	case e.KeyWords > 0 && e.Cells > packing.MaxCells:
		how = fmt.Sprintf("none, as the tray has more than %d cells: positions that are found have keys of %d bytes", packing.MaxCells, 8*e.KeyWords)
	case e.KeyWords > 0:
		how = fmt.Sprintf("none, as the placements are too many: positions that are found have keys of %d bytes", 8*e.KeyWords)
	}
	return fmt.Sprintf("tray        %s, %s of %s; metric %s\nnumbering   %s\n", amount.Of(e.Cells, "cell"), amount.Of(e.Pieces, "piece"), amount.Of(e.Kinds, "kind"), e.Metric, how)
}
