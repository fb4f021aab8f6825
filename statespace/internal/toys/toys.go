// Package toys has small spaces for tests of the engines. Each is simple enough to be right by
// inspection, and together they have every part that the engines use.
package toys

import (
	"encoding/json"
	"fmt"
	"slices"
	"testing"

	"pagoda/bitset"
	"pagoda/statespace"
)

// Reach returns all states of a space that can be reached.
func Reach(t testing.TB, sp statespace.Space) *bitset.Set {
	t.Helper()
	set := bitset.New(sp.Size())
	if err := statespace.Search(t.Context(), sp, set, nil); err != nil {
		t.Fatal(err)
	}
	return set
}

// Certify returns the faults that statespace.Certify finds.
func Certify(t testing.TB, sp statespace.Space, set *bitset.Set) statespace.Faults {
	t.Helper()
	faults, err := statespace.Certify(t.Context(), sp, set)
	if err != nil {
		t.Fatal(err)
	}
	return faults
}

// definition returns the definition of a toy, which its parameters determine.
func definition(name string, parameters any) statespace.Definition {
	return statespace.Definition{Family: "toys", Name: name, Puzzle: statespace.Encode(parameters), Numbering: json.RawMessage(`{}`)}
}

// parse reads whole numbers below limits from a text of the given format, and nothing else.
func parse(text, format string, limits ...uint64) ([]uint64, error) {
	numbers, into := make([]uint64, len(limits)), []any(nil)
	for i := range numbers {
		into = append(into, &numbers[i])
	}
	if _, err := fmt.Sscanf(text, format, into...); err != nil {
		return nil, fmt.Errorf("expected a state such as %q, found %q", format, text)
	}
	for i, n := range numbers {
		if n >= limits[i] {
			return nil, fmt.Errorf("%w: %d should be below %d", statespace.ErrOutside, n, limits[i])
		}
	}
	return numbers, nil
}

// Countdown is a space with layers. From n, moves lead to n-2, and to n/3 if 3 divides n. The root
// is Start, and the layer of a number is the number itself, so moves skip layers.
type Countdown struct{ Start uint64 }

// Name implements statespace.Space.
func (c Countdown) Name() string { return fmt.Sprintf("countdown/%d", c.Start) }

// Size implements statespace.Space.
func (c Countdown) Size() uint64 { return c.Start + 1 }

// Roots implements statespace.Space.
func (c Countdown) Roots() []statespace.Index { return []statespace.Index{c.Start} }

// Format implements statespace.Space.
func (c Countdown) Format(x statespace.Index) string { return fmt.Sprint(x) }

// FormatMove implements statespace.Space.
func (c Countdown) FormatMove(_ statespace.Index, move statespace.Edge) string {
	return [...]string{"take two", "a third"}[move.Move]
}

// Definition implements statespace.Space.
func (c Countdown) Definition() statespace.Definition { return definition(c.Name(), c) }

// Parse implements statespace.Space.
func (c Countdown) Parse(text string) (statespace.Index, error) {
	v, err := parse(text, "%d", c.Size())
	if err != nil {
		return 0, err
	}
	return v[0], nil
}

// Successors implements statespace.Space.
func (c Countdown) Successors(dst []statespace.Edge, x statespace.Index) []statespace.Edge {
	if x >= 2 {
		dst = append(dst, statespace.Edge{To: x - 2, Move: 0})
	}
	if x > 0 && x%3 == 0 {
		dst = append(dst, statespace.Edge{To: x / 3, Move: 1})
	}
	return dst
}

// Predecessors implements statespace.Space.
func (c Countdown) Predecessors(dst []statespace.Edge, x statespace.Index) []statespace.Edge {
	if x+2 <= c.Start {
		dst = append(dst, statespace.Edge{To: x + 2, Move: 0})
	}
	if x > 0 && 3*x <= c.Start {
		dst = append(dst, statespace.Edge{To: 3 * x, Move: 1})
	}
	return dst
}

// Parts implements statespace.Space.
func (c Countdown) Parts() statespace.Parts { return statespace.Parts{Layers: c} }

// LayerName implements statespace.Layers.
func (c Countdown) LayerName() string { return "values" }

// Layer implements statespace.Layers.
func (c Countdown) Layer(x statespace.Index) int { return int(x) }

// LayersFall implements statespace.Layers.
func (c Countdown) LayersFall() bool { return true }

// Doubling is a Countdown with other moves: two of them lead from each number to the one before.
// So there are 2^Start paths from the root to 0.
type Doubling struct{ Countdown }

// Name implements statespace.Space.
func (d Doubling) Name() string { return fmt.Sprintf("doubling/%d", d.Start) }

// Definition implements statespace.Space.
func (d Doubling) Definition() statespace.Definition { return definition(d.Name(), d) }

// FormatMove implements statespace.Space.
func (d Doubling) FormatMove(_ statespace.Index, move statespace.Edge) string {
	return [...]string{"with the left hand", "with the right hand"}[move.Move]
}

// Successors implements statespace.Space.
func (d Doubling) Successors(dst []statespace.Edge, x statespace.Index) []statespace.Edge {
	if x > 0 {
		dst = append(dst, statespace.Edge{To: x - 1, Move: 0}, statespace.Edge{To: x - 1, Move: 1})
	}
	return dst
}

// Predecessors implements statespace.Space.
func (d Doubling) Predecessors(dst []statespace.Edge, x statespace.Index) []statespace.Edge {
	if x < d.Start {
		dst = append(dst, statespace.Edge{To: x + 1, Move: 0}, statespace.Edge{To: x + 1, Move: 1})
	}
	return dst
}

// Ring is a directed space with cycles, several roots and goals. Numbers are modulo N. A move
// doubles the number or adds Add. Some numbers that are doubled have no predecessor, or two.
type Ring struct {
	N, Add      uint64
	From, Goals []statespace.Index
	ToGoal      bool // the space ends at the nearest goals
}

// Name implements statespace.Space.
func (r Ring) Name() string { return fmt.Sprintf("ring/%d+%d", r.N, r.Add) }

// Size implements statespace.Space.
func (r Ring) Size() uint64 { return r.N }

// Roots implements statespace.Space.
func (r Ring) Roots() []statespace.Index { return r.From }

// Format implements statespace.Space.
func (r Ring) Format(x statespace.Index) string { return fmt.Sprint(x) }

// FormatMove implements statespace.Space.
func (r Ring) FormatMove(_ statespace.Index, move statespace.Edge) string {
	if move.Move == 0 {
		return "double"
	}
	return fmt.Sprintf("add %d", r.Add)
}

// Definition implements statespace.Space.
func (r Ring) Definition() statespace.Definition { return definition(r.Name(), r) }

// Parse implements statespace.Space.
func (r Ring) Parse(text string) (statespace.Index, error) { return Countdown{r.N - 1}.Parse(text) }

// Successors implements statespace.Space.
func (r Ring) Successors(dst []statespace.Edge, x statespace.Index) []statespace.Edge {
	return append(dst, statespace.Edge{To: 2 * x % r.N, Move: 0}, statespace.Edge{To: (x + r.Add) % r.N, Move: 1})
}

// Predecessors implements statespace.Space.
func (r Ring) Predecessors(dst []statespace.Edge, x statespace.Index) []statespace.Edge {
	for _, twice := range []uint64{x, x + r.N} {
		if twice%2 == 0 {
			dst = append(dst, statespace.Edge{To: twice / 2, Move: 0})
		}
	}
	return append(dst, statespace.Edge{To: (x + r.N - r.Add%r.N) % r.N, Move: 1})
}

// Parts implements statespace.Space.
func (r Ring) Parts() (p statespace.Parts) {
	if len(r.Goals) > 0 {
		p.Goals.Is = func(x statespace.Index) bool { return slices.Contains(r.Goals, x) }
	}
	p.Goals.Ends = r.ToGoal
	return p
}
