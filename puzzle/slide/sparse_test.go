package slide

import (
	"bytes"
	"errors"
	"math/rand/v2"
	"reflect"
	"slices"
	"strings"
	"testing"

	"pagoda/internal/long"
	"pagoda/internal/mapped"
	"pagoda/puzzle/slide/packing"
	"pagoda/puzzle/slide/slidetest"
	"pagoda/puzzle/slide/tray"
	"pagoda/puzzle/slide/trees"
	"pagoda/run"
	"pagoda/sorted"
	"pagoda/statespace"
	"pagoda/statespace/spacetest"
	"pagoda/statespace/sparse"
)

// unnumbered is 35 distinct pieces with far more placements than can be numbered, and 8 positions
// that can be reached: the single cells go along their row, and the dominoes do not move at all.
const unnumbered = "distinct: *\ntray: AABBCCDD/EEFFGGHH/IIJJKKLL/MMNNOOPP/QQRRSSTT/UUVVWWXX/YYZZaabb/1234567.\n" +
	"goal: ......../......../......../......../......../......../......../.1234567"

// strip is 39 tiles in a row of 40 cells.
const strip = "distinct: *\ntray: ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklm.\ngoal: ABCDEFGHIJKLMNOPQRSTUVWXYZ.abcdefghijklm"

// walled returns a puzzle with 35 more pieces that cannot move. Its positions have keys of several
// words.
func walled(t *testing.T, p *tray.Puzzle) *tray.Puzzle {
	t.Helper()
	before, after, _ := strings.Cut(p.Format(), "tray:\n")
	row, rest, _ := strings.Cut(after, "\n")
	row += strings.Repeat("#", 5-len(row)) + "n#o#p#q#r#s#t#" + strings.Repeat("u", 28)
	return slidetest.Parse(t, before+"tray:\n"+row+"\n"+rest)
}

// TestSparseWide: with more pieces that cannot move, random puzzles have keys of several words, and
// the same answers.
func TestSparseWide(t *testing.T) {
	rng := rand.New(rand.NewPCG(33, 34))
	cases := 60
	if !long.Tests {
		cases = 20
	}
	for n := 0; n < cases; {
		p := slidetest.Random(rng)
		if len(p.Pieces()) < 4 || mustPack(t, p).Size() > 5000 {
			continue
		}
		m := tray.Metric(n % tray.Metrics)
		want := mustSolve(t, p, m, Options{Engine: plainEngine})
		if want.States < 10 {
			continue
		}
		n++
		wide := walled(t, p)
		if words := packing.NewKeys(wide, m).Words(); words < 2 {
			t.Fatalf("%d words", words)
		}
		got := mustSolve(t, wide, m, Options{Engine: sparseEngine, Threads: 1 + n%2})
		if !sameAnswers(got, want) {
			t.Fatalf("%s%v: %+v, the plain search finds %+v", wide.Format(), m, got, want)
		}
		checkMoves(t, wide, got)
	}
}

// TestSparseMemory: if the memory is full, the error says so, with and without numbers.
func TestSparseMemory(t *testing.T) {
	p := slidetest.Lookup(t, "slide/n3x4")
	for _, o := range []Options{{Engine: sparseEngine, Memory: 4 << 20}, {Memory: 4 << 20}, {Engine: sparseEngine, Memory: 1000}} {
		if _, err := Solve(t.Context(), p, tray.Steps, o); !errors.Is(err, statespace.ErrMemory) {
			t.Errorf("%+v: %v", o, err)
		}
	}
	// The numbers do not fit, and few positions are left to find.
	if r := mustSolve(t, slidetest.Parse(t, unnumbered), tray.Steps, Options{Memory: 80 << 20}); r.States != 8 {
		t.Errorf("%d positions, want 8", r.States)
	}
	// The numbers would fit, and are not worth it: 13 of 13! placements can be reached.
	row := slidetest.Parse(t, "distinct: *\ntray: ABCDEFGHIJKL.\ngoal: .ABCDEFGHIJKL")
	sp, err := New(t.Context(), "row", row, tray.Steps, false, 0)
	if err != nil {
		t.Fatal(err)
	}
	if found, err := run.Find(t.Context(), sp, run.Options{}); err != nil || found.Engine != sparseEngine || found.States() != 13 {
		t.Fatalf("%+v, %v", found, err)
	}
}

// TestUnnumbered: trays that cannot be numbered have all answers, in all metrics.
func TestUnnumbered(t *testing.T) {
	var size *packing.LimitError
	for _, c := range []struct {
		text             string
		states           uint64
		length, diameter [tray.Metrics]int
	}{
		{unnumbered, 8, [tray.Metrics]int{7, 7, 7, 1, 1, 1}, [tray.Metrics]int{7, 7, 7, 1, 1, 1}},
		{strip, 40, [tray.Metrics]int{13, 13, 13, 1, 1, 1}, [tray.Metrics]int{39, 39, 39, 1, 1, 1}},
	} {
		p := slidetest.Parse(t, c.text)
		for m := range tray.Metric(tray.Metrics) {
			if !long.Tests && c.text == strip && m != tray.Steps {
				continue
			}
			if _, err := NewSpace(t.Context(), "", p, m, false, 64<<20); !errors.As(err, &size) {
				t.Errorf("numbered: %v", err)
			}
			want := mustSolve(t, p, m, Options{Engine: plainEngine})
			got := mustSolve(t, p, m, Options{Memory: 64 << 20})
			if got.States != c.states || got.Length != c.length[m] || !sameAnswers(got, want) {
				t.Errorf("%v: %+v, the plain search finds %+v", m, got, want)
			}
			checkMoves(t, p, got)
			d, err := FindDiameter(t.Context(), p, m, Options{Memory: 64 << 20, Threads: 2})
			if err != nil || !d.Exact || d.States != c.states || d.Diameter != c.diameter[m] {
				t.Errorf("%v: diameter %+v, %v", m, d, err)
			}
			h, err := FindHardest(t.Context(), p, m, Options{Memory: 64 << 20, Threads: 2})
			if err != nil || h.States != c.states || h.Goals != 1 || h.Length < got.Length {
				t.Errorf("%v: hardest %+v, %v", m, h, err)
			}
			b, err := FindBB(t.Context(), p, m, trees.Options{Memory: 64 << 20, Width: BBWidth, Samples: 100})
			if err != nil || b.States != c.states || b.Goals != 1 || !m.Super() && b.Length != float64(got.Length) {
				t.Errorf("%v: BB %+v, %v", m, b, err)
			}
		}
	}
}

// mustFind finds all positions without numbers.
func mustFind(t *testing.T, p *tray.Puzzle, m tray.Metric, toGoal bool) *sparse.Search {
	t.Helper()
	s, err := sparse.New(keyGraph(p, m), sparse.Options{Threads: 2, ToGoal: toGoal})
	if err == nil {
		err = s.Run(t.Context(), nil, nil)
	}
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// TestExploreListed: positions numbered by a table have the same diameter, hardest starts and BB
// metric as those of a packing.
func TestExploreListed(t *testing.T) {
	rng := rand.New(rand.NewPCG(35, 36))
	n := 200
	if !long.Tests {
		n = 60
	}
	solved := 0
	for range n {
		p := slidetest.Random(rng)
		m := tray.Metric(rng.IntN(tray.Metrics))
		if mustPack(t, p).Size() > 3000 {
			continue
		}
		numbered, err := newExplorer(t.Context(), p, m, Options{Threads: 1 + rng.IntN(2)})
		if err != nil {
			t.Fatal(err)
		}
		if _, ok := numbered.numbers.(*packing.Packing); !ok {
			t.Fatalf("a small puzzle is numbered by %T", numbered.numbers)
		}
		found, err := exploreListed(t.Context(), p, m, Options{Threads: 1 + rng.IntN(2)})
		if err != nil {
			t.Fatal(err)
		}
		d1, err1 := numbered.findDiameter(t.Context(), p)
		d2, err2 := found.findDiameter(t.Context(), p)
		if err1 != nil || err2 != nil || d1.States != d2.States || !d1.Exact || !d2.Exact || d1.Diameter != d2.Diameter || d1.Radius != d2.Radius || d1.PairCount != d2.PairCount {
			t.Fatalf("%s%v: %+v (%v), by keys %+v (%v)", p.Format(), m, d1, err1, d2, err2)
		}
		h1, err1 := numbered.findHardest(t.Context())
		h2, err2 := found.findHardest(t.Context())
		if err1 != nil || err2 != nil || h1.States != h2.States || h1.Goals != h2.Goals || h1.Length != h2.Length || h1.Count != h2.Count || len(h1.Starts) != len(h2.Starts) {
			t.Fatalf("%s%v: %+v (%v), by keys %+v (%v)", p.Format(), m, h1, err1, h2, err2)
		}
		if d1.States > 300 {
			continue
		}
		o := trees.Options{Width: 6, Samples: 100}
		b1, err1 := numbered.findBB(t.Context(), o)
		b2, err2 := found.findBB(t.Context(), o)
		if err1 != nil || err2 != nil || b1.States != b2.States || b1.Goals != b2.Goals || b1.Vertices != b2.Vertices || b1.Exact != nil && (b2.Exact == nil || b1.Value != b2.Value) {
			t.Fatalf("%s%v: %+v (%v), by keys %+v (%v)", p.Format(), m, b1, err1, b2, err2)
		}
		if b1.Exact != nil {
			solved++
		}
	}
	if solved < n/10 {
		t.Errorf("only %d puzzles have an exact value", solved)
	}
}

// TestTableMemory: a table of all positions that does not fit is an error.
func TestTableMemory(t *testing.T) {
	p := slidetest.Lookup(t, "slide/klotski")
	sp, err := NewUnnumbered("klotski", p, tray.Steps, false)
	if err != nil {
		t.Fatal(err)
	}
	if found, err := run.Find(t.Context(), sp, run.Options{Memory: run.Program + 32<<20}); err != nil || found.States() != 25955 {
		t.Fatalf("%+v, %v", found, err)
	}
	if _, err := exploreListed(t.Context(), p, tray.Steps, Options{Memory: 1 << 18}); !errors.Is(err, statespace.ErrMemory) {
		t.Errorf("in little memory: %v", err)
	}
}

// listOf returns all positions of a search as a sorted list, which is a table too.
func listOf(t *testing.T, s *sparse.Search) *sorted.List {
	t.Helper()
	defer s.Close()
	list, err := s.Table(t.Context(), nil)
	if err != nil {
		t.Fatal(err)
	}
	var b bytes.Buffer // the list of the search is closed with it
	if _, err := list.WriteTo(&b); err != nil {
		t.Fatal(err)
	}
	if list, err = sorted.Over(b.Bytes()); err != nil {
		t.Fatal(err)
	}
	return list
}

// TestListed: spaces that a table numbers keep the laws of spaces, and definitions make the same
// spaces again.
func TestListed(t *testing.T) {
	rng := rand.New(rand.NewPCG(37, 41))
	row := slidetest.Parse(t, strip)
	puzzles := []*tray.Puzzle{slidetest.Parse(t, unnumbered)}
	n := 3
	if long.Tests {
		n, puzzles = 7, append(puzzles, row, slidetest.Lookup(t, "slide/n2x3"), slidetest.Lookup(t, "slide/dads"))
	}
	for len(puzzles) < n {
		if p := slidetest.Random(rng); mustPack(t, p).Size() < 2000 {
			puzzles = append(puzzles, p)
		}
	}
	puzzles = append(puzzles, slidetest.Enlarge(t, rng, slidetest.Parse(t, "tray: AAB/..B/C..\ngoal: .../.AA")))
	for i, p := range puzzles {
		m := tray.Metric(rng.IntN(tray.Metrics))
		if p == row { // with supermoves each position leads to all others: that takes seconds
			m = tray.Steps
		}
		toGoal := p.Goals() > 0 && i%2 == 0
		u, err := NewUnnumbered("listed", p, m, toGoal)
		if err != nil {
			t.Fatal(err)
		}
		again, err := Define(t.Context(), u.Definition(), 0)
		if err != nil {
			t.Fatal(err)
		}
		if v, ok := again.(*Unnumbered); !ok || !reflect.DeepEqual(v.Definition(), u.Definition()) {
			t.Fatalf("%s is defined again as %T, %+v", u.Definition().Numbering, again, again.Definition())
		}
		if u.Size() != 0 || len(u.Roots()) != 0 {
			t.Fatalf("%d numbers and %d roots without a table", u.Size(), len(u.Roots()))
		}
		if _, err := u.Parse(p.FormatPosition(p.Start())); !errors.Is(err, statespace.ErrOutside) {
			t.Errorf("the start without a table: %v", err)
		}
		s := mustFind(t, p, m, toGoal)
		states := s.Result().States
		sp, err := u.numbered(listOf(t, s))
		if err != nil {
			t.Fatal(err)
		}
		if sp.Size() != states || sp.Parts().Codes.Of != statespace.Space(u) {
			t.Fatalf("%T of %d positions, want %d", sp, sp.Size(), states)
		}
		lost := map[string]string{"Codes.Graph": "the positions are numbered", "Codes.Numbered": "likewise", "EndAt": "positions have numbers"}
		if u.Parts().Bounds.Any() {
			lost["Bounds.Walks"], lost["Bounds.Need"], lost["Bounds.Goals"] = "bounds are of the keys", "likewise", "likewise"
		}
		spacetest.Keeps(t, u, sp, lost)
		d, ok := sparse.Unlist(sp.Definition())
		if !ok || !reflect.DeepEqual(d, u.Definition()) {
			t.Errorf("the definition of the codes is %+v, want %+v", d, u.Definition())
		}
		if err := spacetest.Check(t.Context(), sp, 30); err != nil {
			t.Errorf("%s%v: %v", p.Format(), m, err)
		}
	}
	for _, p := range []*tray.Puzzle{slidetest.Parse(t, strip), slidetest.Enlarge(t, rng, slidetest.Lookup(t, "slide/dads"))} {
		checkTables(t, p)
	}
}

// checkTables: tables without the start are refused, and a code that is no position is damage.
func checkTables(t *testing.T, p *tray.Puzzle) {
	t.Helper()
	u, err := NewUnnumbered("no start", p, tray.Steps, false)
	if err != nil {
		t.Fatal(err)
	}
	start := u.codes().Roots[0]
	forged := append(slices.Clone(start), slices.Repeat([]uint64{^uint64(0)}, len(start))...)
	sp, err := u.numbered(sparse.CodesOf(len(start), forged))
	if err != nil {
		t.Fatal(err)
	}
	if err := mapped.Guard(func() error { return errors.New(sp.Format(1)) }); !errors.Is(err, sorted.ErrDamaged) {
		t.Errorf("a code that is no position: %v", err)
	}
	for i, codes := range [][]uint64{nil, make([]uint64, len(start)), start[:len(start)-1], append(start[:len(start)-1:len(start)-1], 1)} {
		if _, err := u.numbered(sparse.CodesOf(max(1, len(codes)), codes)); err == nil {
			t.Errorf("table %d, which lacks the start, is taken", i)
		}
	}
}

// TestNew: a puzzle is numbered if it can be, and has keys otherwise.
func TestNew(t *testing.T) {
	for _, c := range []struct {
		p      *tray.Puzzle
		memory uint64
		want   string
	}{
		{slidetest.Lookup(t, "slide/klotski"), 0, `{"packing":1}`},
		{slidetest.Lookup(t, "slide/klotski"), 8 << 20, `{"packing":1}`},
		{slidetest.Lookup(t, "slide/klotski"), 1 << 10, `{"keys":1}`},
		{slidetest.Lookup(t, "slide/n3x4"), 1 << 20, `{"tiles":1}`}, // a search takes more: that is not checked here
		{slidetest.Parse(t, unnumbered), 0, `{"keys":1}`},
		{slidetest.Parse(t, strip), 1 << 30, `{"keys":1}`},
	} {
		sp, err := New(t.Context(), "new", c.p, tray.Steps, false, c.memory)
		if err != nil {
			t.Fatal(err)
		}
		if got := string(sp.Definition().Numbering); got != c.want {
			t.Errorf("%sin %d bytes: %s, want %s", c.p.Format(), c.memory, got, c.want)
		}
	}
	if _, err := New(t.Context(), "bad", slidetest.Lookup(t, "slide/dads"), tray.Metrics, false, 0); err == nil {
		t.Error("a space of an unknown metric was made")
	}
}
