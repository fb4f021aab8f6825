package census

import (
	"context"
	"fmt"
	"math/bits"

	"pagoda/internal/mapped"
	"pagoda/internal/ordinals"
	"pagoda/statespace"
	"pagoda/studies/rushhour"
)

// wordBits is how many bits the number of a word takes.
const wordBits = 5

// A part is all boards whose rows hold vehicles of the same lengths in the same order, with anything in the
// columns. No move leads from one part to another.
//
// A filling says which words the rows have. A block is a filling with a word for each column but the first.
// Its lanes are the words of the first column: a bit for each.
type part struct {
	*tables
	vehicles int             // in rows
	choices  [MaxSide][2]int // the words of each row
	fillings []filling
	blocks   uint64
}

// A filling is a word for each row.
type filling struct {
	first  uint32         // the number of its first block
	taken  [MaxSide]uint8 // by column: the rows that are taken, also by walls
	digits [MaxSide]uint8 // by row: its word, among those of the part
	void   bool           // a vehicle is on a wall, so there are no blocks
}

// newPart returns a part: which of the contents each row has.
func newPart(t *tables, contents []int) *part {
	p := &part{tables: t}
	for row, c := range contents {
		p.choices[row] = t.contents[c]
		if row == t.Exit {
			p.choices[row] = t.car
		}
		p.vehicles += t.across[p.choices[row][0]].vehicles
	}
	return p
}

// fill makes the fillings and numbers the blocks.
func (p *part) fill(buffer []filling) {
	p.fillings, p.blocks = buffer[:0], 0
	f := filling{taken: p.wallsDown}
	var next func(row int)
	next = func(row int) {
		if row == p.Rows {
			f.first = uint32(p.blocks) // if there are too many, blocks get numbers when they come up
			n := uint64(1)
			for col := 1; col < p.Cols; col++ {
				n *= uint64(p.tables.count[f.taken[col]])
			}
			if !f.void {
				p.blocks += n
			}
			p.fillings = append(p.fillings, f)
			return
		}
		before := f
		for w := p.choices[row][0]; w < p.choices[row][1]; w++ {
			f.digits[row] = uint8(w - p.choices[row][0])
			f.void = before.void || p.across[w].cells&p.wallsAcross[row] != 0
			for col := range p.Cols {
				f.taken[col] |= p.across[w].cells >> col & 1 << row
			}
			next(row + 1)
			f.taken = before.taken
		}
	}
	next(0)
}

// stride returns how many fillings lie between two that differ by one in the word of a row.
func (p *part) stride(row int) int {
	n := 1
	for row++; row < p.Rows; row++ {
		n *= p.choices[row][1] - p.choices[row][0]
	}
	return n
}

// A push is a slide of a vehicle in a row.
type push struct {
	by    int    // fillings
	swept uint64 // cells that must be free, but in the first column: bit 8*row+column
	lanes uint32 // the words of the first column that leave the cells there free
}

// pushes returns the slides by row and word.
func (p *part) pushes() (all [MaxSide][lanes][]push) {
	for row := range p.Rows {
		stride := p.stride(row)
		first, end := p.choices[row][0], p.choices[row][1]
		for w := first; w < end; w++ {
			for _, s := range p.acrossSlides[w] {
				if s.swept&p.wallsAcross[row] != 0 {
					continue
				}
				to := push{by: (s.to - w) * stride, lanes: 1<<len(p.down) - 1}
				for col := 1; col < p.Cols; col++ {
					to.swept |= uint64(s.swept>>col&1) << (8*row + col)
				}
				if s.swept&1 == 1 {
					to.lanes &^= p.has[row]
				}
				all[row][w-first] = append(all[row][w-first], to)
			}
		}
	}
	return all
}

// A code is a block: five bits for the word of each column but the first, then the number of the filling.
type code uint64

func (c code) hash() uint64 { return ordinals.Hash(uint64(c)) }

const fillingShift = wordBits * (MaxSide - 1)

func (c code) word(col int) int { return int(c >> (wordBits * (col - 1)) & (lanes - 1)) }

func (c code) with(col, word int) code {
	at := wordBits * (col - 1)
	return c&^((lanes-1)<<at) | code(word)<<at
}

// A queue is the blocks with positions of a level.
type queue struct {
	codes  []code
	blocks []uint32
}

// A searcher searches parts, one after the other.
type searcher struct {
	*tables
	options  *Options
	part     *part
	fillings []filling
	pushes   [MaxSide][lanes][]push
	come     *ordinals.Table[code] // the blocks that have come up, if the part has more than mostNumbered; or nil
	all      []uint32              // by block: the lanes that have come up
	levels   [][2]uint32           // by block: those of the present level and of the next one, the even level first
	level    int
	now      queue
	next     queue
	tally    Tally
	// floor and minimalFloor are the moves that boards need to be wanted, by number of vehicles: the
	// records of other parts.
	floor, minimalFloor []int
	single              rushhour.Searcher // of single boards
	likely              int               // the vehicle that was needless the last time
}

func newSearcher(t *tables, o *Options) *searcher {
	n := o.MostVehicles() + 1
	return &searcher{tables: t, options: o, floor: make([]int, n), minimalFloor: make([]int, n), single: rushhour.Searcher{Steps: o.Steps}}
}

// begin empties the tally, and takes over how many moves the records have.
func (s *searcher) begin(all *Tally) {
	s.tally = newTally(s.options.MostVehicles())
	for k := range s.floor {
		s.floor[k], s.minimalFloor[k] = all.Hardest[k].Moves, all.Minimal[k].Moves
	}
}

// mostNumbered is how many blocks of a part are numbered at most. In larger parts, which have few boards if there are bounds
// for vehicles, only those that come up get a number. Tests change it.
var mostNumbered uint64 = 1 << 25

// block returns the number of a block of a filling.
func (s *searcher) block(f *filling, c code) uint32 {
	if s.come != nil {
		n, fresh := s.come.Number(c, c.hash())
		if fresh {
			s.all, s.levels = append(s.all, 0), append(s.levels, [2]uint32{})
		}
		return n
	}
	n := uint32(0)
	for col := 1; col < s.Cols; col++ {
		taken := f.taken[col]
		n = n*s.tables.count[taken] + s.rank[taken][c.word(col)]
	}
	return f.first + n
}

// lanes returns the positions of a block at the level.
func (s *searcher) lanes(block uint32) *uint32 { return &s.levels[block][s.level&1] }

// reach takes positions into the next level, unless they have come up.
func (s *searcher) reach(c code, block, lanes uint32) {
	all := &s.all[block]
	fresh := lanes &^ *all
	if fresh == 0 {
		return
	}
	*all |= fresh
	next := &s.levels[block][(s.level+1)&1]
	if *next == 0 {
		s.next.codes = append(s.next.codes, c)
		s.next.blocks = append(s.next.blocks, block)
	}
	*next |= fresh
}

// blockBytes is the memory for a block, if all are in both queues, without its number if it has come
// up: that takes less than as much again.
const blockBytes = 3*4 + 2*(8+4)

// check returns an error if some blocks take more memory than a searcher has.
func (s *searcher) check(blocks uint64) error {
	threads := uint64(max(1, s.options.Threads))
	if need := blocks * blockBytes; s.options.Memory > 0 && need > s.options.Memory/threads {
		return &statespace.MemoryError{Name: "a part of " + s.Size.String(), Need: need * threads, Allowed: s.options.Memory}
	}
	return nil
}

// pause returns an error if the context has ended, or if the blocks that have come up take more memory than there is.
func (s *searcher) pause(ctx context.Context) error {
	if ctx.Err() != nil {
		return context.Cause(ctx)
	}
	if s.come == nil {
		return nil
	}
	return s.check(2 * uint64(len(s.come.Keys)))
}

// search finds all boards of a part that can be solved, level by level, and counts them.
func (s *searcher) search(ctx context.Context, p *part) error {
	if p.vehicles > s.options.Most {
		return nil
	}
	s.part, s.come = p, nil
	p.fill(s.fillings)
	s.fillings = p.fillings
	if p.blocks > mostNumbered {
		p.blocks, s.come = 0, ordinals.New(code.hash)
	}
	if err := s.check(p.blocks); err != nil {
		return err
	}
	s.pushes = p.pushes()
	if min(cap(s.all), cap(s.levels)) < int(p.blocks) {
		s.all, s.levels = nil, nil // the memory may serve again
		s.all, s.levels = mapped.Large[uint32](int(p.blocks)), mapped.Large[[2]uint32](int(p.blocks))
	}
	s.all, s.levels = s.all[:p.blocks], s.levels[:p.blocks] // a search leaves no lane in levels
	clear(s.all)
	s.level = -1
	if err := s.solved(ctx); err != nil {
		return err
	}
	for s.level = 0; len(s.next.codes) > 0; s.level++ {
		s.now, s.next = s.next, s.now
		s.next.codes, s.next.blocks = s.next.codes[:0], s.next.blocks[:0]
		for i, c := range s.now.codes {
			if i&0xfff == 0 {
				if err := s.pause(ctx); err != nil {
					return err
				}
			}
			if err := s.count(c, s.now.blocks[i]); err != nil {
				return err
			}
			s.expand(c, s.now.blocks[i])
		}
		for _, b := range s.now.blocks {
			*s.lanes(b) = 0
		}
	}
	return nil
}

// solved takes all solved boards into the next level. Those with one vehicle less than asked for come along:
// they show which boards are not minimal.
func (s *searcher) solved(ctx context.Context) (err error) {
	s.next.codes, s.next.blocks = s.next.codes[:0], s.next.blocks[:0]
	last := uint8(s.Cols - 2)
	for i := range s.part.fillings {
		f := &s.part.fillings[i]
		if f.digits[s.Exit] != last || f.void {
			continue
		}
		var place func(col, vehicles int, c code)
		place = func(col, vehicles int, c code) {
			if col == s.Cols+1-MinSide && err == nil { // few blocks begin with the same words
				err = s.pause(ctx)
			}
			if err != nil || vehicles > s.options.Most || vehicles+(s.Cols+1-col)*mostInWord < s.options.Least-1 {
				return
			}
			if col == s.Cols {
				lanes := s.allowed[f.taken[0]]
				for n, with := range s.with {
					if vehicles+n < s.options.Least-1 || vehicles+n > s.options.Most {
						lanes &^= with
					}
				}
				if lanes != 0 {
					s.reach(c, s.block(f, c), lanes)
				}
				return
			}
			for words := s.allowed[f.taken[col]]; words != 0; words &= words - 1 {
				w := bits.TrailingZeros32(words)
				place(col+1, vehicles+s.down[w].vehicles, c.with(col, w))
			}
		}
		place(1, s.part.vehicles, code(i)<<fillingShift)
	}
	return err
}

// expand makes the moves of the positions of a block that may lead to the next level. From a solved board, that is the
// goal car alone. At level 1 nothing is in its way, so a vehicle must come into its row.
func (s *searcher) expand(c code, block uint32) {
	from := *s.lanes(block)
	number := int(c >> fillingShift)
	f := &s.part.fillings[number]
	rows, words := [2]int{s.Exit, s.Exit + 1}, uint32(0) // the rows that move, and the words to which columns do
	switch {
	case s.level > 1:
		rows, words = [2]int{0, s.Rows}, 1<<len(s.down)-1
	case s.level == 1:
		words = s.has[s.Exit]
	}
	// Vehicles in the first column stay within the block.
	first := &s.moves[f.taken[0]]
	to := uint32(0)
	for l := from; l != 0; l &= l - 1 {
		to |= first[bits.TrailingZeros32(l)]
	}
	s.reach(c, block, to&words)
	// Those in other columns take all lanes along.
	taken, stride := uint64(0), uint32(1)
	for col := s.Cols - 1; col > 0; col-- {
		w, in := c.word(col), f.taken[col]
		rank := &s.rank[in]
		base := block - rank[w]*stride
		for m := s.moves[in][w] & words; m != 0; m &= m - 1 {
			v := bits.TrailingZeros32(m)
			to, n := c.with(col, v), base+rank[v]*stride
			if s.come != nil {
				n = s.block(f, to)
			}
			s.reach(to, n, from)
		}
		stride *= s.tables.count[in]
		taken |= s.grid[col][w]
	}
	// Those in rows take along the lanes that leave room for them.
	for row := rows[0]; row < rows[1]; row++ {
		for _, m := range s.pushes[row][f.digits[row]] {
			if m.swept&taken != 0 {
				continue
			}
			if lanes := from & m.lanes; lanes != 0 {
				g := number + m.by
				d := c&(1<<fillingShift-1) | code(g)<<fillingShift
				s.reach(d, s.block(&s.part.fillings[g], d), lanes)
			}
		}
	}
}

// count counts the positions of a block at a level, and takes records.
func (s *searcher) count(c code, block uint32) error {
	level, from, vehicles := s.level, *s.lanes(block), s.part.vehicles
	for col := 1; col < s.Cols; col++ {
		vehicles += s.down[c.word(col)].vehicles
	}
	for n, with := range s.with {
		boards, k := from&with, vehicles+n
		if boards == 0 || k < s.options.Least {
			continue
		}
		s.tally.add(k, level, uint64(bits.OnesCount32(boards)))
		if level >= max(s.floor[k], s.tally.Hardest[k].Moves) {
			for l := boards; l != 0; l &= l - 1 {
				s.tally.Hardest[k].take(level, s.key(c, bits.TrailingZeros32(l)))
			}
		}
		if level >= max(s.minimalFloor[k], s.tally.Minimal[k].Moves) {
			for l := s.minimal(c, block, boards); l != 0; l &= l - 1 {
				if err := s.takeMinimal(k, level, s.key(c, bits.TrailingZeros32(l))); err != nil {
					return err
				}
			}
		}
	}
	return nil
}

// minimal returns the boards among some of a block that become easier without any one vehicle of a column.
// A board that does not become easier is at the same level without the vehicle.
func (s *searcher) minimal(c code, block, boards uint32) uint32 {
	f := &s.part.fillings[c>>fillingShift]
	for l := boards; l != 0; l &= l - 1 {
		if lane := bits.TrailingZeros32(l); s.less[lane]&*s.lanes(block) != 0 {
			boards &^= 1 << lane
		}
	}
	for col, stride := s.Cols-1, uint32(1); col > 0 && boards != 0; col-- {
		w, in := c.word(col), f.taken[col]
		rank := &s.rank[in]
		for m := s.less[w]; m != 0; m &= m - 1 {
			v := bits.TrailingZeros32(m)
			n := block - rank[w]*stride + rank[v]*stride
			if s.come != nil {
				n = s.block(f, c.with(col, v))
			}
			boards &^= *s.lanes(n)
		}
		stride *= s.tables.count[in]
	}
	return boards
}

// takeMinimal takes a board into the record of minimal boards, unless it does not become easier without a
// vehicle of a row. In columns, every vehicle is known to matter.
func (s *searcher) takeMinimal(vehicles, level int, key Key) error {
	if !s.tally.Minimal[vehicles].wants(level, key) {
		return nil
	}
	b, err := s.Board(key)
	if err != nil {
		return err
	}
	for i := range b.Vehicles {
		at := (s.likely + i) % len(b.Vehicles)
		if at == 0 || b.Vehicles[at].Vertical {
			continue
		}
		n, ok, err := s.single.Solve(b.Without(at))
		if err != nil {
			return err
		}
		if !ok {
			return fmt.Errorf("%v takes %d moves, but cannot be solved without vehicle %d", b, level, at)
		}
		if n >= level {
			s.likely = at
			return nil
		}
	}
	s.tally.Minimal[vehicles].take(level, key)
	return nil
}
