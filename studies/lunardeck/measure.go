package lunardeck

import (
	"math"
	"math/bits"

	"pagoda/internal/dealing"
	"pagoda/puzzle/lunar"
	"pagoda/statespace"
	"pagoda/statespace/bfs"
)

// A Measure is what makes a problem difficult. See the package for the formula.
type Measure struct {
	Search     float64 // yes-or-no questions
	Turns      int     // steps beyond the first of each move
	Decoys     int     // insignificant number pieces
	FalseLeads float64 // moves that do not lead nearer, on average
	DeadEnds   float64 // those of them after which there is no solution, on average
}

// Difficulty returns the difficulty in tenths.
func (m *Measure) Difficulty() int {
	return int(math.Round(10*m.Search)) + 5*m.Turns + 10*m.Decoys
}

// A measurer measures problems of a group that is solved.
type measurer struct {
	group   *lunar.Group
	values  *bfs.Values
	chances map[statespace.Index]float64
}

// moves returns how many moves a problem needs, or -1 if it cannot be solved.
func (m *measurer) moves(x statespace.Index) int { return int(m.values.Entry(x)) - 1 }

// choices returns the states to which the choices of a problem lead. A choice is a move without the way that it takes.
func (m *measurer) choices(x statespace.Index) (to []statespace.Index) {
	p, _ := m.group.Position(x)
	seen := make(map[[2]int]bool)
	for _, move := range m.group.Board().Moves(nil, p) {
		if c := [2]int{move.From, move.To}; !seen[c] {
			seen[c] = true
			to = append(to, m.group.StateOf(p.After(move)))
		}
	}
	return to
}

// best returns the positions of best solutions that are not solved, as states. The problem comes first.
func (m *measurer) best(x statespace.Index) []statespace.Index {
	all, seen := []statespace.Index{x}, map[statespace.Index]bool{x: true}
	var here, there [lunar.Columns]uint64
	for i := 0; i < len(all); i++ {
		x := all[i]
		p, _ := m.group.Position(x)
		m.values.Get(here[:], x)
		for _, move := range m.group.Board().Moves(nil, p) {
			y := m.group.StateOf(p.After(move))
			if m.moves(y) != m.moves(x)-1 || m.moves(y) == 0 || seen[y] {
				continue
			}
			if m.values.Get(there[:], y); there[lunar.StepsColumn]+uint64(len(move.Steps)) == here[lunar.StepsColumn] {
				seen[y] = true
				all = append(all, y)
			}
		}
	}
	return all
}

// measure measures a problem that can be solved. Best has the positions of its best solutions.
func (m *measurer) measure(x statespace.Index, best []statespace.Index) Measure {
	var values [lunar.Columns]uint64
	m.values.Get(values[:], x)
	falseLeads, deadEnds := 0, 0
	for _, y := range best {
		for _, to := range m.choices(y) {
			if m.moves(to) != m.moves(y)-1 {
				falseLeads++
			}
			if m.moves(to) < 0 {
				deadEnds++
			}
		}
	}
	n := float64(len(best))
	return Measure{
		Search:     -math.Log2(dealing.Chance(m.chances, x, m.moves, m.choices)),
		Turns:      int(values[lunar.StepsColumn]) - m.moves(x),
		Decoys:     m.group.Numbers() - bits.OnesCount64(values[lunar.SomeColumn]),
		FalseLeads: float64(falseLeads) / n,
		DeadEnds:   float64(deadEnds) / n,
	}
}
