package run

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"
	"sync"

	"github.com/dustin/go-humanize"

	"pagoda/internal/amount"
	"pagoda/internal/lists"
	"pagoda/internal/memory"
	"pagoda/layers"
	"pagoda/statespace"
	"pagoda/statespace/chance"
	"pagoda/statespace/sparse"
)

// ChanceEngine is the name of Chance.
const ChanceEngine = "chance"

// Chance solves a game against chance: it lists the states layer by layer, and then computes what they are
// worth. Its options are ChanceOptions, and what it finds besides the states is a *Worth.
var Chance = Engine{Name: ChanceEngine, About: "for games against chance: a few layers, or their values", clean: chance.RemoveLayers, fit: func(sp statespace.Space) []*method {
	game := sp.Parts().Chance
	if game == nil {
		return nil
	}
	g := &chanceGame{Game: game, few: sync.OnceValues(func() (int, bool) { return chance.Small(game, gameStates) })}
	return []*method{{name: ChanceEngine, store: layers.ValuesStore, version: 1, outgrows: true,
		need: g.need, open: g.open, options: g.take, predict: g.predict, instead: g.instead, existing: g.existing}}
}}

// ChanceOptions are options of Chance.
type ChanceOptions struct {
	// Objectives lists those of the player, as chance.ParseObjectives reads them; empty means the score and
	// the chance of each mark. NoObjectives only lists the states.
	Objectives string
	// ValueBytes is the size of a value in the file, 4 or 8; 0 is 8. Objectives that break ties need 8:
	// rounded values have other ties.
	ValueBytes int
}

// NoObjectives is a ChanceOptions.Objectives of a run without a file.
const NoObjectives = "none"

// writesNone implements OwnOptions.
func (o ChanceOptions) writesNone() bool { return o.Objectives == NoObjectives }

// refused implements OwnOptions.
func (o ChanceOptions) refused(sp statespace.Space, engine string) error {
	if o == (ChanceOptions{}) {
		return nil
	}
	if sp.Parts().Chance != nil {
		return optionError("the engine %s lists the states of %s without what they are worth: leave out the objectives, or use the engine %s", engine, sp.Name(), ChanceEngine)
	}
	return optionError("%s has no objectives: they are for games against chance", sp.Name())
}

// optionsOf returns the options with which a file is made again in another store.
func optionsOf(f *layers.File, store layers.Store) OwnOptions {
	if store.Name != layers.ValuesStore {
		return nil
	}
	return ChanceOptions{strings.Join(f.Meta().Objectives, ","), f.Meta().ValueBytes}
}

// A Worth is what the start of a game against chance is worth: a number for each column of the objectives.
type Worth struct {
	Game       statespace.Game
	Objectives []chance.Objective
	Values     []float64
	// Rounding is the relative difference that Values may have from the exact ones, if they are those of a
	// file that was there.
	Rounding float64
}

// A chanceGame is a game, for one job.
type chanceGame struct {
	statespace.Game
	objectives []chance.Objective
	valueBytes int
	few        func() (states int, ok bool) // see chance.Small
}

// gameStates is up to how many states of a game are counted to know what it needs.
const gameStates = 1 << 16

// chanceState is what a checkpoint holds.
type chanceState struct {
	Chance     chance.State `json:"chance"`
	Objectives []string     `json:"objectives,omitempty"`
	ValueBytes int          `json:"value_bytes,omitempty"`
}

// take is method.options.
func (g *chanceGame) take(j *job) (err error) {
	o, _ := j.Own.(ChanceOptions)
	if j.from != nil {
		var saved chanceState
		if err := j.from.State(&saved); err != nil {
			return err
		}
		if o = (ChanceOptions{strings.Join(saved.Objectives, ","), saved.ValueBytes}); o.Objectives == "" {
			o.Objectives = NoObjectives
		}
	}
	switch g.valueBytes = cmp.Or(o.ValueBytes, 8); g.valueBytes {
	case 4, 8:
	default:
		return optionError("values have 4 or 8 bytes: found %d", g.valueBytes)
	}
	switch {
	case o.Objectives == "":
		g.objectives = chance.DefaultObjectives(g.Game)
	case o.Objectives != NoObjectives:
		if g.objectives, err = chance.ParseObjectives(g.Game, o.Objectives); err != nil {
			return optionError("%w", err)
		}
	case j.Output != "":
		return optionError("a file needs an objective: name one, or write no file with --no-file")
	}
	for _, o := range g.objectives {
		if g.valueBytes == 4 && len(o.Terms) > 1 {
			return optionError("values of 4 bytes are too coarse to break ties, as the objective %.60q does: use 8 bytes, or another objective", o.Name)
		}
	}
	return nil
}

// names lists the objectives.
func (g *chanceGame) names() []string {
	return lists.Map(g.objectives, func(o chance.Objective) string { return o.Name })
}

// existing is method.existing: the objectives and the size of the values should be the same.
func (g *chanceGame) existing(j *job, f *layers.File, r *Result) error {
	w, ok := f.Worth()
	if !ok {
		return nil
	}
	if m := f.Meta(); !slices.Equal(m.Objectives, g.names()) || m.ValueBytes != g.valueBytes {
		return inTheWay("%s holds this space with the objectives %s and values of %d bytes, not %s and %d", j.Output,
			strings.Join(m.Objectives, ","), m.ValueBytes, strings.Join(g.names(), ","), g.valueBytes)
	}
	return f.Read(func() error {
		values, err := w.Start()
		r.Own = &Worth{w.Game, w.Objectives, values, w.Rounding()}
		return err
	})
}

// need is method.need.
func (g *chanceGame) need(j *job) need {
	bytes, states := g.size(j)
	return need{bytes: bytes, most: of(bytes, "the largest layers of about %s states", amount.Comma(uint64(min(states, 1e18))))}
}

// size returns about how many bytes a run takes for its largest layers, and how many states the space has,
// about.
func (g *chanceGame) size(j *job) (bytes uint64, states float64) {
	states, layer := g.Estimate()
	if states > gameStates {
		if n, few := g.few(); few {
			states, layer = float64(n), float64(n)
		}
	}
	// Backwards there are tables of afterstates and of the layers to which chance leads, a quarter of each empty, and
	// the list of a layer. There are fewer afterstates than states, unless a move has several cases.
	steps, apart := g.Steps(), 0
	for _, s := range steps { // layers are that far apart
		for s != 0 {
			apart, s = s, apart%s
		}
	}
	tables := 1 + float64(slices.Max(steps)/apart)
	if g.MostMoves() > 4 {
		tables++
	}
	need := (layer + float64(chance.Slack(g.Game, j.Threads))) * 8 * (1 + tables*4/3*float64(1+chance.Columns(g.objectives)))
	if j.Output == "" && j.Checkpoint == "" && len(g.objectives) > 0 {
		need += 3 * states // the packed lists of all layers
	}
	return uint64(math.Min(need, 1<<62)) + 2<<20, states
}

// predict is method.predict.
func (g *chanceGame) predict(_ context.Context, j *job, p *Prediction) error {
	_, p.Estimate = g.size(j)
	const countable = 1 << 18 // states, in a fifth of a second
	if n, ok := chance.Small(g.Game, countable); ok {
		p.Estimate = float64(n)
	}
	// A board takes about two bytes in its list.
	if p.FileBytes = 0; j.Output != "" {
		p.FileBytes = uint64(min(p.Estimate*float64(2+g.valueBytes*chance.Columns(g.objectives)), 1<<62))
	}
	return nil
}

// instead is method.instead: fewer objectives, or a smaller game. A list of all states by the
// engine sparse has no values, and is no smaller.
func (g *chanceGame) instead(j *job, allowed uint64) string {
	if len(g.objectives) > 1 {
		fewer, other := *g, *j
		fewer.objectives = g.objectives[:1]
		other.engine = &method{need: fewer.need}
		if need, _ := other.need(); need <= allowed {
			return "name fewer objectives, such as " + g.objectives[0].Name + " alone (" + memory.EnoughBytes(need) + ")"
		}
	}
	return "take a smaller board, or a lower tile that ends the game"
}

// A chanceRun solves a game against chance.
type chanceRun struct {
	work
	game   *chanceGame
	solver *chance.Solver
	keep   bool // the files of layers belong to a checkpoint
}

// open is method.open.
func (g *chanceGame) open(_ context.Context, j *job) (_ enumeration, err error) {
	r := &chanceRun{work: work{job: j}, game: g}
	defer closeOnError(r, &err)
	if err = r.create(); err != nil {
		return nil, err
	}
	r.keep = j.from != nil
	limit := MemoryLimit(j.Memory)
	r.solver, err = chance.New(g.Game, chance.Options{Objectives: g.objectives, Threads: j.Threads, Memory: limit - min(limit-1, Program), Dir: j.levelsDir(),
		Counted: len(g.objectives) == 0 && j.levelsDir() == ""})
	return r, err
}

func (r *chanceRun) begin() error {
	if r.from != nil || r.levelsDir() == "" {
		return nil
	}
	return chance.RemoveLayers(r.levelsDir()) // of a run that was killed
}

func (r *chanceRun) restore(ctx context.Context, checkpoint *layers.File) error {
	var saved chanceState
	if err := checkpoint.State(&saved); err != nil {
		return err
	}
	return r.lostLevels("layers", r.solver.Restore(ctx, &saved.Chance))
}

func (r *chanceRun) advanced() bool { return len(r.solver.Result().Layers) > 1 }

func (r *chanceRun) run(ctx context.Context, between func() error, progress *statespace.Progress) error {
	err := r.solver.Run(ctx, between, progress)
	if errors.Is(err, statespace.ErrMemory) {
		err = fmt.Errorf("%s: %w; the limit is %s: raise it", r.sp.Name(), err, humanize.IBytes(MemoryLimit(r.Memory)))
	}
	return r.lostLevels("layers", err)
}

func (r *chanceRun) save(ctx context.Context, meta *layers.Meta) error {
	state, err := r.solver.Save(ctx)
	if err != nil {
		return err
	}
	meta.Checkpoint.Done = len(state.Layers)
	err = layers.WriteCheckpoint(ctx, r.checkpoint, meta, chanceState{*state, r.game.names(), r.game.valueBytes})
	r.keep = r.keep || err == nil
	return err
}

func (r *chanceRun) finish(ctx context.Context, result *Result) error {
	found := r.solver.Result()
	members := &layers.Solved{Everything: layers.Everything(found.States), Solver: r.solver, ValueBytes: r.game.valueBytes}
	result.Own = &Worth{Game: r.game.Game, Objectives: r.game.objectives, Values: found.Values}
	d, err := sparse.Renumber(r.sp.Definition())
	if err != nil {
		return err
	}
	sp := solvedSpace{r.sp.(*chance.Space), found.States, d}
	meta := Describe(sp, chanceLayers(found))
	meta.Store, meta.Figures = layers.ValuesStore, found.Figures()
	if err := r.write(ctx, sp, members, meta, result); err != nil {
		return err
	}
	r.keep = false
	return nil
}

// chanceLayers returns the layers of a result.
func chanceLayers(found chance.Result) []statespace.Layer {
	return lists.Map(found.Layers, func(l chance.Layer) statespace.Layer { return statespace.Layer{Layer: l.Layer, States: l.States} })
}

// solvedSpace is a game whose states have been numbered. The writer of the file only wants to know how many there are.
type solvedSpace struct {
	*chance.Space
	size       uint64
	definition statespace.Definition
}

// Size implements statespace.Space.
func (s solvedSpace) Size() uint64 { return s.size }

// Definition implements statespace.Space.
func (s solvedSpace) Definition() statespace.Definition { return s.definition }

func (r *chanceRun) close() {
	if r.solver != nil {
		r.closeLevels(r.solver, r.keep)
	}
	r.work.close()
}
