package peg_test

import (
	"context"
	"errors"
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

// streamed returns what a sweep hands on, and its tally.
func streamed(t *testing.T, sp *peg.Space) (folded, []statespace.Layer) {
	t.Helper()
	set := folded{sp, sp.BlockBits(), make(map[uint64][]uint64)}
	order, next := sp.Folding().Order, 0
	sink := func(words []uint64) error {
		set.blocks[uint64(order[next])] = slices.Clone(words)
		next++
		return nil
	}
	s, err := statespace.NewStreaming(sp, make([]uint64, sp.Slots()<<(set.bits-6)), sink)
	if err == nil {
		err = s.Run(t.Context(), nil, 2, nil)
	}
	if err != nil {
		t.Fatal(err)
	}
	return set, s.Tally()
}

// ordered is a folded set that wants to be read in an order.
type ordered struct {
	folded
	order []uint32
	err   error
}

func (o ordered) Order() ([]uint32, error) { return o.order, o.err }

// foldSet keeps the blocks of a set that have members, and of which no image is below.
func foldSet(sp *peg.Space, set *bitset.Set, bits int) folded {
	f := folded{sp, bits, make(map[uint64][]uint64)}
	n := uint64(1) << (bits - 6)
	for block := range sp.Size() >> bits {
		words := set.Words()[block*n:][:n]
		_, by := statespace.KeptBlock(sp.Symmetries(), bits, block)
		if by == nil && slices.ContainsFunc(words, func(w uint64) bool { return w != 0 }) {
			f.blocks[block] = slices.Clone(words)
		}
	}
	return f
}

// flip changes whether a number is a member, and if all is set its images in its block too.
func (f folded) flip(x uint64, all bool) {
	block := x >> f.bits
	if f.blocks[block] == nil {
		f.blocks[block] = make([]uint64, 1<<(f.bits-6))
	}
	images := []uint64{x}
	_, stabiliser := statespace.BlockOrbit(f.sp.Symmetries(), f.bits, block)
	for _, s := range stabiliser {
		if y := s.Map(x); all && !slices.Contains(images, y) {
			images = append(images, y)
		}
	}
	for _, y := range images {
		y &= 1<<f.bits - 1
		f.blocks[block][y/64] ^= 1 << (y % 64)
	}
}

// checkFolded holds the fast certificate of a folded set against the plain one. Where a
// block does not look the same from its own sides, they need not count the same faults.
func checkFolded(t *testing.T, set folded, order []uint32, good, same bool) {
	t.Helper()
	plain, err1 := statespace.CertifyFolded(set.sp, set)
	fast, err2 := statespace.VerifyFolded(t.Context(), set.sp, ordered{set, order, nil}, 2, nil)
	if err := errors.Join(err1, err2); err != nil {
		t.Fatal(err)
	}
	if (fast.Count == 0) != good || (plain.Count == 0) != good || same && fast != plain {
		t.Fatalf("blocks of 2^%d: the certificate finds %+v, state by state %+v; the set is right: %t; board:\n%s",
			set.bits, fast, plain, good, set.sp.Board().Text(set.sp.Start()))
	}
}

// The certificate of a folded set finds what that of the unfolded one does, with any blocks
// and in any order.
func TestFoldedCertificate(t *testing.T) {
	rng := rand.New(rand.NewPCG(7, 21))
	most := 120
	if testing.Short() {
		most = 25
	}
	symmetric, fixed := 0, 0
	for boards := 0; boards < most; {
		draw := []func(*rand.Rand) (*peg.Board, peg.Position){randomBoard, symmetricBoard, symmetricBoard}[rng.IntN(3)]
		b, start := draw(rng)
		sp, err := peg.New("random", b, start)
		if err != nil {
			t.Fatal(err)
		}
		var sizes []int
		for bits := range sp.Class().Dim() + 1 {
			if statespace.CheckFolding(sp, bits) == nil {
				sizes = append(sizes, bits)
			}
		}
		if len(sizes) == 0 || sp.Class().Dim() > 13 {
			continue
		}
		boards++
		if len(sp.Symmetries()) > 0 {
			symmetric++
		}
		set := bitset.New(sp.Size())
		if err := statespace.Search(t.Context(), sp, set); err != nil {
			t.Fatal(err)
		}
		bits := sizes[rng.IntN(len(sizes))]
		blocks := sp.Size() >> bits
		// The order may list blocks twice, or leave them out, and list some that are not kept
		// and some that there are not.
		var order []uint32
		for range rng.Uint64N(2 * blocks) {
			order = append(order, uint32(rng.Uint64N(blocks+2)))
		}
		f := foldSet(sp, set, bits)
		checkFolded(t, f, order, true, true)
		checkCounts(t, f, set)
		for range 8 {
			x := rng.Uint64N(sp.Size())
			if kept, by := statespace.KeptBlock(sp.Symmetries(), bits, x>>bits); by != nil {
				x = kept<<bits | x&(1<<bits-1)
			}
			if _, stabiliser := statespace.BlockOrbit(sp.Symmetries(), bits, x>>bits); len(stabiliser) > 0 && statespace.Orbit(stabiliser, x) > 1 {
				fixed++
				f.flip(x, false)
				checkFolded(t, f, order, false, false)
				f.flip(x, false)
			}
			f.flip(x, true)
			checkFolded(t, f, order, false, true)
			checkCounts(t, f, nil)
			f.flip(x, true)
		}
		// A block that is missing, and one that is there and has no members.
		for block, words := range f.blocks {
			delete(f.blocks, block)
			checkFolded(t, f, order, !slices.ContainsFunc(words, func(w uint64) bool { return w != 0 }), true)
			f.blocks[block] = words
		}
		checkFolded(t, f, order, true, true)
	}
	if symmetric < most/3 || fixed < most {
		t.Errorf("of %d boards %d are symmetric, and %d blocks did not look the same from their sides", most, symmetric, fixed)
	}
}

// Blocks of all sizes are proved as the unfolded set is, also those that are more than the
// certificate and the counting work on at once.
func TestFoldedBlockSizes(t *testing.T) {
	rng := rand.New(rand.NewPCG(7, 22))
	sp := lookup(t, "peg/5x5")
	set := enumerate(t, sp, peg.SweepEngine, 2)
	sizes := 0
	for bits := 6; bits <= sp.Class().Dim(); bits++ {
		if statespace.CheckFolding(sp, bits) != nil {
			continue
		}
		sizes++
		f := foldSet(sp, set, bits)
		for round := range 4 {
			if round > 0 {
				kept, _ := statespace.KeptBlock(sp.Symmetries(), bits, rng.Uint64N(sp.Size()>>bits))
				f.flip(kept<<bits|rng.Uint64N(1<<bits), true)
			}
			unfolded := bitset.New(sp.Size())
			for i := range bitset.Blocks(unfolded) {
				to, err1 := unfolded.Block(i)
				words, err2 := statespace.Unfolded{FoldedSet: f, Symmetries: sp.Symmetries()}.Block(i)
				if err := errors.Join(err1, err2); err != nil {
					t.Fatal(err)
				}
				copy(to, words)
			}
			want, err1 := statespace.Verify(t.Context(), sp, unfolded, 2, nil)
			got, err2 := statespace.VerifyFolded(t.Context(), sp, f, 2, nil)
			layers, err3 := statespace.CountLayers(t.Context(), sp, unfolded, 2)
			folded, err4 := statespace.CountFolded(t.Context(), sp, f, 2)
			if err := errors.Join(err1, err2, err3, err4); err != nil {
				t.Fatal(err)
			}
			if got != want || (got.Count == 0) != (round == 0) {
				t.Errorf("blocks of 2^%d: the certificate finds %+v, unfolded %+v", bits, got, want)
			}
			for i := range folded {
				folded[i].Orbits = 0
			}
			if !slices.Equal(folded, layers) {
				t.Errorf("blocks of 2^%d: layers are %v, unfolded %v", bits, folded, layers)
			}
		}
	}
	if sizes < 3 {
		t.Errorf("blocks of %d sizes were tried", sizes)
	}
}

// checkCounts holds the layers of a folded set against those that are counted state by state,
// and against those of the whole set if it is given.
func checkCounts(t *testing.T, set folded, whole *bitset.Set) {
	t.Helper()
	fast, err1 := statespace.CountFolded(t.Context(), set.sp, set, 2)
	plain, err2 := statespace.CountFoldedPlain(set.sp, set)
	if err := errors.Join(err1, err2); err != nil {
		t.Fatal(err)
	}
	if !slices.Equal(fast, plain) {
		t.Fatalf("blocks of 2^%d: layers are %v, state by state %v; board:\n%s", set.bits, fast, plain, set.sp.Board().Text(set.sp.Start()))
	}
	if whole == nil {
		return
	}
	for i := range plain {
		plain[i].Orbits = 0
	}
	if want := statespace.CountLayersPlain(set.sp, whole); !slices.Equal(plain, want) {
		t.Fatalf("blocks of 2^%d: layers are %v, of the whole set %v", set.bits, plain, want)
	}
}

// plainSpace is a space without fast ways.
type plainSpace struct {
	statespace.Layered
	symmetries []statespace.Symmetry
}

func (p plainSpace) Symmetries() []statespace.Symmetry { return p.symmetries }

// unreadable is a folded set of which a block cannot be read.
type unreadable struct {
	folded
	block uint64
}

var errUnreadable = errors.New("a block that cannot be read")

func (u unreadable) Kept(block uint64) ([]uint64, error) {
	if block == u.block {
		return nil, errUnreadable
	}
	return u.folded.Kept(block)
}

// Sets that are not those of a space, or cannot be read, are refused.
func TestFoldedErrors(t *testing.T) {
	sp := lookup(t, "peg/4x5")
	set, _ := streamed(t, sp)
	stopped := errors.New("stopped")
	ctx, cancel := context.WithCancelCause(t.Context())
	cancel(stopped)
	wrongBits := folded{sp, 40, nil}
	broken := unreadable{set, sp.Roots()[0] >> set.bits}
	for name, tt := range map[string]struct {
		ctx  context.Context
		sp   statespace.Layered
		set  statespace.FoldedSet
		want error // nil: any
	}{
		"another space": {t.Context(), lookup(t, "peg/4x4"), set, nil},
		"wrong blocks":  {t.Context(), sp, wrongBits, nil},
		"unreadable":    {t.Context(), sp, broken, errUnreadable},
		"no order":      {t.Context(), sp, ordered{set, nil, errUnreadable}, errUnreadable},
		"plain":         {t.Context(), plainSpace{sp, sp.Symmetries()}, broken, errUnreadable},
		"stopped":       {ctx, sp, set, stopped},
	} {
		_, err1 := statespace.VerifyFolded(tt.ctx, tt.sp, tt.set, 2, nil)
		_, err2 := statespace.CountFolded(tt.ctx, tt.sp, tt.set, 2)
		if err1 == nil || err2 == nil || tt.want != nil && (!errors.Is(err1, tt.want) || !errors.Is(err2, tt.want)) {
			t.Errorf("%s: %v, %v; want %v", name, err1, err2, tt.want)
		}
	}
}

// Spaces without fast ways have the plain ones.
func TestFoldedPlain(t *testing.T) {
	sp := lookup(t, "peg/4x4@0,0")
	set, tally := streamed(t, sp)
	plain := plainSpace{sp, sp.Symmetries()}
	if faults, err := statespace.VerifyFolded(t.Context(), plain, set, 2, nil); err != nil || faults.Count > 0 {
		t.Errorf("the certificate finds %+v, %v", faults, err)
	}
	if layers, err := statespace.CountFolded(t.Context(), plain, set, 2); err != nil || !slices.Equal(layers, tally) {
		t.Errorf("layers are %v, want %v (%v)", layers, tally, err)
	}
}

// What a sweep makes of large boards, folded, is proved as it is. Up to symmetry, the
// English board has the positions of A112737 in the On-Line Encyclopedia of Integer Sequences.
func TestFoldedBoards(t *testing.T) {
	if testing.Short() {
		t.Skip("takes some seconds")
	}
	for name, want := range map[string]struct{ states, orbits uint64 }{
		"peg/5x7":     {1045173439, 261372916},
		"peg/english": {187636299, 23475688},
	} {
		sp := lookup(t, name)
		set, tally := streamed(t, sp)
		if faults, err := statespace.VerifyFolded(t.Context(), sp, set, 2, nil); err != nil || faults.Count > 0 {
			t.Errorf("%s: the certificate finds %+v, %v", name, faults, err)
		}
		layers, err := statespace.CountFolded(t.Context(), sp, set, 2)
		if err != nil || !slices.Equal(layers, tally) {
			t.Errorf("%s: layers are %v, want %v (%v)", name, layers, tally, err)
		}
		var states, orbits uint64
		for _, l := range layers {
			states, orbits = states+l.States, orbits+l.Orbits
		}
		if states != want.states || orbits != want.orbits {
			t.Errorf("%s: %d states, %d up to symmetry; want %d and %d", name, states, orbits, want.states, want.orbits)
		}
		x := uint64(sp.Folding().Order[len(set.blocks)/2]) << set.bits
		set.flip(x, true)
		if faults, err := statespace.VerifyFolded(t.Context(), sp, set, 2, nil); err != nil || faults.Count == 0 || faults.First.State > x {
			t.Errorf("%s: of number %d, which was changed, the certificate finds %+v, %v", name, x, faults, err)
		}
	}
}
