package verify_test

import (
	"context"
	"errors"
	"math/rand/v2"
	"slices"
	"testing"

	"pagoda/bitset"
	"pagoda/internal/long"
	"pagoda/puzzle/peg"
	"pagoda/puzzle/peg/board"
	"pagoda/puzzle/peg/pegtest"
	"pagoda/statespace"
	"pagoda/statespace/sweep"
)

// made returns the set that is made block by block, and its layers.
func made(t *testing.T, sp *peg.Space) (pegtest.Folded, []statespace.Layer) {
	t.Helper()
	blocks := sweep.BlocksOf(sp)
	set := pegtest.Folded{Space: sp, BlockBits: blocks.Bits, Blocks: make(map[uint64][]uint64)}
	order, next := blocks.Folding().Order, 0
	sink := func(words []uint64) error {
		set.Blocks[uint64(order[next])] = slices.Clone(words)
		next++
		return nil
	}
	r, err := sweep.NewBlockRun(sp, make([]uint64, blocks.Window<<(blocks.Bits-6)), sink)
	if err == nil {
		err = r.Run(t.Context(), nil, 2, nil)
	}
	if err != nil {
		t.Fatal(err)
	}
	return set, r.Layers()
}

// ordered is a folded set with an order in which it is best read.
type ordered struct {
	pegtest.Folded
	order []uint32
	err   error
}

func (o ordered) Order() ([]uint32, error) { return o.order, o.err }

// flip changes whether a number is a member. If all is set, it does the same to its images
// in its block.
func flip(f pegtest.Folded, x uint64, all bool) {
	block := x >> f.BlockBits
	if f.Blocks[block] == nil {
		f.Blocks[block] = make([]uint64, 1<<(f.BlockBits-6))
	}
	images := []uint64{x}
	_, stabiliser := sweep.BlockOrbit(sweep.Symmetries(f.Space), f.BlockBits, block)
	for _, s := range stabiliser {
		if y := s.Map(x); all && !slices.Contains(images, y) {
			images = append(images, y)
		}
	}
	for _, y := range images {
		y &= 1<<f.BlockBits - 1
		f.Blocks[block][y/64] ^= 1 << (y % 64)
	}
}

// checkFolded compares the fast certificate of a folded set with the plain one. If a block
// is not symmetric where it should be, they need not count the same faults: same is false.
func checkFolded(t *testing.T, set pegtest.Folded, order []uint32, good, same bool) {
	t.Helper()
	plain, err1 := sweep.CertifyFoldedPlain(t.Context(), set.Space, set)
	fast, err2 := sweep.VerifyFolded(t.Context(), set.Space, ordered{set, order, nil}, 2, nil)
	if err := errors.Join(err1, err2); err != nil {
		t.Fatal(err)
	}
	if (fast.Count == 0) != good || (plain.Count == 0) != good || same && fast != plain {
		t.Fatalf("blocks of 2^%d: the certificate finds %+v, state by state %+v; the set is right: %t; board:\n%s",
			set.BlockBits, fast, plain, good, set.Space.Board().Text(set.Space.Start()))
	}
}

// The certificate of a folded set agrees with the plain one, with any blocks and in any
// order.
func TestFoldedCertificate(t *testing.T) {
	rng := rand.New(rand.NewPCG(7, 21))
	most := 120
	if !long.Tests {
		most = 25
	}
	symmetric, fixed := 0, 0
	for boards := 0; boards < most; {
		draw := []func(*rand.Rand) (*board.Board, board.Position){pegtest.RandomBoard, pegtest.SymmetricBoard, pegtest.SymmetricBoard}[rng.IntN(3)]
		b, start := draw(rng)
		sp, err := peg.New("random", b, start)
		if err != nil {
			t.Fatal(err)
		}
		sizes := pegtest.FoldingSizes(sp)
		if len(sizes) == 0 || sp.Class().Dim() > 13 {
			continue
		}
		boards++
		if len(sweep.Symmetries(sp)) > 0 {
			symmetric++
		}
		set := bitset.New(sp.Size())
		if err := statespace.Search(t.Context(), sp, set, nil); err != nil {
			t.Fatal(err)
		}
		bits := sizes[rng.IntN(len(sizes))]
		blocks := sp.Size() >> bits
		// The order may list blocks twice or leave them out. It may list blocks that are no
		// representatives, and numbers that are no blocks.
		var order []uint32
		for range rng.Uint64N(2 * blocks) {
			order = append(order, uint32(rng.Uint64N(blocks+2)))
		}
		f := pegtest.FoldSet(sp, set, bits)
		checkFolded(t, f, order, true, true)
		checkCounts(t, f, set)
		for range 8 {
			x := rng.Uint64N(sp.Size())
			if least, by := sweep.Represent(sweep.Symmetries(sp), bits, x>>bits); by != nil {
				x = least<<bits | x&(1<<bits-1)
			}
			_, stabiliser := sweep.BlockOrbit(sweep.Symmetries(sp), bits, x>>bits)
			if slices.ContainsFunc(stabiliser, func(s statespace.WordSymmetry) bool { return s.Map(x) != x }) {
				fixed++
				flip(f, x, false)
				checkFolded(t, f, order, false, false)
				flip(f, x, false)
			}
			flip(f, x, true)
			checkFolded(t, f, order, false, true)
			checkCounts(t, f, nil)
			flip(f, x, true)
		}
		// Leave out each block in turn, also one without members.
		for block, words := range f.Blocks {
			delete(f.Blocks, block)
			checkFolded(t, f, order, !slices.ContainsFunc(words, func(w uint64) bool { return w != 0 }), true)
			f.Blocks[block] = words
		}
		checkFolded(t, f, order, true, true)
	}
	if symmetric < most/3 || fixed < most {
		t.Errorf("of %d boards %d are symmetric, and %d blocks did not look the same from their sides", most, symmetric, fixed)
	}
}

// The certificate and the counts agree with those of the unfolded set for blocks of all
// sizes, also for blocks larger than a chunk.
func TestFoldedBlockSizes(t *testing.T) {
	rng := rand.New(rand.NewPCG(7, 22))
	sp := pegtest.Lookup(t, "peg/5x5")
	set := pegtest.Enumerate(t, sp)
	sizes := pegtest.FoldingSizes(sp)
	for _, bits := range sizes {
		f := pegtest.FoldSet(sp, set, bits)
		for round := range 4 {
			if round > 0 {
				least, _ := sweep.Represent(sweep.Symmetries(sp), bits, rng.Uint64N(sp.Size()>>bits))
				flip(f, least<<bits|rng.Uint64N(1<<bits), true)
			}
			unfolded := bitset.New(sp.Size())
			for i := range bitset.Blocks(unfolded) {
				to, err1 := unfolded.Block(i)
				words, err2 := sweep.Unfolded{FoldedSet: f, Symmetries: sweep.Symmetries(sp)}.Block(i)
				if err := errors.Join(err1, err2); err != nil {
					t.Fatal(err)
				}
				copy(to, words)
			}
			want, err1 := sweep.Verify(t.Context(), sp, unfolded, 2, nil)
			got, err2 := sweep.VerifyFolded(t.Context(), sp, f, 2, nil)
			layers, err3 := sweep.CountLayers(t.Context(), sp, unfolded, 2)
			folded, err4 := sweep.CountFolded(t.Context(), sp, f, 2)
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
	if len(sizes) < 3 {
		t.Errorf("blocks of %d sizes were tried", len(sizes))
	}
}

// checkCounts compares the layers of a folded set with a count state by state, and with
// those of the whole set if it is given.
func checkCounts(t *testing.T, set pegtest.Folded, whole *bitset.Set) {
	t.Helper()
	fast, err1 := sweep.CountFolded(t.Context(), set.Space, set, 2)
	plain, err2 := sweep.CountFoldedPlain(set.Space, set)
	if err := errors.Join(err1, err2); err != nil {
		t.Fatal(err)
	}
	if !slices.Equal(fast, plain) {
		t.Fatalf("blocks of 2^%d: layers are %v, state by state %v; board:\n%s", set.BlockBits, fast, plain, set.Space.Board().Text(set.Space.Start()))
	}
	if whole == nil {
		return
	}
	for i := range plain {
		plain[i].Orbits = 0
	}
	if want := statespace.CountLayers(set.Space, whole); !slices.Equal(plain, want) {
		t.Fatalf("blocks of 2^%d: layers are %v, of the whole set %v", set.BlockBits, plain, want)
	}
}

// plainSpace is a space without fast engines.
type plainSpace struct {
	statespace.Space
	symmetries []statespace.Symmetry
}

func (p plainSpace) Parts() statespace.Parts {
	return statespace.Parts{Layers: p.Space.Parts().Layers, Symmetry: statespace.Symmetric{Fixed: func() []statespace.Symmetry { return p.symmetries }}}
}

// unreadable is a folded set with a block that cannot be read.
type unreadable struct {
	pegtest.Folded
	block uint64
}

var errUnreadable = errors.New("a block that cannot be read")

func (u unreadable) Representative(block uint64) ([]uint64, error) {
	if block == u.block {
		return nil, errUnreadable
	}
	return u.Folded.Representative(block)
}

// VerifyFolded and CountFolded refuse sets of other spaces and sets that cannot be read.
func TestFoldedErrors(t *testing.T) {
	sp := pegtest.Lookup(t, "peg/4x5")
	set, _ := made(t, sp)
	stopped := errors.New("stopped")
	ctx, cancel := context.WithCancelCause(t.Context())
	cancel(stopped)
	wrongBits := pegtest.Folded{Space: sp, BlockBits: 40}
	broken := unreadable{set, sp.Roots()[0] >> set.BlockBits}
	for name, tt := range map[string]struct {
		ctx  context.Context
		sp   statespace.Space
		set  statespace.FoldedSet
		want error // nil: any
	}{
		"another space": {t.Context(), pegtest.Lookup(t, "peg/4x4"), set, nil},
		"wrong blocks":  {t.Context(), sp, wrongBits, nil},
		"unreadable":    {t.Context(), sp, broken, errUnreadable},
		"no order":      {t.Context(), sp, ordered{set, nil, errUnreadable}, errUnreadable},
		"plain":         {t.Context(), plainSpace{sp, sp.Symmetries()}, broken, errUnreadable},
		"stopped":       {ctx, sp, set, stopped},
	} {
		_, err1 := sweep.VerifyFolded(tt.ctx, tt.sp, tt.set, 2, nil)
		_, err2 := sweep.CountFolded(tt.ctx, tt.sp, tt.set, 2)
		if err1 == nil || err2 == nil || tt.want != nil && (!errors.Is(err1, tt.want) || !errors.Is(err2, tt.want)) {
			t.Errorf("%s: %v, %v; want %v", name, err1, err2, tt.want)
		}
	}
}

// A space without fast engines is proved and counted by the plain ones.
func TestFoldedPlain(t *testing.T) {
	sp := pegtest.Lookup(t, "peg/4x4@0,0")
	set, counted := made(t, sp)
	plain := plainSpace{sp, sp.Symmetries()}
	if faults, err := sweep.VerifyFolded(t.Context(), plain, set, 2, nil); err != nil || faults.Count > 0 {
		t.Errorf("the certificate finds %+v, %v", faults, err)
	}
	if layers, err := sweep.CountFolded(t.Context(), plain, set, 2); err != nil || !slices.Equal(layers, counted) {
		t.Errorf("layers are %v, want %v (%v)", layers, counted, err)
	}
}

// The certificate proves large boards that are made block by block. The English board up to
// symmetry is A112737 in the On-Line Encyclopedia of Integer Sequences.
func TestFoldedBoards(t *testing.T) {
	if !long.Tests {
		t.Skip("takes some seconds")
	}
	for name, want := range map[string]struct{ states, orbits uint64 }{
		"peg/5x7":     {1045173439, 261372916},
		"peg/english": {187636299, 23475688},
	} {
		sp := pegtest.Lookup(t, name)
		set, counted := made(t, sp)
		if faults, err := sweep.VerifyFolded(t.Context(), sp, set, 2, nil); err != nil || faults.Count > 0 {
			t.Errorf("%s: the certificate finds %+v, %v", name, faults, err)
		}
		layers, err := sweep.CountFolded(t.Context(), sp, set, 2)
		if err != nil || !slices.Equal(layers, counted) {
			t.Errorf("%s: layers are %v, want %v (%v)", name, layers, counted, err)
		}
		var states, orbits uint64
		for _, l := range layers {
			states, orbits = states+l.States, orbits+l.Orbits
		}
		if states != want.states || orbits != want.orbits {
			t.Errorf("%s: %d states, %d up to symmetry; want %d and %d", name, states, orbits, want.states, want.orbits)
		}
		x := uint64(sweep.BlocksOf(sp).Folding().Order[len(set.Blocks)/2]) << set.BlockBits
		flip(set, x, true)
		if faults, err := sweep.VerifyFolded(t.Context(), sp, set, 2, nil); err != nil || faults.Count == 0 || faults.First.State > x {
			t.Errorf("%s: of number %d, which was changed, the certificate finds %+v, %v", name, x, faults, err)
		}
	}
}
