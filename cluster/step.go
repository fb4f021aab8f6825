package cluster

import (
	"context"
	"encoding/binary"
	"encoding/json"
	"fmt"
	"slices"

	"github.com/apache/beam/sdks/v2/go/pkg/beam/register"

	"pagoda/cluster/storage"
	"pagoda/statespace"
)

func init() {
	register.DoFn5x1[context.Context, int, func(*[]byte) bool, func([]byte), func([]byte), error](&step{})
	register.DoFn4x1[context.Context, int, func(*[]byte) bool, func([]byte), error](&commit{})
	register.Function1x2(split)
	register.Function1x1(laneOf)
	register.Iter1[[]byte]()
	register.Emitter1[[]byte]()
}

// An element of a pipeline is a byte, the lane that it goes to, a varint, the shard or the level that
// it is for, a byte that says what it is, and that.
const (
	runElement      = 'r' // a run of successors
	seenElement     = 's' // a record of the shard at an earlier level, as JSON
	frontierElement = 'f' // a record of the shard at the level before, which is to be expanded
	recordElement   = 'w' // a record of the level that was written
)

func element(lane, key int, kind byte, data []byte) []byte {
	e := append(make([]byte, 0, len(data)+binary.MaxVarintLen64+2), byte(lane))
	return append(append(binary.AppendUvarint(e, uint64(key)), kind), data...)
}

// laneOf returns the lane of an element.
func laneOf(e []byte) int { return int(e[0]) }

// split returns the key of an element, and the rest.
func split(e []byte) (key int, rest []byte) {
	k, n := binary.Uvarint(e[1:])
	return int(k), e[1+max(0, n):]
}

// A record describes an object: the states of a shard at a level, or a group of blocks of a stage.
type record struct {
	Level  int      `json:"level"`            // or the stage
	Shard  int      `json:"shard"`            // or the group
	States uint64   `json:"states"`           // for which those of the object stand
	Orbits uint64   `json:"orbits,omitempty"` // those of the object, if there are symmetries
	Bytes  int64    `json:"bytes"`
	Sum    uint32   `json:"sum"`             // CRC32C
	Goals  []uint64 `json:"goals,omitempty"` // their codes, one after another

	Layers []statespace.Layer `json:"layers,omitempty"` // of blocks
}

// object returns the name of the object of a record.
func (p *plan) object(r *record) string { return fmt.Sprintf("%s%05d", p.prefix(r.Level), r.Shard) }

// prefix begins the names of the objects of a round.
func (p *plan) prefix(round int) string { return fmt.Sprintf("%s-%05d/", p.round(), round) }

// round returns what a round of the run is.
func (p *plan) round() string {
	if p.Blocks != nil {
		return "stage"
	}
	return "level"
}

// get reads a record, as JSON, and the run that it describes.
func (w *worker) get(ctx context.Context, text []byte) (*record, []byte, error) {
	r := new(record)
	if err := json.Unmarshal(text, r); err != nil {
		return nil, nil, err
	}
	run, err := w.place.GetSummed(ctx, w.plan.object(r), r.Bytes, r.Sum)
	return r, run, err
}

// A step makes the shards of a level from runs of successors, writes them, and expands them. It takes the
// elements of a shard, and emits elements for the next step and records. What a shard needs to know
// of its own past travels with it.
type step struct {
	setting
	Lanes int
	Level int
	Last  bool // it does not expand
	Look  bool // it looks for goals

	b *crewBundle
}

// StartBundle implements a DoFn.
func (s *step) StartBundle(ctx context.Context, next, done func([]byte)) (err error) {
	if s.b, err = begin(ctx, s.setting, true); err == nil {
		s.b.crew.Begin(func(shard int, run []byte) { s.send(shard, runElement, run) })
	}
	return err
}

// ProcessElement implements a DoFn.
func (s *step) ProcessElement(ctx context.Context, shard int, values func(*[]byte) bool, next, done func([]byte)) error {
	elements := all(values)
	s.b.start(func(t *thread) error { return s.shard(ctx, t, shard, elements) })
	return s.b.emit(next, done)
}

// FinishBundle implements a DoFn.
func (s *step) FinishBundle(ctx context.Context, next, done func([]byte)) error {
	return s.b.finish(next, done)
}

// send adds an element for the next step.
func (s *step) send(shard int, kind byte, data []byte) {
	s.b.send(element(shard%s.Lanes, shard, kind, data))
}

// shard makes a shard of the level.
func (s *step) shard(ctx context.Context, t *thread, shard int, elements [][]byte) error {
	var runs, without [][]byte
	var seen []*record
	var frontier []byte
	for _, e := range elements {
		kind, data := e[0], e[1:]
		if kind == runElement {
			runs = append(runs, data)
			continue
		}
		r, data, err := s.b.get(ctx, data)
		if err != nil {
			return err
		}
		if kind == frontierElement {
			frontier = data
		} else {
			without = append(without, data)
		}
		seen = append(seen, r)
	}
	if len(runs) > 0 {
		r, err := s.merge(ctx, t, shard, runs, without)
		if err != nil {
			return err
		}
		if r != nil {
			seen = append(seen, r)
			s.b.record(element(0, r.Level, recordElement, statespace.Encode(r)))
		}
	}
	if s.Last {
		return nil
	}
	for _, r := range seen {
		if before := s.b.plan.Before; before < 0 || r.Level > s.Level-before {
			s.send(shard, seenElement, statespace.Encode(r))
		}
	}
	if frontier == nil {
		return nil
	}
	_, err := t.expand(frontier, false)
	return err
}

// merge writes the states of a shard that are new, and expands them. The record is nil if there are none.
func (s *step) merge(ctx context.Context, t *thread, shard int, runs, without [][]byte) (*record, error) {
	run, n, err := s.b.plan.Layout.Merge(shard, runs, without)
	if err != nil || n == 0 {
		return nil, err
	}
	r := &record{Level: s.Level, Shard: shard, Bytes: int64(len(run)), Sum: storage.Sum(run)}
	if r.States, err = s.b.count(run, n, s.Level); err != nil {
		return nil, err
	}
	if len(s.b.symmetries) > 0 {
		r.Orbits = n
	}
	switch {
	case !s.Last:
		r.Goals, err = t.expand(run, s.Look)
	case s.Look:
		r.Goals, err = t.goals(run)
	}
	if err != nil {
		return nil, err
	}
	return r, s.b.place.Put(ctx, s.b.plan.object(r), run)
}

// A commit writes the manifest of a round: it makes the round whole. By blocks, it emits the tasks of the next.
type commit struct {
	setting
	Lanes int
	Last  bool // it emits no tasks
}

// ProcessElement implements a DoFn.
func (c *commit) ProcessElement(ctx context.Context, round int, values func(*[]byte) bool, emit func([]byte)) error {
	w, err := c.worker(ctx)
	if err != nil {
		return err
	}
	m, err := c.manifest(round, values)
	if err != nil {
		return err
	}
	if w.blocks != nil {
		if n := w.blocks.schedule.groups(round); len(m.Shards) != n {
			return fmt.Errorf("stage %d should have %d groups, and %d were made", round, n, len(m.Shards))
		}
	}
	if err := w.place.PutJSON(ctx, w.plan.manifestName(m.Level), m); err != nil || w.blocks == nil || c.Last {
		return err
	}
	for _, e := range w.blocks.schedule.tasks(round+1, c.Lanes) {
		emit(e)
	}
	return nil
}

// manifest makes the manifest of a round of its records.
func (s *setting) manifest(round int, values func(*[]byte) bool) (*manifest, error) {
	m := &manifest{Run: storage.Sum(s.Plan), Level: round}
	for v := []byte(nil); values(&v); {
		r := new(record)
		if err := json.Unmarshal(v[1:], r); err != nil {
			return nil, err
		}
		m.Shards = append(m.Shards, r)
	}
	slices.SortFunc(m.Shards, func(a, b *record) int { return a.Shard - b.Shard })
	return m, nil
}

// A manifest lists the objects of a round: the shards of a level, or the groups of a stage.
type manifest struct {
	Run    uint32    `json:"run"` // the checksum of the plan
	Level  int       `json:"level"`
	Shards []*record `json:"shards"` // in order, those with states
}

func (p *plan) manifestName(round int) string { return p.prefix(round) + "manifest" }

// getManifest reads the manifest of a round. It is storage.ErrMissing if there is none.
func getManifest(ctx context.Context, p *storage.Place, plan *plan, round int) (*manifest, error) {
	m := new(manifest)
	name := plan.manifestName(round)
	_, err := p.GetJSON(ctx, name, m)
	if err == nil && m.Level != round {
		err = fmt.Errorf("%s in %s is %w: it should be of %s %d, and is of %d", name, p, storage.ErrDamaged, plan.round(), round, m.Level)
	}
	return m, err
}
