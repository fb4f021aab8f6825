package engine

import (
	"fmt"
	"hash/crc32"
	"math"
	"math/bits"
	"slices"
	"sort"

	"pagoda/internal/gf2"
	"pagoda/puzzle/peg/board"
	"pagoda/puzzle/peg/layout"
)

// slabs divide the blocks of a class in two steps, so that the place of each is computed, and
// no table has an entry for each block.
//
// Hi is a set of cells outside blocks, without pivots, that the symmetries take to itself. A
// slab is the blocks with the same filling of hi. So symmetries take slabs to slabs, and one slab
// of each orbit is made, whole: the first. The other free cells outside blocks are lo.
//
// Blocks are made by falling weight; those of one weight by slab, and then by filling of lo. The
// weight of a block is that of its filling of hi plus one that depends on its filling of lo, and
// on the pivots outside blocks. The filling of hi flips some of these pivots: that is the kind of
// the slab. So the fillings of lo are sorted once for each kind.
type slabs struct {
	*blocks
	layout     *layout.Layout
	symmetries []*board.Symmetry // all but the identity

	hi, lo     extract  // from the number of a block
	hiCells    uint64   // the cells of hi
	hiBits     []uint64 // by bit of a filling of hi: the bit of the number of a block
	hiOf       []hiSlab // by filling of hi
	made       []slab
	kinds      []slabKind
	begins     []uint64 // by stage: the blocks before it, and all blocks
	needs      []uint64 // by stage: the first block that it, or a later one, reads
	placeBegin []uint64 // by stage * len(slabs) + slab: the blocks before those of the slab in the stage
}

// A hiSlab says where the blocks with a filling of hi are.
type hiSlab struct {
	slab uint32 // that is made
	via  uint8  // 1 + the fold that takes these blocks there; 0 for none
}

// A slab is one that is made.
type slab struct {
	block      uint64         // its block with the filling 0 of lo
	first      board.Position // of that block
	program    int
	kind       int
	weight     int   // of hi
	images     int   // how many slabs are images of this one, with itself
	stabiliser []int // the folds that leave the slab as it is
}

// A slabKind sorts the fillings of lo, in slabs whose hi flips the same pivots.
type slabKind struct {
	fillings []filling // by weight, then by program
	begins   []uint32  // by weight: the first of fillings, and their number
	ranks    []uint32  // by filling of lo: its place in fillings, behind the first of its weight
}

// A filling is one of lo.
type filling struct {
	flips   board.Position // the cells that it flips, outside blocks and inside
	lo      uint32
	program uint16 // what it flips in the program
}

const (
	// There are tables with an entry for each filling of hi, and for each of lo and kind.
	maxHiBits, maxLoBits = 20, 20
	// maxPlaces bounds the stages of all slabs.
	maxPlaces = 1 << 26
	// The bits of a number inside a block, and pivots inside.
	maxSlabBits, maxSlabPivots = 12, 8
)

// newSlabs returns slabs for symmetries that keep the layout, which are all but the identity. It
// returns nil if there are none within the bounds above.
func newSlabs(b *blocks, l *layout.Layout, start board.Position, folds []*board.Symmetry) *slabs {
	if b.bits > maxSlabBits || len(b.inside) > maxSlabPivots {
		return nil
	}
	for _, hi := range hiSets(b, l, folds) {
		if s := newSlabsOf(b, l, start, folds, hi); s != nil {
			return s
		}
	}
	return nil
}

// hiSets lists the sets of cells that can be hi, best first.
//
// A jump that changes no cell of hi stays in its slab. Then no fold is needed, and the source is
// near. So the best sets are in few jumps.
func hiSets(b *blocks, l *layout.Layout, folds []*board.Symmetry) []uint64 {
	const most = 12 // orbits; all unions are tried. If there are more, small ones are joined first
	free := gf2.Deposit(b.class.Free(), ^uint64(0)) &^ b.cells
	n := bits.OnesCount64(free)
	outer := 0 // pivots
	for _, p := range b.class.Pivots() {
		if b.cells>>p&1 == 0 {
			outer++
		}
	}
	var orbits []uint64
	for left := free; left != 0; {
		orbit := left & -left
		for _, f := range folds {
			orbit |= f.Cells.Image(left & -left)
		}
		if orbit&^free == 0 {
			orbits = append(orbits, orbit)
		}
		left &^= orbit
	}
	for len(orbits) > most {
		slices.SortStableFunc(orbits, func(x, y uint64) int { return bits.OnesCount64(x) - bits.OnesCount64(y) })
		orbits = append(orbits[2:], orbits[0]|orbits[1])
	}
	type choice struct {
		hi   uint64
		cost float64
	}
	var all []choice
	for pick := range uint64(1) << len(orbits) {
		var hi uint64
		for i := range gf2.Elements(pick) {
			hi |= orbits[i]
		}
		size := bits.OnesCount64(hi)
		if size > maxHiBits || n-size+outer > maxLoBits {
			continue
		}
		var crossing, fixed float64
		for _, j := range l.Leaving() {
			if j.Mask()&hi != 0 {
				crossing += math.Ldexp(1, -bits.OnesCount64(j.Mask()&^b.cells))
			}
		}
		// Slabs that a fold leaves as they are have blocks that are images of each other.
		for _, f := range folds {
			cycles := 0
			for left := hi; left != 0; cycles++ {
				for cell := bits.TrailingZeros64(left); left>>cell&1 == 1; cell = f.Cells[cell] {
					left &^= 1 << cell
				}
			}
			fixed += math.Ldexp(1, cycles-size)
		}
		all = append(all, choice{hi, crossing + 16*fixed})
	}
	slices.SortStableFunc(all, func(x, y choice) int {
		switch {
		case x.cost < y.cost:
			return -1
		case x.cost > y.cost:
			return 1
		}
		return 0
	})
	var sets []uint64
	for _, c := range all {
		sets = append(sets, c.hi)
	}
	return sets
}

// newSlabsOf returns the slabs of a set of cells, or nil if their tables are too large.
func newSlabsOf(b *blocks, l *layout.Layout, start board.Position, folds []*board.Symmetry, hi uint64) *slabs {
	s := &slabs{blocks: b, layout: l, symmetries: folds, hiCells: hi}
	var hiAt, loAt []int
	for bit, cell := range b.class.Free()[b.bits:] {
		if hi>>cell&1 == 1 {
			hiAt = append(hiAt, bit)
			s.hiBits = append(s.hiBits, 1<<bit)
		} else {
			loAt = append(loAt, bit)
		}
	}
	s.hi, s.lo = newExtract(hiAt), newExtract(loAt)
	var outer []int // pivots
	for _, p := range b.class.Pivots() {
		if b.cells>>p&1 == 0 {
			outer = append(outer, p)
		}
	}
	s.findSlabs(outer)
	for kind := range 1 << len(outer) {
		s.kinds = append(s.kinds, s.newKind(loAt, outer, uint64(kind)))
	}
	if heaviest := layout.NewWeigher(l.BlockWeights).Weight(start); !s.findPlaces(heaviest) {
		return nil
	}
	for stage := range s.begins {
		s.needs = append(s.needs, s.begins[max(0, stage-l.Drop)])
	}
	s.needs[len(s.needs)-1] = s.begins[len(s.begins)-1]
	return s
}

// findSlabs fills in hiOf and slabs.
func (s *slabs) findSlabs(outer []int) {
	weigher := layout.NewWeigher(s.layout.BlockWeights)
	s.hiOf = make([]hiSlab, 1<<len(s.hiBits))
	for i := range s.hiOf {
		s.hiOf[i].slab = math.MaxUint32
	}
	inverse := inverses(s.symmetries)
	for hi := range s.hiOf {
		if s.hiOf[hi].slab != math.MaxUint32 {
			continue
		}
		n := uint32(len(s.made))
		var block uint64
		for i := range gf2.Elements(uint64(hi)) {
			block |= s.hiBits[i]
		}
		position := s.outside(block)
		of := slab{block: block, first: position, program: s.programOf(block), kind: int(gf2.Extract(outer, position)), weight: weigher.Weight(position & s.hiCells)}
		s.hiOf[hi] = hiSlab{slab: n}
		for i, f := range s.symmetries {
			if image := s.hi.of(f.Map(block<<s.bits) >> s.bits); int(image) == hi {
				of.stabiliser = append(of.stabiliser, i)
			} else {
				s.hiOf[image] = hiSlab{n, uint8(inverse[i])}
			}
		}
		of.images = (1 + len(s.symmetries)) / (1 + len(of.stabiliser))
		s.made = append(s.made, of)
	}
}

// newKind sorts the fillings of lo of slabs whose hi makes the given pivots pegs.
func (s *slabs) newKind(at, outer []int, kind uint64) slabKind {
	weigher := layout.NewWeigher(s.layout.BlockWeights)
	zero := s.outside(0) &^ s.hiCells
	zero ^= gf2.Deposit(outer, kind^gf2.Extract(outer, zero))
	n := 1 << len(at)
	weights := make([]int, n)
	flips := make([]board.Position, n)
	keys := make([]uint64, n) // sort by weight, then by program, then by number
	heaviest := 0
	for lo := range keys {
		flips[lo] = s.outside(gf2.Deposit(at, uint64(lo))) ^ s.outside(0)
		weights[lo] = weigher.Weight(zero ^ flips[lo])
		heaviest = max(heaviest, weights[lo])
		keys[lo] = uint64(weights[lo])<<40 | gf2.Extract(s.inside, flips[lo])<<maxLoBits | uint64(lo)
	}
	slices.Sort(keys)
	all := make([]filling, n)
	for i, key := range keys {
		lo := key & (1<<maxLoBits - 1)
		all[i] = filling{flips[lo], uint32(lo), uint16(gf2.Extract(s.inside, flips[lo]))}
	}
	k := slabKind{fillings: all, begins: make([]uint32, heaviest+2), ranks: make([]uint32, n)}
	for i, f := range all {
		w := weights[f.lo]
		k.begins[w+1] = uint32(i + 1)
	}
	for w := range heaviest + 1 {
		k.begins[w+1] = max(k.begins[w+1], k.begins[w])
	}
	for i, f := range all {
		k.ranks[f.lo] = uint32(i) - k.begins[weights[f.lo]]
	}
	return k
}

// fillings returns those of a slab in blocks of a weight.
func (s *slabs) fillings(slab, weight int) []filling {
	k := &s.kinds[s.made[slab].kind]
	w := weight - s.made[slab].weight
	if w < 0 || w >= len(k.begins)-1 {
		return nil
	}
	return k.fillings[k.begins[w]:k.begins[w+1]]
}

// findPlaces fills in begins and placeBegin, for blocks up to the heaviest weight. It reports
// false if these would be too large.
func (s *slabs) findPlaces(heaviest int) bool {
	n := len(s.made)
	if (heaviest+1)*n > maxPlaces {
		return false
	}
	s.placeBegin = make([]uint64, (heaviest+1)*n)
	at := uint64(0)
	for stage := range heaviest + 1 {
		s.begins = append(s.begins, at)
		for i := range n {
			s.placeBegin[stage*n+i] = at
			at += uint64(len(s.fillings(i, heaviest-stage)))
		}
	}
	s.begins = append(s.begins, at)
	return true
}

// total returns the number of blocks that are made.
func (s *slabs) total() uint64 { return s.begins[len(s.begins)-1] }

// stages returns the number of stages.
func (s *slabs) stages() int { return len(s.begins) - 1 }

// window returns how many blocks are needed at a time.
func (s *slabs) window() (most uint64) {
	for stage := range s.stages() {
		most = max(most, s.begins[stage+1]-min(s.needs[stage], s.begins[stage]))
	}
	return most
}

// longest returns the most blocks that a slab has in a stage.
func (s *slabs) longest() (most uint64) {
	for _, k := range s.kinds {
		for w := range len(k.begins) - 1 {
			most = max(most, uint64(k.begins[w+1]-k.begins[w]))
		}
	}
	return most
}

// slabAt returns the slab, and the place of its first block in the stage, of the block at a
// place.
func (s *slabs) slabAt(stage int, place uint64) (slab int, begin uint64) {
	row := s.placeBegin[stage*len(s.made):][:len(s.made)]
	slab = sort.Search(len(row), func(i int) bool { return row[i] > place }) - 1
	return slab, row[slab]
}

// stageAt returns the stage of the block at a place.
func (s *slabs) stageAt(place uint64) int {
	return sort.Search(s.stages(), func(i int) bool { return s.begins[i+1] > place })
}

// blockAt returns the number of the block at a place.
func (s *slabs) blockAt(place uint64) uint64 {
	stage := s.stageAt(place)
	slab, begin := s.slabAt(stage, place)
	lo := s.fillings(slab, s.stages()-1-stage)[place-begin].lo
	return s.made[slab].block | s.lo.back(uint64(lo))
}

// place returns where a block is: the place of the block that is made instead, and 1 + the fold
// that takes the block there, or 0. It reports false if the block is heavier than the start.
func (s *slabs) place(block uint64) (place uint64, via int, ok bool) {
	to := s.hiOf[s.hi.of(block)]
	if via = int(to.via); via > 0 {
		block = s.symmetries[via-1].Map(block<<s.bits) >> s.bits
	}
	stage := s.stages() - 1 - layout.NewWeigher(s.layout.BlockWeights).Weight(s.outside(block))
	if stage < 0 {
		return 0, 0, false
	}
	rank := s.kinds[s.made[to.slab].kind].ranks[s.lo.of(block)]
	return s.placeBegin[stage*len(s.made)+int(to.slab)] + uint64(rank), via, true
}

// sum returns a checksum of the order of the blocks.
func (s *slabs) sum() uint32 {
	sum := crc32.NewIEEE()
	fmt.Fprintln(sum, s.class.Free(), s.hiCells)
	for _, of := range s.made {
		fmt.Fprintln(sum, of.block)
	}
	for _, k := range s.kinds {
		fmt.Fprintln(sum, k.begins)
		for _, f := range k.fillings {
			fmt.Fprintln(sum, f.lo)
		}
	}
	return sum.Sum32()
}

// memory returns the bytes of the tables.
func (s *slabs) memory() (bytes uint64) {
	for _, k := range s.kinds {
		bytes += uint64(16*len(k.fillings) + 4*len(k.begins) + 4*len(k.ranks))
	}
	return bytes + uint64(8*len(s.hiOf)+88*len(s.made)+8*len(s.placeBegin))
}

// An extract takes some bits out of a number.
type extract struct {
	at    []int
	table gf2.Table
}

func newExtract(at []int) extract {
	e := extract{at: at}
	to := make(map[int]uint64)
	for i, bit := range at {
		to[bit] = 1 << i
	}
	e.table.Fill(64, func(bit int) uint64 { return to[bit] })
	return e
}

// of returns the bits of a number, side by side.
func (e *extract) of(x uint64) uint64 { return e.table.Apply(x) }

// back returns the number with these bits and no others.
func (e *extract) back(bits uint64) uint64 { return gf2.Deposit(e.at, bits) }
