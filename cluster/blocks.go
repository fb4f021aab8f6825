package cluster

import (
	"context"
	"encoding/binary"
	"slices"

	"github.com/apache/beam/sdks/v2/go/pkg/beam"
	"github.com/apache/beam/sdks/v2/go/pkg/beam/register"

	"pagoda/bitset"
	"pagoda/cluster/beamrun"
	"pagoda/cluster/storage"
	"pagoda/layers"
	"pagoda/statespace"
	"pagoda/statespace/sweep"
)

func init() {
	register.DoFn4x1[context.Context, int, func(*[]byte) bool, func([]byte), error](&blockDoer{})
}

// canBlocks reports whether a space can be enumerated by blocks.
func canBlocks(sp statespace.Space) bool {
	blocks := sweep.BlocksOf(sp)
	return blocks != nil && blocks.Feeds != nil && !toGoal(sp)
}

// A blockPlan says how the blocks of a space lie in objects.
type blockPlan struct {
	Count uint64 `json:"count"` // of blocks
	Bits  int    `json:"bits"`  // a block has 2^Bits numbers
	Sum   uint32 `json:"sum"`   // of the stages of all blocks
	Group int    `json:"group"` // the most blocks of a group
	Frame int    `json:"frame"` // the most blocks of a frame
	// Order is the order of the bits in the frames, if that is another one than in the space: see
	// statespace.Sweep. The blocks of peg/5x7 take half of the bytes then.
	Order bitset.Order `json:"order,omitempty"`
}

// by returns how a run enumerates its space.
func (p *plan) by() string {
	if p.Blocks != nil {
		return ByBlocks
	}
	return ByLayers
}

// A group has at least leastGroup blocks, as a Maker is slow with fewer, and more if these take fewer
// bytes than groupBytes. A frame has one block, or some that have frameBytes together.
const (
	leastGroup = 64
	groupBytes = 4 << 20
	frameBytes = 64 << 10
)

// newBlockPlan makes a plan for some threads. Group is the most blocks of a group, or 0.
func newBlockPlan(sp statespace.Space, group, threads int) *blockPlan {
	blocks := sweep.BlocksOf(sp)
	bytes := 1 << blocks.Bits / 8
	s := newSchedule(blocks.Feeds(), &blockPlan{})
	p := &blockPlan{Count: uint64(len(s.chains)), Bits: blocks.Bits, Sum: s.sum(), Group: group}
	if group == 0 {
		largest := 0
		for stage := range s.stages() {
			largest = max(largest, len(s.stage(stage)))
		}
		p.Group = max(leastGroup, min(groupBytes/bytes, largest/(4*threads)))
	}
	p.Frame = min(p.Group, max(1, frameBytes/bytes))
	if order := sweep.Of(sp).BitOrder; order != nil {
		p.Order = slices.DeleteFunc(slices.Clone(order()), func(bit int) bool { return bit >= p.Bits })
	}
	return p
}

// A schedule knows of each block in which stage and object it is. A stage is the blocks whose longest
// chain of sources has the same length. It is cut into groups, which are an object each.
type schedule struct {
	*blockPlan
	feeds  statespace.Feeds
	chains []uint16 // by block: its stage
	places []uint32 // by block: its place in the stage
	blocks []uint64 // by stage
	begins []int    // by stage: its first block in blocks, and the end
}

func newSchedule(feeds statespace.Feeds, p *blockPlan) *schedule {
	s := &schedule{blockPlan: p, feeds: feeds, chains: sweep.Chains(feeds)}
	s.begins = make([]int, int(slices.Max(s.chains))+2)
	s.places = make([]uint32, len(s.chains))
	for i, stage := range s.chains {
		s.places[i] = uint32(s.begins[stage+1])
		s.begins[stage+1]++
	}
	for stage := range s.stages() {
		s.begins[stage+1] += s.begins[stage]
	}
	s.blocks = make([]uint64, len(s.chains))
	for i, stage := range s.chains {
		s.blocks[s.begins[stage]+int(s.places[i])] = uint64(i)
	}
	return s
}

// sum returns the checksum of the stages of all blocks.
func (s *schedule) sum() uint32 {
	var data []byte
	for _, stage := range s.chains {
		data = binary.LittleEndian.AppendUint16(data, stage)
	}
	return storage.Sum(data)
}

func (s *schedule) stages() int { return len(s.begins) - 1 }

// stage returns the blocks of a stage, in ascending order.
func (s *schedule) stage(stage int) []uint64 { return s.blocks[s.begins[stage]:s.begins[stage+1]] }

// groups returns the number of groups of a stage. They differ by one block at most.
func (s *schedule) groups(stage int) int { return (len(s.stage(stage))-1)/s.Group + 1 }

// group returns the blocks of a group.
func (s *schedule) group(stage, group int) []uint64 {
	blocks, groups := s.stage(stage), s.groups(stage)
	return blocks[len(blocks)*group/groups : len(blocks)*(group+1)/groups]
}

// find returns the frame of a block, and its place in the frame.
func (s *schedule) find(block uint64) (f frameKey, at int) {
	stage, place := int(s.chains[block]), int(s.places[block])
	blocks, groups := len(s.stage(stage)), s.groups(stage)
	group := ((place+1)*groups - 1) / blocks
	place -= blocks * group / groups
	return frameKey{stage, group, place / s.Frame}, place % s.Frame
}

// words returns the number of words of a block.
func (s *schedule) words() int { return 1 << s.Bits / 64 }

// tasks returns an element for each group of a stage. Groups that are side by side have many
// sources in common: so they are in the same lane.
func (s *schedule) tasks(stage, lanes int) (all [][]byte) {
	groups := s.groups(stage)
	for group := range groups {
		all = append(all, element(group*lanes/groups, group, taskElement, nil))
	}
	return all
}

// taskElement is an element that says only for which group, or which piece, it is.
const taskElement = 't'

// A blockDoer makes the groups of a stage, or, with a form, the pieces of the blocks of a folded file.
type blockDoer struct {
	setting
	Stage int
	Form  *form
	b     *bundle[*blockThread]
}

// StartBundle implements a DoFn.
func (d *blockDoer) StartBundle(ctx context.Context, _ func([]byte)) (err error) {
	d.b, err = beginBlocks(ctx, d.setting)
	return err
}

// ProcessElement implements a DoFn. The key is a group, or a piece.
func (d *blockDoer) ProcessElement(ctx context.Context, key int, _ func(*[]byte) bool, emit func([]byte)) error {
	d.b.start(func(t *blockThread) error {
		if d.Form == nil {
			r, err := t.make(ctx, d.Stage, key)
			if err == nil {
				d.b.send(element(0, d.Stage, recordElement, statespace.Encode(r)))
			}
			return err
		}
		first, words := d.Form.bounds(key)
		data, err := t.read(ctx, first, words)
		if err != nil {
			return err
		}
		return d.b.putPiece(ctx, key, data)
	})
	return d.b.emit(emit, nil)
}

// FinishBundle implements a DoFn.
func (d *blockDoer) FinishBundle(_ context.Context, emit func([]byte)) error {
	return d.b.finish(emit, nil)
}

// stages are the stages of a run by blocks. They implement rounds.
type stages struct {
	*driver
	*schedule
}

// next implements rounds.
func (s stages) next() (build pipeline, end int) {
	first := len(s.made)
	end = min(first+s.Levels, s.stages())
	return func(scope beam.Scope, lanes int) {
		made := [][]beam.PCollection{{create(scope, s.tasks(first, lanes))}}
		for stage := first; stage < end; stage++ {
			var records []beam.PCollection
			for lane, col := range group(scope, made, lanes) {
				records = append(records, beam.ParDo(beamrun.Lane(scope, lane), &blockDoer{setting: s.setting(), Stage: stage}, col))
			}
			lane := beamrun.Lane(scope, 0)
			together := beam.GroupByKey(lane, beam.ParDo(lane, split, beam.Flatten(lane, records...)))
			made = [][]beam.PCollection{{beam.ParDo(lane, &commit{s.setting(), lanes, stage == end-1}, together)}}
		}
	}, end
}

// last implements rounds.
func (s stages) last(m *manifest) bool { return m.Level == s.stages()-1 }

// needs implements rounds.
func (s stages) needs(stage int) bool {
	var targets []uint64
	return slices.ContainsFunc(s.stage(stage), func(block uint64) bool {
		targets = s.feeds.Targets(targets[:0], block)
		return slices.ContainsFunc(targets, func(to uint64) bool { return int(s.chains[to]) >= len(s.made) })
	})
}

// counts implements rounds.
func (s stages) counts(context.Context) ([]statespace.Layer, error) {
	counts := make(statespace.LayerCounts)
	for _, m := range s.made {
		for _, r := range m.Shards {
			counts.Add(r.Layers)
		}
	}
	return counts.List(s.sp.Parts().Layers), nil
}

// natural implements rounds.
func (s stages) natural() string { return layers.FoldedStore }

// pieces implements rounds. The numbers of the form are those of the blocks in their order.
func (s stages) pieces() (build pipeline, f form) {
	f = newForm(s.natural(), s.Count<<s.Bits, s.stages(), s.Bits)
	return func(scope beam.Scope, lanes int) {
		makePieces(scope, s.setting(), &blockDoer{setting: s.setting(), Form: &f}, [][]beam.PCollection{{create(scope, f.elements(lanes))}}, lanes)
	}, f
}
