package cli

import (
	"fmt"
	"io"
	"math/big"
	"slices"
	"strings"

	"github.com/dustin/go-humanize"
	"github.com/spf13/cobra"

	"pagoda/ask"
	"pagoda/internal/amount"
	"pagoda/internal/console"
	"pagoda/internal/exactjson"
	"pagoda/internal/printable"
	"pagoda/internal/suggest"
	"pagoda/layers"
	"pagoda/puzzle"
	"pagoda/run"
	"pagoda/statespace"
)

// runFlags are the flags of run that explain has, too.
type runFlags struct {
	output, scratch string
	engine          *string
	stores          storeFlags
	worth           worthFlags
	choice          func(memory uint64) puzzle.Choice
	job             *Job
}

// add adds the flags to a command, with what -o is for.
func (f *runFlags) add(cmd *cobra.Command, families *puzzle.Set, output string) {
	outputFlag(cmd, &f.output, output)
	f.engine = engineFlag(cmd)
	scratchFlag(cmd, &f.scratch)
	f.stores.add(cmd)
	f.worth.add(cmd)
	f.choice, f.job = ChoiceFlags(cmd, families), NewJob(cmd, console.OfMachine)
}

// read returns the space that an argument names, and what the flags say.
func (f *runFlags) read(cmd *cobra.Command, families *puzzle.Set, arg string) (sp statespace.Space, o run.Options, err error) {
	o = f.job.Options()
	o.Engine, o.Scratch, o.Own, o.Output = *f.engine, f.scratch, f.worth.options(), f.output
	if o.Store, err = f.stores.name(); err == nil {
		sp, err = Lookup(cmd, families, arg, f.choice(run.MemoryLimit(o.Memory)))
	}
	return sp, o, err
}

func (p *Program) run() *cobra.Command {
	var f runFlags
	var noFile, force bool
	var checkpoint string
	cmd := &cobra.Command{
		Use:   "run SPACE",
		Short: "Enumerate a space and keep its states in a file",
		Long: `run enumerates all states that can be reached from the start of a space. It prints the
number of states in each layer, and keeps the states in a file.

A layer is the states with the same number of something that moves lose, such as pegs. In a
puzzle whose moves lose nothing, it is the states at the same distance from the start; run then
also finds the nearest goal and counts the shortest solutions. For a game against chance it
computes what each state is worth under the best play, for each objective of --objective.

The engines:

` + aboutEngines() + `
The default is the first that the space has and that memory allows. sparse is chosen where at
most a million of very many numbers are states, or where no other engine fits; it then stops
when its list is larger than --mem. With --engine sparse it goes on, with levels on disk in
FILE.levels; in the end the distances of all states must fit into --mem, at a few bits each.
All engines find the same states.

--mem bounds the memory of a run. A run that needs more is refused before it starts, and so
is a file that is larger than the free disk. A sweep keeps only the blocks that it still
needs in memory, and writes the others to the file at once. So the file may be larger than
memory. Blocks that do not fit are packed, which takes longer; with --scratch, some are on
disk.

A run writes a checkpoint, FILE.checkpoint, every minute, but takes at most a tenth of its
time for that. Ctrl-C writes one, too, once there is something to keep, and prints the command
that continues. A run that makes its file block by block also needs FILE.partial: keep both.
A finished run removes its checkpoint.

The file appears at its place when it is complete and on the disk. If it is there already and
holds this very space, finished and undamaged, run says so and is done. Any other file is
overwritten only with --force.`,
		Args: console.Args(1, 1, "one space"),
	}
	flags := cmd.Flags()
	flags.BoolVar(&noFile, "no-file", false, "count only, and write no file")
	flags.BoolVar(&force, "force", false, "overwrite the file, and what another run has left beside it")
	flags.StringVar(&checkpoint, "checkpoint", "", "write the checkpoint into this `DIRECTORY` (default: beside the file; with --no-file, none is written)")
	console.CompleteFlag(cmd, "checkpoint", cobra.ShellCompDirectiveFilterDirs)
	console.JSON(cmd, "one JSON object")
	f.add(cmd, p.Families, "the `FILE` to write (default: the name of the space with .reach, or -goal.reach after --goal, in this directory)")
	kernel, every := kernelFlag(cmd), everyFlag(cmd)
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		if err := console.Refuse(cmd, noFile, "output force store numbering", "--no-file writes no file: --%s does not go with it"); err != nil {
			return err
		}
		sp, o, err := f.read(cmd, p.Families, args[0])
		if err != nil {
			return err
		}
		o.Kernel, o.Every, o.Overwrite, o.Checkpoint = kernel(), every(), force, checkpoint
		if !noFile && o.Output == "" {
			if o.Output, err = run.OutputName(sp, o); err != nil {
				return err
			}
		}
		r, err := run.Start(cmd.Context(), sp, o)
		if err != nil {
			return err
		}
		return WriteResult(cmd, r)
	}
	return cmd
}

// outputFlag adds the flag -o of a file of states, which is not for stdout.
func outputFlag(cmd *cobra.Command, output *string, usage string) {
	cmd.Flags().StringVarP(output, "output", "o", "", usage)
	console.CompleteFlag(cmd, "output", cobra.ShellCompDirectiveFilterFileExt, "reach")
	console.NotEmpty(cmd, "output")
	console.Check(cmd, "output", func(value string) string {
		switch {
		case value != "-":
			return ""
		case cmd.Flags().Lookup("no-file") != nil:
			return "-o - is refused: a file of states is binary and is put in place as a whole; name a file, or use --no-file"
		}
		return "-o - is refused: a file of states is binary and is put in place as a whole; name a file"
	})
}

func (p *Program) resume() *cobra.Command {
	var force bool
	var output, scratch string
	cmd := &cobra.Command{
		Use:   "resume CHECKPOINT",
		Short: "Continue a run that was stopped or killed",
		Long: `resume continues a run from its checkpoint, also after kill -9 or a power failure. The file
has the same bytes as without the stop. --threads, --mem and --kernel may differ from those
of the run. For a directory, resume takes the only checkpoint in it. A checkpoint that is
damaged is refused, and so is one of a version that divides its work differently.

From FILE.checkpoint, resume writes FILE beside it and no other file, whatever the checkpoint
says. If the run was to write elsewhere, or FILE is a link, it refuses and prints the command
with -o. An existing file is replaced if it is of the same space and the run had --force; any
other file only if resume has --force.`,
		Args: console.Args(1, 1, "one checkpoint"),
	}
	outputFlag(cmd, &output, "the `FILE` to write (default: that of FILE.checkpoint)")
	cmd.Flags().BoolVar(&force, "force", false, "overwrite the file, whatever it is")
	console.JSON(cmd, "one JSON object")
	scratchFlag(cmd, &scratch)
	kernel, every, job := kernelFlag(cmd), everyFlag(cmd), NewJob(cmd, console.OfMachine)
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		o := job.Options()
		o.Kernel, o.Every, o.Output, o.Overwrite, o.Scratch = kernel(), every(), output, force, scratch
		r, err := run.Resume(cmd.Context(), args[0], p.Families.Define, o)
		if err != nil {
			return err
		}
		return WriteResult(cmd, r)
	}
	return cmd
}

// runResult is what run prints as JSON.
type runResult struct {
	Space  string     `json:"space"`
	States uint64     `json:"states"`
	Orbits uint64     `json:"orbits,omitempty"` // states up to symmetry, if they were counted
	Layers ask.Layers `json:"layers"`
	run.Taken
	Packed  *packed `json:"packed,omitempty"`
	*solved         // of a space with goals
	*worth          // of a game against chance
}

// packed is about the blocks of a run that has packed them.
type packed struct {
	Blocks   uint64  `json:"blocks"`
	Ratio    float64 `json:"ratio"`         // how many times smaller they were packed
	Unpacked uint64  `json:"unpacked"`      // how often one was unpacked
	Bytes    uint64  `json:"bytes"`         // of packed blocks at a time, at most
	Scratch  uint64  `json:"scratch_bytes"` // of the scratch file, at most
	Written  uint64  `json:"scratch_written_bytes"`
	Read     uint64  `json:"scratch_read_bytes"`
}

func newPacked(s *run.PackedStats) *packed {
	if s == nil {
		return nil
	}
	return &packed{s.Blocks, s.Ratio(), s.Unpacked, s.Most, s.ScratchMax, s.Spilled, s.ReadBack}
}

// scratchFlag adds the flag --scratch.
func scratchFlag(cmd *cobra.Command, dir *string) {
	cmd.Flags().StringVar(dir, "scratch", "", "a `DIRECTORY` for packed blocks of a sweep that do not fit into --mem (default: they must fit)")
	console.CompleteFlag(cmd, "scratch", cobra.ShellCompDirectiveFilterDirs)
}

// solved is about the nearest goals.
type solved struct {
	Length    *int     `json:"solution_length"` // null if no goal can be reached
	Solutions *big.Int `json:"solutions"`       // shortest ones
}

// WriteResult answers with what a run has found.
func WriteResult(cmd *cobra.Command, r *run.Result) error {
	counts := ask.NewLayers(r.LayerName, r.Layers, r.Figures)
	pack, _ := r.Own.(*run.PackedStats)
	start, _ := r.Own.(*run.Worth)
	if start == nil {
		start = new(run.Worth)
	}
	v := runResult{r.Space, r.States, counts.Orbits(), counts, r.Taken, newPacked(pack), nil, newWorth(start.Game, start.Objectives, start.Values, allDigits)}
	if r.HasGoals {
		v.solved = &solved{Solutions: new(big.Int)}
	}
	if r.Goal != nil {
		v.solved = &solved{&r.Goal.Distance, r.Goal.Solutions}
	}
	object := exactjson.Object{v}
	for _, f := range r.Figures {
		object = append(object, map[string]uint64{f.Name: f.Value})
	}
	return console.Answer(cmd, object, func(w io.Writer) error {
		counts.WriteText(w)
		writeFigures(w, r.Figures)
		newWorth(start.Game, start.Objectives, start.Values, digitsOf(start.Rounding)).writeText(w)
		writeRun(w, r, v.Packed)
		return nil
	})
}

// writeRun writes what a run has found of goals, and what it has taken.
func writeRun(w io.Writer, r *run.Result, p *packed) {
	if r.Goal != nil && r.Goal.Solutions == nil {
		fmt.Fprintf(w, "\nthe nearest goal is at distance %d; its shortest solutions are not counted\n", r.Goal.Distance)
	} else if r.Goal != nil {
		fmt.Fprintf(w, "\nthe nearest goal is at distance %d; the number of shortest solutions is %v\n", r.Goal.Distance, r.Goal.Solutions)
	} else if r.HasGoals {
		fmt.Fprintln(w, "\nno goal can be reached")
	}
	if r.Existing {
		fmt.Fprintf(w, "\n%s already holds this space, finished: %s bytes, checked.\n", printable.Line(r.File), amount.Comma(r.FileBytes))
	} else {
		engine := r.Engine
		if r.Kernel != "" {
			engine += " by " + r.Kernel
		}
		fmt.Fprintf(w, "\n%s: %.2f s to enumerate (%s, %s), %.2f s in all, %s of memory at most.\n",
			r.Space, r.Seconds, engine, Count(uint64(r.Threads), "thread"), r.TotalSeconds, humanize.IBytes(r.PeakRSS))
		if p != nil {
			fmt.Fprintf(w, "%s blocks were packed, to 1/%.1f, and unpacked %.1f times each; %s at most, packed, and %s of scratch.\n", amount.Comma(p.Blocks),
				p.Ratio, float64(p.Unpacked)/float64(max(1, p.Blocks)), humanize.IBytes(p.Bytes), humanize.IBytes(p.Scratch))
		}
		if r.File != "" {
			fmt.Fprintf(w, "%s: %s bytes.\n", printable.Line(r.File), amount.Comma(r.FileBytes))
		}
	}
}

// writeFigures writes figures, a line each. Those by layer are in the table of layers.
func writeFigures(w io.Writer, figures []statespace.Figure) {
	figures = slices.DeleteFunc(slices.Clone(figures), func(f statespace.Figure) bool { return f.ByLayer != nil })
	if len(figures) > 0 {
		fmt.Fprintln(w)
	}
	for _, f := range figures {
		fmt.Fprintf(w, "%15s  %s\n", amount.Comma(f.Value), strings.ReplaceAll(f.Name, "_", " "))
	}
}

// storeFlags are the flags --store and --numbering.
type storeFlags struct{ store, numbering string }

// The values of --numbering: raw makes "-raw" of the name of a store.
const (
	spaceNumbering = "class"
	rawNumbering   = "raw"
)

func (f *storeFlags) add(cmd *cobra.Command) {
	var names, plain []string // without -raw, which --numbering adds
	for _, s := range layers.Stores {
		names = append(names, s.Name)
		if !strings.HasSuffix(s.Name, "-"+rawNumbering) {
			plain = append(plain, s.Name)
		}
	}
	console.OneOf(cmd, &f.store, "store", "", names, "how the file keeps the states: "+suggest.Either(plain)+"; reach convert --help says more (default: the smallest that answers every question at once)")
	console.OneOf(cmd, &f.numbering, "numbering", spaceNumbering, []string{spaceNumbering, rawNumbering}, "what has an entry in the store backptr: "+spaceNumbering+", the numbers of the space; or "+rawNumbering+", all patterns of the board")
}

// name returns the name of the store that was asked for, or "".
func (f *storeFlags) name() (string, error) {
	if f.numbering == rawNumbering {
		name := f.store + "-" + rawNumbering
		if _, err := layers.FindStore(name); err != nil {
			return "", console.Usagef("--numbering %s is for --store backptr", rawNumbering)
		}
		return name, nil
	}
	return f.store, nil
}
