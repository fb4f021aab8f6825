package peg

import (
	"math"
	"math/bits"
	"math/rand/v2"
	"slices"
	"testing"

	"pagoda/bitset"
	"pagoda/statespace"
)

// boards are some boards of all kinds.
func boards(t *testing.T) map[string]*Board {
	t.Helper()
	all := make(map[string]*Board)
	add := func(name string, b *Board, err error) {
		if err != nil {
			t.Fatal(err)
		}
		all[name] = b
	}
	for _, side := range [][2]int{{4, 4}, {5, 5}, {5, 6}, {5, 7}, {6, 6}, {5, 8}, {6, 7}, {7, 7}, {8, 8}} {
		b, err := Rectangle(side[0], side[1])
		add(Cell{side[0], side[1]}.String(), b, err)
	}
	for rows := 4; rows <= 8; rows++ {
		b, err := Triangle(rows)
		add(Cell{rows, 0}.String(), b, err)
	}
	b, err := Cross(7)
	add("english", b, err)
	b, err = Cross(9)
	add("wiegleb", b, err)
	b, err = Octagon(7, 4)
	add("european", b, err)
	b, err = Octagon(9, 4)
	add("diamond", b, err)
	return all
}

// A boardLayout is a layout of a board with a start.
type boardLayout struct {
	name   string
	board  *Board
	start  Position
	layout *Layout
}

// layouts are layouts of the boards: for no symmetries, and for those that keep the start.
// The start is full but for one cell, of those with the most symmetries the first.
func layouts(t *testing.T) []boardLayout {
	t.Helper()
	if allLayouts != nil {
		return allLayouts
	}
	for name, b := range boards(t) {
		vacant := 0
		for cell := range b.cells {
			if len(b.stabilizer(1<<cell)) > len(b.stabilizer(1<<vacant)) {
				vacant = cell
			}
		}
		start := b.Full() &^ (1 << vacant)
		if l := NewLayout(b, nil); l != nil {
			allLayouts = append(allLayouts, boardLayout{name, b, start, l})
		}
		if l := NewLayout(b, b.stabilizer(start)); l != nil {
			allLayouts = append(allLayouts, boardLayout{name + " folded", b, start, l})
		}
	}
	return allLayouts
}

var allLayouts []boardLayout // made once

// A layout keeps the promises that the sweep counts on.
func TestLayoutIsSound(t *testing.T) {
	for _, bl := range layouts(t) {
		name, b, l := bl.name, bl.board, bl.layout
		for _, s := range l.symmetries {
			if permute(s, l.Block) != l.Block {
				t.Errorf("%s: the symmetry %v takes the block to another set of cells", name, s)
			}
			for cell, w := range l.BlockWeights[:len(b.cells)] {
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
		var inside []Line
		for _, line := range b.Lines() {
			if line.mask()&^l.Block == 0 {
				inside = append(inside, line)
			} else if l.Block>>line.B&1 == 1 {
				t.Errorf("%s: the block is not closed", name)
			}
		}
		checkWeights(t, name, inside, l.GroupWeights, l.Group)
		if l.Group&^l.Block != 0 {
			t.Errorf("%s: the group is not within the block", name)
		}
		c, err := NewClass(b, b.Full()&^1, l.Free)
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		for bit, cell := range c.Free() {
			if inGroup, inBlock := bit < l.groupBits, bit < l.blockBits; inGroup != (l.Group>>cell&1 == 1) || inBlock != (l.Block>>cell&1 == 1) {
				t.Errorf("%s: bit %d is cell %d, which is in the wrong part", name, bit, cell)
			}
		}
	}
	if found := len(layouts(t)); found < 24 {
		t.Errorf("only %d layouts were found", found)
	}
}

// A large block is closed as others are: that of the triangle of 21 is the whole board.
func TestLargeBlock(t *testing.T) {
	b, _ := Triangle(6)
	start := b.Full() &^ 1
	l := newLayoutWithin(b, b.stabilizer(start), maxBlockBits+1, largeBlockBits, largePrograms)
	if l == nil || l.blockBits <= maxBlockBits {
		t.Fatalf("the layout is %v, not one with a large block", l)
	}
	sp, err := newSpace("large", b, start, l.Free, func() *Layout { return l })
	if err != nil {
		t.Fatal(err)
	}
	sets := make(map[string]*bitset.Set)
	for _, engine := range sp.Engines() {
		sets[engine] = bitset.New(sp.Size())
		for _, x := range sp.Roots() {
			sets[engine].Add(x)
		}
		if err := statespace.Do(t.Context(), sp.Enumeration(engine, sets[engine]), 2, nil); err != nil {
			t.Fatal(err)
		}
	}
	sweep, levels := sets[SweepEngine], sets[LevelsEngine]
	if sweep == nil || !slices.Equal(sweep.Words(), levels.Words()) {
		t.Error("the sweep finds other positions than the levels")
	}
}

// Where the stabiliser of the centre moves all cells of the border, the border is the block.
func TestLargeBlockOf7x7(t *testing.T) {
	b, _ := Rectangle(7, 7)
	start := b.Full() &^ (1 << 24)
	l := NewLayout(b, b.stabilizer(start))
	if l == nil || l.blockBits != 21 || len(l.symmetries) != 8 {
		t.Fatalf("the layout is %v", l)
	}
}

// Blocks, kept blocks and the window are what one finds by going through all blocks.
func TestBlocksByWeight(t *testing.T) {
	compared := 0
	for _, bl := range layouts(t) {
		name, l, start := bl.name, bl.layout, bl.start
		c, err := NewClass(bl.board, start, l.Free)
		if err != nil {
			t.Fatal(err)
		}
		n := uint64(1) << (c.Dim() - l.blockBits)
		if n > 1<<16 {
			continue
		}
		compared++
		weigh := newWeigher(l.BlockWeights)
		all, kept := make([]uint64, weigh.weight(start)+1), make([]uint64, weigh.weight(start)+1)
		for block := range n {
			p := c.Position(block << l.blockBits)
			w := weigh.weight(p)
			if w >= len(all) {
				continue
			}
			all[w]++
			least := true
			for _, s := range l.symmetries {
				image, ok := c.Number(permute(s, p))
				if !ok {
					t.Fatalf("%s: the symmetry %v leaves the class", name, s)
				}
				least = least && block <= image>>l.blockBits
			}
			if least {
				kept[w]++
			}
		}
		if got := l.Blocks(start); !slices.Equal(got, all) {
			t.Errorf("%s: the blocks are %v by weight, not %v", name, all, got)
		}
		if got := l.KeptBlocks(start); !slices.Equal(got, kept) {
			t.Errorf("%s: the kept blocks are %v by weight, not %v", name, kept, got)
		}
		for w := range kept {
			live := uint64(0)
			for _, n := range kept[w:min(w+l.Drop+1, len(kept))] {
				live += n
			}
			if got := l.Window(kept); got < live {
				t.Errorf("%s: %d blocks are live at weight %d, and the window is %d", name, live, w, got)
			}
		}
	}
	if compared < 10 {
		t.Errorf("only %d layouts were compared", compared)
	}
}

// What an order of cells says of the symmetries is so for the numbers.
func TestOrdersSuitSymmetries(t *testing.T) {
	aligned := 0
	for _, bl := range layouts(t) {
		l := bl.layout
		if len(l.symmetries) == 0 || len(l.Free) > 40 {
			continue
		}
		c, err := NewClass(bl.board, bl.start, l.Free)
		if err != nil {
			t.Fatal(err)
		}
		var got cellOrder
		for _, s := range l.symmetries {
			image := func(x uint64) uint64 {
				y, _ := c.Number(permute(s, c.Position(x)))
				return y & (1<<l.blockBits - 1)
			}
			// Of each word of the first block: the image of its first number, and what
			// the images of the others differ from it.
			var differ [64]uint64
			byWords, alike := true, true
			for x := range uint64(1) << l.blockBits {
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
		order := slices.Concat(setCells(bl.board.Full()&^scatter(l.Free, ^uint64(0)>>(64-len(l.Free)))), l.Free)
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

// Windows of the boards that matter, as parts of all blocks: they are memory.
func TestWindowsStaySmall(t *testing.T) {
	for _, test := range []struct {
		name  string
		board func() (*Board, error)
		hole  Cell
		part  float64 // of the kept blocks; with the weights of least sum it is
		least float64
	}{
		{"5x7", func() (*Board, error) { return Rectangle(5, 7) }, Cell{3, 2}, 0.395, 0.478},
		{"6x6", func() (*Board, error) { return Rectangle(6, 6) }, Cell{2, 2}, 0.44, 0.476},
		{"5x8", func() (*Board, error) { return Rectangle(5, 8) }, Cell{3, 2}, 0.36, 0.433},
		{"6x7", func() (*Board, error) { return Rectangle(6, 7) }, Cell{3, 2}, 0.39, 0.445},
		{"english", func() (*Board, error) { return Cross(7) }, Cell{3, 3}, 0.34, 0.461},
		{"european", func() (*Board, error) { return Octagon(7, 4) }, Cell{3, 3}, 0.37, 0.405},
		{"diamond", func() (*Board, error) { return Octagon(9, 4) }, Cell{4, 4}, 0.27, 0.357},
	} {
		b, _ := test.board()
		cell, _ := b.Number(test.hole)
		start := b.Full() &^ (1 << cell)
		l := NewLayout(b, b.stabilizer(start))
		kept, all := l.KeptBlocks(start), uint64(0)
		for _, n := range kept {
			all += n
		}
		part := float64(l.Window(kept)) / float64(all)
		t.Logf("%s: %.4f, %.3f with the least weights; %d levels", test.name, part, test.least, len(kept))
		if part > test.part {
			t.Errorf("%s: the window is %.4f of all blocks, it was %.3f", test.name, part, test.part)
		}
	}
}

// checkWeights checks that jumps that do not lie wholly in zero lose weight.
func checkWeights(t *testing.T, name string, lines []Line, w []int, zero uint64) {
	t.Helper()
	for cell, x := range w {
		if x < 0 || x != 0 && zero>>cell&1 == 1 {
			t.Errorf("%s: cell %d has weight %d", name, cell, x)
		}
	}
	for _, l := range lines {
		if l.mask()&^zero != 0 && (w[l.A]+w[l.B] <= w[l.C] || w[l.C]+w[l.B] <= w[l.A]) {
			t.Errorf("%s: a jump on %v does not lose weight: %d %d %d", name, l, w[l.A], w[l.B], w[l.C])
		}
	}
}

// For the ring round 5x7 the product of (0,2,1,2,1,2,0) and (0,2,1,2,0) is a pagoda
// function; the linear program finds one that sums to no more.
func TestWeightsAreLeast(t *testing.T) {
	b, _ := Rectangle(5, 7)
	var ring uint64
	product := 0
	for i, c := range b.Cells() {
		w := []int{0, 2, 1, 2, 1, 2, 0}[c.Row] * []int{0, 2, 1, 2, 0}[c.Col]
		if product += w; w == 0 {
			ring |= 1 << i
		}
	}
	w, ok := weights(b.Lines(), ring, b.Full(), nil)
	if !ok {
		t.Fatal("no weights for the ring")
	}
	checkWeights(t, "ring", b.Lines(), w, ring)
	if got := sum(w); got > product {
		t.Errorf("the weights sum to %d, the product to %d", got, product)
	}
}

// Where brute force finds no small weights at all, neither must the program; where
// it does, the program must find some with no larger a sum.
func TestWeightsAgainstBruteForce(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 4))
	possible, impossible := 0, 0
	for range 6000 {
		var cells []Cell
		for r := range 3 {
			for c := range 3 + rng.IntN(2) {
				if rng.IntN(8) > 0 {
					cells = append(cells, Cell{r, c})
				}
			}
		}
		b, err := NewBoard(Lattice(rng.IntN(2)), cells)
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
		w, ok := weights(b.Lines(), zero, b.Full(), nil)
		if ok {
			possible++
			checkWeights(t, "random", b.Lines(), w, zero)
			// Scaled down so that a jump loses 1 at least, no other sum is less.
			least := math.MaxInt
			for _, l := range b.Lines() {
				if l.mask()&^zero != 0 {
					least = min(least, w[l.A]+w[l.B]-w[l.C], w[l.C]+w[l.B]-w[l.A])
				}
			}
			if brute := bruteWeights(b, zero); brute != nil && least < math.MaxInt && sum(w) > least*sum(brute) {
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
func bruteWeights(b *Board, zero uint64) (best []int) {
	outer := setCells(b.Full() &^ zero)
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
			if l.mask()&^zero != 0 && (w[l.A]+w[l.B] <= w[l.C] || w[l.C]+w[l.B] <= w[l.A]) {
				return
			}
		}
		if best == nil || sum(w) < sum(best) {
			best = slices.Clone(w)
		}
	}
	try(0)
	return best
}

// A closing sequence, gone through once, reaches what repeated jumps reach.
func TestClosingSequence(t *testing.T) {
	for _, bl := range layouts(t) {
		name, b, l := bl.name, bl.board, bl.layout
		var jumps []Jump
		for k := range b.Jumps() {
			if j := b.Jump(k); j.mask()&^l.Group == 0 {
				jumps = append(jumps, j)
			}
		}
		cells := setCells(l.Group)
		for x := range uint64(1) << len(cells) {
			once, all := map[uint64]bool{x: true}, map[uint64]bool{x: true}
			jump := func(set map[uint64]bool, j Jump) (grew bool) {
				for p := range set {
					full := scatter(cells, p)
					if full&j.mask() == 1<<j.From|1<<j.Over {
						to := gather(cells, full^j.mask())
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

// The masks of 64 numbers say what each position looks like.
func TestCellMasks(t *testing.T) {
	rng := rand.New(rand.NewPCG(5, 6))
	for name, b := range boards(t) {
		free := b.freeCells(b.byLines(b.Full()))
		c, err := NewClass(b, rng.Uint64()&b.Full(), free)
		if err != nil {
			t.Fatal(err)
		}
		masks, counts := newCellMasks(c), newPegMasks(c)
		word := rng.Uint64N(1 << max(0, c.Dim()-6))
		first := c.Position(word << 6)
		for x := range min(64, 1<<c.Dim()) {
			p := c.Position(word<<6 | uint64(x))
			for cell := range b.Cells() {
				if masks.pegs(cell, first)>>x&1 != p>>cell&1 {
					t.Fatalf("%s: cell %d of number %d", name, cell, x)
				}
			}
			more := bits.OnesCount64(p) - counts.common(first)
			sum := counts.more(first)
			for k := range 64 {
				if counts.equal(&sum, k)>>x&1 == 1 != (k == more) {
					t.Fatalf("%s: number %d has %d pegs more than common, mask %d says otherwise", name, x, more, k)
				}
			}
			for k := range b.Jumps() {
				j := b.Jump(k)
				can := p&j.mask() == 1<<j.From|1<<j.Over
				if masks.canJump(j, b.Full(), first)>>x&1 == 1 != can {
					t.Fatalf("%s: canJump of %v in %s", name, j, b.FormatPosition(p))
				}
				did := p&j.mask() == 1<<j.To
				if masks.jumped(j, b.Full(), first)>>x&1 == 1 != did {
					t.Fatalf("%s: jumped of %v in %s", name, j, b.FormatPosition(p))
				}
			}
		}
	}
}
