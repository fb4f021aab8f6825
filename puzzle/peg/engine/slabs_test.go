package engine

import (
	"fmt"
	"math/bits"
	"math/rand/v2"
	"slices"
	"testing"

	"pagoda/bitset"
	"pagoda/internal/long"
	"pagoda/puzzle/peg/board"
	"pagoda/puzzle/peg/layout"
	"pagoda/statespace"
)

// slabCase is a start in a layout with small blocks.
type slabCase struct {
	name  string
	board *board.Board
	start board.Position
	most  int // bits of a number in a block
}

const englishText = "  ooo\n  ooo\nooooooo\nooo.ooo\nooooooo\n  ooo\n  ooo\n"

// slabCases lists boards with many symmetries and with few, and with pivots that cannot be in
// blocks.
func slabCases(t *testing.T) (cases []slabCase) {
	add := func(name, text string, most int) {
		b, start, err := board.ParseBoard(text)
		if err != nil {
			t.Fatal(err)
		}
		cases = append(cases, slabCase{name, b, start, most})
	}
	most := 40
	if !long.Tests {
		most = 9
	} else {
		add("english", englishText, 18)
	}
	// These have eight symmetries, and blocks of two or four words.
	add("diamonds", "##ooo##\n#ooooo#\noo#o#oo\nooo.ooo\noo#o#oo\n#ooooo#\n##ooo##\n", 8)
	add("stars", "#o#o#o#\nooo#ooo\n#ooooo#\no#o.o#o\n#ooooo#\nooo#ooo\n#o#o#o#\n", 8)
	add("cross", "##ooo##\n##ooo##\noo#o#oo\nooo.ooo\noo#o#oo\n##ooo##\n##ooo##\n", 8)
	add("frames", "ooooooo\no#####o\no#ooo#o\no#o.o#o\no#ooo#o\no#####o\nooooooo\n", 8)
	rng := rand.New(rand.NewPCG(22, 45))
	for len(cases) < most {
		var cells [6][6]byte
		for i := range cells {
			for k := range cells[i] {
				cells[i][k] = "#oo.oo"[rng.IntN(6)]
			}
		}
		symmetric := rng.IntN(4)
		var text []byte
		for i := range cells {
			for k := range cells[i] {
				if symmetric >= 1 { // a reflection
					cells[i][k] = cells[i][min(k, 5-k)]
				}
				if symmetric >= 2 { // two of them
					cells[i][k] = cells[min(i, 5-i)][min(k, 5-k)]
				}
				if symmetric == 3 {
					cells[i][k] = cells[min(i, 5-i, k, 5-k)][max(min(i, 5-i), min(k, 5-k))]
				}
			}
			text = append(append(text, cells[i][:]...), '\n')
		}
		b, start, err := board.ParseBoard(string(text))
		if err == nil && len(b.Cells()) >= 12 && len(b.Cells()) < 28 {
			cases = append(cases, slabCase{fmt.Sprint("random ", len(cases)), b, start, 6 + rng.IntN(5)})
		}
	}
	return cases
}

// slabsOf returns the engine of a start by tables, and its slabs; nil if it has no such layout.
func slabsOf(t *testing.T, c slabCase) (*Engine, *slabs) {
	l := layout.NewWithin(c.board, c.board.Stabilizer(c.start), 6, c.most)
	if l == nil || !l.Folds(c.start) {
		return nil, nil
	}
	e, class := newEngine(t, c.board, c.start, l)
	return e, newSlabs(newBlocks(class, l.BlockBits, l.Block), l, c.start, e.symmetries())
}

// Every block that a sweep by tables goes through has a place in slabs, that of an image, and every
// place is of a block.
func TestSlabPlaces(t *testing.T) {
	tried, folded, orders := 0, 0, 0
	for _, c := range slabCases(t) {
		e, s := slabsOf(t, c)
		if s == nil {
			continue
		}
		tried++
		folded += min(1, len(s.symmetries))
		orders = max(orders, len(s.orders))
		folds := e.folding().folds
		tables := newSchedule(s.blocks, e.layout, []uint64{e.root}, true, folds)
		weigher := layout.NewWeigher(e.layout.BlockWeights)
		least := func(block uint64) (least uint64) {
			least = block
			for _, f := range folds {
				least = min(least, uint64(f.image(uint32(block))))
			}
			return least
		}
		seen := make(map[uint64]bool)
		stride := 1 + s.blocks.count()>>14
		for block := uint64(0); block < s.blocks.count(); block += stride {
			place, via, ok := s.place(block)
			if entry := tables.places[block]; ok != (entry != 0) {
				t.Fatalf("%s: block %d has a place: %t; in the tables it has entry %d", c.name, block, ok, entry)
			}
			if !ok {
				continue
			}
			made := block
			if via > 0 {
				made = uint64(folds[via-1].image(uint32(block)))
			}
			if got := s.blockAt(place); got != made {
				t.Fatalf("%s: block %d is at place %d by fold %d, which is of block %d", c.name, block, place, via, got)
			}
			if representative := tables.order[tables.places[block]>>tables.viaBits-1]; least(made) != uint64(representative) {
				t.Fatalf("%s: block %d is in an orbit of %d, the tables have %d", c.name, made, least(made), representative)
			}
			stage := s.stageAt(place)
			if w := s.stages() - 1 - stage; w != weigher.Weight(s.outside(block)) {
				t.Fatalf("%s: block %d is in the stage of weight %d", c.name, block, w)
			}
			seen[place] = true
		}
		if stride == 1 && uint64(len(seen)) != s.total() {
			t.Fatalf("%s: %d of %d places have blocks", c.name, len(seen), s.total())
		}
		if n := uint64(len(tables.order)); s.total() < n {
			t.Fatalf("%s: slabs make %d blocks, there are %d orbits", c.name, s.total(), n)
		}
		images := 0
		for i := range s.representatives {
			images += s.representatives[i].images
		}
		if images != 1<<len(s.slabBits) {
			t.Fatalf("%s: the slabs have %d images, there are 2^%d", c.name, images, len(s.slabBits))
		}
	}
	if long.Tests && tried < 20 || folded < 5 || orders < 2 {
		t.Errorf("%d boards have slabs, %d of them are folded, with up to %d orders: too few to mean something", tried, folded, orders)
	}
}

// A sweep of slabs makes the blocks of the whole set, and counts them, with any kernel, in memory
// for all blocks or for the window.
func TestSlabPass(t *testing.T) {
	positions := uint64(0)
	for _, c := range slabCases(t) {
		e, s := slabsOf(t, c)
		if s == nil {
			continue
		}
		whole := bitset.New(1 << e.class.Dim())
		whole.Add(e.root)
		if err := statespace.Do(t.Context(), e.Enumeration([]uint64{e.root}, whole.Words()), 2, nil); err != nil {
			t.Fatal(err)
		}
		want := sweptLayers(t, e)
		for i, k := range kernels() {
			slots := s.window()
			if i == 0 {
				slots = s.total()
			}
			p := newSlabPass(s, k, c.start, make([]uint64, slots*uint64(s.words)))
			if err := statespace.Do(t.Context(), p, 1+i, nil); err != nil {
				t.Fatal(err)
			}
			if got := p.Layers(); !slices.Equal(got, want) {
				t.Fatalf("%s by %s: the layers are\n%v, expected\n%v", c.name, k.name, got, want)
			}
			if slots < s.total() {
				continue
			}
			for place := range s.total() {
				if block := s.blockAt(place); !slices.Equal(p.Words(place), s.blocks.of(whole.Words(), block)) {
					t.Fatalf("%s by %s: block %d differs from that of the whole set", c.name, k.name, block)
				}
			}
		}
		for _, w := range whole.Words() {
			positions += uint64(bits.OnesCount64(w))
		}
	}
	if positions < 1e8 && long.Tests {
		t.Errorf("the boards have %d positions: too few to mean something", positions)
	}
}

// sweptLayers returns the layers of a stream by tables.
func sweptLayers(t *testing.T, e *Engine) []statespace.Layer {
	f := e.folding()
	s := newStream(f, &genericKernel, e.root, make([]uint64, len(f.order)*f.words))
	if err := statespace.Do(t.Context(), s, 2, nil); err != nil {
		t.Fatal(err)
	}
	return s.Layers()
}

// A run of slabs that is stopped continues from the window.
func TestSlabPassContinues(t *testing.T) {
	b, start, err := board.ParseBoard(englishText)
	if err != nil {
		t.Fatal(err)
	}
	c := slabCase{"english", b, start, 9}
	e, s := slabsOf(t, c)
	want := sweptLayers(t, e)
	var from statespace.Stream = newSlabPass(s, e.kernel, start, make([]uint64, s.window()*uint64(s.words)))
	const stopped = 60
	if _, err := statespace.DoFrom(t.Context(), from, 0, func(done int) error {
		if done == stopped {
			return errStopped
		}
		return nil
	}, 2, nil); err != errStopped {
		t.Fatal(err)
	}
	to := newSlabPass(s, e.kernel, start, make([]uint64, (s.window()+100)*uint64(s.words)))
	for i := from.Needs(stopped); i < from.Begin(stopped); i++ {
		copy(to.Words(i), from.Words(i))
	}
	if err := to.SetLayers(from.Layers()); err != nil {
		t.Fatal(err)
	}
	if _, err := statespace.DoFrom(t.Context(), to, stopped, nil, 2, nil); err != nil {
		t.Fatal(err)
	}
	if got := to.Layers(); !slices.Equal(got, want) {
		t.Fatalf("the layers are\n%v, expected\n%v", got, want)
	}
}

var errStopped = fmt.Errorf("stopped")
