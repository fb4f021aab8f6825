package layers

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"hash/crc32"
	"math/big"
	"math/bits"
	"reflect"
	"slices"

	"pagoda/bitset"
	"pagoda/statespace"
)

// Version is the version of the format that this package writes and reads.
const Version = 1

const (
	magic       = "PAGODA\x1a\n"
	keptMagic   = "PAGODA\x1a+" // of a partial file that a checkpoint needs; zeros follow
	pageSize    = 4096
	stretchSize = 64 << 10 // bytes under one checksum
	sectionAt   = 64       // offset of the section table in the header
	sectionLen  = 32
	sectionName = 16 // bytes of a name
	maxSection  = (pageSize - 4 - sectionAt) / sectionLen
	maxMeta     = 16 << 20

	metaSection = "meta" // the last one
)

var castagnoli = crc32.MakeTable(crc32.Castagnoli)

func checksum(b []byte) uint32 { return crc32.Checksum(b, castagnoli) }

// pad rounds up to a whole page.
func pad(n uint64) uint64 { return (n + pageSize - 1) &^ (pageSize - 1) }

// Errors that callers decide on. They come wrapped in a *FileError.
var (
	// ErrNotReach: the file is something else.
	ErrNotReach = errors.New("not a file of states")
	// ErrUnfinished: the file is still being written, its writer was killed, or it is the
	// checkpoint of a run.
	ErrUnfinished = errors.New("unfinished")
	// ErrVersion: this program does not know the version of the format, the store or the
	// family of puzzles.
	ErrVersion = errors.New("unknown here")
	// ErrNotCheckpoint: the file is a finished file of states, not the checkpoint of a run.
	ErrNotCheckpoint = errors.New("not a checkpoint")
	// ErrDamaged: the file is not as it was written.
	ErrDamaged = errors.New("damaged")
	// ErrLost: a partial file is not the one that a checkpoint was made with.
	ErrLost = errors.New("not what the run has left")
)

// A FileError says what is wrong with a file.
type FileError struct {
	Path   string
	Err    error  // one of the errors above
	Detail string // what was expected and what was found
	Advice string // what to do
}

func (e *FileError) Error() string {
	return fmt.Sprintf("%s is %v: %s; %s", e.Path, e.Err, e.Detail, e.Advice)
}

func (e *FileError) Unwrap() error { return e.Err }

// What to do about a file.
const (
	adviceRun     = "make it again"
	adviceCopy    = "take another copy, or make it again"
	adviceVersion = "use the program that wrote it, or make it again"
	adviceOther   = "give a file of states"
	// Never to begin again in the same file: that would replace what a run has left.
	adviceNoCheckpoint      = "give the checkpoint of a run"
	adviceVersionCheckpoint = "resume it with the program that wrote it, or begin again in another file"
	adviceCheckpoint        = "put back what the run has left, or begin again in another file"
)

// Meta is what a file says of its states.
type Meta struct {
	Space  statespace.Definition `json:"space"`
	Store  string                `json:"store"`  // the name of a Store
	Size   uint64                `json:"size"`   // numbers are below it
	States uint64                `json:"states"` // the number of members
	Layer  string                `json:"layer"`  // what the numbers of layers count, such as "pegs"
	Layers []statespace.Layer    `json:"layers"` // without empty ones, that of the roots first
	// Goal describes the nearest goals; nil if there are none, or if they were not looked for.
	Goal *Goal `json:"goal,omitempty"`
	// Figures are those of a space with figures, in a store that keeps its values.
	Figures []statespace.Figure `json:"figures,omitempty"`
	Details
	// Checkpoint is set if and only if Store is CheckpointStore.
	Checkpoint *Checkpoint `json:"checkpoint,omitempty"`
}

// Details are what some stores say of themselves.
type Details struct {
	// PointerBits is the size of a pointer, PatternBits that of the patterns that have one.
	PointerBits int `json:"pointer_bits,omitempty"`
	PatternBits int `json:"pattern_bits,omitempty"`
	// Symmetries is the number of symmetries, with the identity, by which a set was folded.
	// BitOrder is the order of the bits of numbers within a frame. A block has 2^BlockBits
	// numbers: see statespace.Folding.
	Symmetries int          `json:"symmetries,omitempty"`
	BitOrder   bitset.Order `json:"bit_order,omitempty"`
	BlockBits  int          `json:"block_bits,omitempty"`
	// DistanceBits is the size of a whole distance.
	DistanceBits int `json:"distance_bits,omitempty"`
	// Columns are what follows the distance in an entry, of a space with values.
	Columns []Column `json:"columns,omitempty"`
	// Objectives are those whose values a file of the values store keeps of each state, as
	// chance.ParseObjectives reads them. A value takes ValueBytes, and the list of layer i takes ListBytes[i].
	Objectives []string `json:"objectives,omitempty"`
	ValueBytes int      `json:"value_bytes,omitempty"`
	ListBytes  []uint64 `json:"list_bytes,omitempty"`
}

// A Column is a number that a file keeps of each state besides its distance.
type Column struct {
	Name string `json:"name"`
	// Bits is its size: just enough for the greatest number.
	Bits int `json:"bits"`
}

// empty reports whether nothing is said.
func (d Details) empty() bool {
	return reflect.DeepEqual(d, Details{})
}

// A Goal describes the goals that are nearest to the roots.
type Goal struct {
	Distance  int      `json:"distance"`
	Solutions *big.Int `json:"solutions"` // the number of shortest paths to them
	Count     uint64   `json:"count"`     // the number of nearest goals
	Nearest   []uint64 `json:"nearest"`   // their numbers in order, at most MaxNearest
}

// MaxNearest bounds the goals that a file lists.
const MaxNearest = 1 << 16

// WithoutOrbits returns layers without their orbits, which only some stores keep.
func WithoutOrbits(layers []statespace.Layer) []statespace.Layer {
	layers = slices.Clone(layers)
	for i := range layers {
		layers[i].Orbits = 0
	}
	return layers
}

// check looks for contradictions in the metadata of a file.
func (m *Meta) check(store Store) error {
	if m.Checkpoint != nil && m.Store != CheckpointStore {
		return fmt.Errorf("it is finished, and says how far a run had come")
	}
	if c := m.Checkpoint; c != nil && c.Done < 0 {
		return fmt.Errorf("it counts %d stages done", c.Done)
	}
	if g := m.Goal; g != nil && (g.Solutions == nil || g.Solutions.Sign() <= 0 || g.Distance < 0 || g.Distance >= len(m.Layers) ||
		len(g.Nearest) == 0 || uint64(len(g.Nearest)) != min(g.Count, MaxNearest) || g.Nearest[len(g.Nearest)-1] >= m.Size || !increasing(g.Nearest)) {
		return fmt.Errorf("what it says of the nearest goals cannot be")
	}
	if m.countsOrbits() && !store.Orbits {
		return fmt.Errorf("the store %q counts no orbits", m.Store)
	}
	if len(m.Figures) > 0 && !store.keepsValues() {
		return fmt.Errorf("the store %q keeps no figures", m.Store)
	}
	if err := m.checkFigures(); err != nil {
		return err
	}
	rest := m.Details
	store.kind.own(&rest)
	if !rest.empty() {
		return fmt.Errorf("it has details that the store %q does not have", m.Store)
	}
	if store.KeepsDistances {
		if err := m.checkDistances(); err != nil {
			return err
		}
	}
	return m.checkLayers()
}

// checkDistances checks that the layers are those of distances from the roots.
func (m *Meta) checkDistances() error {
	for i, l := range m.Layers {
		if l.Layer != i || l.States == 0 {
			return fmt.Errorf("its layers should be 0, 1, 2 and so on, each with states; number %d, from 0, is layer %d with %d states", i, l.Layer, l.States)
		}
	}
	if len(m.Layers) == 0 {
		return fmt.Errorf("it has no layers")
	}
	return nil
}

func (m *Meta) checkLayers() error {
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
	return slices.ContainsFunc(m.Layers, func(l statespace.Layer) bool { return l.Orbits != 0 })
}

// increasing reports whether each number is greater than the one before.
func increasing(numbers []uint64) bool {
	for i := 1; i < len(numbers); i++ {
		if numbers[i] <= numbers[i-1] {
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
		copy(entry[:sectionName], s.name)
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
	if len(page) >= len(magic) && len(bytes.Trim(bytes.TrimPrefix(page, []byte(keptMagic)), "\x00")) == 0 {
		return nil, &FileError{Err: ErrUnfinished, Detail: "its header has not been written",
			Advice: "wait for the run that writes it, or resume the run from its checkpoint"}
	}
	if len(page) < len(magic) || string(page[:len(magic)]) != magic {
		return nil, &FileError{Err: ErrNotReach,
			Detail: fmt.Sprintf("it should begin with %q, and begins with %q", magic, page[:min(len(page), len(magic))]),
			Advice: adviceOther}
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
		return nil, damaged("the file should have %d bytes, and has %d", h.length, length)
	}
	n := le.Uint32(page[12:])
	if n > maxSection {
		return nil, damaged("it should have at most %d sections, and has %d", maxSection, n)
	}
	end := uint64(pageSize)
	for i := range n {
		entry := page[sectionAt+i*sectionLen:]
		s := section{string(bytes.TrimRight(entry[:sectionName], "\x00")), le.Uint64(entry[16:]), le.Uint64(entry[24:])}
		if s.offset != end || s.length > length || s.offset+pad(s.length) > length {
			return nil, damaged("its section %q should begin at %d and end before %d, and begins at %d and has %d bytes",
				s.name, end, length, s.offset, s.length)
		}
		if _, twice := h.section(s.name); twice {
			return nil, damaged("it has two sections %q", s.name)
		}
		end = s.offset + pad(s.length)
		h.sections = append(h.sections, s)
	}
	if h.sums != end || h.length != h.sums+pad(4*h.stretches()) {
		return nil, damaged("its checksums should be at %d, and are at %d", end, h.sums)
	}
	return h, nil
}

// stretches returns the number of stretches that have a checksum.
func (h *header) stretches() uint64 { return stretches(h.sums - pageSize) }

// stretches returns into how many stretches some bytes are cut.
func stretches(bytes uint64) uint64 { return (bytes + stretchSize - 1) / stretchSize }

// section returns the section of a name.
func (h *header) section(name string) (section, bool) {
	for _, s := range h.sections {
		if s.name == name {
			return s, true
		}
	}
	return section{}, false
}
