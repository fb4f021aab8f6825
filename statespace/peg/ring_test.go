package peg_test

import (
	"math/rand/v2"
	"slices"
	"testing"

	"pagoda/bitset"
	"pagoda/statespace"
	"pagoda/statespace/peg"
)

// folded is a folded set in memory.
type folded struct {
	sp     *peg.Space
	bits   int
	blocks map[uint64][]uint64
}

func (f folded) Len() uint64                         { return f.sp.Size() }
func (f folded) Bits() int                           { return f.bits }
func (f folded) Kept(block uint64) ([]uint64, error) { return f.blocks[block], nil }

// streamed runs a stream with memory for so many blocks, and takes each block when it must
// be taken at the latest.
func streamed(t *testing.T, sp *peg.Space, slots uint64, threads int) (folded, []statespace.Layer) {
	t.Helper()
	folding := sp.Folding()
	words := uint64(1) << (folding.Bits - 6)
	st := sp.Stream(make([]uint64, slots*words))
	set := folded{sp, folding.Bits, make(map[uint64][]uint64)}
	taken := uint64(0)
	take := func(to uint64) {
		for ; taken < to; taken++ {
			set.blocks[uint64(folding.Order[taken])] = slices.Clone(st.Words(taken))
		}
	}
	between := func(done int) error {
		if next := st.Begin(done + 1); next > slots {
			take(next - slots)
		}
		return nil
	}
	if _, err := statespace.DoFrom(t.Context(), st, 0, between, threads, nil); err != nil {
		t.Fatal(err)
	}
	take(st.Begin(st.Stages()))
	return set, st.Tally()
}

// checkStreamed holds a set that was streamed against the whole one.
func checkStreamed(t *testing.T, sp *peg.Space, set folded, tally []statespace.Layer, want *bitset.Set) {
	t.Helper()
	unfolded := statespace.Unfolded{FoldedSet: set, Symmetries: sp.Symmetries()}
	for i := range bitset.Blocks(want) {
		words, err := unfolded.Block(i)
		if err != nil {
			t.Fatal(err)
		}
		if all, _ := want.Block(i); !slices.Equal(words, all) {
			t.Fatalf("another set than that of the plain search; board:\n%s", sp.Board().Text(sp.Start()))
		}
	}
	layers := statespace.CountLayersPlain(sp, want)
	for i := range layers {
		for x := range want.All() {
			if sp.Layer(x) == layers[i].Layer && !slices.ContainsFunc(sp.Symmetries(), func(s statespace.Symmetry) bool { return s.Map(x) < x }) {
				layers[i].Orbits++
			}
		}
	}
	if !slices.Equal(tally, layers) {
		t.Fatalf("the tally is %v, want %v; board:\n%s", tally, layers, sp.Board().Text(sp.Start()))
	}
}

// largerBoard draws a rectangle with enough cells that not all blocks are needed at a time,
// and a start that some symmetries of it may keep.
func largerBoard(rng *rand.Rand) (*peg.Board, peg.Position) {
	sides := [][2]int{{4, 5}, {3, 7}, {6, 4}, {5, 5}}[rng.IntN(4)]
	b, err := peg.Rectangle(sides[0], sides[1])
	if err != nil {
		panic(err)
	}
	start, symmetries := b.Full(), b.Symmetries()
	symmetry := symmetries[rng.IntN(len(symmetries))]
	for cell := rng.IntN(len(b.Cells())); start>>cell&1 == 1; cell = symmetry[cell] {
		start &^= 1 << cell
	}
	return b, start
}

// Folded and in a ring, a sweep finds what the plain search does, with every kernel and
// number of threads, and counts it by layer and up to symmetry.
func TestStream(t *testing.T) {
	rng := rand.New(rand.NewPCG(7, 4))
	most := 240
	if testing.Short() {
		most = 20
	}
	symmetric, rings := 0, 0
	for boards := 0; boards < most; {
		draw := []func(*rand.Rand) (*peg.Board, peg.Position){randomBoard, symmetricBoard, symmetricBoard, largerBoard}[boards%4]
		b, start := draw(rng)
		sp, err := peg.New("random", b, start)
		if err != nil {
			t.Fatal(err)
		}
		if sp.Folding() == nil {
			continue
		}
		boards++
		want := bitset.New(sp.Size())
		if err := statespace.Search(t.Context(), sp, want); err != nil {
			t.Fatal(err)
		}
		all := uint64(len(sp.Folding().Order))
		if sp.KeptBlocks() != all || sp.BlockBits() != sp.Folding().Bits {
			t.Fatalf("%d blocks of 2^%d numbers were told, and there are %d; board:\n%s", sp.KeptBlocks(), sp.BlockBits(), all, b.Text(start))
		}
		if len(sp.Symmetries()) > 0 {
			symmetric++
		}
		if sp.Slots() < all {
			rings++
		}
		for _, kernel := range sp.Kernels() {
			if err := sp.UseKernel(kernel); err != nil {
				t.Fatal(err)
			}
			slots := []uint64{sp.Slots(), min(sp.Slots()+1, all), all}[rng.IntN(3)]
			set, tally := streamed(t, sp, slots, []int{1, 2, 7}[rng.IntN(3)])
			checkStreamed(t, sp, set, tally, want)
		}
	}
	if symmetric < most/4 || rings < most/12 {
		t.Errorf("of %d boards, %d are symmetric and %d have a ring", most, symmetric, rings)
	}
}

// A space of another start that keeps the numbering, and the layout, is not folded by
// symmetries that the layout was not made for.
func TestFoldingOfOtherStarts(t *testing.T) {
	rng := rand.New(rand.NewPCG(7, 6))
	folded, not := 0, 0
	for range 60 {
		b, start := largerBoard(rng)
		sp, err := peg.New("random", b, start)
		if err != nil {
			t.Fatal(err)
		}
		_, other := largerBoard(rng)
		if other &= b.Full(); rng.IntN(4) == 0 {
			other = start
		}
		from, err := sp.From(other)
		if err != nil {
			t.Fatal(err)
		}
		f := from.Folding()
		if f == nil {
			not++
			continue
		}
		folded++
		if blocks := from.KeptBlocks(); blocks != uint64(len(f.Order)) {
			t.Errorf("%d blocks were told, and there are %d; board:\n%sfrom\n%s", blocks, len(f.Order), b.Text(start), b.Text(other))
		}
	}
	if folded < 15 || not < 15 {
		t.Errorf("%d spaces are folded, %d are not", folded, not)
	}
}

// What was counted before is refused if it is of positions that there are not.
func TestSetTallyRefuses(t *testing.T) {
	sp := lookup(t, "peg/4x4")
	st := sp.Stream(make([]uint64, sp.Slots()<<sp.BlockBits()/64))
	for _, pegs := range []int{-1, 17, 1 << 40} {
		if err := st.SetTally([]statespace.Layer{{Layer: pegs, States: 1}}); err == nil {
			t.Errorf("%d pegs, and no error", pegs)
		}
	}
	if err := st.SetTally([]statespace.Layer{{Layer: 15, States: 2, Orbits: 1}}); err != nil {
		t.Error(err)
	}
}
