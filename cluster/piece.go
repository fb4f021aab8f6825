package cluster

import (
	"context"
	"encoding/binary"
	"encoding/json"
	"fmt"
	"math/bits"
	"slices"

	"github.com/apache/beam/sdks/v2/go/pkg/beam"
	"github.com/apache/beam/sdks/v2/go/pkg/beam/register"

	"pagoda/cluster/beamrun"
	"pagoda/cluster/storage"
	"pagoda/internal/lists"
	"pagoda/internal/mapped"
	"pagoda/layers"
	"pagoda/statespace"
	"pagoda/statespace/bfs"
)

func init() {
	register.DoFn4x1[context.Context, int, func(*[]byte) bool, func([]byte), error](&spread{})
	register.DoFn4x1[context.Context, int, func(*[]byte) bool, func([]byte), error](&pieceMaker{})
	register.DoFn3x1[context.Context, int, func(*[]byte) bool, error](&pieceList{})
}

// A form is how the first section of a file keeps the states: entries of some bits, in groups of 64 numbers, a
// word for each bit.
type form struct {
	Store string
	Width int // bits of an entry
	Bits  int // a piece has 2^Bits numbers
	Size  uint64
}

// newForm returns the form of a store, of a space with some levels.
func newForm(store string, size uint64, levels, shardBits int) form {
	f := form{Store: store, Width: 1, Size: size}
	switch store {
	case layers.Mod3Store:
		f.Width = bfs.MarkBits
	case layers.DistanceStore:
		f.Width = bits.Len(uint(levels))
	}
	// Pieces are of 64 KiB at least, as Compose wants them, whole shards, and some hundred at most.
	f.Bits = max(19, shardBits, bits.Len64((size-1)/512))
	return f
}

// entry returns the entry of the states of a level.
func (f *form) entry(level int) uint64 {
	switch f.Store {
	case layers.Mod3Store:
		return uint64(bfs.Mark(level))
	case layers.DistanceStore:
		return uint64(level + 1)
	}
	return 1
}

// pieces returns the number of pieces.
func (f *form) pieces() int { return int((f.Size-1)>>f.Bits) + 1 }

// elements returns an element for each piece.
func (f *form) elements(lanes int) (all [][]byte) {
	for piece := range f.pieces() {
		all = append(all, element(piece%lanes, piece, seenElement, nil))
	}
	return all
}

// bounds returns the first group of 64 numbers of a piece, and how many groups it has.
func (f *form) bounds(piece int) (first, groups uint64) {
	first = uint64(piece) << f.Bits >> 6
	return first, min(1<<f.Bits>>6, (f.Size+63)>>6-first)
}

// A spread hands on the states for which the states of a level stand, by piece.
type spread struct {
	setting
	Form  form
	Lanes int
	b     *crewBundle
	level int // of the states in the collector
}

// StartBundle implements a DoFn.
func (s *spread) StartBundle(ctx context.Context, _ func([]byte)) (err error) {
	if s.b, err = begin(ctx, s.setting, false); err != nil {
		return err
	}
	s.b.crew.Begin(func(shard int, run []byte) {
		first, _ := s.b.plan.Layout.Bounds(shard)
		s.b.send(pieceElement(s.Lanes, int(first>>s.Form.Bits), s.level, run))
	})
	return nil
}

// ProcessElement implements a DoFn.
func (s *spread) ProcessElement(ctx context.Context, level int, values func(*[]byte) bool, emit func([]byte)) error {
	s.level = level
	for _, e := range all(values) {
		s.b.start(func(t *thread) error {
			_, run, err := s.b.get(ctx, e[1:])
			if err != nil {
				return err
			}
			return s.b.plan.Layout.EachWord(run, func(first, word uint64) error {
				for ; word != 0; word &= word - 1 {
					x := first + uint64(bits.TrailingZeros64(word))
					t.found = append(t.found[:0], x)
					for _, m := range s.b.symmetries {
						t.found = append(t.found, m.Map(x))
					}
					t.sink.Add(t.found)
				}
				return nil
			})
		})
	}
	if err := s.b.wait(); err != nil || s.Form.Width == 1 { // all levels have the same entry
		return err
	}
	s.b.flush()
	return s.b.emit(emit, nil)
}

// FinishBundle implements a DoFn.
func (s *spread) FinishBundle(_ context.Context, emit func([]byte)) error {
	return s.b.finish(emit, nil)
}

// pieceElement is the element of a run of a level for a piece.
func pieceElement(lanes, piece, level int, run []byte) []byte {
	return element(piece%lanes, piece, runElement, append(binary.AppendUvarint(nil, uint64(level)), run...))
}

// A pieceMaker writes pieces. It takes the records of the shards that lie in a piece, or runs of a
// level.
type pieceMaker struct {
	setting
	Form form
	b    *bundle[struct{}]
}

// StartBundle implements a DoFn.
func (p *pieceMaker) StartBundle(ctx context.Context, _ func([]byte)) error {
	w, err := p.worker(ctx)
	if err == nil {
		p.b = newBundle(w, make([]struct{}, p.Threads), func() {}, func() {})
	}
	return err
}

// ProcessElement implements a DoFn.
func (p *pieceMaker) ProcessElement(ctx context.Context, piece int, values func(*[]byte) bool, emit func([]byte)) error {
	elements := all(values)
	p.b.start(func(struct{}) error { return p.make(ctx, piece, elements) })
	return p.b.emit(emit, nil)
}

// FinishBundle implements a DoFn.
func (p *pieceMaker) FinishBundle(_ context.Context, emit func([]byte)) error {
	return p.b.finish(emit, nil)
}

// make writes a piece.
func (p *pieceMaker) make(ctx context.Context, piece int, elements [][]byte) error {
	from, groups := p.Form.bounds(piece)
	width := uint64(p.Form.Width)
	planes := make([]uint64, groups*width)
	for _, e := range elements {
		var level int
		var run []byte
		switch kind, data := e[0], e[1:]; kind {
		case recordElement:
			r, data, err := p.b.get(ctx, data)
			if err != nil {
				return err
			}
			level, run = r.Level, data
		case runElement:
			n, k := binary.Uvarint(data)
			level, run = int(n), data[max(0, k):]
		default:
			continue // so that the piece is made
		}
		entry := p.Form.entry(level)
		if err := p.b.plan.Layout.EachWord(run, func(first, word uint64) error {
			group := first>>6 - from
			if first>>6 < from || group >= groups {
				return fmt.Errorf("level %d has the number %d, which is not in piece %d", level, first, piece)
			}
			for b := entry; b != 0; b &= b - 1 {
				planes[group*width+uint64(bits.TrailingZeros64(b))] |= word
			}
			return nil
		}); err != nil {
			return err
		}
	}
	return p.b.putPiece(ctx, piece, mapped.Bytes(planes))
}

// putPiece writes a piece, and sends its record.
func (b *bundle[T]) putPiece(ctx context.Context, piece int, data []byte) error {
	r := layers.Piece{Name: pieceName(piece), Bytes: uint64(len(data)), Sums: sums(data)}
	if err := b.place.Put(ctx, r.Name, data); err != nil {
		return err
	}
	b.send(element(0, 0, recordElement, statespace.Encode(r)))
	return nil
}

// sums returns the checksums of each 64 KiB of a piece.
func sums(data []byte) (all []uint32) {
	for part := range slices.Chunk(data, 64<<10) {
		all = append(all, storage.Sum(part))
	}
	return all
}

// piecesPrefix begins the names of pieces, pieceListName names the list of them.
const (
	piecesPrefix  = "pieces/"
	pieceListName = piecesPrefix + "list.json"
)

func pieceName(piece int) string { return fmt.Sprintf("%s%05d", piecesPrefix, piece) }

// A pieceList writes the list of all pieces.
type pieceList struct{ setting }

// ProcessElement implements a DoFn.
func (p *pieceList) ProcessElement(ctx context.Context, _ int, values func(*[]byte) bool) error {
	w, err := p.worker(ctx)
	if err != nil {
		return err
	}
	list := lists.Map(all(values), func(e []byte) json.RawMessage { return e[1:] })
	return w.place.PutJSON(ctx, pieceListName, list)
}

// A pieceJob makes the pieces of a file.
type pieceJob struct {
	setting
	form      form
	levels    []*manifest
	fold      bool // levels have representatives only
	shardBits int  // a shard has 2^shardBits numbers
}

// build makes the pipeline.
func (j *pieceJob) build(s beam.Scope, lanes int) {
	none := j.form.elements(lanes)
	var records [][]byte
	for _, m := range j.levels {
		for _, r := range m.Shards {
			if j.fold {
				records = append(records, element(r.Level%lanes, r.Level, recordElement, statespace.Encode(r)))
				continue
			}
			piece := int(uint64(r.Shard) << j.shardBits >> j.form.Bits)
			records = append(records, element(piece%lanes, piece, recordElement, statespace.Encode(r)))
		}
	}
	made := [][]beam.PCollection{{create(s, none), create(s, records)}}
	if j.fold {
		levels := group(s, [][]beam.PCollection{{create(s, records)}}, lanes)
		made = make([][]beam.PCollection, lanes)
		for lane, col := range levels {
			made[lane] = append(made[lane], beam.ParDo(beamrun.Lane(s, lane), &spread{setting: j.setting, Form: j.form, Lanes: lanes}, col))
		}
		made[0] = append(made[0], create(s, none))
	}
	makePieces(s, j.setting, &pieceMaker{setting: j.setting, Form: j.form}, made, lanes)
}

// makePieces makes pieces by a DoFn, of what each lane has made for them, and lists them.
func makePieces(s beam.Scope, set setting, maker any, made [][]beam.PCollection, lanes int) {
	var list []beam.PCollection
	for lane, col := range group(s, made, lanes) {
		list = append(list, beam.ParDo(beamrun.Lane(s, lane), maker, col))
	}
	s = beamrun.Lane(s, 0)
	beam.ParDo0(s, &pieceList{set}, beam.GroupByKey(s, beam.ParDo(s, split, beam.Flatten(s, list...))))
}
