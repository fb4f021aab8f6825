package cluster

import (
	"context"
	"encoding/json"
	"fmt"
	"math/bits"
	"slices"
	"sync"

	"pagoda/cluster/shards"
	"pagoda/cluster/storage"
	"pagoda/puzzle"
	"pagoda/statespace"
	"pagoda/statespace/bfs"
	"pagoda/statespace/sparse"
)

// families are those of this program: Main sets them before anything else. Workers make spaces of
// definitions with them.
var families *puzzle.Set

// A plan is what all workers of a run need to know. It is the object run.json.
type plan struct {
	Version int                   `json:"version"`
	Space   statespace.Definition `json:"space"`
	Layout  shards.Layout         `json:"layout"`
	// Before is how many earlier levels a level is compared with; -1: all. Layered says that the
	// level follows from the layer of a state, so that there is nothing to compare.
	Before  int  `json:"before"`
	Layered bool `json:"layered,omitempty"`
	// Goals says that goals are looked for, ToGoal that the search ends with the nearest.
	Goals  bool `json:"goals,omitempty"`
	ToGoal bool `json:"to_goal,omitempty"`
	// Symmetries is the number of symmetries without the identity. With them, levels hold
	// representatives.
	Symmetries int `json:"symmetries,omitempty"`
	// Blocks is that of a run by blocks. Then all but the space does not matter.
	Blocks *blockPlan `json:"blocks,omitempty"`

	// These may change when a run goes on.
	Memory  uint64 `json:"-"` // bytes for the successors that a worker gathers
	Threads int    `json:"-"` // of a worker process
}

// A worker is what a process needs to do the work of a run. The processes of a run share nothing
// but the plan and the place.
type worker struct {
	plan       *plan
	place      *storage.Place
	sp         statespace.Space
	symmetries []statespace.Symmetry
	layers     statespace.Layers    // of a plan that is Layered
	root       int                  // the layer of the roots
	graph      statespace.Graph     // of numbers
	codes      statespace.CodeGraph // of codes
	blocks     *blockWorker         // of a plan with Blocks

	mu   sync.Mutex
	idle map[bool][]*crew // that are not in use: those that keep representatives, and those that do not
}

// workers are those of this process, by plan and place.
var workers struct {
	sync.Mutex
	all map[string]*worker
}

// worker returns the worker of a setting.
func (s setting) worker(ctx context.Context) (*worker, error) {
	workers.Lock()
	defer workers.Unlock()
	key := fmt.Sprintf("%s\n%s\n%d\n%d", s.Place, s.Plan, s.Threads, s.Memory)
	if w := workers.all[key]; w != nil {
		return w, nil
	}
	w := &worker{plan: &plan{Threads: s.Threads, Memory: s.Memory}}
	err := json.Unmarshal(s.Plan, w.plan)
	if err == nil {
		w.sp, err = families.Define(context.WithoutCancel(ctx), w.plan.Space, 1<<62)
	}
	if err == nil {
		w.place, err = storage.Open(context.WithoutCancel(ctx), s.Place)
	}
	if err == nil {
		err = w.know()
	}
	if err != nil {
		return nil, err
	}
	if workers.all == nil {
		workers.all = make(map[string]*worker)
	}
	workers.all[key] = w
	return w, nil
}

// forget gives up the workers of this process at a place.
func forget(place string) {
	workers.Lock()
	defer workers.Unlock()
	for key, w := range workers.all {
		if w.place.String() == place {
			delete(workers.all, key)
		}
	}
}

// know fills in what follows from the space.
func (w *worker) know() (err error) {
	if w.plan.Blocks != nil {
		w.blocks, err = newBlockWorker(w)
		return err
	}
	if w.plan.Symmetries > 0 {
		w.symmetries = statespace.Symmetries(w.sp)
	}
	if w.plan.Layered {
		w.layers = w.sp.Parts().Layers
		w.root = rootLayer(w.sp)
	}
	if w.plan.Layout.Size == 0 {
		w.codes = sparse.Of(w.sp).Graph()
	} else if w.graph = bfs.Of(w.sp); w.graph.NewExpander == nil {
		w.graph = bfs.Plain(w.sp)
	}
	return nil
}

// A thread is what one goroutine needs to expand states.
type thread struct {
	w       *worker
	numbers statespace.Expander
	codes   statespace.CodeExpander
	sink    shards.Sink
	found   []uint64
}

// A crew is threads that fill a collector.
type crew struct {
	shards.Collector
	threads []*thread
	fold    bool
}

// crew returns a crew, which is given back after use. It keeps representatives only if fold is set.
func (w *worker) crew(fold bool) *crew {
	w.mu.Lock()
	defer w.mu.Unlock()
	delete(w.idle, !fold) // their memory is large, and their time is over
	if all := w.idle[fold]; len(all) > 0 {
		w.idle[fold] = all[:len(all)-1]
		return all[len(all)-1]
	}
	var symmetries []statespace.Symmetry
	if fold {
		symmetries = w.symmetries
	}
	c := &crew{Collector: w.plan.Layout.NewCollector(symmetries, w.plan.Memory, w.plan.Threads), fold: fold}
	for range w.plan.Threads {
		t := &thread{w: w, sink: c.NewSink()}
		if w.plan.Layout.Size == 0 {
			t.codes = w.codes.NewExpander()
		} else {
			t.numbers = w.graph.NewExpander()
		}
		c.threads = append(c.threads, t)
	}
	return c
}

// giveBack ends the use of a crew.
func (w *worker) giveBack(c *crew) {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.idle == nil {
		w.idle = make(map[bool][]*crew)
	}
	w.idle[c.fold] = append(w.idle[c.fold], c)
}

// expand hands the successors of the states of a run to the sink. It returns the goals among the states
// if it is to look for them.
func (t *thread) expand(run []byte, look bool) (goals []uint64, err error) {
	l := &t.w.plan.Layout
	if t.codes != nil {
		return goals, l.EachCode(run, func(code []uint64) error {
			if look && t.codes.Goal(code) {
				goals = append(goals, code...)
			}
			t.found = t.codes.Expand(t.found[:0], code)
			t.sink.Add(t.found)
			return nil
		})
	}
	var into *[]uint64
	if look && len(t.w.symmetries) == 0 {
		into = &goals
	}
	err = l.EachWord(run, func(first, word uint64) error {
		t.found = t.numbers.Expand(t.found[:0], first, word, into)
		t.sink.Add(t.found)
		return nil
	})
	if look && into == nil && err == nil {
		goals, err = t.goals(run)
	}
	return goals, err
}

// goals returns the goals among the states of a run and their images.
func (t *thread) goals(run []byte) (goals []uint64, err error) {
	numbered := t.w.sp.Parts().Goals
	isGoal := func(code []uint64) bool { return numbered.Has(code[0]) }
	if t.codes != nil {
		isGoal = t.codes.Goal
	}
	err = t.w.plan.Layout.EachCode(run, func(code []uint64) error {
		if isGoal(code) {
			goals = append(goals, code...)
		}
		for i, s := range t.w.symmetries {
			y := s.Map(code[0])
			again := y == code[0] || slices.ContainsFunc(t.w.symmetries[:i], func(s statespace.Symmetry) bool { return s.Map(code[0]) == y })
			if !again && isGoal([]uint64{y}) {
				goals = append(goals, y)
			}
		}
		return nil
	})
	return goals, err
}

// layerOf returns the layer of the states of a level, given that of the roots. Without layers it is
// the level itself.
func (p *plan) layerOf(l statespace.Layers, root, level int) int {
	if l != nil && l.LayersFall() {
		return root - level
	}
	return root + level
}

// rootLayer returns the layer of the first root, 0 without layers.
func rootLayer(sp statespace.Space) int {
	if l := sp.Parts().Layers; l != nil {
		for root := range statespace.EachRoot(sp) {
			return l.Layer(root)
		}
	}
	return 0
}

// count returns how many states those of a run stand for. It checks that they are in the layer of
// their level, if the plan needs that.
func (w *worker) count(run []byte, n uint64, level int) (states uint64, err error) {
	if len(w.symmetries) == 0 && w.layers == nil {
		return n, nil
	}
	layer := w.plan.layerOf(w.layers, w.root, level)
	order := uint64(len(w.symmetries) + 1)
	err = w.plan.Layout.EachWord(run, func(first, word uint64) error {
		for ; word != 0; word &= word - 1 {
			x := first + uint64(bits.TrailingZeros64(word))
			if w.layers != nil && w.layers.Layer(x) != layer {
				return fmt.Errorf("%s is in layer %d, and is %d moves from the start, which is in layer %d: a move should lead to the next layer",
					w.sp.Format(x), w.layers.Layer(x), level, w.root)
			}
			same := uint64(1)
			for _, s := range w.symmetries {
				if s.Map(x) == x {
					same++
				}
			}
			states += order / same
		}
		return nil
	})
	return states, err
}
