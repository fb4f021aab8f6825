package layout

import (
	"math"
	"math/bits"
	"math/rand/v2"
	"slices"
	"testing"

	"pagoda/internal/gf2"
	"pagoda/internal/lists"
	"pagoda/internal/long"
	"pagoda/puzzle/peg/board"
)

// boards are some boards of all kinds.
func boards(t *testing.T) map[string]*board.Board {
	t.Helper()
	all := make(map[string]*board.Board)
	add := func(name string, b *board.Board, err error) {
		if err != nil {
			t.Fatal(err)
		}
		all[name] = b
	}
	for _, side := range [][2]int{{4, 4}, {5, 5}, {5, 6}, {5, 7}, {6, 6}, {5, 8}, {6, 7}, {7, 7}, {8, 8}} {
		b, err := board.Rectangle(side[0], side[1])
		add(board.Cell{Row: side[0], Col: side[1]}.String(), b, err)
	}
	for rows := 4; rows <= 8; rows++ {
		b, err := board.OfShape(board.TriangleShape(rows))
		add(board.Cell{Row: rows, Col: 0}.String(), b, err)
	}
	b, err := board.OfShape(board.CrossShape(7))
	add("english", b, err)
	b, err = board.OfShape(board.CrossShape(9))
	add("wiegleb", b, err)
	b, err = board.OfShape(board.OctagonShape(7, 4))
	add("european", b, err)
	b, err = board.OfShape(board.OctagonShape(9, 4))
	add("diamond", b, err)
	return all
}

// A boardLayout is a layout of a board with a start.
type boardLayout struct {
	name   string
	board  *board.Board
	start  board.Position
	layout *Layout
}

// layouts returns layouts of the boards, for no symmetries and for those that keep the
// start. The start lacks one peg, in the first cell that the most symmetries keep.
func layouts(t *testing.T) []boardLayout {
	t.Helper()
	if allLayouts != nil {
		return allLayouts
	}
	for name, b := range boards(t) {
		if len(b.Cells()) > 37 && !long.Tests {
			continue
		}
		vacant := 0
		for cell := range b.Cells() {
			if len(b.Stabilizer(1<<cell)) > len(b.Stabilizer(1<<vacant)) {
				vacant = cell
			}
		}
		start := b.Full() &^ (1 << vacant)
		if l := New(b, nil); l != nil {
			allLayouts = append(allLayouts, boardLayout{name, b, start, l})
		}
		if l := New(b, b.Stabilizer(start)); l != nil {
			allLayouts = append(allLayouts, boardLayout{name + " folded", b, start, l})
		}
	}
	return allLayouts
}

var allLayouts []boardLayout // made once

// A layout keeps the promises that the sweep relies on.
func TestLayoutIsSound(t *testing.T) {
	for _, bl := range layouts(t) {
		name, b, l := bl.name, bl.board, bl.layout
		for _, s := range l.symmetries {
			if s.Image(l.Block) != l.Block {
				t.Errorf("%s: the symmetry %v takes the block to another set of cells", name, s)
			}
			for cell, w := range l.BlockWeights[:len(b.Cells())] {
				if l.BlockWeights[s[cell]] != w {
					t.Errorf("%s: the symmetry %v takes cell %d to one of another weight", name, s, cell)
				}
			}
		}
		drop := 0
		for k := range b.Jumps() {
			j := b.Jump(k)
			drop = max(drop, l.BlockWeights[j.From]+l.BlockWeights[j.Over]-l.BlockWeights[j.To])
		}
		if l.Drop != drop {
			t.Errorf("%s: a jump loses up to %d, not %d", name, drop, l.Drop)
		}
		checkWeights(t, name, b.Lines(), l.BlockWeights, l.Block)
		var inside []board.Line
		for _, line := range b.Lines() {
			if line.Mask()&^l.Block == 0 {
				inside = append(inside, line)
			} else if l.Block>>line.B&1 == 1 {
				t.Errorf("%s: the block is not closed", name)
			}
		}
		checkWeights(t, name, inside, l.GroupWeights, l.Group)
		if l.Group&^l.Block != 0 {
			t.Errorf("%s: the group is not within the block", name)
		}
		c, err := board.NewClass(b, b.Full()&^1, l.Free)
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		for bit, cell := range c.Free() {
			if inGroup, inBlock := bit < l.GroupBits, bit < l.BlockBits; inGroup != (l.Group>>cell&1 == 1) || inBlock != (l.Block>>cell&1 == 1) {
				t.Errorf("%s: bit %d is cell %d, which is in the wrong part", name, bit, cell)
			}
		}
	}
	least := 24
	if !long.Tests {
		least = 16
	}
	if found := len(layouts(t)); found < least {
		t.Errorf("only %d layouts were found", found)
	}
}

// On 7x7 the stabilizer of the centre moves all cells of the border, so the border is the
// block.
func TestLargeBlockOf7x7(t *testing.T) {
	b, _ := board.Rectangle(7, 7)
	start := b.Full() &^ (1 << 24)
	l := New(b, b.Stabilizer(start))
	if l == nil || l.BlockBits != 21 || len(l.symmetries) != 8 {
		t.Fatalf("the layout is %v", l)
	}
}

// Blocks, Representatives and Window agree with a count of all blocks.
func TestBlocksByWeight(t *testing.T) {
	compared := 0
	for _, bl := range layouts(t) {
		name, l, start := bl.name, bl.layout, bl.start
		c, err := board.NewClass(bl.board, start, l.Free)
		if err != nil {
			t.Fatal(err)
		}
		n := uint64(1) << (c.Dim() - l.BlockBits)
		if n > 1<<16 {
			continue
		}
		compared++
		weigh := NewWeigher(l.BlockWeights)
		all, representatives := make([]uint64, weigh.Weight(start)+1), make([]uint64, weigh.Weight(start)+1)
		for block := range n {
			p := c.Position(block << l.BlockBits)
			w := weigh.Weight(p)
			if w >= len(all) {
				continue
			}
			all[w]++
			least := true
			for _, s := range l.symmetries {
				image, ok := c.Number(s.Image(p))
				if !ok {
					t.Fatalf("%s: the symmetry %v leaves the class", name, s)
				}
				least = least && block <= image>>l.BlockBits
			}
			if least {
				representatives[w]++
			}
		}
		if got := l.Blocks(start); !slices.Equal(got, all) {
			t.Errorf("%s: the blocks are %v by weight, not %v", name, all, got)
		}
		if got := l.Representatives(start); !slices.Equal(got, representatives) {
			t.Errorf("%s: the representatives are %v by weight, not %v", name, representatives, got)
		}
		for w := range representatives {
			live := uint64(0)
			for _, n := range representatives[w:min(w+l.Drop+1, len(representatives))] {
				live += n
			}
			if got := l.Window(representatives); got < live {
				t.Errorf("%s: %d blocks are live at weight %d, and the window is %d", name, live, w, got)
			}
		}
	}
	if compared < 10 {
		t.Errorf("only %d layouts were compared", compared)
	}
}

// The numbers confirm what an order of cells says of the symmetries.
func TestOrdersSuitSymmetries(t *testing.T) {
	aligned := 0
	for _, bl := range layouts(t) {
		l := bl.layout
		if len(l.symmetries) == 0 || len(l.Free) > 40 {
			continue
		}
		c, err := board.NewClass(bl.board, bl.start, l.Free)
		if err != nil {
			t.Fatal(err)
		}
		var got cellOrder
		for _, s := range l.symmetries {
			image := func(x uint64) uint64 {
				y, _ := c.Number(s.Image(c.Position(x)))
				return y & (1<<l.BlockBits - 1)
			}
			// How the images in each word of the first block differ from the image of the
			// first number of the word.
			var differ [64]uint64
			byWords, alike := true, true
			for x := range uint64(1) << l.BlockBits {
				d := image(x) ^ image(x&^63)
				byWords = byWords && d < 64
				if x < 64 {
					differ[x] = d
				}
				if d != differ[x%64] || (image(x&^63)^image(0))&63 != 0 {
					alike = false
				}
			}
			if byWords {
				got.aligned++
				if alike {
					got.steady++
				}
			}
		}
		order := slices.Concat(gf2.List(bl.board.Full()&^gf2.Deposit(l.Free, ^uint64(0)>>(64-len(l.Free)))), l.Free)
		if o := l.order(order, bl.board.Invariants()); o.aligned != got.aligned || o.steady != got.steady {
			t.Errorf("%s: the order says that %d symmetries are aligned and %d steady, the numbers say %d and %d",
				bl.name, o.aligned, o.steady, got.aligned, got.steady)
		}
		if got.aligned > 1 {
			aligned++
		}
		t.Logf("%s: of %d symmetries %d are aligned, %d of them steady", bl.name, len(l.symmetries), got.aligned, got.steady)
	}
	if aligned < 5 {
		t.Errorf("only %d boards have symmetries that take words to words", aligned)
	}
}

// The windows of these boards do not grow: they are the memory of a run.
func TestWindowsStaySmall(t *testing.T) {
	for _, test := range []struct {
		name  string
		board func() (*board.Board, error)
		hole  board.Cell
		part  float64 // of the representatives that the window may have
		least float64 // with the weights of the least sum
	}{
		{"5x7", func() (*board.Board, error) { return board.Rectangle(5, 7) }, board.Cell{Row: 3, Col: 2}, 0.395, 0.478},
		{"6x6", func() (*board.Board, error) { return board.Rectangle(6, 6) }, board.Cell{Row: 2, Col: 2}, 0.44, 0.476},
		{"5x8", func() (*board.Board, error) { return board.Rectangle(5, 8) }, board.Cell{Row: 3, Col: 2}, 0.36, 0.433},
		{"6x7", func() (*board.Board, error) { return board.Rectangle(6, 7) }, board.Cell{Row: 3, Col: 2}, 0.39, 0.445},
		{"english", func() (*board.Board, error) { return board.OfShape(board.CrossShape(7)) }, board.Cell{Row: 3, Col: 3}, 0.34, 0.461},
		{"european", func() (*board.Board, error) { return board.OfShape(board.OctagonShape(7, 4)) }, board.Cell{Row: 3, Col: 3}, 0.37, 0.405},
		{"diamond", func() (*board.Board, error) { return board.OfShape(board.OctagonShape(9, 4)) }, board.Cell{Row: 4, Col: 4}, 0.27, 0.357},
	} {
		b, _ := test.board()
		cell, _ := b.Number(test.hole)
		start := b.Full() &^ (1 << cell)
		l := New(b, b.Stabilizer(start))
		representatives, all := l.Representatives(start), uint64(0)
		for _, n := range representatives {
			all += n
		}
		part := float64(l.Window(representatives)) / float64(all)
		t.Logf("%s: %.4f, %.3f with the least weights; %d levels", test.name, part, test.least, len(representatives))
		if part > test.part {
			t.Errorf("%s: the window is %.4f of all blocks, it was %.3f", test.name, part, test.part)
		}
	}
}

// checkWeights checks that jumps that do not lie wholly in zero lose weight.
func checkWeights(t *testing.T, name string, lines []board.Line, w []int, zero uint64) {
	t.Helper()
	for cell, x := range w {
		if x < 0 || x != 0 && zero>>cell&1 == 1 {
			t.Errorf("%s: cell %d has weight %d", name, cell, x)
		}
	}
	for _, l := range lines {
		if l.Mask()&^zero != 0 && (w[l.A]+w[l.B] <= w[l.C] || w[l.C]+w[l.B] <= w[l.A]) {
			t.Errorf("%s: a jump on %v does not lose weight: %d %d %d", name, l, w[l.A], w[l.B], w[l.C])
		}
	}
}

// For the ring round 5x7 the product of (0,2,1,2,1,2,0) and (0,2,1,2,0) is a pagoda
// function; the linear program finds one that sums to no more.
func TestWeightsAreLeast(t *testing.T) {
	b, _ := board.Rectangle(5, 7)
	var ring uint64
	product := 0
	for i, c := range b.Cells() {
		w := []int{0, 2, 1, 2, 1, 2, 0}[c.Row] * []int{0, 2, 1, 2, 0}[c.Col]
		if product += w; w == 0 {
			ring |= 1 << i
		}
	}
	w, ok := leastWeights(b.Lines(), ring, b.Full(), nil, nil)
	if !ok {
		t.Fatal("no weights for the ring")
	}
	checkWeights(t, "ring", b.Lines(), w, ring)
	if got := lists.Sum(w); got > product {
		t.Errorf("the weights sum to %d, the product to %d", got, product)
	}
}

// The program finds weights whenever brute force finds small ones, and with no larger a
// sum.
func TestWeightsAgainstBruteForce(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 4))
	possible, impossible := 0, 0
	for range 6000 {
		var cells []board.Cell
		for r := range 3 {
			for c := range 3 + rng.IntN(2) {
				if rng.IntN(8) > 0 {
					cells = append(cells, board.Cell{Row: r, Col: c})
				}
			}
		}
		b, err := board.NewBoard(board.Lattice(rng.IntN(2)), cells)
		if err != nil {
			continue
		}
		zero := uint64(0)
		for range 2 {
			zero |= closed(b.Lines(), 1<<rng.IntN(len(cells)))
		}
		if bits.OnesCount64(b.Full()&^zero) > 5 {
			continue
		}
		w, ok := leastWeights(b.Lines(), zero, b.Full(), nil, nil)
		if ok {
			possible++
			checkWeights(t, "random", b.Lines(), w, zero)
			// Scaled down so that a jump loses 1 at least, no other sum is less.
			least := math.MaxInt
			for _, l := range b.Lines() {
				if l.Mask()&^zero != 0 {
					least = min(least, w[l.A]+w[l.B]-w[l.C], w[l.C]+w[l.B]-w[l.A])
				}
			}
			if brute := bruteWeights(b, zero); brute != nil && least < math.MaxInt && lists.Sum(w) > least*lists.Sum(brute) {
				t.Fatalf("weights %v lose at least %d; %v sum to less, for\n%s", w, least, brute, b.Text(zero))
			}
			continue
		}
		impossible++
		if w := bruteWeights(b, zero); w != nil {
			t.Fatalf("no weights found, but there are %v for\n%s", w, b.Text(zero))
		}
	}
	if possible < 100 || impossible < 15 {
		t.Errorf("%d cases with weights and %d without: too few to tell", possible, impossible)
	}
}

// bruteWeights tries all weights up to 4 and returns those with the least sum.
func bruteWeights(b *board.Board, zero uint64) (best []int) {
	outer := gf2.List(b.Full() &^ zero)
	w := make([]int, 64)
	var try func(int)
	try = func(i int) {
		if i < len(outer) {
			for x := range 5 {
				w[outer[i]] = x
				try(i + 1)
			}
			return
		}
		for _, l := range b.Lines() {
			if l.Mask()&^zero != 0 && (w[l.A]+w[l.B] <= w[l.C] || w[l.C]+w[l.B] <= w[l.A]) {
				return
			}
		}
		if best == nil || lists.Sum(w) < lists.Sum(best) {
			best = slices.Clone(w)
		}
	}
	try(0)
	return best
}

// Each jump of a closing sequence, tried once, reaches what repeated jumps reach.
func TestClosingSequence(t *testing.T) {
	for _, bl := range layouts(t) {
		name, b, l := bl.name, bl.board, bl.layout
		var jumps []board.Jump
		for k := range b.Jumps() {
			if j := b.Jump(k); j.Mask()&^l.Group == 0 {
				jumps = append(jumps, j)
			}
		}
		cells := gf2.List(l.Group)
		for x := range uint64(1) << len(cells) {
			once, all := map[uint64]bool{x: true}, map[uint64]bool{x: true}
			jump := func(set map[uint64]bool, j board.Jump) (grew bool) {
				for p := range set {
					full := gf2.Deposit(cells, p)
					if full&j.Mask() == 1<<j.From|1<<j.Over {
						to := gf2.Extract(cells, full^j.Mask())
						grew = grew || !set[to]
						set[to] = true
					}
				}
				return grew
			}
			for _, j := range l.Closing {
				jump(once, j)
			}
			for grew := true; grew; {
				grew = false
				for _, j := range jumps {
					grew = jump(all, j) || grew
				}
			}
			if len(once) != len(all) {
				t.Fatalf("%s: from %b the sequence reaches %d patterns of the group, all jumps %d", name, x, len(once), len(all))
			}
		}
	}
}
