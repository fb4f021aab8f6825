package peg_test

import (
	"math/big"
	"math/bits"
	"slices"
	"strings"
	"sync"
	"testing"

	"pagoda/bitset"
	"pagoda/internal/long"
	"pagoda/puzzle/peg"
	"pagoda/puzzle/peg/board"
	"pagoda/puzzle/peg/pegtest"
	"pagoda/statespace"
	"pagoda/statespace/cells"
	"pagoda/statespace/paths"
	"pagoda/statespace/patterns"
	"pagoda/statespace/spacetest"
	"pagoda/statespace/sweep"
)

func layersOf(t *testing.T, sp *peg.Space, set *bitset.Set) (states []uint64, total uint64) {
	t.Helper()
	layers, err := sweep.CountLayers(t.Context(), sp, set, 2)
	if err != nil {
		t.Fatal(err)
	}
	for i, l := range layers {
		if want := layers[0].Layer - i; l.Layer != want {
			t.Fatalf("layer %d comes where %d should", l.Layer, want)
		}
		states = append(states, l.States)
		total += l.States
	}
	return states, total
}

// checkLayers compares the total and the layers with known numbers.
func checkLayers(t *testing.T, sp *peg.Space, set *bitset.Set, total uint64, layers []uint64) {
	t.Helper()
	states, sum := layersOf(t, sp, set)
	if sum != total || !slices.Equal(states, layers) {
		t.Errorf("%s: %d states in layers %v; known are %d in %v", sp.Name(), sum, states, total, layers)
	}
}

// setsBy returns the sets that the engines find, by name, and if search is set, the one that
// the plain search finds.
func setsBy(t *testing.T, sp *peg.Space, search bool) map[string]*bitset.Set {
	t.Helper()
	sets := make(map[string]*bitset.Set)
	for _, e := range sweep.Engines(sp) {
		sets[e.Name] = pegtest.EnumerateBy(t, sp, e.Name)
	}
	if search {
		set := bitset.New(sp.Size())
		if err := statespace.Search(t.Context(), sp, set, nil); err != nil {
			t.Fatal(err)
		}
		sets["the plain search"] = set
	}
	return sets
}

// Small boards. Accounts of the puzzle have 5x5, the 4x4 boards and the triangle of 15,
// and other programs have counted each of them.
func TestSmallBoards(t *testing.T) {
	for name, want := range map[string]uint64{
		"peg/5x5":        1183924,
		"peg/4x4@0,0":    1687,
		"peg/4x4":        2115,
		"peg/4x4@0,1":    1871,
		"peg/triangle15": 3016,
	} {
		sp := pegtest.Lookup(t, name)
		for by, set := range setsBy(t, sp, true) {
			if got := set.Count(); got != want {
				t.Errorf("%s by %s: %d states, want %d", name, by, got, want)
			}
		}
	}
}

// plainCount counts what can be reached on a board as it is drawn on paper: a row on each line, o for a
// peg and . for a hole. A jump goes over the nearest place in one of the directions (right, down) or back.
func plainCount(drawing string, directions [][2]int) int {
	type place struct{ x, y int }
	var places []place
	start := ""
	for y, row := range strings.Split(drawing, "/") {
		for x, ch := range row {
			if ch != ' ' {
				places, start = append(places, place{x, y}), start+string(ch)
			}
		}
	}
	var jumps [][3]int
	for from, p := range places {
		for _, d := range directions {
			for _, sign := range []int{1, -1} {
				over := slices.Index(places, place{p.x + sign*d[0], p.y + sign*d[1]})
				to := slices.Index(places, place{p.x + 2*sign*d[0], p.y + 2*sign*d[1]})
				if over >= 0 && to >= 0 {
					jumps = append(jumps, [3]int{from, over, to})
				}
			}
		}
	}
	reached := map[string]bool{start: true}
	for todo := []string{start}; len(todo) > 0; {
		at := todo[len(todo)-1]
		todo = todo[:len(todo)-1]
		for _, j := range jumps {
			if at[j[0]] != 'o' || at[j[1]] != 'o' || at[j[2]] != '.' {
				continue
			}
			next := []byte(at)
			next[j[0]], next[j[1]], next[j[2]] = '.', '.', 'o'
			if !reached[string(next)] {
				reached[string(next)] = true
				todo = append(todo, string(next))
			}
		}
	}
	return len(reached)
}

// Hexagons, diamonds and diagonal jumps, counted by a plain search that knows nothing of lattices and
// names.
func TestPlainBoards(t *testing.T) {
	six, four := [][2]int{{2, 0}, {1, 1}, {-1, 1}}, [][2]int{{1, 0}, {0, 1}}
	eight := append([][2]int{{1, 1}, {-1, 1}}, four...)
	for name, b := range map[string]struct {
		drawing    string
		directions [][2]int
	}{
		"peg/hexagon7":           {" o o /o . o/ o o ", six},
		"peg/hexagon7@0,0":       {" . o /o o o/ o o ", six},
		"peg/hexagon19":          {"  o o o / o o o o /o o . o o/ o o o o /  o o o ", six},
		"peg/triangle10@3,1":     {"   o   /  o o  / o o o /o . o o", six},
		"peg/diamond5@0,1":       {" . /ooo/ o ", four},
		"peg/diamond13":          {"  o  / ooo /oo.oo/ ooo /  o  ", four},
		"peg/3x3:diagonal@0,0":   {".oo/ooo/ooo", eight},
		"peg/3x4:diagonal":       {"ooo/o.o/ooo/ooo", eight},
		"peg/4x4:diagonal":       {"oooo/o.oo/oooo/oooo", eight},
		"peg/diamond13:diagonal": {"  o  / ooo /oo.oo/ ooo /  o  ", eight},
		"peg/diamond25":          {"   o   /  ooo  / ooooo /ooo.ooo/ ooooo /  ooo  /   o   ", four},
		"peg/4x5:diagonal":       {"oooo/oooo/o.oo/oooo/oooo", eight},
	} {
		if !long.Tests && (name == "peg/diamond25" || name == "peg/4x5:diagonal") {
			continue // takes a second
		}
		want := plainCount(b.drawing, b.directions)
		sp := pegtest.Lookup(t, name)
		for by, set := range setsBy(t, sp, true) {
			if got := set.Count(); got != uint64(want) {
				t.Errorf("%s by %s: %d states, want %d", name, by, got, want)
			}
		}
		if faults, err := sweep.Verify(t.Context(), sp, pegtest.Enumerate(t, sp), 2, nil); err != nil || faults.Count > 0 {
			t.Errorf("%s: the certificate finds %+v, %v", name, faults, err)
		}
	}
}

// The 5x7 board. The total is printed in Oikawa, Yamazaki, Taniguchi and Uehara, A Peg
// Solitaire Font, Bridges 2017. Another program counted the layers and the jumps.
func TestFont5x7(t *testing.T) {
	if !long.Tests {
		t.Skip("takes 256 MiB and some seconds")
	}
	sp := pegtest.Lookup(t, "peg/5x7")
	set := pegtest.EnumerateBy(t, sp, peg.SweepEngine)
	checkLayers(t, sp, set, 1045173439, []uint64{1, 4, 20, 102, 506, 2392, 10742, 44539, 169123, 585061, 1823335, 5079660, 12574129, 27466077,
		52485001, 86930194, 123831234, 151198936, 158708734, 144096117, 113664291, 78061362, 46725807, 24360734,
		11028900, 4323337, 1459590, 418112, 101218, 20594, 3152, 376, 59})
	if n := len(sp.Board().Lines()); n != 46 {
		t.Errorf("%d lines, want 46", n)
	}
	if jumps, _ := countJumps(sp, set); jumps != 10565532618 {
		t.Errorf("%d jumps can be made in reachable positions, want 10,565,532,618", jumps)
	}
	for cell := range sp.Board().Cells() {
		if _, ok := sp.Class().Number(1 << cell); ok {
			t.Errorf("a single peg in cell %d is in the class of the start", cell)
		}
	}
	if faults, err := sweep.Verify(t.Context(), sp, set, 2, nil); err != nil || faults.Count > 0 {
		t.Errorf("the certificate finds %+v, %v", faults, err)
	}
}

// countJumps counts pairs of a member and a jump that it allows, and the members
// that allow none, 64 numbers at a time. It reads their cells off Class.Position.
func countJumps(sp *peg.Space, set *bitset.Set) (jumps, deadEnds uint64) {
	words := set.Words()
	patterns := make([]uint64, len(sp.Board().Cells()))
	for x := range uint64(64) {
		for cell := range patterns {
			patterns[cell] |= (sp.Class().Position(x) ^ sp.Class().Position(0)) >> cell & 1 << x
		}
	}
	var mu sync.Mutex
	var group sync.WaitGroup
	for half := range 2 {
		group.Go(func() {
			n, dead := 0, 0
			pegs := slices.Clone(patterns)
			for i := half * len(words) / 2; i < (half+1)*len(words)/2; i++ {
				first := sp.Class().Position(uint64(i) * 64)
				for cell, p := range patterns {
					pegs[cell] = p ^ -(first >> cell & 1)
				}
				stuck := words[i]
				for _, l := range sp.Board().Lines() {
					can := words[i] & pegs[l.B] & (pegs[l.A] ^ pegs[l.C])
					n += bits.OnesCount64(can)
					stuck &^= can
				}
				dead += bits.OnesCount64(stuck)
			}
			mu.Lock()
			jumps += uint64(n)
			deadEnds += uint64(dead)
			mu.Unlock()
		})
	}
	group.Wait()
	return jumps, deadEnds
}

// The English board from the centre. The numbers up to symmetry are published as
// OEIS A112737, those of the positions from which the centre can be won as A112738.
func TestEnglish(t *testing.T) {
	if !long.Tests {
		t.Skip("takes some seconds")
	}
	sp := pegtest.Lookup(t, "peg/english")
	set := pegtest.EnumerateBy(t, sp, peg.SweepEngine)
	checkLayers(t, sp, set, 187636299, []uint64{1, 4, 12, 60, 296, 1338, 5648, 21842, 77559, 249690, 717788, 1834379, 4138302, 8171208, 14020166,
		20773236, 26482824, 28994876, 27286330, 22106348, 15425572, 9274496, 4792664, 2120101, 800152, 255544, 68236,
		14727, 2529, 334, 32, 5})
	if _, dead := countJumps(sp, set); dead != 162352 {
		t.Errorf("%d dead ends, want 162,352", dead)
	}

	// The game played backwards is the game on the complement: the centre can be
	// won from a position just when the complement can be reached. The complement
	// of a number has all its bits flipped.
	words, won := set.Words(), bitset.New(sp.Size())
	for i, w := range words {
		won.Words()[i] = w & bits.Reverse64(words[len(words)-1-i])
	}
	if n := won.Count(); n != 13428122 {
		t.Errorf("the centre can be won from %d positions, want 13,428,122", n)
	}
	if err := spacetest.FoldSet(t.Context(), sp, won, 2); err != nil {
		t.Fatal(err)
	}
	checkLayers(t, sp, won, 1679072, []uint64{1, 1, 2, 8, 38, 164, 635, 2089, 6174, 16020, 35749, 68326, 112788, 162319, 204992, 230230,
		230230, 204992, 162319, 112788, 68326, 35749, 16020, 6174, 2089, 635, 164, 38, 8, 2, 1, 1})

	if err := spacetest.FoldSet(t.Context(), sp, set, 2); err != nil {
		t.Fatal(err)
	}
	checkLayers(t, sp, set, 23475688, []uint64{1, 1, 2, 8, 39, 171, 719, 2757, 9751, 31312, 89927, 229614, 517854, 1022224, 1753737, 2598215,
		3312423, 3626632, 3413313, 2765623, 1930324, 1160977, 600372, 265865, 100565, 32250, 8688, 1917, 348, 50, 7, 2})
}

// Boards without published numbers. The totals are this program's own. The certificate
// proves each set, and the other engines find the same one if that takes only seconds.
func TestOtherBoards(t *testing.T) {
	for _, tt := range []struct {
		name   string
		states uint64
	}{
		{"peg/triangle10", 42},
		{"peg/3x7", 7},
		{"peg/4x5", 37133},
		{"peg/triangle21", 291987},
		{"peg/5x6", 41799401},
		{"peg/5x6@0,0", 34038748},
		{"peg/triangle28", 40600768},
		{"peg/hexagon19", 81168},
		{"peg/diamond25", 214749},
		{"peg/4x5:diagonal", 684606},
		{"peg/5x5:diagonal", 24527934},
		{"peg/english@0,2", 207684279},
		{"peg/5x7@0,0", 1025892414},
	} {
		sp := pegtest.Lookup(t, tt.name)
		dim := sp.Class().Dim()
		if !long.Tests && dim > 20 {
			continue // takes some seconds
		}
		set := pegtest.Enumerate(t, sp)
		if _, states := layersOf(t, sp, set); states != tt.states {
			t.Errorf("%s: %d states, want %d", tt.name, states, tt.states)
		}
		faults, err := sweep.Verify(t.Context(), sp, set, 2, nil)
		if err != nil || faults.Count > 0 {
			t.Errorf("%s: the certificate finds %+v, %v", tt.name, faults, err)
		}
		if dim > 26 {
			continue
		}
		for by, other := range setsBy(t, sp, dim <= 20) {
			if !slices.Equal(set.Words(), other.Words()) {
				t.Errorf("%s: %s finds %d states, the best engine %d", tt.name, by, other.Count(), set.Count())
			}
		}
	}
}

// countPaths counts the paths to a position.
func countPaths(t *testing.T, sp *peg.Space, set *bitset.Set, p board.Position) *big.Int {
	t.Helper()
	to, ok := sp.Class().Number(p)
	if !ok {
		t.Fatalf("%s: %s is of another class", sp.Name(), sp.Board().FormatPosition(p))
	}
	between := bitset.New(sp.Size())
	if err := paths.Between(t.Context(), sp, paths.Keeping(sp, to), set, to, between, 2, nil); err != nil {
		t.Fatal(err)
	}
	counted, err := paths.Count(t.Context(), sp, paths.Keeping(sp, to), between, to, 1<<32, 2, nil)
	if err != nil {
		t.Fatal(err)
	}
	return counted.Total()
}

// Solutions to a single peg, as other programs counted them, by blocks and one position at a time. The
// table of the English board takes longer: scripts/reproduce.sh finds Bergholt's 18 moves by it.
func TestSolutions(t *testing.T) {
	for _, tt := range []struct {
		name, count string
		cells       []int // that the peg may be in; the count is of all of them
	}{
		{"peg/4x4@0,1", "210422", []int{2, 14}},
		{"peg/triangle15", "29760", nil},
	} {
		sp := pegtest.Lookup(t, tt.name)
		set := pegtest.EnumerateBy(t, sp, peg.SweepEngine)
		if tt.cells == nil {
			for cell := range sp.Board().Cells() {
				tt.cells = append(tt.cells, cell)
			}
		}
		sum, byBlocks := new(big.Int), new(big.Int)
		q := statespace.WaysQuestion{Memory: 1 << 30, Threads: 2}
		for _, cell := range tt.cells {
			x, ok := sp.Class().Number(1 << cell)
			if !ok || !set.Has(x) {
				continue
			}
			sum.Add(sum, countPaths(t, sp, set, 1<<cell))
			q.To = append(q.To, x)
		}
		ways, err := sp.Parts().Sweep.Ways(t.Context(), q)
		if err != nil {
			t.Fatal(err)
		}
		for _, n := range ways.To {
			byBlocks.Add(byBlocks, n)
		}
		if sum.String() != tt.count || byBlocks.String() != tt.count {
			t.Errorf("%s: %v and %v solutions, want %s", tt.name, sum, byBlocks, tt.count)
		}
	}
	if !long.Tests {
		return
	}
	sp := pegtest.Lookup(t, "peg/english")
	centre, err := sp.Parse(".../.../......./...o.../......./.../...")
	if err != nil {
		t.Fatal(err)
	}
	ways, err := sp.Parts().Sweep.Ways(t.Context(), statespace.WaysQuestion{To: []statespace.Index{centre}, Memory: 1 << 30, Threads: 2})
	if err != nil || ways.To[0].String() != "40861647040079968" {
		t.Errorf("%v solutions of the English board, %v", ways, err)
	}
}

// Near agrees with a look at every member of the English board, for six patterns.
func TestNearEnglish(t *testing.T) {
	if !long.Tests {
		t.Skip("looks at 187,636,299 positions")
	}
	sp := pegtest.Lookup(t, "peg/english")
	set := pegtest.EnumerateBy(t, sp, peg.SweepEngine)
	const within = 7
	type tally struct{ count, numbers [within + 1]uint64 }
	wanted := [6]uint64{0, sp.Board().Full(), 0x155555555, 0x0f0f0f0f0, 0x123456789, 1 << 16}
	var want, got [6]tally
	for x := range set.All() {
		p := sp.Class().Position(x)
		for i, q := range wanted {
			if d := bits.OnesCount64(p ^ q); d <= within {
				want[i].count[d]++
				want[i].numbers[d] += x
			}
		}
	}
	for i, q := range wanted {
		target, err := cells.NewTarget(sp, nil, sp.Pattern(board.Pattern{Pegs: q}))
		if err != nil {
			t.Fatal(err)
		}
		matches, complete, err := patterns.Near(t.Context(), sp, set, cells.Query{Targets: []*cells.Target{target}, Within: within, Layers: cells.AllLayers})
		if err != nil || !complete {
			t.Fatal(complete, err)
		}
		for _, m := range matches {
			got[i].count[m.Distance]++
			got[i].numbers[m.Distance] += m.State
		}
	}
	if got != want {
		t.Errorf("by distance: %v; a look at every member finds %v", got, want)
	}
}
