package cluster

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"os"
	"regexp"
	"runtime"
	"slices"
	"strings"
	"sync/atomic"
	"time"

	"github.com/apache/beam/sdks/v2/go/pkg/beam"

	"pagoda/cluster/beamrun"
	"pagoda/cluster/shards"
	"pagoda/cluster/storage"
	"pagoda/internal/lists"
	"pagoda/internal/mapped"
	"pagoda/layers"
	"pagoda/run"
	"pagoda/statespace"
	"pagoda/statespace/sparse"
)

// Options say how to run a space.
type Options struct {
	// Options has the Output, the Store, Overwrite, Memory, Threads, Meter and Warn. Memory bounds the
	// bytes for the successors, or for the source blocks, that a worker process gathers; 0 is 1 GiB.
	// Threads are those of a worker process; 0 divides the processors of this machine among them.
	run.Options
	// By is ByLayers or ByBlocks. Empty is how the run began that goes on, or else ByBlocks if the space
	// has blocks, see canBlocks.
	By string
	// Place is a folder or a bucket for the levels or stages, see storage.Open. Empty is a folder beside the
	// output.
	Place string
	// Pieces leaves the file in pieces, see layers.Compose.
	Pieces bool
	// Shards is how many shards a level has at most; 0 is a number that suits the space.
	Shards int
	// Blocks is the most blocks of a group; 0 is a number that suits the space.
	Blocks int
	// Levels is how many levels or stages a job of the runner makes; 0 is 32.
	Levels int
	// Attempts is how often a job may fail in a row before the run ends; 0 is 4.
	Attempts int
	// Keep keeps the levels or stages when the file is there.
	Keep bool
	// Beam says where the pipelines run.
	Beam beamrun.Options
}

// The ways to enumerate a space.
const (
	ByLayers = "layers" // one level of the search after the other
	ByBlocks = "blocks" // one stage of blocks after the other, see statespace.Feeds
)

// gatherBytes is Options.Memory if nothing else is given.
const gatherBytes = 1 << 30

// placeSuffix ends the name of the folder of the rounds beside the output.
const placeSuffix = ".cluster"

// A driver is a run under way.
type driver struct {
	Options
	sp     statespace.Space
	codes  statespace.Codes // of a space without numbers
	store  layers.Store
	place  *storage.Place
	plan   *plan
	text   []byte // the plan
	runner *beamrun.Runner
	rounds rounds
	made   []*manifest // the rounds that are whole
	ended  bool        // there are no more
	states atomic.Int64
}

// rounds are what a run makes one after another, each from those before it: the levels of a search,
// or the stages of blocks.
type rounds interface {
	// next returns the job that makes the next rounds, and how many rounds there are after it at
	// most.
	next() (build pipeline, end int)
	// last reports whether no round follows one.
	last(m *manifest) bool
	// needs reports whether the next job reads a round.
	needs(round int) bool
	// counts returns the layers, with that of the roots first.
	counts(ctx context.Context) ([]statespace.Layer, error)
	// natural is the store whose first section is made in pieces; "" if there is none.
	natural() string
	// pieces returns the job that makes the pieces, and their form.
	pieces() (build pipeline, f form)
}

// A pipeline builds a pipeline that divides its work into lanes.
type pipeline func(s beam.Scope, lanes int)

// Run finds all states of a space on a cluster, by layers or by blocks, and writes the file that
// run.Start writes. A run that was stopped or killed goes on from its last whole level or stage.
//
// Workers make the space of its definition: Main or Command says before by which families.
func Run(ctx context.Context, sp statespace.Space, o Options) (*run.Result, error) {
	begin := time.Now()
	if families == nil {
		return nil, refused("no families are set, which workers need: call cluster.Main or cluster.Command first")
	}
	d := &driver{Options: o, sp: sp, codes: sp.Parts().Codes}
	if err := d.check(); err != nil {
		return nil, err
	}
	if r, err := d.existing(ctx); r != nil || err != nil {
		return r, err
	}
	release, err := d.open(ctx)
	if err != nil {
		return nil, err
	}
	defer release()
	if err := d.addRounds(ctx); err != nil {
		return nil, err
	}
	if err := d.search(ctx); err != nil {
		return nil, d.stopped(ctx, err)
	}
	seconds := time.Since(begin).Seconds()
	r, err := d.finish(ctx)
	if err != nil {
		return nil, d.stopped(ctx, err)
	}
	r.Engine, r.Threads, r.Kernel = d.runner.Name(), d.threads()*d.runner.Lanes(), ""
	r.Seconds, r.TotalSeconds, r.PeakRSS = seconds, time.Since(begin).Seconds(), mapped.PeakRSS()
	return r, d.tidy(ctx)
}

// ownPieces and ownObjects match the names that a run gives in a place, also while they are written. A place
// may hold files of others.
var (
	ownPieces  = regexp.MustCompile(`^(pieces\.reach|pieces/(\d{5,}|list\.json|pieces\.reach))(\.[^/]*)?$`)
	ownObjects = regexp.MustCompile(`^(run\.json|(level|stage)-\d{5,}/(\d{5,}|manifest))(\.[^/]*)?$`)
)

// tidy removes what is no longer needed.
func (d *driver) tidy(ctx context.Context) error {
	if err := d.place.Remove(ctx, func(name string) bool {
		return ownPieces.MatchString(name) || !d.Keep && ownObjects.MatchString(name)
	}); err != nil {
		return err
	}
	local := d.local()
	if _, err := os.Stat(local); err != nil || d.place.Folder() == local {
		return nil
	}
	p, err := storage.Open(ctx, local)
	if err != nil {
		return err
	}
	defer p.Close()
	return p.Remove(ctx, ownPieces.MatchString)
}

// check fills in what is not given, and refuses what does not go together.
func (d *driver) check() (err error) {
	d.Memory = cmp.Or(d.Memory, gatherBytes)
	d.Levels, d.Attempts = cmp.Or(d.Levels, 32), cmp.Or(d.Attempts, 4)
	d.Place = cmp.Or(d.Place, d.Output+placeSuffix)
	if d.Meter == nil {
		d.Meter = func(string, uint64, string, func() (int64, int64)) func() { return func() {} }
	}
	name := cmp.Or(d.Store, run.BestStore(d.sp))
	if d.Store == "" && name == layers.ValuesStore {
		if name = layers.SparseStore; d.Warn != nil {
			d.Warn(fmt.Errorf("%s: the file lists the states; reach run also computes what they are worth", d.sp.Name()))
		}
	}
	if d.store, err = layers.FindStore(name); err == nil {
		err = d.store.Fits(d.sp)
	}
	switch {
	case err != nil:
		return refused("%w", err)
	case d.store.Name == layers.ValuesStore:
		return refused("the values of a game against chance are computed by reach run: use the store %s", layers.SparseStore)
	case !slices.Contains([]string{"", ByLayers, ByBlocks}, d.By):
		return refused("a space is enumerated by %s or by %s, not by %q", ByLayers, ByBlocks, d.By)
	case d.By == ByBlocks && !canBlocks(d.sp):
		return refused("%s cannot be enumerated by blocks, as it has none that are made one after another: use %s", d.sp.Name(), ByLayers)
	case d.Shards < 0 || d.Blocks < 0 || d.Levels < 1 || d.Attempts < 1 || d.Threads < 0:
		return refused("shards, blocks, levels, attempts and threads should be above 0")
	}
	if info, err := os.Lstat(d.Output); err == nil && info.IsDir() {
		return refused("%s is a directory: name a file with -o", d.Output)
	}
	return nil
}

// existing looks at a file that is in the way. If it holds the result already, the run is done, and what it has
// left when it was killed is removed. Else it returns nil, or an error if the file is something else.
func (d *driver) existing(ctx context.Context) (*run.Result, error) {
	if _, err := os.Lstat(d.Output); errors.Is(err, os.ErrNotExist) || d.Overwrite {
		return nil, nil
	}
	o := d.Options.Options
	o.Store, o.Memory = d.store.Name, 0
	if d.store.Lists {
		o.Engine = run.SparseEngine
	}
	r, err := run.Start(ctx, d.sp, o)
	if err != nil {
		return nil, err
	}
	if _, err := os.Stat(d.Place); err != nil || d.Keep {
		return r, nil
	}
	release, err := d.open(ctx)
	if err != nil {
		return nil, err
	}
	defer release()
	return r, d.tidy(ctx)
}

// levels are the levels of a run. They implement rounds.
type levels struct{ *driver }

// natural implements rounds.
func (d levels) natural() string {
	switch p := d.sp.Parts(); {
	case p.Codes.Graph != nil || p.Values.Any():
		return ""
	case p.Layers != nil:
		return layers.SetStore
	case p.Undirected:
		return layers.Mod3Store
	}
	return layers.DistanceStore
}

// refused makes an error that is a run.ErrOptions.
func refused(format string, args ...any) error {
	return &optionError{fmt.Errorf(format, args...)}
}

// An optionError is a run.ErrOptions that has a text of its own.
type optionError struct{ error }

func (e *optionError) Unwrap() []error { return []error{run.ErrOptions, e.error} }

// inTheWay is a run.ErrInTheWay that has a text of its own.
type inTheWay struct{ error }

func (e *inTheWay) Unwrap() []error { return []error{run.ErrInTheWay, e.error} }

// planName names the plan. What is there when a run begins decides whether it goes on.
const planName = "run.json"

// open opens the place of the rounds and makes the plan, or takes the one that is there.
func (d *driver) open(ctx context.Context) (release func(), err error) {
	if d.place, err = storage.Open(ctx, d.Place); err != nil {
		return nil, err
	}
	end := func() {
		forget(d.place.String())
		d.place.Close()
	}
	defer func() {
		if err != nil {
			end()
			os.Remove(d.place.Folder()) // if it is empty
		}
	}()
	if folder := d.place.Folder(); folder != "" {
		unlock, err := layers.Claim(folder + ".lock")
		if err != nil {
			return nil, fmt.Errorf("cannot use %s: %w", folder, err)
		}
		others := end
		end = func() { unlock(); others() }
	}
	if d.runner, err = beamrun.New(ctx, d.Beam); err != nil {
		return nil, refused("%w", err)
	}
	others := end
	end = func() { d.runner.Close(); others() }
	p := new(plan)
	text, err := d.place.GetJSON(ctx, planName, p)
	if errors.Is(err, storage.ErrMissing) {
		if d.plan, err = d.newPlan(ctx); err != nil {
			return nil, err
		}
		d.text = statespace.Encode(d.plan)
		if err := d.choose(ctx); err != nil {
			return nil, err
		}
		return end, d.place.PutJSON(ctx, planName, d.plan)
	}
	if errors.Is(err, storage.ErrDamaged) {
		return nil, fmt.Errorf("%w; without it the run cannot go on: remove %s, or name another place", err, d.place)
	}
	if err != nil {
		return nil, err
	}
	if d.plan = p; p.Version != planVersion {
		return nil, fmt.Errorf("%s in %s has version %d, and this program knows version %d: go on with the program that wrote it, or name another place", planName, d.place, p.Version, planVersion)
	}
	there, here := d.plan.Space, d.sp.Definition()
	if !there.SamePuzzle(here) || string(there.Numbering) != string(here.Numbering) || d.plan.ToGoal != toGoal(d.sp) {
		return nil, &inTheWay{fmt.Errorf("%s holds another run, of %s: remove it, or name another place", d.place, there.Name)}
	}
	d.text = text
	if by := d.plan.by(); d.By != "" && d.By != by {
		return nil, &inTheWay{fmt.Errorf("%s holds a run by %s, not by %s: go on by %s, or name another place", d.place, by, d.By, by)}
	}
	return end, d.choose(ctx)
}

// choose chooses the rounds, by the plan.
func (d *driver) choose(ctx context.Context) error {
	d.rounds = levels{d}
	if d.plan.Blocks != nil {
		w, err := d.setting().worker(ctx)
		if err != nil {
			return err
		}
		d.rounds = stages{d, w.blocks.schedule}
	}
	if n := d.rounds.natural(); d.Pieces && d.store.Name != n {
		return refused("a file in pieces of %s by %s has the store %q, not %s: leave the store out, and convert the file", d.sp.Name(), d.plan.by(), n, d.store.Name)
	}
	return nil
}

// threads returns how many threads a worker process has.
func (d *driver) threads() int {
	if d.Threads > 0 {
		return d.Threads
	}
	return max(1, runtime.GOMAXPROCS(0)/d.runner.Lanes())
}

// toGoal reports whether the search ends with the nearest goals.
func toGoal(sp statespace.Space) bool {
	p := sp.Parts()
	return p.Goals.Ends && p.Layers == nil
}

const planVersion = 1

// newPlan makes the plan of a run.
func (d *driver) newPlan(ctx context.Context) (*plan, error) {
	sp, count, threads := d.sp, d.Shards, d.threads()*d.runner.Lanes()
	p := &plan{Version: planVersion, Space: sp.Definition(), Before: -1, ToGoal: toGoal(sp)}
	if d.By == ByBlocks || d.By == "" && canBlocks(sp) {
		p.Blocks = newBlockPlan(sp, d.Blocks, threads)
		return p, nil
	}
	g := sparse.Of(sp).Graph()
	if g.Back >= 0 {
		p.Before = g.Back + 1
	}
	parts, size := sp.Parts(), uint64(0)
	layered, listed := parts.Layers != nil, parts.Codes.Graph != nil
	p.Goals = parts.Goals.Any() && !layered
	if !listed {
		size = sp.Size()
		p.Symmetries = len(statespace.Symmetries(sp))
	}
	// Shards are many more than threads, so that these end together, and of at most 2^30 numbers.
	if count == 0 {
		count = int(min(4096, max(uint64(32*threads), size>>30)))
	}
	if size > 0 {
		p.Layout = shards.Numbers(size, count)
	}
	if !listed && !layered {
		return p, nil
	}
	sample, steps, err := sampleOf(ctx, sp, listed, layered)
	if err != nil {
		return nil, err
	}
	if listed {
		p.Layout = shards.Codes(sample, g.Words, count)
	}
	if layered && steps {
		p.Before, p.Layered = 0, true
	}
	return p, nil
}

// sampleStates is how many states are looked at before a run.
const sampleStates = 1 << 17

// sampleOf finds some states near the roots. It returns their codes, and whether every move leads
// to the next layer and all roots are in the same one.
func sampleOf(ctx context.Context, sp statespace.Space, listed, layered bool) (codes []uint64, steps bool, err error) {
	s, err := sparse.New(sparse.Of(sp).Graph(), sparse.Options{MaxStates: sampleStates})
	if err != nil {
		return nil, false, err
	}
	defer s.Close()
	if err := s.Run(ctx, nil, nil); err != nil && !errors.Is(err, sparse.ErrStates) {
		return nil, false, err
	}
	var levels []int
	list, err := s.Table(ctx, func(_ uint64, level int) { levels = append(levels, level) })
	for i := uint64(0); err == nil && i < list.Chunks(); i++ {
		codes, err = list.Chunk(codes, i)
	}
	if err != nil || !layered || listed {
		return codes, false, err
	}
	l := sp.Parts().Layers
	root := -1
	for i, level := range levels { // a code is a number: the states have layers
		layer := l.Layer(codes[i])
		if l.LayersFall() {
			layer += level
		} else {
			layer -= level
		}
		if root < 0 {
			root = layer
		}
		if layer != root {
			return codes, false, nil
		}
	}
	return codes, true, nil
}

// addRounds adds the rounds that have become whole.
func (d *driver) addRounds(ctx context.Context) error {
	for !d.ended {
		m, err := getManifest(ctx, d.place, d.plan, len(d.made))
		if errors.Is(err, storage.ErrMissing) {
			return nil
		}
		if err != nil {
			return err
		}
		if want := storage.Sum(d.text); m.Run != want {
			return fmt.Errorf("%s in %s is of another run: it should be of run %08x, and is of %08x; remove it, and the run makes the %s again",
				d.plan.manifestName(m.Level), d.place, want, m.Run, d.plan.round())
		}
		d.made = append(d.made, m)
		d.states.Add(int64(m.states()))
		d.ended = d.rounds.last(m)
	}
	return nil
}

// last implements rounds.
func (d levels) last(m *manifest) bool { return d.plan.ToGoal && m.hasGoals() }

// states returns how many states a round has.
func (m *manifest) states() uint64 {
	return lists.SumOf(m.Shards, func(r *record) uint64 { return r.States })
}

// orbits returns how many states a level has up to symmetry.
func (m *manifest) orbits() uint64 {
	return lists.SumOf(m.Shards, func(r *record) uint64 { return r.Orbits })
}

func (m *manifest) hasGoals() bool {
	return slices.ContainsFunc(m.Shards, func(r *record) bool { return len(r.Goals) > 0 })
}

// search makes rounds until there are no more.
func (d *driver) search(ctx context.Context) error {
	defer d.Meter(d.sp.Name(), 0, "states", func() (int64, int64) { return d.states.Load(), 0 })()
	for failures := 0; !d.ended; {
		before := len(d.made)
		build, end := d.rounds.next()
		stop := d.watch(ctx)
		failed := d.runner.Run(ctx, "pagoda", func(s beam.Scope) { build(s, d.runner.Lanes()) })
		stop()
		if ctx.Err() != nil {
			return context.Cause(ctx)
		}
		if err := d.addRounds(ctx); err != nil {
			return err
		}
		if failed == nil {
			// If the last step had found states, its round would be there.
			d.ended = d.ended || len(d.made) < end
			failures = 0
			continue
		}
		if len(d.made) > before {
			failures = 0
		}
		if failures++; failures >= d.Attempts {
			return fmt.Errorf("%s %d cannot be made, after %d attempts: %w", d.plan.round(), len(d.made), failures, failed)
		}
		if err := d.checkNeeded(ctx); err != nil {
			return err
		}
		if d.Warn != nil {
			d.Warn(fmt.Errorf("a job has failed, the run goes on from %s %d: %s", d.plan.round(), max(0, len(d.made)-1), firstLine(failed)))
		}
	}
	return nil
}

// firstLine returns the first line of an error of Beam, which may be a whole trace.
func firstLine(err error) string {
	line, _, _ := strings.Cut(strings.TrimSpace(err.Error()), "\n")
	return line
}

// watch counts rounds while they become whole.
func (d *driver) watch(ctx context.Context) (stop func()) {
	ctx, cancel := context.WithCancel(ctx)
	done := make(chan struct{})
	go func() {
		defer close(done)
		for {
			select {
			case <-ctx.Done():
				return
			case <-time.After(time.Second):
				d.addRounds(ctx) // an error comes again when the job has ended
			}
		}
	}()
	return func() {
		cancel()
		<-done
	}
}

// setting returns the setting of all workers.
func (d *driver) setting() setting {
	return setting{Plan: d.text, Place: d.place.String(), Threads: d.threads(), Memory: d.Memory}
}

// next implements rounds. The first step expands the last level, or begins with the roots.
func (d levels) next() (build pipeline, end int) {
	last := len(d.made) - 1
	j := &job{setting: d.setting(), first: max(0, last), steps: d.Levels + 1,
		look: d.plan.Goals && !slices.ContainsFunc(d.made, (*manifest).hasGoals)}
	lanes := d.runner.Lanes()
	if last < 0 {
		j.steps = d.Levels
		for shard, roots := range d.roots() {
			j.start = append(j.start, element(shard%lanes, shard, runElement, roots))
		}
		return j.build, j.steps
	}
	for level, m := range d.made {
		kind := byte(seenElement)
		switch {
		case level == last:
			kind = frontierElement
		case d.plan.Before >= 0 && level <= last-d.plan.Before:
			continue
		}
		for _, r := range m.Shards {
			j.start = append(j.start, element(r.Shard%lanes, r.Shard, kind, statespace.Encode(r)))
		}
	}
	return j.build, j.first + j.steps
}

// roots returns the roots as runs, by shard.
func (d levels) roots() map[int][]byte {
	runs := make(map[int][]byte)
	l := &d.plan.Layout
	c := l.NewCollector(nil, d.Memory, 1)
	c.Begin(func(shard int, run []byte) {
		merged, _, err := l.Merge(shard, slices.DeleteFunc([][]byte{runs[shard], run}, func(run []byte) bool { return run == nil }), nil)
		if err != nil {
			panic(err) // they have just been made
		}
		runs[shard] = merged
	})
	sink := c.NewSink()
	if d.codes.Graph != nil {
		for _, root := range d.codes.Graph().Roots {
			sink.Add(root)
		}
	} else {
		for root := range statespace.EachRoot(d.sp) {
			sink.Add([]uint64{root})
		}
	}
	c.Flush(1)
	return runs
}

// checkNeeded checks the objects from which the next job begins: an error that trying again does
// not mend ends the run.
func (d *driver) checkNeeded(ctx context.Context) error {
	for round, m := range d.made {
		if !d.rounds.needs(round) {
			continue
		}
		if err := d.checkRound(ctx, m); err != nil {
			return err
		}
	}
	return nil
}

// needs implements rounds.
func (d levels) needs(level int) bool {
	before := d.plan.Before
	return before < 0 || level >= len(d.made)-max(1, before)
}

// checkRound checks the objects of a round.
func (d *driver) checkRound(ctx context.Context, m *manifest) error {
	for _, r := range m.Shards {
		_, err := d.place.GetSummed(ctx, d.plan.object(r), r.Bytes, r.Sum)
		if errors.Is(err, storage.ErrMissing) || errors.Is(err, storage.ErrDamaged) {
			return fmt.Errorf("%w; put it back, or remove %s and all later %ss: the run makes them again", err, d.plan.manifestName(m.Level), d.plan.round())
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// stopped adds to an error how the run goes on.
func (d *driver) stopped(ctx context.Context, err error) error {
	if ctx.Err() == nil || len(d.made) == 0 {
		return err
	}
	return &StoppedError{Err: err, Round: d.plan.round(), Last: len(d.made) - 1, Place: d.place.String()}
}

// A StoppedError is the error of a run that was interrupted. The same command continues it.
type StoppedError struct {
	Err   error
	Round string // what a round is: a level or a stage
	Last  int    // the last one that is whole
	Place string
}

func (e *StoppedError) Error() string {
	return fmt.Sprintf("%v; %s %d and all before it are in %s", e.Err, e.Round, e.Last, e.Place)
}

func (e *StoppedError) Unwrap() error { return e.Err }

// local returns the folder beside the output.
func (d *driver) local() string { return d.Output + placeSuffix }
