package run

import (
	"context"
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/dustin/go-humanize"

	"pagoda/internal/disk"
	"pagoda/layers"
	"pagoda/statespace"
	"pagoda/statespace/chance"
	"pagoda/statespace/sparse"
)

// A chanceRun solves a game against chance: it lists the states layer by layer, and then
// computes what they are worth.
type chanceRun struct {
	*job
	writer *layers.Writer // or nil
	solver *chance.Solver
	keep   bool // the files of layers belong to a checkpoint
}

// small is what chance.Small returns.
type small struct {
	states int
	ok     bool
}

// takeObjectives reads the objectives of a game against chance.
func (j *job) takeObjectives() (err error) {
	game := j.sp.Parts().Chance
	if game == nil || j.engine.name != ChanceEngine {
		if j.Objectives != "" || j.ValueBytes != 0 {
			if game != nil {
				return optionError("the engine %s lists the states of %s without what they are worth: leave out the objectives, or use the engine %s", j.engine.name, j.sp.Name(), ChanceEngine)
			}
			return optionError("%s has no objectives: they are for games against chance", j.sp.Name())
		}
		return nil
	}
	switch j.ValueBytes {
	case 0:
		j.ValueBytes = 8
	case 4, 8:
	default:
		return optionError("values have 4 or 8 bytes: found %d", j.ValueBytes)
	}
	switch {
	case j.Objectives == "":
		j.objectives = chance.DefaultObjectives(game)
	case j.Objectives != NoObjectives:
		if j.objectives, err = chance.ParseObjectives(game, j.Objectives); err != nil {
			return optionError("%w", err)
		}
	case j.Output != "":
		return optionError("a file needs an objective: name one, or write no file with --no-file")
	}
	for _, o := range j.objectives {
		if j.ValueBytes == 4 && len(o.Terms) > 1 {
			return optionError("values of 4 bytes are too coarse to break ties, as the objective %.60q does: use 8 bytes, or another objective", o.Name)
		}
	}
	return nil
}

// objectiveNames lists the objectives.
func (j *job) objectiveNames() (names []string) {
	for _, o := range j.objectives {
		names = append(names, o.Name)
	}
	return names
}

// sameObjectives returns an error if a file that is there has other objectives than the run, or values of
// another size. It fills in the values.
func (j *job) sameObjectives(f *layers.File, r *Result) error {
	w, ok := f.Worth()
	if !ok {
		return nil
	}
	if m := f.Meta(); !slices.Equal(m.Objectives, j.objectiveNames()) || m.ValueBytes != j.ValueBytes {
		return inTheWay("%s holds this space with the objectives %s and values of %d bytes, not %s and %d", j.Output,
			strings.Join(m.Objectives, ","), m.ValueBytes, strings.Join(j.objectiveNames(), ","), j.ValueBytes)
	}
	return f.Read(func() (err error) {
		r.Game, r.Objectives, r.Rounding = w.Game, w.Objectives, w.Rounding()
		r.Values, err = w.Start()
		return err
	})
}

// chanceNeed returns about how many bytes a run takes for its largest layers, and how many states the space has,
// about.
func (j *job) chanceNeed() (bytes uint64, states float64) {
	game := j.sp.Parts().Chance
	states, layer := game.Estimate()
	const few = 1 << 16
	if states > few {
		if j.fewChances == nil {
			n, ok := chance.Small(game, few)
			j.fewChances = &small{n, ok}
		}
		if j.fewChances.ok {
			states, layer = float64(j.fewChances.states), float64(j.fewChances.states)
		}
	}
	// Backwards there are tables of afterstates and of the layers to which chance leads, a quarter of each empty, and
	// the list of a layer. There are fewer afterstates than states, unless a move has several cases.
	steps, apart := game.Steps(), 0
	for _, s := range steps { // layers are that far apart
		for a, b := s, apart; ; a, b = b, a%b {
			if b == 0 {
				apart = a
				break
			}
		}
	}
	tables := 1 + float64(slices.Max(steps)/apart)
	if game.MostMoves() > 4 {
		tables++
	}
	need := layer * 8 * (1 + tables*4/3*float64(1+chance.Columns(j.objectives)))
	if j.Output == "" && j.Checkpoint == "" && len(j.objectives) > 0 {
		need += 3 * states // the packed lists of all layers
	}
	return uint64(math.Min(need, 1<<62)) + 1<<20, states
}

// lessWorth is instead for the engine chance: fewer objectives, or a smaller game. A list of all states by the
// engine sparse has no values, and is no smaller.
func (j *job) lessWorth(allowed uint64) string {
	fewer := *j
	if fewer.objectives = j.objectives[:min(1, len(j.objectives))]; len(fewer.objectives) < len(j.objectives) {
		if need, _ := fewer.need(); need <= allowed {
			return "name fewer objectives, such as " + j.objectives[0].Name + " alone (" + statespace.EnoughBytes(need) + ")"
		}
	}
	return "take a smaller board, or a lower tile that ends the game"
}

func (r *chanceRun) begin() error {
	if r.from != nil || r.levelsDir() == "" {
		return nil
	}
	return chance.RemoveLayers(r.levelsDir()) // of a run that was killed
}

// division is a constant: layers are those of the game.
func (r *chanceRun) division() uint32 { return 0 }

func (r *chanceRun) restore(ctx context.Context, checkpoint *layers.File) error {
	return r.lostLevels("layers", r.solver.Restore(ctx, checkpoint.Meta().Checkpoint.Chance))
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
	w, err := layers.Create(r.checkpoint, 0, true)
	if err != nil {
		return err
	}
	if _, err = w.FinishChance(ctx, state, meta); err == nil {
		r.keep = true
	}
	return err
}

func (r *chanceRun) finish(ctx context.Context, result *Result) error {
	found := r.solver.Result()
	members := &layers.Solved{Everything: layers.Everything(found.States), Solver: r.solver, ValueBytes: r.ValueBytes}
	game := r.sp.Parts().Chance
	result.Objectives, result.Values, result.Game = r.objectives, found.Values, game
	d, err := sparse.Renumber(r.sp.Definition())
	if err != nil {
		return err
	}
	meta := &layers.Meta{Space: d, Store: layers.ValuesStore, Size: found.States, States: found.States, Layer: game.LayerName(), Figures: found.Figures()}
	for _, l := range found.Layers {
		meta.Layers = append(meta.Layers, statespace.Layer{Layer: l.Layer, States: l.States})
	}
	if err := r.write(ctx, solvedSpace{r.sp.(*chance.Space), found.States, d}, members, meta, r.writer, result); err != nil {
		return err
	}
	r.keep = false
	return nil
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
		if r.keep {
			r.solver.Close()
		} else {
			r.solver.Discard()
			if dir := r.levelsDir(); dir != "" {
				disk.Remove(dir) // a run that was killed may have made it
			}
		}
	}
	if r.writer != nil {
		r.writer.Abort()
	}
}
