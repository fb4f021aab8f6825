// Package spacetest checks that a space keeps the laws on which the engines rely.
//
// A family of puzzles tests each of its spaces in one line:
//
//	spacetest.Test(t, hanoi.New(4), 100)
//
// If a space breaks a law, it shows here and not in a wrong result: the error names the law and a
// state. The laws of a part, such as layers, goals, symmetries or kernels, are checked for the
// spaces that have it.
package spacetest

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"pagoda/internal/long"
	"pagoda/statespace"
)

// Test checks a space as Check does, and ends the test if the space breaks a law. The engines take about half a
// minute for a million numbers, so they run up to 2^18 numbers only; go test -tags long runs them up to 2^22.
func Test(t testing.TB, sp statespace.Space, n int) {
	t.Helper()
	most := uint64(small)
	if !long.Tests {
		most = smallQuick
	}
	if size := sp.Size(); size > smallQuick && size <= most {
		t.Logf("%s: every engine is compared on %d numbers, which takes about %d s, as go test -tags long asks", sp.Name(), size, size/secondNumbers)
	}
	if err := check(t.Context(), sp, n, most); err != nil {
		t.Fatal(err)
	}
}

const (
	small         = 1 << 22
	smallQuick    = 1 << 18 // without -tags long
	secondNumbers = 30_000  // about how many numbers the engines are checked on in a second
)

// Check checks the laws of a space: on its roots, on n random numbers, and on n states of a
// random walk.
//
// If the space has at most 2^22 numbers, Check also compares every engine with a plain search: on
// one and on several threads, stopped and restored, and with every kernel. It checks in the same
// way what follows from the results: layers, certificates, folded sets, distances, paths, pointers
// and patterns.
//
// The error is a *LawError, or the cause of the end of ctx.
func Check(ctx context.Context, sp statespace.Space, n int) error { return check(ctx, sp, n, small) }

func check(ctx context.Context, sp statespace.Space, n int, most uint64) error {
	c := &checker{ctx: ctx, sp: sp, parts: sp.Parts(), rng: rand.New(rand.NewPCG(1, uint64(n))), most: most}
	if err := c.identity(); err != nil {
		return err
	}
	if err := c.roots(); err != nil {
		return err
	}
	states := c.someStates(n)
	for _, check := range []func(x statespace.Index) error{c.lists, c.inverse, c.text, c.moveText, c.layer, c.undirected} {
		for _, x := range states {
			if err := check(x); err != nil {
				return err
			}
		}
	}
	for _, check := range []func(states []statespace.Index) error{c.goals, c.symmetries, c.features, c.patterns, c.graph, c.kernels, c.quotient} {
		if err := check(states); err != nil {
			return err
		}
	}
	if sp.Size() > c.most {
		return nil
	}
	d, err := c.find()
	if err != nil {
		return err
	}
	for _, check := range []func(d *distances) error{c.search, c.valued, c.reasons, c.engines} {
		if err := check(d); err != nil {
			return err
		}
	}
	return nil
}

// A LawError says which law a space breaks, and where.
type LawError struct {
	Space, Law, Detail string
}

func (e *LawError) Error() string {
	return fmt.Sprintf("%s breaks the law %q: %s", e.Space, e.Law, e.Detail)
}

// The laws of every space.
const (
	lawDefinition = "a space and its layers have names, and a definition with a family, a puzzle and a numbering in JSON"
	lawExplain    = "an explanation is a text and JSON"
	lawSize       = "a space has numbers, and all states are below Size"
	lawRoots      = "the roots of a space are different"
	lawInverse    = "Successors and Predecessors are inverse"
	lawLists      = "Successors and Predecessors append to a list, and always the same"
	lawText       = "Parse reads what Format writes, on one line"
	lawMoveText   = "FormatMove describes every move, on one line"
	lawLayers     = "every move of a space with layers changes the layer in the same direction"
	lawUndirected = "every move of an undirected space can be taken back"
	lawGoals      = "goals are those that a space has and lists"
)

type checker struct {
	ctx   context.Context
	sp    statespace.Space
	parts statespace.Parts
	rng   *rand.Rand
	most  uint64 // the greatest size of a space whose engines are checked
}

// broken is the error for a law that is broken at a state.
func (c *checker) broken(law string, x statespace.Index, format string, args ...any) error {
	at := fmt.Sprintf("at number %d", x)
	if x < c.sp.Size() {
		at += fmt.Sprintf(", %q", c.sp.Format(x))
	}
	return &LawError{c.sp.Name(), law, at + ": " + fmt.Sprintf(format, args...)}
}

// brokenAll is the error for a law that is broken, but not at a certain state.
func (c *checker) brokenAll(law, format string, args ...any) error {
	return &LawError{c.sp.Name(), law, fmt.Sprintf(format, args...)}
}

// identity checks what a space says of itself.
func (c *checker) identity() error {
	d := c.sp.Definition()
	switch {
	case c.sp.Name() == "":
		return c.brokenAll(lawDefinition, "Name() is empty")
	case d.Family == "":
		return c.brokenAll(lawDefinition, "its Definition has no family")
	case !json.Valid(d.Puzzle):
		return c.brokenAll(lawDefinition, "the puzzle of its Definition is not JSON: %q", d.Puzzle)
	case !json.Valid(d.Numbering):
		return c.brokenAll(lawDefinition, "the numbering of its Definition is not JSON: %q", d.Numbering)
	case !d.SamePuzzle(c.sp.Definition()):
		return c.brokenAll(lawDefinition, "the puzzle of its Definition is %s, and another time %s", d.Puzzle, c.sp.Definition().Puzzle)
	}
	if l := c.parts.Layers; l != nil && l.LayerName() == "" {
		return c.brokenAll(lawDefinition, "LayerName() is empty")
	}
	if c.parts.Texts.Explain == nil {
		return nil
	}
	text := c.parts.Texts.Explain()
	if _, err := json.Marshal(text); err != nil || text.String() == "" {
		return c.brokenAll(lawExplain, "the text is %q, the error of JSON %v", text, err)
	}
	return nil
}

// roots checks the roots.
func (c *checker) roots() error {
	if c.sp.Size() == 0 {
		return c.brokenAll(lawSize, "Size() is 0")
	}
	seen := make(map[statespace.Index]bool)
	for i, x := range c.sp.Roots() {
		if x >= c.sp.Size() {
			return c.broken(lawSize, x, "it is root %d, Size() is %d", i, c.sp.Size())
		}
		if seen[x] {
			return c.broken(lawRoots, x, "this root comes twice in %v", c.sp.Roots())
		}
		seen[x] = true
	}
	return nil
}

// someStates returns the roots, n random numbers and n states of random walks.
func (c *checker) someStates(n int) []statespace.Index {
	roots := c.sp.Roots()
	states := slices.Clone(roots)
	for range n {
		if x := c.rng.Uint64N(c.sp.Size()); c.isState(x) {
			states = append(states, x)
		}
	}
	if len(roots) == 0 {
		return states
	}
	// Random numbers may miss what can be reached.
	for x, i := roots[0], 0; i < n; i++ {
		next := c.sp.Successors(nil, x)
		if len(next) == 0 {
			x = roots[c.rng.IntN(len(roots))]
			continue
		}
		if x = next[c.rng.IntN(len(next))].To; x >= c.sp.Size() {
			return states // inverse finds this
		}
		states = append(states, x)
	}
	return states
}

// isState reports whether a number is a state, which it is unless a quotient has none for it.
func (c *checker) isState(x statespace.Index) bool {
	q := c.parts.Symmetry.Quotient
	if q == nil {
		return true
	}
	_, states := q.StandsFor(x)
	return states > 0
}

// inverse checks that each move can be seen from both of its ends, as many times.
func (c *checker) inverse(x statespace.Index) error {
	type lister func(dst []statespace.Edge, x statespace.Index) []statespace.Edge
	check := func(there, back lister, leads, other string) error {
		edges := there(nil, x)
		for _, e := range edges {
			if e.To >= c.sp.Size() {
				return c.broken(lawSize, x, "move %d %s number %d, Size() is %d", e.Move, leads, e.To, c.sp.Size())
			}
			if n, m := count(edges, e), count(back(nil, e.To), statespace.Edge{To: x, Move: e.Move}); n != m {
				return c.broken(lawInverse, x, "move %d %s number %d, %q; it is listed %d times here, and %d times among the %s there", e.Move, leads, e.To, c.sp.Format(e.To), n, m, other)
			}
		}
		return nil
	}
	if err := check(c.sp.Successors, c.sp.Predecessors, "leads to", "Predecessors"); err != nil {
		return err
	}
	return check(c.sp.Predecessors, c.sp.Successors, "comes from", "Successors")
}

// count returns how many of the edges are like one of them.
func count(edges []statespace.Edge, like statespace.Edge) (n int) {
	for _, e := range edges {
		if e == like {
			n++
		}
	}
	return n
}

// lists checks that edges are appended, and always the same ones.
func (c *checker) lists(x statespace.Index) error {
	first := statespace.Edge{To: ^uint64(0), Move: -1}
	for i, list := range []func([]statespace.Edge, statespace.Index) []statespace.Edge{c.sp.Successors, c.sp.Predecessors} {
		name := [...]string{"Successors", "Predecessors"}[i]
		edges := list(nil, x)
		if again := list(nil, x); !slices.Equal(again, edges) {
			return c.broken(lawLists, x, "%s returns %v, and another time %v", name, edges, again)
		}
		want := append([]statespace.Edge{first}, edges...)
		if got := list([]statespace.Edge{first}, x); !slices.Equal(got, want) {
			return c.broken(lawLists, x, "%s appended to a list of one edge is %v, expected %v", name, got, want)
		}
	}
	return nil
}

// oneLine reports whether a text is on one line, and not empty.
func oneLine(text string) bool {
	return text != "" && !slices.ContainsFunc([]rune(text), func(ch rune) bool { return ch < ' ' })
}

// text checks Format and Parse.
func (c *checker) text(x statespace.Index) error {
	text := c.sp.Format(x)
	if !oneLine(text) {
		return c.broken(lawText, x, "the text is empty, or not on one line")
	}
	if y, err := c.sp.Parse(text); err != nil {
		return c.broken(lawText, x, "Parse refuses the text: %v", err)
	} else if y != x {
		return c.broken(lawText, x, "Parse returns number %d", y)
	}
	// Texts that are like states must not get numbers beyond the last.
	changed := []byte(text)
	changed[c.rng.IntN(len(changed))] = text[c.rng.IntN(len(text))]
	for _, text := range []string{"", text + text, text[:c.rng.IntN(len(text))], string(changed)} {
		if y, err := c.sp.Parse(text); err == nil && y >= c.sp.Size() {
			return c.broken(lawSize, y, "Parse(%q) returns it, Size() is %d", text, c.sp.Size())
		}
	}
	return nil
}

// moveText checks FormatMove.
func (c *checker) moveText(x statespace.Index) error {
	for _, e := range c.sp.Successors(nil, x) {
		if text := c.sp.FormatMove(x, e); !oneLine(text) {
			return c.broken(lawMoveText, x, "move %d to number %d has the text %q", e.Move, e.To, text)
		}
	}
	return nil
}

// layer checks that every move changes the layer in one direction.
func (c *checker) layer(x statespace.Index) error {
	l := c.parts.Layers
	if l == nil {
		return nil
	}
	from := l.Layer(x)
	if from < 0 {
		return c.broken(lawLayers, x, "its layer is %d, below 0", from)
	}
	for _, e := range c.sp.Successors(nil, x) {
		if to := l.Layer(e.To); to == from || to < from != l.LayersFall() {
			return c.broken(lawLayers, x, "move %d leads from layer %d to %d; LayersFall() is %t", e.Move, from, to, l.LayersFall())
		} else if c.parts.Steps && max(to, from)-min(to, from) != 1 {
			return c.broken(lawLayers, x, "move %d leads from layer %d to %d, which is not the next one", e.Move, from, to)
		}
	}
	return nil
}

// undirected checks that moves can be taken back.
func (c *checker) undirected(x statespace.Index) error {
	if !c.sp.Parts().Undirected {
		return nil
	}
	for _, e := range c.sp.Successors(nil, x) {
		if !slices.ContainsFunc(c.sp.Successors(nil, e.To), func(back statespace.Edge) bool { return back.To == x }) {
			return c.broken(lawUndirected, x, "move %d leads to number %d, %q, and no move leads back", e.Move, e.To, c.sp.Format(e.To))
		}
	}
	return nil
}

// goals checks the list of all goals.
func (c *checker) goals(states []statespace.Index) error {
	g := c.parts.Goals
	if !g.Any() {
		if g.Ends || g.All != nil {
			return c.brokenAll(lawGoals, "Goals has no Is, and Ends: %t, All: %t", g.Ends, g.All != nil)
		}
		return nil
	}
	if g.All == nil {
		return nil
	}
	listed := make(map[statespace.Index]bool)
	for _, x := range g.All() {
		if x >= c.sp.Size() {
			return c.broken(lawSize, x, "it is among Goals.All(), Size() is %d", c.sp.Size())
		}
		if listed[x] || !g.Is(x) {
			return c.broken(lawGoals, x, "it is among Goals.All(); it comes twice: %t; it is a goal: %t", listed[x], g.Is(x))
		}
		listed[x] = true
	}
	check := func(x statespace.Index) error {
		if g.Is(x) && !listed[x] {
			return c.broken(lawGoals, x, "it is a goal, and not among the %d of Goals.All()", len(listed))
		}
		return nil
	}
	for _, x := range states {
		if err := check(x); err != nil {
			return err
		}
	}
	if c.sp.Size() > c.most {
		return nil
	}
	for x := range c.sp.Size() {
		if err := check(x); err != nil {
			return err
		}
	}
	return nil
}

// MustFail checks that Parse refuses a text, as outside the space or for another reason.
func MustFail(t testing.TB, sp statespace.Space, text string, outside bool) {
	t.Helper()
	_, err := sp.Parse(text)
	if err == nil {
		t.Errorf("%s: %q was read without an error", sp.Name(), text)
	} else if errors.Is(err, statespace.ErrOutside) != outside {
		t.Errorf("%s: %q: %v; outside the space should be %t", sp.Name(), text, err, outside)
	}
}
