package statespace_test

import (
	"context"
	"fmt"
	"strings"

	"pagoda/bitset"
	"pagoda/statespace"
)

// jugs is a space of two jugs, of 3 and of 5 litres. State 6*a+b has a litres in the small jug and
// b litres in the large one.
type jugs struct{}

func (jugs) Name() string              { return "jugs/3,5" }
func (jugs) Size() uint64              { return 4 * 6 }
func (jugs) Roots() []statespace.Index { return []statespace.Index{0} }

var jugMoves = []string{"fill the small jug", "fill the large jug", "empty the small jug", "empty the large jug",
	"pour into the large jug", "pour into the small jug"}

func (jugs) Successors(dst []statespace.Edge, x statespace.Index) []statespace.Edge {
	a, b := x/6, x%6
	right, left := min(a, 5-b), min(b, 3-a) // litres that can be poured
	for move, to := range [][2]uint64{{3, b}, {a, 5}, {0, b}, {a, 0}, {a - right, b + right}, {a + left, b - left}} {
		if y := 6*to[0] + to[1]; y != x {
			dst = append(dst, statespace.Edge{To: y, Move: move})
		}
	}
	return dst
}

// Predecessors looks at every state: there are few.
func (j jugs) Predecessors(dst []statespace.Edge, x statespace.Index) []statespace.Edge {
	for y := range j.Size() {
		for _, e := range j.Successors(nil, y) {
			if e.To == x {
				dst = append(dst, statespace.Edge{To: y, Move: e.Move})
			}
		}
	}
	return dst
}

func (jugs) Format(x statespace.Index) string { return fmt.Sprintf("%d+%d", x/6, x%6) }

func (jugs) Parse(text string) (statespace.Index, error) {
	var a, b uint64
	if _, err := fmt.Sscanf(text, "%d+%d", &a, &b); err != nil {
		return 0, fmt.Errorf("expected litres such as 3+5, found %q", text)
	}
	if a > 3 || b > 5 {
		return 0, fmt.Errorf("%w: the jugs hold 3 and 5 litres", statespace.ErrOutside)
	}
	return 6*a + b, nil
}

func (jugs) FormatMove(_ statespace.Index, move statespace.Edge) string { return jugMoves[move.Move] }

func (jugs) Parts() statespace.Parts { return statespace.Parts{} }

func (j jugs) Definition() statespace.Definition {
	return statespace.Definition{Family: "jugs", Name: j.Name(), Puzzle: []byte(`[3,5]`), Numbering: []byte(`{}`)}
}

// A space of one's own: two jugs, and how to measure four litres.
func Example() {
	sp := jugs{}
	set := bitset.New(sp.Size())
	if err := statespace.Search(context.Background(), sp, set, nil); err != nil {
		panic(err)
	}
	four, err := sp.Parse("0+4")
	fmt.Println(set.Count(), "states can be reached of", sp.Size(), "and 0+4 is one of them:", set.Has(four), err)

	step := func(text string) statespace.Step {
		x, _ := sp.Parse(text)
		return statespace.Step{Move: statespace.AnyMove, State: x}
	}
	path := statespace.Path{Steps: []statespace.Step{step("0+5"), step("3+2"), step("0+2"), step("2+0"), step("2+5"), step("3+4")}}
	moves, states, err := statespace.Narrate(sp, path)
	if err != nil {
		panic(err)
	}
	fmt.Println(moves[1])
	fmt.Println(strings.Join(states, " "))
	// Output:
	// 16 states can be reached of 24 and 0+4 is one of them: true <nil>
	// pour into the small jug
	// 0+0 0+5 3+2 0+2 2+0 2+5 3+4
}
