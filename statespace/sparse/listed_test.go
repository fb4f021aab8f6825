package sparse_test

import (
	"bytes"
	"errors"
	"fmt"
	"math/bits"
	"math/rand/v2"
	"reflect"
	"slices"
	"strings"
	"testing"

	"pagoda/internal/mapped"
	"pagoda/sorted"
	"pagoda/statespace"
	"pagoda/statespace/cells"
	"pagoda/statespace/internal/toys"
	"pagoda/statespace/spacetest"
	"pagoda/statespace/sparse"
)

// A falling is lights that can only be switched off. It has layers and cells.
type falling struct{ toys.Lights }

func (f falling) Parts() statespace.Parts {
	p := f.Lights.Parts()
	p.Undirected, p.Layers = false, f
	return p
}

func (f falling) LayerName() string            { return "lights" }
func (f falling) Layer(x statespace.Index) int { return bits.OnesCount64(x) }
func (f falling) LayersFall() bool             { return true }
func (f falling) step(dst []statespace.Edge, x, from uint64) []statespace.Edge {
	for ; from != 0; from &= from - 1 {
		dst = append(dst, statespace.Edge{To: x ^ from&-from, Move: bits.TrailingZeros64(from)})
	}
	return dst
}

func (f falling) Successors(dst []statespace.Edge, x statespace.Index) []statespace.Edge {
	return f.step(dst, x, x)
}

func (f falling) Predecessors(dst []statespace.Edge, x statespace.Index) []statespace.Edge {
	return f.step(dst, x, (f.Size()-1)&^x)
}

// kinds are toys of each kind: directed, undirected, layered, celled.
var kinds = map[string]statespace.Space{
	"directed":           toys.Ring{N: 999, Add: 27, From: []uint64{5, 27}, Goals: []uint64{54, 10}},
	"to goal":            toys.Ring{N: 999, Add: 27, From: []uint64{5, 27}, Goals: []uint64{500, 510}, ToGoal: true},
	"undirected, celled": toys.NewHanoi(4),
	"part of it":         toys.NewLights(2, 2, 9),
	"layered":            toys.Countdown{Start: 40},
	"layered, celled":    falling{toys.NewLights(2, 4, 0b10110101)},
	"several roots":      toys.NewGraph(30, [][2]int{{3, 20}, {20, 21}, {21, 3}, {9, 3}}, false, []uint64{9, 20}, []uint64{21}),
}

// find searches a space by its codes, and returns the list of what it finds.
func find(t *testing.T, sp statespace.Space) *sorted.List {
	t.Helper()
	layered := sp.Parts().Layers != nil
	s, err := sparse.New(sparse.Of(sp).Graph(), sparse.Options{Threads: 2, ToGoal: sp.Parts().Goals.Ends && !layered})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { s.Close() })
	if err := s.Run(t.Context(), nil, nil); err != nil {
		t.Fatal(err)
	}
	list, err := s.Table(t.Context(), nil)
	if err != nil {
		t.Fatal(err)
	}
	return list
}

// A listed space keeps the laws of spaces, has the states that can be reached, and the layers,
// goals and cells of the space that it numbers.
func TestListed(t *testing.T) {
	for name, sp := range kinds {
		list := find(t, sp)
		tables := []statespace.Table{list}
		if codes, err := codesOf(list); err != nil {
			t.Fatal(err)
		} else if cache, err := list.Cache(1 << 12); err != nil {
			t.Fatal(err)
		} else {
			tables = append(tables, codes, cache)
		}
		for _, table := range tables {
			listed, err := sparse.Of(sp).Numbered(table)
			if err != nil {
				t.Fatalf("%s: %v", name, err)
			}
			if err := spacetest.Check(t.Context(), listed, 40); err != nil {
				t.Errorf("%s: %v", name, err)
			}
			holdListed(t, name, sp, listed)
		}
	}
}

// holdListed holds a listed space against the one that it numbers.
func holdListed(t *testing.T, name string, sp, listed statespace.Space) {
	t.Helper()
	if of := listed.Parts().Codes.Of; of == nil || of.Name() != sp.Name() {
		t.Fatalf("%s: it is a %T", name, listed)
	}
	layered, celled := sp.Parts().Layers, sp.Parts().Cells
	layered2, celled2 := listed.Parts().Layers, listed.Parts().Cells
	hasLayers, hasCells := layered != nil, celled != nil
	if hasLayers != (layered2 != nil) || hasCells != (celled2 != nil) {
		t.Fatalf("%s: it has layers: %t, cells: %t", name, layered2 != nil, celled2 != nil)
	}
	if listed.Parts().Undirected != sp.Parts().Undirected || listed.Parts().Goals.Any() != sp.Parts().Goals.Any() ||
		listed.Parts().Goals.Ends != sp.Parts().Goals.Ends || listed.Name() != sp.Name() {
		t.Errorf("%s: the listed space is another", name)
	}
	number := func(x uint64) uint64 {
		other, path := sparse.Original(listed, statespace.Path{From: x})
		if other.Name() != sp.Name() || other.Size() != sp.Size() {
			t.Fatalf("%s: the original is %s", name, other.Name())
		}
		return path.From
	}
	features := statespace.Features(listed)
	for i, f := range statespace.Features(sp) {
		if f.Name != features[i].Name {
			t.Fatalf("%s: the feature %s, want %s", name, features[i].Name, f.Name)
		}
		want, got := f.New(), features[i].New()
		for x := range listed.Size() {
			// A space that ends at its goals lists only the moves to listed states.
			if got(x) != want(number(x)) && f.Name != "branching" {
				t.Fatalf("%s: %s of %d is %d, want %d", name, f.Name, x, got(x), want(number(x)))
			}
		}
	}
	if !sp.Parts().Goals.Ends {
		set := toys.Reach(t, sp)
		if set.Count() != listed.Size() {
			t.Fatalf("%s: %d states, want %d", name, listed.Size(), set.Count())
		}
		rank := uint64(0)
		for x := range set.All() {
			if number(rank) != x {
				t.Fatalf("%s: state %d is %d, want %d", name, rank, number(rank), x)
			}
			rank++
		}
	}
	for x := range listed.Size() {
		y := number(x)
		if listed.Format(x) != sp.Format(y) || listed.Parts().Goals.Has(x) != sp.Parts().Goals.Has(y) {
			t.Errorf("%s: state %d is %s, want %s", name, x, listed.Format(x), sp.Format(y))
		}
		if hasLayers && (layered.Layer(y) != layered2.Layer(x) || layered.LayersFall() != layered2.LayersFall() || layered.LayerName() != layered2.LayerName()) {
			t.Errorf("%s: the layer of %s is %d", name, sp.Format(y), layered2.Layer(x))
		}
		if hasCells {
			p, q := cells.Open(len(celled.Cells())), cells.Open(len(celled2.Cells()))
			celled.State(p, y)
			celled2.State(q, x)
			if !slices.Equal(p, q) {
				t.Errorf("%s: the cells of %s are %v, want %v", name, sp.Format(y), q, p)
			}
		}
		// The same moves, but for those that lead out of the list.
		var want, got []string
		for _, e := range sp.Successors(nil, y) {
			if _, err := listed.Parse(sp.Format(e.To)); err == nil {
				want = append(want, sp.FormatMove(y, e)+" to "+sp.Format(e.To))
			} else if !sp.Parts().Goals.Ends || !errors.Is(err, statespace.ErrOutside) {
				t.Errorf("%s: %s leads to %s: %v", name, sp.Format(y), sp.Format(e.To), err)
			}
		}
		for _, e := range listed.Successors(nil, x) {
			got = append(got, listed.FormatMove(x, e)+" to "+listed.Format(e.To))
		}
		if !slices.Equal(got, want) {
			t.Errorf("%s: from %s there are the moves %q, want %q", name, sp.Format(y), got, want)
		}
	}
	holdPath(t, name, sp, listed)
}

// holdPath narrates a path of a few steps in both spaces.
func holdPath(t *testing.T, name string, sp, listed statespace.Space) {
	t.Helper()
	path := statespace.Path{From: listed.Roots()[0]}
	for at := path.From; len(path.Steps) < 5; {
		edges := listed.Successors(nil, at)
		if len(edges) == 0 {
			break
		}
		e := edges[len(edges)-1]
		path.Steps = append(path.Steps, statespace.Step{Move: e.Move, State: e.To})
		at = e.To
	}
	other, original := sparse.Original(listed, path)
	moves, states, err1 := statespace.Narrate(listed, path)
	moves2, states2, err2 := statespace.Narrate(other, original)
	if err1 != nil || err2 != nil || fmt.Sprint(moves) != fmt.Sprint(moves2) || !slices.Equal(states, states2) || len(states) != len(path.Steps)+1 {
		t.Errorf("%s: %v %v (%v), want %v %v (%v)", name, moves, states, err1, moves2, states2, err2)
	}
	// What is not listed stays as it is.
	if same, again := sparse.Original(sp, original); same.Name() != sp.Name() || !reflect.DeepEqual(again, original) {
		t.Errorf("%s: Original changes a path of a space that is not listed", name)
	}
}

// Definitions are renumbered and back.
func TestRenumber(t *testing.T) {
	for name, sp := range kinds {
		listed, err := sparse.Of(sp).Numbered(find(t, sp))
		if err != nil {
			t.Fatal(err)
		}
		d := listed.Definition()
		if again, err := sparse.Renumber(sp.Definition()); err != nil || !reflect.DeepEqual(again, d) {
			t.Errorf("%s: %+v, want %+v (%v)", name, d, again, err)
		}
		if !d.SamePuzzle(sp.Definition()) || bytes.Equal(d.Numbering, sp.Definition().Numbering) {
			t.Errorf("%s: the numbering is %s, of the codes %s", name, d.Numbering, sp.Definition().Numbering)
		}
		if back, ok := sparse.Unlist(d); !ok || !reflect.DeepEqual(back, sp.Definition()) {
			t.Errorf("%s: unlisted it is %+v", name, back)
		}
		if _, ok := sparse.Unlist(sp.Definition()); ok {
			t.Errorf("%s: a space without a list was unlisted", name)
		}
	}
	for _, text := range []string{``, `7`, `[]`, `{}`, `{"codes`, `{"other":1}`} {
		if _, ok := sparse.Unlist(statespace.Definition{Numbering: []byte(text)}); ok {
			t.Errorf("the numbering %q was unlisted", text)
		}
	}
}

// The codes of a space are its numbers, unless it has codes of its own.
func TestOf(t *testing.T) {
	for name, sp := range kinds {
		coded := sparse.Of(sp)
		graph := coded.Graph()
		if want := map[bool]int{true: 1, false: -1}[sp.Parts().Undirected]; graph.Words != 1 || graph.Back != want && !isLayered(sp) {
			t.Errorf("%s: codes of %d words, with moves that lead %d back", name, graph.Words, graph.Back)
		}
		var roots []uint64
		for _, code := range graph.Roots {
			roots = append(roots, code...)
		}
		if !slices.Equal(roots, sp.Roots()) {
			t.Errorf("%s: the roots are %v, want %v", name, roots, sp.Roots())
		}
		e := graph.NewExpander()
		for x := range sp.Size() {
			var want []uint64
			for _, edge := range sp.Successors(nil, x) {
				want = append(want, edge.To)
			}
			got := e.Expand([]uint64{77}, []uint64{x})
			if len(got) == 0 || got[0] != 77 {
				t.Fatalf("%s: Expand does not append", name)
			}
			if got = sorted.Distinct(got[1:], 1); !slices.Equal(got, sorted.Distinct(want, 1)) {
				t.Fatalf("%s: moves lead from %d to %v, want %v", name, x, got, want)
			}
			if e.Goal([]uint64{x}) != sp.Parts().Goals.Has(x) {
				t.Errorf("%s: %d is a goal: %t", name, x, e.Goal([]uint64{x}))
			}
		}
	}
}

func isLayered(sp statespace.Space) bool {
	ok := sp.Parts().Layers != nil
	return ok
}

// A table that has other numbers than those of the space, or lacks a root, is refused. One that
// fails later makes an error within mapped.Guard.
func TestNumberedRefuses(t *testing.T) {
	sp := sparse.Of(toys.NewHanoi(3)) // 27 numbers
	for _, c := range []struct {
		codes []uint64
		text  string
	}{
		{nil, "lacks it"},
		{[]uint64{1, 2, 3}, "should have the start, and lacks it"},
		{[]uint64{0, 1, 27}, "should be below 27, and there is 27"},
		{[]uint64{0, 1 << 63}, "should be below 27"},
	} {
		if _, err := sp.Numbered(sparse.CodesOf(1, c.codes)); err == nil || !strings.Contains(err.Error(), c.text) {
			t.Errorf("a table of %v: %v; want %q", c.codes, err, c.text)
		}
	}
	table := &failing{Codes: sparse.CodesOf(1, []uint64{0, 1, 2})}
	listed, err := sp.Numbered(table)
	if err != nil {
		t.Fatal(err)
	}
	table.err = errors.New("the disk failed")
	for name, use := range map[string]func(){
		"Format":     func() { listed.Format(1) },
		"Successors": func() { listed.Successors(nil, 1) },
		"Goal":       func() { listed.Parts().Goals.Has(1) },
	} {
		if err := mapped.Guard(func() error { use(); return nil }); !errors.Is(err, table.err) {
			t.Errorf("%s with a table that fails: %v", name, err)
		}
	}
	if _, err := sp.Numbered(table); !errors.Is(err, table.err) {
		t.Errorf("a table that fails at once: %v", err)
	}
}

// A failing table fails when it has an error.
type failing struct {
	*sparse.Codes
	err error
}

func (f *failing) At(dst []uint64, rank uint64) ([]uint64, error) {
	if f.err != nil {
		return nil, f.err
	}
	return f.Codes.At(dst, rank)
}

// Codes in memory answer as a list does.
func TestCodes(t *testing.T) {
	rng := rand.New(rand.NewPCG(41, 42))
	for words := 1; words <= 3; words++ {
		for _, n := range []int{0, 1, 2, 700, 1500} {
			var all []uint64
			for range n * words {
				all = append(all, uint64(rng.IntN(40))*0x0101010101010101)
			}
			all = sorted.Distinct(all, words)
			var data bytes.Buffer
			w, err := sorted.NewWriter(&data, words)
			if err == nil {
				err = w.Append(all)
			}
			if err == nil {
				_, err = w.Close()
			}
			if err != nil {
				t.Fatal(err)
			}
			list, err := sorted.Over(data.Bytes())
			if err != nil {
				t.Fatal(err)
			}
			codes, err := codesOf(list)
			if err != nil {
				t.Fatal(err)
			}
			for _, table := range []statespace.Table{codes, sparse.CodesOf(words, all)} {
				if table.Len() != list.Len() || table.Len() != uint64(len(all)/words) {
					t.Fatalf("%d codes, want %d", table.Len(), len(all)/words)
				}
				for rank := range table.Len() {
					code, err := table.At([]uint64{5}, rank)
					if want := append([]uint64{5}, all[int(rank)*words:][:words]...); err != nil || !slices.Equal(code, want) {
						t.Fatalf("code %d is %x, want %x: %v", rank, code, want, err)
					}
				}
				for range 300 {
					code := make([]uint64, words)
					for i := range code {
						code[i] = uint64(rng.IntN(42)) * 0x0101010101010101
					}
					if len(all) > 0 && rng.IntN(2) == 0 {
						copy(code, all[rng.IntN(len(all)/words)*words:])
					}
					rank, found, err1 := table.Rank(code)
					want, wantFound, err2 := list.Rank(code)
					if err1 != nil || err2 != nil || rank != want || found != wantFound {
						t.Fatalf("the rank of %x is %d (%t), want %d (%t): %v %v", code, rank, found, want, wantFound, err1, err2)
					}
				}
			}
		}
	}
}

// TestTable: the list of all states has them in order, and calls visit with their distances.
func TestTable(t *testing.T) {
	for name, sp := range kinds {
		for _, dir := range []string{"", t.TempDir()} {
			s, err := sparse.New(sparse.Of(sp).Graph(), sparse.Options{Dir: dir, ToGoal: sp.Parts().Goals.Ends})
			if err != nil {
				t.Fatal(err)
			}
			defer s.Close()
			if err := s.Run(t.Context(), nil, nil); err != nil {
				t.Fatal(err)
			}
			for range 2 { // it may be made again
				var levels []int
				list, err := s.Table(t.Context(), func(rank uint64, level int) {
					if rank != uint64(len(levels)) {
						t.Fatalf("%s: rank %d comes after %d others", name, rank, len(levels))
					}
					levels = append(levels, level)
				})
				if err != nil || list.Len() != s.Result().States || len(levels) != int(list.Len()) {
					t.Fatalf("%s: %d states of %d were visited: %v", name, len(levels), s.Result().States, err)
				}
				for rank, level := range levels {
					code, err := list.At(nil, uint64(rank))
					if err != nil {
						t.Fatal(err)
					}
					if has, err := s.Has(code, level); !has || err != nil {
						t.Fatalf("%s: code %d is %v, and is not at distance %d: %v", name, rank, code, level, err)
					}
				}
			}
		}
	}
}

// A listed space has all parts of the space that it numbers, but those on this list.
func TestListedKeepsParts(t *testing.T) {
	all := spacetest.Everything(toys.Countdown{Start: 20})
	listed, err := sparse.Of(withoutCodes{all}).Numbered(find(t, toys.Countdown{Start: 20}))
	if err != nil {
		t.Fatal(err)
	}
	spacetest.Keeps(t, all, listed, map[string]string{
		"EachRoot":       "there is a list of them",
		"Finder":         "it knows sets of the other numbers only",
		"Symmetry.Fixed": "each step looks into the table: they are Mirrors", "Symmetry.Words": "likewise",
		"Values.Value": "a list keeps no values", "Values.Best": "likewise", "Values.DistanceName": "likewise", "Values.Columns": "likewise",
		"Values.Figures": "likewise", "Values.NewValuer": "likewise",
		"Codes.Graph": "a table numbers it", "Codes.Numbered": "likewise",
		"Bounds.Of": "bounds are of the other numbers", "Bounds.Walks": "likewise", "Bounds.Need": "likewise", "Bounds.Goals": "likewise",
		"Graph": "it makes moves of the other numbers", "Proof": "likewise",
		"Texts.Explain": "it is about the other numbers", "Texts.Plan": "likewise",
	})
	if listed.Parts().Sweep.Places == nil {
		t.Error("it does not know what its moves do")
	}
}

// withoutCodes is a space that is known by its numbers.
type withoutCodes struct{ statespace.Space }

func (w withoutCodes) Parts() statespace.Parts {
	p := w.Space.Parts()
	p.Codes = statespace.Codes{}
	return p
}

// codesOf returns the table of the codes of a list, in memory.
func codesOf(list *sorted.List) (*sparse.Codes, error) {
	var codes []uint64
	for i := range list.Chunks() {
		var err error
		if codes, err = list.Chunk(codes, i); err != nil {
			return nil, err
		}
	}
	return sparse.CodesOf(list.Words(), codes), nil
}
