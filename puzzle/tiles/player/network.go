package player

import (
	"bufio"
	"cmp"
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"hash/crc32"
	"io"
	"math"
	"math/bits"
	"math/rand/v2"
	"slices"
	"sync/atomic"

	"pagoda/internal/lists"
	"pagoda/internal/mapped"
	"pagoda/puzzle/tiles/glide"
	"pagoda/statespace"
)

// A Network is an n-tuple network: the value of an afterstate is the sum of weights, one for each tuple
// of cells and each symmetry of the board, by the tiles in these cells. Tuples have at most 6 cells.
type Network struct {
	grid    *glide.Grid
	name    string // of the game
	tuples  []tuple
	initial float32
	seed    uint64
	games   uint64
	moves   uint64
}

// A tuple is cells, as runs of neighbours in the board's number. Weights are float32; several
// goroutines that train share them.
type tuple struct {
	cells   uint16
	runs    []run
	weights []uint32
	rates   []uint64 // while it trains: the sums of errors, and of their sizes
}

// A run takes cells of a board to their place in an index.
type run struct {
	shift uint // down
	mask  uint64
}

func (t *tuple) index(b glide.Board) (x uint64) {
	for _, r := range t.runs {
		x |= uint64(b) >> r.shift & r.mask
	}
	return x
}

const tupleCells = 6

// NewNetwork returns a network for a game, to be trained. All afterstates have the value initial: a high one
// makes the training try what it does not know. Memory bounds the bytes that the training takes; 0 is no bound. The
// error is a statespace.ErrMemory if it needs more.
func NewNetwork(g Game, initial float64, memory uint64) (*Network, error) {
	if !(initial >= 0 && initial <= 1e9) {
		return nil, fmt.Errorf("expected an initial value from 0 to 1e9, found %v", initial)
	}
	n := newNetwork(g)
	if err := n.take(memory, weightBytes+rateBytes); err != nil {
		return nil, err
	}
	n.initial = float32(initial) / float32(len(n.tuples)*n.grid.Symmetries())
	for i := range n.tuples {
		w := n.tuples[i].weights
		for k := range w {
			w[k] = math.Float32bits(n.initial)
		}
	}
	return n, nil
}

// A weight takes 4 bytes, and its rate 8 while it is trained.
const weightBytes, rateBytes = 4, 8

// take makes the weights, if they take no more than memory, with each bytes for a weight.
func (n *Network) take(memory, each uint64) error {
	need := lists.SumOf(n.tuples, func(t tuple) uint64 { return each << t.bits() })
	if memory > 0 && need > memory {
		return &statespace.MemoryError{Name: "the network for " + n.name, Need: need, Allowed: memory}
	}
	for i := range n.tuples {
		n.tuples[i].weights = mapped.Large[uint32](1 << n.tuples[i].bits())
	}
	return nil
}

// newNetwork chooses the tuples, without weights: 6 cells from the beginning of the first and second rows on, and
// rectangles of 2x3 and 3x2, those alike by symmetry once. On 4x4 these are the four of K.-H. Yeh and
// others 2016.
func newNetwork(g Game) *Network {
	n := &Network{grid: g.Grid(), name: g.Name()}
	rows, columns, cells := n.grid.Rows(), n.grid.Columns(), n.grid.Cells()
	seen := make(map[uint16]bool)
	add := func(set uint16) {
		if seen[set] {
			return
		}
		for s := range n.grid.Symmetries() {
			var image uint16
			for c := range cells {
				image |= set >> c & 1 << n.grid.ImageCell(s, c)
			}
			seen[image] = true
		}
		n.tuples = append(n.tuples, newTuple(set))
	}
	span := uint16(1)<<min(tupleCells, cells) - 1
	for r := range min(2, rows) {
		if r*columns+min(tupleCells, cells) <= cells {
			add(span << (r * columns))
		}
	}
	for _, shape := range [][2]int{{2, 3}, {3, 2}} {
		for r := range rows - shape[0] + 1 {
			for c := range columns - shape[1] + 1 {
				var set uint16
				for i := range 6 {
					set |= 1 << ((r+i/shape[1])*columns + c + i%shape[1])
				}
				add(set)
			}
		}
	}
	return n
}

func newTuple(set uint16) (t tuple) {
	t.cells = set
	at := uint(0)
	for c := uint(0); c < glide.MostCells; {
		length := uint(bits.TrailingZeros16(^(set >> c)))
		if length == 0 {
			c++
			continue
		}
		t.runs = append(t.runs, run{4 * (c - at), (1<<(4*length) - 1) << (4 * at)})
		at, c = at+length, c+length
	}
	return t
}

// bits returns how many bits an index has.
func (t *tuple) bits() int { return 4 * bits.OnesCount16(t.cells) }

// value implements judge: what the network expects the score to gain after an afterstate.
func (n *Network) value(b glide.Board) float32 {
	var images [8]glide.Board
	k := n.grid.Images(b, &images)
	var sums [4]float32 // four, so that one addition need not wait for the one before
	for i := range n.tuples {
		t := &n.tuples[i]
		if len(t.runs) > 2 || k != 8 {
			for j, image := range images[:k] {
				sums[j&3] += t.weight(t.index(image))
			}
			continue
		}
		r, q := t.runs[0], run{}
		if len(t.runs) == 2 {
			q = t.runs[1]
		}
		for j := 0; j < 8; j += 4 {
			x0, x1, x2, x3 := uint64(images[j]), uint64(images[j+1]), uint64(images[j+2]), uint64(images[j+3])
			sums[0] += t.weight(x0>>(r.shift&63)&r.mask | x0>>(q.shift&63)&q.mask)
			sums[1] += t.weight(x1>>(r.shift&63)&r.mask | x1>>(q.shift&63)&q.mask)
			sums[2] += t.weight(x2>>(r.shift&63)&r.mask | x2>>(q.shift&63)&q.mask)
			sums[3] += t.weight(x3>>(r.shift&63)&r.mask | x3>>(q.shift&63)&q.mask)
		}
	}
	return sums[0] + sums[1] + sums[2] + sums[3]
}

func (t *tuple) weight(x uint64) float32 {
	return math.Float32frombits(atomic.LoadUint32(&t.weights[x]))
}

// gains implements judge.
func (n *Network) gains() bool { return true }

// learn changes the weights of a board by an error of its value, and returns by how much the value changes.
// Each weight has a rate of its own: by how much its errors agree (temporal coherence, D. Beal and M. Smith
// 1999; W. Jaskowski 2016).
func (n *Network) learn(b glide.Board, wrong float32) (change float32) {
	var images [8]glide.Board
	k := n.grid.Images(b, &images)
	part := wrong / float32(len(n.tuples)*k)
	for i := range n.tuples {
		t := &n.tuples[i]
		for _, image := range images[:k] {
			x := t.index(image)
			rate := atomic.LoadUint64(&t.rates[x])
			sum, size := math.Float32frombits(uint32(rate)), math.Float32frombits(uint32(rate>>32))
			step := part
			if size > 0 {
				step *= abs(sum) / size
			}
			w := math.Float32frombits(atomic.LoadUint32(&t.weights[x]))
			atomic.StoreUint32(&t.weights[x], math.Float32bits(w+step))
			sum, size = sum+part, size+abs(part)
			atomic.StoreUint64(&t.rates[x], uint64(math.Float32bits(sum))|uint64(math.Float32bits(size))<<32)
			change += step
		}
	}
	return change
}

func abs(x float32) float32 { return math.Float32frombits(math.Float32bits(x) &^ (1 << 31)) }

// Games returns how many games the network was trained with, Moves how many moves.
func (n *Network) Games() uint64 { return n.games }
func (n *Network) Moves() uint64 { return n.moves }

// Training says how a network is trained.
type Training struct {
	Games   int // 0: until ctx ends
	Seed    uint64
	Threads int
	Done    *atomic.Int64 // if not nil, counts the games
}

// Train plays games with the network, and lets it learn from each: TD(lambda) of afterstates. It ends
// after the games, or when ctx ends; games that have ended until then count. With one thread and a number of
// games the weights depend on the seed alone. With more threads, which share the weights, they do not.
func (n *Network) Train(ctx context.Context, g Game, o Training) error {
	if g.Name() != n.name {
		return fmt.Errorf("the network is for %s, and the game is %s", n.name, g.Name())
	}
	if o.Threads < 1 || o.Games < 0 {
		return fmt.Errorf("expected at least one thread, and 0 games or more, found %d and %d", o.Threads, o.Games)
	}
	for i := range n.tuples {
		n.tuples[i].rates = mapped.Large[uint64](len(n.tuples[i].weights))
	}
	defer func() {
		for i := range n.tuples {
			n.tuples[i].rates = nil
		}
	}()
	n.seed = o.Seed
	most := uint64(o.Games)
	if most == 0 {
		most = math.MaxUint64
	}
	var games, moves atomic.Uint64
	// There are no errors but the end of ctx. The games that have ended then count.
	mapped.Each(ctx, o.Threads, most, func(number uint64) error {
		slides, ended := n.trainGame(ctx, g, rand.New(rand.NewPCG(o.Seed, trainingStream|number)))
		if !ended {
			return context.Cause(ctx)
		}
		moves.Add(uint64(len(slides)))
		games.Add(1)
		if o.Done != nil {
			o.Done.Add(1)
		}
		return nil
	})
	n.games += games.Load()
	n.moves += moves.Load()
	return nil
}

// A slid is what a network learns from: an afterstate, and what the slide to it gained.
type slid struct {
	after glide.Board
	gain  float32
}

// trainingStream keeps the random numbers of training apart from those of games: see sources.
const trainingStream = 1 << 63

// lambda is how much of a target is the target of the next slide, and not its value. After 4,000 games
// on 4x4, networks score a mean of 34,200 with 0, 40,400 with 0.5 and 33,200 with 0.8.
const lambda = 0.5

// trainGame plays a game, and learns from its slides, the last one first. So what the end of the game
// teaches reaches all slides before it.
func (n *Network) trainGame(ctx context.Context, g Game, r *rand.Rand) (slides []slid, ended bool) {
	for s := g.Start(r); ; {
		if len(slides)&255 == 255 && ctx.Err() != nil {
			return nil, false
		}
		_, after, gain, ok := best(g, s, func(after State, gain int32) float32 { return n.value(after.Board) + float32(gain) })
		if !ok {
			break
		}
		slides = append(slides, slid{after.Board, float32(gain)})
		s = g.Draw(r, after)
	}
	target := float32(0) // what the score gains after the slide
	for i := len(slides) - 1; i >= 0; i-- {
		one := slides[i]
		v := n.value(one.after)
		v += n.learn(one.after, target-v)
		target = one.gain + (1-lambda)*v + lambda*target
	}
	return slides, true
}

// NewTrained returns a player that asks a network. Depth is the layers of chance of the search on top,
// from 0: none. Cutoff is as in SearchOptions.
func NewTrained(g Game, n *Network, o SearchOptions) (Player, error) {
	if err := o.check(); err != nil {
		return nil, err
	}
	if g.Name() != n.name {
		return nil, fmt.Errorf("the network is for %s, and the game is %s", n.name, g.Name())
	}
	p := newSearch(g, o, n, false)
	p.exact = true
	return p, nil
}

// A file of a network: networkMagic, version, length of the name of the game and the name, seed, games,
// moves, the initial weight, all fixed and little endian; then for each tuple its cells and its weights: how many
// have the initial weight, how many follow, these, and so on; then a CRC-32C of all that.
const (
	networkMagic   = "NTUPLE48"
	networkVersion = 1
)

var castagnoli = crc32.MakeTable(crc32.Castagnoli)

// ErrNetwork is what errors of damaged network files wrap.
var ErrNetwork = errors.New("the network file is damaged")

// Write writes a network as ReadNetwork reads it.
func (n *Network) Write(to io.Writer) error {
	sum := crc32.New(castagnoli)
	w := bufio.NewWriterSize(io.MultiWriter(to, sum), 1<<20)
	write := func(x any) { binary.Write(w, binary.LittleEndian, x) }
	for _, x := range []any{[]byte(networkMagic), uint32(networkVersion), uint32(len(n.name)), []byte(n.name), n.seed, n.games, n.moves, n.initial} {
		write(x)
	}
	initial := math.Float32bits(n.initial)
	for _, t := range n.tuples {
		write(t.cells)
		for i := 0; i < len(t.weights); {
			begin := i
			for i < len(t.weights) && t.weights[i] == initial {
				i++
			}
			first := i
			for i < len(t.weights) && t.weights[i] != initial {
				i++
			}
			write([]uint32{uint32(first - begin), uint32(i - first)})
			for part := range slices.Chunk(t.weights[first:i], chunk) {
				write(part)
			}
		}
	}
	if err := w.Flush(); err != nil { // the errors of all writes
		return err
	}
	_, err := to.Write(binary.LittleEndian.AppendUint32(nil, sum.Sum32()))
	return err
}

// mostWeight bounds weights, so that no sum of them overflows.
const mostWeight = 1e30

// ReadNetwork reads a network for a game. Memory bounds the bytes that it takes, as a small file may need many; 0
// is no bound. The error wraps ErrNetwork if the file is damaged, and is a statespace.ErrMemory if it needs more.
func ReadNetwork(from io.Reader, g Game, memory uint64) (*Network, error) {
	r, sum := bufio.NewReaderSize(from, 1<<20), crc32.New(castagnoli)
	summed := io.TeeReader(r, sum)
	var err error // the first
	read := func(to any) {
		if err == nil {
			err = binary.Read(summed, binary.LittleEndian, to)
		}
		if err == io.EOF || err == io.ErrUnexpectedEOF {
			err = fmt.Errorf("%w: it ends too early", ErrNetwork)
		}
	}
	magic := make([]byte, len(networkMagic))
	if read(magic); err != nil || string(magic) != networkMagic {
		return nil, fmt.Errorf("%w: it does not begin with %q: it is no network that train has written", ErrNetwork, networkMagic)
	}
	var version, length uint32
	if read(&version); err == nil && version != networkVersion {
		return nil, fmt.Errorf("the network file has version %d, expected %d: train a network with this program", version, networkVersion)
	}
	if read(&length); err == nil && length > 256 {
		return nil, fmt.Errorf("%w: the name of its game has %d bytes, expected at most 256", ErrNetwork, length)
	}
	name := make([]byte, min(length, 256))
	if read(name); err != nil {
		return nil, err
	}
	if string(name) != g.Name() {
		return nil, fmt.Errorf("the network is for %.60q, and the game is %q: train one for it, or choose the board of the network", name, g.Name())
	}
	n := newNetwork(g)
	for _, x := range []any{&n.seed, &n.games, &n.moves, &n.initial} {
		read(x)
	}
	if err := cmp.Or(err, checkWeight(n.initial)); err != nil {
		return nil, err
	}
	if err := n.take(memory, weightBytes); err != nil {
		return nil, err
	}
	for i := range n.tuples {
		t := &n.tuples[i]
		var cells uint16
		if read(&cells); err == nil && cells != t.cells {
			return nil, fmt.Errorf("%w: tuple %d has other cells than expected", ErrNetwork, i+1)
		}
		for left := t.weights; len(left) > 0; {
			counts := make([]uint32, 2)
			if read(counts); err != nil {
				return nil, err
			}
			same, other := int(counts[0]), int(counts[1])
			if same+other == 0 || same+other > len(left) {
				return nil, fmt.Errorf("%w: tuple %d has more weights than its %d", ErrNetwork, i+1, len(t.weights))
			}
			for i := range left[:same] {
				left[i] = math.Float32bits(n.initial)
			}
			for part := range slices.Chunk(left[same:][:other], chunk) {
				read(part)
				for i := 0; i < len(part) && err == nil; i++ {
					err = checkWeight(math.Float32frombits(part[i]))
				}
			}
			left = left[same+other:]
		}
	}
	want, found := sum.Sum32(), uint32(0)
	if read(&found); err != nil {
		return nil, err
	}
	if found != want {
		return nil, fmt.Errorf("%w: its checksum is %08x, expected %08x: train it again, or take a good copy", ErrNetwork, found, want)
	}
	if n, _ := r.Read(make([]byte, 1)); n > 0 {
		return nil, fmt.Errorf("%w: there are bytes after its end", ErrNetwork)
	}
	return n, nil
}

// chunk is how many weights are read and written at a time.
const chunk = 1 << 12

// checkWeight refuses a weight that is not finite, or too large.
func checkWeight(w float32) error {
	if !(abs(w) <= mostWeight) {
		return fmt.Errorf("%w: it has the weight %v, expected a number of at most %.0e", ErrNetwork, w, mostWeight)
	}
	return nil
}
