package layers

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"hash/crc32"
	"math/big"
	"math/bits"
	"slices"

	"pagoda/bitset"
	"pagoda/statespace"
)

// Version is the version of the format that this package writes and reads.
const Version = 1

const (
	magic      = "PAGODA\x1a\n"
	pageSize   = 4096
	blockSize  = 64 << 10
	sectionAt  = 64 // offset of the section table in the header
	sectionLen = 32
	maxSection = (pageSize - 4 - sectionAt) / sectionLen
	maxMeta    = 16 << 20
)

var castagnoli = crc32.MakeTable(crc32.Castagnoli)

func checksum(b []byte) uint32 { return crc32.Checksum(b, castagnoli) }

// pad rounds up to a whole page.
func pad(n uint64) uint64 { return (n + pageSize - 1) &^ (pageSize - 1) }

// Errors that callers decide on. They come wrapped in a *FileError.
var (
	// ErrNotReach: the file is something else.
	ErrNotReach = errors.New("not a file of states")
	// ErrUnfinished: the file is still being written, or its writer was killed.
	ErrUnfinished = errors.New("unfinished")
	// ErrVersion: the file is of a version of the format, or has a store or a
	// family of puzzles, that is not known here.
	ErrVersion = errors.New("unknown here")
	// ErrNotCheckpoint: the file is a file of states, not the checkpoint of a run.
	ErrNotCheckpoint = errors.New("not a checkpoint")
	// ErrDamaged: the file is not as it was written.
	ErrDamaged = errors.New("damaged")
)

// A FileError tells what is wrong with a file: what was expected and found, and
// what can be done.
type FileError struct {
	Path   string
	Err    error // one of the errors above
	Detail string
	Advice string
}

func (e *FileError) Error() string {
	return fmt.Sprintf("%s is %v: %s; %s", e.Path, e.Err, e.Detail, e.Advice)
}

func (e *FileError) Unwrap() error { return e.Err }

const (
	adviceRun  = "make it again with reach run"
	adviceCopy = "take another copy, or make it again with reach run"

	adviceVersion = "use the program that wrote it, or " + adviceRun
)

// Meta is what a file says of its states.
type Meta struct {
	Space  statespace.Definition `json:"space"`
	Store  string                `json:"store"`  // how the states are kept
	Size   uint64                `json:"size"`   // numbers are below this
	States uint64                `json:"states"` // how many are members
	Layer  string                `json:"layer"`  // what the numbers of layers count
	Layers []LayerCount          `json:"layers"`
	// PointerBits and PatternBits are the sizes of an entry, and of the patterns that
	// have one, in the stores that have pointers.
	PointerBits int `json:"pointer_bits,omitempty"`
	PatternBits int `json:"pattern_bits,omitempty"`
	// Goal is of a statespace.Reversible in which a goal was reached.
	Goal *Goal `json:"goal,omitempty"`
	// Symmetries is how many states a PackedStore or FoldedStore holds one for, at most;
	// BitOrder is the order of the bits of numbers within the frames of the one, BlockBits
	// the size of the blocks of the other: see statespace.Folding.
	Symmetries int          `json:"symmetries,omitempty"`
	BitOrder   bitset.Order `json:"bit_order,omitempty"`
	BlockBits  int          `json:"block_bits,omitempty"`
	// Checkpoint is there when Store is CheckpointStore.
	Checkpoint *Checkpoint `json:"checkpoint,omitempty"`
}

// A Checkpoint tells how far a run had come, and what it was to do.
type Checkpoint struct {
	Engine    string `json:"engine"`
	Plan      uint32 `json:"plan"`            // of the engine's stages
	Done      int    `json:"done"`            // stages
	Store     string `json:"store,omitempty"` // of the output; empty: SetStore
	Output    string `json:"output,omitempty"`
	Overwrite bool   `json:"overwrite,omitempty"`
	// Stream is there when the run makes a stream of blocks.
	Stream *Streamed `json:"stream,omitempty"`
}

// Streamed tells how far a stream of blocks had come, and where they are.
type Streamed struct {
	BlockBits int    `json:"block_bits"` // a block is 2^BlockBits numbers
	Blocks    uint64 `json:"blocks"`     // that were made
	// Ring is how many of them the checkpoint holds, the last ones.
	Ring uint64 `json:"ring"`
	// InFile says that all of them are in the partial file of the output, of which the
	// checkpoint holds the checksums.
	InFile bool         `json:"in_file,omitempty"`
	Tally  []LayerCount `json:"tally"` // of all of them
}

// bytes returns how many bytes a number of blocks has.
func (s *Streamed) bytes(blocks uint64) uint64 { return blocks << s.BlockBits / 8 }

// check looks for contradictions, in a space of so many numbers.
func (s *Streamed) check(size uint64) error {
	if s.BlockBits < 6 || s.BlockBits > 56 || s.Blocks > size>>s.BlockBits || s.Ring > s.Blocks {
		return fmt.Errorf("it tells of %d blocks of 2^%d numbers, of which it has %d; there are %d numbers", s.Blocks, s.BlockBits, s.Ring, size)
	}
	return nil
}

// A Goal tells how near the nearest goals are.
type Goal struct {
	Distance  int      `json:"distance"`
	Solutions *big.Int `json:"solutions"` // shortest ways to them
	Count     uint64   `json:"count"`     // how many there are
	Nearest   []uint64 `json:"nearest"`   // their numbers, the first MaxNearest of them
}

// MaxNearest bounds the goals that a file lists.
const MaxNearest = 1 << 16

// A LayerCount is the number of members in a layer. In a FoldedStore, Orbits is their
// number up to symmetry.
type LayerCount struct {
	Layer  int    `json:"layer"`
	States uint64 `json:"states"`
	Orbits uint64 `json:"orbits,omitempty"`
}

// WithoutOrbits returns the layers as files of other stores than FoldedStore tell them.
func WithoutOrbits(layers []LayerCount) []LayerCount {
	layers = slices.Clone(layers)
	for i := range layers {
		layers[i].Orbits = 0
	}
	return layers
}

// check looks for contradictions in what the file says.
func (m *Meta) check() error {
	if c := m.Checkpoint; c != nil && c.Done < 0 {
		return fmt.Errorf("it counts %d stages done", c.Done)
	}
	if m.Checkpoint != nil && m.Checkpoint.Stream != nil {
		if err := m.Checkpoint.Stream.check(m.Size); err != nil {
			return err
		}
	}
	if g := m.Goal; g != nil && (g.Solutions == nil || g.Solutions.Sign() <= 0 || g.Distance < 0 || g.Distance >= len(m.Layers) ||
		len(g.Nearest) == 0 || uint64(len(g.Nearest)) != min(g.Count, MaxNearest) || g.Nearest[len(g.Nearest)-1] >= m.Size || !increasing(g.Nearest)) {
		return fmt.Errorf("what it says of the nearest goals cannot be")
	}
	if m.Store == Mod3Store {
		for i, l := range m.Layers {
			if l.Layer != i || l.States == 0 {
				return fmt.Errorf("its layers should be 0, 1, 2 and so on, each with states; layer %d of %d states comes %d-th, counted from 0", l.Layer, l.States, i)
			}
		}
		if len(m.Layers) == 0 {
			return fmt.Errorf("it should tell of layers")
		}
	}
	pointers := m.Store == BackptrStore || m.Store == RawBackptrStore
	if m.PointerBits != 0 && !pointers || m.PatternBits != 0 && m.Store != RawBackptrStore ||
		m.Symmetries != 0 && m.Store != PackedStore && m.Store != FoldedStore ||
		m.BitOrder != nil && m.Store != PackedStore || (m.BlockBits != 0 || m.countsOrbits()) && m.Store != FoldedStore {
		return fmt.Errorf("it says what the store %q does not have", m.Store)
	}
	sum := uint64(0)
	for _, l := range m.Layers {
		if l.States > m.Size-sum {
			return fmt.Errorf("it counts %d numbers, fewer than the states of its layers", m.Size)
		}
		sum += l.States
		if l.Orbits > l.States {
			return fmt.Errorf("in layer %d it counts %d states, and more of them, %d, up to symmetry", l.Layer, l.States, l.Orbits)
		}
		if m.Symmetries > 0 && m.countsOrbits() {
			if high, most := bits.Mul64(l.Orbits, uint64(m.Symmetries)); high == 0 && most < l.States {
				return fmt.Errorf("in layer %d it counts %d states, and %d up to %d symmetries, which are too few", l.Layer, l.States, l.Orbits, m.Symmetries)
			}
		}
	}
	if sum != m.States {
		return fmt.Errorf("it counts %d states, its layers %d", m.States, sum)
	}
	return nil
}

func (m *Meta) countsOrbits() bool {
	return slices.ContainsFunc(m.Layers, func(l LayerCount) bool { return l.Orbits != 0 })
}

func increasing(numbers []uint64) bool {
	for i, x := range numbers[1:] {
		if x <= numbers[i] {
			return false
		}
	}
	return true
}

// A section is a named range of the file.
type section struct {
	name           string
	offset, length uint64
}

// A header is the first page of a file.
type header struct {
	length   uint64 // of the file
	sums     uint64 // offset
	sumsCRC  uint32
	sections []section
}

func (h *header) encode() []byte {
	page := make([]byte, pageSize)
	copy(page, magic)
	le := binary.LittleEndian
	le.PutUint32(page[8:], Version)
	le.PutUint32(page[12:], uint32(len(h.sections)))
	le.PutUint64(page[16:], h.length)
	le.PutUint64(page[24:], h.sums)
	le.PutUint32(page[32:], h.sumsCRC)
	for i, s := range h.sections {
		entry := page[sectionAt+i*sectionLen:]
		copy(entry[:16], s.name)
		le.PutUint64(entry[16:], s.offset)
		le.PutUint64(entry[24:], s.length)
	}
	le.PutUint32(page[pageSize-4:], checksum(page[:pageSize-4]))
	return page
}

// decodeHeader reads the header of a file of the given length. The error has no
// path yet.
func decodeHeader(page []byte, length uint64) (*header, *FileError) {
	damaged := func(format string, args ...any) *FileError {
		return &FileError{Err: ErrDamaged, Detail: fmt.Sprintf(format, args...), Advice: adviceCopy}
	}
	if len(page) >= len(magic) && len(bytes.Trim(page, "\x00")) == 0 {
		return nil, &FileError{Err: ErrUnfinished, Detail: "its header has not been written",
			Advice: "wait for the run that writes it, or " + adviceRun}
	}
	if len(page) < len(magic) || string(page[:len(magic)]) != magic {
		return nil, &FileError{Err: ErrNotReach,
			Detail: fmt.Sprintf("it should begin with %q, and begins with %q", magic, page[:min(len(page), len(magic))]),
			Advice: "give a file that reach run has written"}
	}
	if len(page) < pageSize {
		return nil, damaged("it is cut short: the header has %d bytes, found %d", pageSize, len(page))
	}
	le := binary.LittleEndian
	if v := le.Uint32(page[8:]); v != Version {
		return nil, &FileError{Err: ErrVersion, Detail: fmt.Sprintf("it has version %d of the format, this program reads version %d", v, Version),
			Advice: adviceVersion}
	}
	if want, found := le.Uint32(page[pageSize-4:]), checksum(page[:pageSize-4]); want != found {
		return nil, damaged("the checksum of its header should be %08x, and is %08x", want, found)
	}
	h := &header{length: le.Uint64(page[16:]), sums: le.Uint64(page[24:]), sumsCRC: le.Uint32(page[32:])}
	if h.length != length {
		return nil, damaged("it should have %d bytes, and has %d", h.length, length)
	}
	n := le.Uint32(page[12:])
	if n > maxSection {
		return nil, damaged("it should have at most %d sections, and has %d", maxSection, n)
	}
	end := uint64(pageSize)
	for i := range n {
		entry := page[sectionAt+i*sectionLen:]
		s := section{string(bytes.TrimRight(entry[:16], "\x00")), le.Uint64(entry[16:]), le.Uint64(entry[24:])}
		if s.offset != end || s.length > length || s.offset+pad(s.length) > length {
			return nil, damaged("its section %q should begin at %d and end before %d, and begins at %d and has %d bytes",
				s.name, end, length, s.offset, s.length)
		}
		end = s.offset + pad(s.length)
		h.sections = append(h.sections, s)
	}
	if h.sums != end || h.length != h.sums+pad(4*h.blocks()) {
		return nil, damaged("its checksums should be at %d, and are at %d", end, h.sums)
	}
	return h, nil
}

// blocks returns the number of blocks that are summed.
func (h *header) blocks() uint64 { return (h.sums - pageSize + blockSize - 1) / blockSize }

// section returns the section of a name.
func (h *header) section(name string) (section, bool) {
	for _, s := range h.sections {
		if s.name == name {
			return s, true
		}
	}
	return section{}, false
}
