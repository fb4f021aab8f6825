package engine

import (
	"cmp"
	"fmt"
	"hash/crc32"
	"math"
	"math/bits"
	"slices"
	"sort"

	"pagoda/internal/gf2"
	"pagoda/internal/lists"
	"pagoda/puzzle/peg/board"
	"pagoda/puzzle/peg/layout"
)

// slabs divide the blocks of a class in two steps, so that the place of each is computed, and
// no table has an entry for each block.
//
// The slab cells are a set of cells outside blocks, without pivots, that the symmetries take to itself. A
// slab is the blocks with the same filling of these cells. So symmetries take slabs to slabs, and one slab
// of each orbit is made, whole: the first, the representative. The other free cells outside blocks are the
// rest.
//
// Blocks are made by falling weight; those of one weight by slab, and then by filling of the rest. The
// weight of a block is that of its filling of the slab cells plus one that depends on its filling of the
// rest, and on the pivots outside blocks. The filling of the slab cells flips some of these pivots. So the
// fillings of the rest are sorted once for each set of pivots that it can flip.
type slabs struct {
	*blocks
	layout     *layout.Layout
	symmetries []*board.Symmetry // all but the identity

	ofSlab, ofRest  extractor // from the number of a block: the filling of the slab cells, and of the rest
	slabCells       uint64
	slabBits        []uint64   // by bit of a filling of the slab cells: the bit of the number of a block
	madeFor         []madeSlab // by filling of the slab cells
	representatives []slab
	orders          []restOrder // by the pivots outside blocks that the slab cells make pegs
	begins          []uint64    // by stage: the blocks before it, and all blocks
	needs           []uint64    // by stage: the first block that it, or a later one, reads
	slabBegins      []uint64    // by stage * len(slabs) + slab: the blocks before those of the slab in the stage
}

// A madeSlab says where the blocks with a filling of the slab cells are.
type madeSlab struct {
	slab uint32 // that is made
	via  uint8  // 1 + the fold that takes these blocks there; 0 for none
}

// A slab is one that is made.
type slab struct {
	block      uint64         // its block with the filling 0 of the rest
	first      board.Position // of that block
	program    int
	order      int   // of the fillings of its rest
	weight     int   // of the slab cells
	images     int   // how many slabs are images of this one, with itself
	stabilizer []int // the folds that leave the slab as it is
}

// A restOrder sorts the fillings of the rest, in slabs whose cells flip the same pivots.
type restOrder struct {
	fillings []filling // by weight, then by program
	begins   []uint32  // by weight: the first of fillings, and their number
	ranks    []uint32  // by filling of the rest: its place in fillings, behind the first of its weight
}

// A filling is one of the rest.
type filling struct {
	flips   board.Position // the cells that it flips, outside blocks and inside
	rest    uint32
	program uint16 // what it flips in the program
}

const (
	// There are tables with an entry for each filling of the slab cells, and for each of the rest, and its orders.
	maxSlabCells, maxRestCells = 20, 20
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
	for _, cells := range slabSets(b, l, folds) {
		if s := newSlabsOf(b, l, start, folds, cells); s != nil {
			return s
		}
	}
	return nil
}

// slabSets lists the sets of cells that can be slab cells, best first.
//
// A jump that changes none of them stays in its slab. Then no fold is needed, and the source is
// near. So the best sets are in few jumps.
func slabSets(b *blocks, l *layout.Layout, folds []*board.Symmetry) []uint64 {
	const most = 12 // orbits, whose unions are all tried
	free := gf2.Deposit(b.class.Free(), ^uint64(0)) &^ b.cells
	n := bits.OnesCount64(free)
	outer := len(b.outer())
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
	type choice struct {
		cells uint64
		cost  float64
	}
	var all []choice
	for _, cells := range gf2.Unions(orbits, most) {
		size := bits.OnesCount64(cells)
		if size > maxSlabCells || n-size+outer > maxRestCells {
			continue
		}
		var crossing, fixed float64
		for _, j := range l.Leaving() {
			if j.Mask()&cells != 0 {
				crossing += math.Ldexp(1, -bits.OnesCount64(j.Mask()&^b.cells))
			}
		}
		// Slabs that a fold leaves as they are have blocks that are images of each other.
		for _, f := range folds {
			cycles := 0
			for left := cells; left != 0; cycles++ {
				for cell := bits.TrailingZeros64(left); left>>cell&1 == 1; cell = f.Cells[cell] {
					left &^= 1 << cell
				}
			}
			fixed += math.Ldexp(1, cycles-size)
		}
		all = append(all, choice{cells, crossing + 16*fixed})
	}
	slices.SortStableFunc(all, func(x, y choice) int { return cmp.Compare(x.cost, y.cost) })
	return lists.Map(all, func(c choice) uint64 { return c.cells })
}

// outer returns the pivots outside blocks.
func (b *blocks) outer() []int {
	return slices.DeleteFunc(slices.Clone(b.class.Pivots()), func(p int) bool { return b.cells>>p&1 == 1 })
}

// newSlabsOf returns the slabs of a set of cells, or nil if their tables are too large.
func newSlabsOf(b *blocks, l *layout.Layout, start board.Position, folds []*board.Symmetry, cells uint64) *slabs {
	s := &slabs{blocks: b, layout: l, symmetries: folds, slabCells: cells}
	var atSlab, restAt []int
	for bit, cell := range b.class.Free()[b.bits:] {
		if cells>>cell&1 == 1 {
			atSlab = append(atSlab, bit)
			s.slabBits = append(s.slabBits, 1<<bit)
		} else {
			restAt = append(restAt, bit)
		}
	}
	s.ofSlab, s.ofRest = newExtractor(atSlab), newExtractor(restAt)
	outer := b.outer()
	s.findSlabs(outer)
	for pivots := range 1 << len(outer) {
		s.orders = append(s.orders, s.newOrder(restAt, outer, uint64(pivots)))
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

// findSlabs fills in madeFor and representatives.
func (s *slabs) findSlabs(outer []int) {
	weigher := layout.NewWeigher(s.layout.BlockWeights)
	s.madeFor = make([]madeSlab, 1<<len(s.slabBits))
	for i := range s.madeFor {
		s.madeFor[i].slab = math.MaxUint32
	}
	inverse := inverses(s.symmetries)
	for filling := range s.madeFor {
		if s.madeFor[filling].slab != math.MaxUint32 {
			continue
		}
		n := uint32(len(s.representatives))
		var block uint64
		for i := range gf2.Elements(uint64(filling)) {
			block |= s.slabBits[i]
		}
		position := s.outside(block)
		of := slab{block: block, first: position, program: s.programOf(block), order: int(gf2.Extract(outer, position)), weight: weigher.Weight(position & s.slabCells)}
		s.madeFor[filling] = madeSlab{slab: n}
		for i, f := range s.symmetries {
			if image := s.ofSlab.of(f.Map(block<<s.bits) >> s.bits); int(image) == filling {
				of.stabilizer = append(of.stabilizer, i)
			} else {
				s.madeFor[image] = madeSlab{n, uint8(inverse[i])}
			}
		}
		of.images = (1 + len(s.symmetries)) / (1 + len(of.stabilizer))
		s.representatives = append(s.representatives, of)
	}
}

// newOrder sorts the fillings of the rest of slabs whose cells make the given pivots pegs.
func (s *slabs) newOrder(at, outer []int, pivots uint64) restOrder {
	weigher := layout.NewWeigher(s.layout.BlockWeights)
	zero := s.outside(0) &^ s.slabCells
	zero ^= gf2.Deposit(outer, pivots^gf2.Extract(outer, zero))
	n := 1 << len(at)
	weights := make([]int, n)
	flips := make([]board.Position, n)
	keys := make([]uint64, n) // sort by weight, then by program, then by number
	heaviest := 0
	for rest := range keys {
		flips[rest] = s.outside(gf2.Deposit(at, uint64(rest))) ^ s.outside(0)
		weights[rest] = weigher.Weight(zero ^ flips[rest])
		heaviest = max(heaviest, weights[rest])
		keys[rest] = uint64(weights[rest])<<40 | gf2.Extract(s.inside, flips[rest])<<maxRestCells | uint64(rest)
	}
	slices.Sort(keys)
	all := make([]filling, n)
	for i, key := range keys {
		rest := key & (1<<maxRestCells - 1)
		all[i] = filling{flips[rest], uint32(rest), uint16(gf2.Extract(s.inside, flips[rest]))}
	}
	k := restOrder{fillings: all, begins: make([]uint32, heaviest+2), ranks: make([]uint32, n)}
	for i, f := range all {
		w := weights[f.rest]
		k.begins[w+1] = uint32(i + 1)
	}
	for w := range heaviest + 1 {
		k.begins[w+1] = max(k.begins[w+1], k.begins[w])
	}
	for i, f := range all {
		k.ranks[f.rest] = uint32(i) - k.begins[weights[f.rest]]
	}
	return k
}

// fillings returns those of a slab in blocks of a weight.
func (s *slabs) fillings(slab, weight int) []filling {
	k := &s.orders[s.representatives[slab].order]
	w := weight - s.representatives[slab].weight
	if w < 0 || w >= len(k.begins)-1 {
		return nil
	}
	return k.fillings[k.begins[w]:k.begins[w+1]]
}

// findPlaces fills in begins and slabBegins, for blocks up to the heaviest weight. It reports
// false if these would be too large.
func (s *slabs) findPlaces(heaviest int) bool {
	n := len(s.representatives)
	if (heaviest+1)*n > maxPlaces {
		return false
	}
	s.slabBegins = make([]uint64, (heaviest+1)*n)
	at := uint64(0)
	for stage := range heaviest + 1 {
		s.begins = append(s.begins, at)
		for i := range n {
			s.slabBegins[stage*n+i] = at
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
	for _, k := range s.orders {
		for w := range len(k.begins) - 1 {
			most = max(most, uint64(k.begins[w+1]-k.begins[w]))
		}
	}
	return most
}

// slabAt returns the slab, and the place of its first block in the stage, of the block at a
// place.
func (s *slabs) slabAt(stage int, place uint64) (slab int, begin uint64) {
	row := s.slabBegins[stage*len(s.representatives):][:len(s.representatives)]
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
	rest := s.fillings(slab, s.stages()-1-stage)[place-begin].rest
	return s.representatives[slab].block | s.ofRest.back(uint64(rest))
}

// place returns where a block is: the place of the block that is made instead, and 1 + the fold
// that takes the block there, or 0. It reports false if the block is heavier than the start.
func (s *slabs) place(block uint64) (place uint64, via int, ok bool) {
	to := s.madeFor[s.ofSlab.of(block)]
	if via = int(to.via); via > 0 {
		block = s.symmetries[via-1].Map(block<<s.bits) >> s.bits
	}
	stage := s.stages() - 1 - layout.NewWeigher(s.layout.BlockWeights).Weight(s.outside(block))
	if stage < 0 {
		return 0, 0, false
	}
	rank := s.orders[s.representatives[to.slab].order].ranks[s.ofRest.of(block)]
	return s.slabBegins[stage*len(s.representatives)+int(to.slab)] + uint64(rank), via, true
}

// sum returns a checksum of the order of the blocks.
func (s *slabs) sum() uint32 {
	sum := crc32.NewIEEE()
	fmt.Fprintln(sum, s.class.Free(), s.slabCells)
	for _, of := range s.representatives {
		fmt.Fprintln(sum, of.block)
	}
	for _, k := range s.orders {
		fmt.Fprintln(sum, k.begins)
		for _, f := range k.fillings {
			fmt.Fprintln(sum, f.rest)
		}
	}
	return sum.Sum32()
}

// memory returns the bytes of the tables.
func (s *slabs) memory() uint64 {
	orders := lists.SumOf(s.orders, func(k restOrder) int { return 16*len(k.fillings) + 4*len(k.begins) + 4*len(k.ranks) })
	return uint64(orders + 8*len(s.madeFor) + 88*len(s.representatives) + 8*len(s.slabBegins))
}

// An extractor takes some bits out of a number.
type extractor struct {
	at    []int
	table gf2.Table
}

func newExtractor(at []int) extractor {
	e := extractor{at: at}
	to := make(map[int]uint64)
	for i, bit := range at {
		to[bit] = 1 << i
	}
	e.table.Fill(64, func(bit int) uint64 { return to[bit] })
	return e
}

// of returns the bits of a number, side by side.
func (e *extractor) of(x uint64) uint64 { return e.table.Apply(x) }

// back returns the number with these bits and no others.
func (e *extractor) back(bits uint64) uint64 { return gf2.Deposit(e.at, bits) }
