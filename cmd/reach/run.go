package main

import (
	"fmt"
	"io"
	"math/big"
	"path/filepath"
	"strings"
	"time"

	"github.com/dustin/go-humanize"
	"github.com/spf13/cobra"

	"pagoda/internal/cli"
	"pagoda/internal/mapped"
	"pagoda/layers"
	"pagoda/statespace"
	"pagoda/statespace/catalog"
	"pagoda/statespace/peg"
)

type runOptions struct {
	output, engine, kernel, metric   string
	noFile, force, goal, json, quiet bool
	store                            storeFlags
	checkpoint                       string
	every                            time.Duration
	threads                          *int
	mem                              cli.Memory
}

func runCommand() *cobra.Command {
	var o runOptions
	cmd := &cobra.Command{
		Use:               "run SPACE",
		ValidArgsFunction: completeSpaces,
		Short:             "Enumerate a space and keep its states in a file",
		Long: `run enumerates all states that can be reached from the start of a space, prints
how many there are in each layer, and keeps them in a file.

A run that lasts keeps a checkpoint every minute, or as often as --checkpoint-every
says: FILE.checkpoint beside the file, or in the directory of --checkpoint. Ctrl-C
writes one, too. reach resume goes on from there; when the run is finished, the
checkpoint is removed. The checkpoint of a sweep into a folded file counts on the
blocks in FILE.partial: keep both.

A sweep has those blocks in memory that it still needs; the others leave for the file,
or with --no-file for nobody. So the file may be larger than memory. --mem bounds what
a run takes, and one that needs more says so before it starts.

The file is written beside its place and put there when it is whole and on the
disk. A file that is there already is not overwritten without --force; if it holds
this very space, finished and undamaged, run says so and is done.

Of a sliding-block puzzle, the layers are the distances from the start in the metric,
and run tells how near the nearest goal is and how many shortest solutions there are.
With --goal it goes no farther than that goal. Such a run keeps no checkpoints.`,
		Example: `  reach run peg/5x7
  reach run peg/english@0,2 -o corner.reach --threads 4
  reach run my-board.txt --no-file --json
  reach run slide/klotski --metric steps`,
		Args: cli.Args(1, 1, "one space"),
		RunE: func(cmd *cobra.Command, args []string) error {
			result, err := o.run(cmd, args[0])
			if err != nil {
				return err
			}
			return result.write(cmd.OutOrStdout(), o.json)
		},
	}
	flags := cmd.Flags()
	flags.StringVarP(&o.output, "output", "o", "", "the file to write (default: the space's name with .reach, in this directory)")
	flags.BoolVar(&o.noFile, "no-file", false, "enumerate and report only")
	flags.BoolVar(&o.force, "force", false, "overwrite the file if there is one")
	flags.StringVar(&o.engine, "engine", "", "how to enumerate: sweep, levels, numbers or search (default: the best that the space has)")
	kernelFlag(cmd, &o.kernel)
	metricFlag(cmd, &o.metric)
	flags.BoolVar(&o.goal, "goal", false, "of sliding blocks: go no farther than the nearest goal; the file has just the positions up to there")
	o.mem.Flag(cmd)
	flags.StringVar(&o.checkpoint, "checkpoint", "", "keep a checkpoint in this directory (default: beside the file, of runs that last)")
	checkpointEvery(cmd, &o.every)
	o.store.add(cmd)
	flags.BoolVar(&o.json, "json", false, "print one JSON object")
	flags.BoolVar(&o.quiet, "quiet", false, "no progress on stderr")
	o.threads = cli.Threads(cmd)
	completeEngine := cobra.FixedCompletions([]string{"sweep", "levels", "numbers", "search"}, cobra.ShellCompDirectiveNoFileComp)
	if err := cmd.RegisterFlagCompletionFunc("engine", completeEngine); err != nil {
		panic(err) // there is no such flag
	}
	return cmd
}

// autoKernel asks for the best kernel that the processor has.
const autoKernel = "auto"

// kernelFlag adds the flag --kernel.
func kernelFlag(cmd *cobra.Command, kernel *string) {
	cmd.Flags().StringVar(kernel, "kernel", autoKernel, "the instructions that the sweep uses: avx512, avx2, generic, or auto, the first of these that the processor has")
	complete := cobra.FixedCompletions([]string{autoKernel, "avx512", "avx2", peg.GenericKernel}, cobra.ShellCompDirectiveNoFileComp)
	if err := cmd.RegisterFlagCompletionFunc("kernel", complete); err != nil {
		panic(err) // there is no such flag
	}
}

// useKernel makes an engine use a kernel, and returns which one it uses.
func useKernel(sp statespace.Space, engine, kernel string) (string, error) {
	v, ok := sp.(statespace.Vectorized)
	if kernel != autoKernel {
		if err := peg.CheckKernel(kernel); err != nil {
			return "", cli.Usagef("--kernel: %w", err)
		}
		if !ok || v.Kernel(engine) == "" {
			return "", cli.Usagef("--kernel is of the engine %s; %s is enumerated by the engine %s", peg.SweepEngine, sp.Name(), engine)
		}
		if err := v.UseKernel(kernel); err != nil {
			return "", cli.Usagef("--kernel: %w", err)
		}
	}
	if !ok {
		return "", nil
	}
	return v.Kernel(engine), nil
}

// runResult is what run prints.
type runResult struct {
	Space        string     `json:"space"`
	States       uint64     `json:"states"`
	Orbits       uint64     `json:"orbits,omitempty"` // states up to symmetry, if they were counted
	Layers       cli.Layers `json:"layers"`
	Seconds      float64    `json:"seconds"`
	TotalSeconds float64    `json:"total_seconds"`
	Threads      int        `json:"threads"`
	Engine       string     `json:"engine"`
	Kernel       string     `json:"kernel"` // empty if the engine has none
	Store        string     `json:"store"`
	File         string     `json:"file"`
	FileBytes    uint64     `json:"file_bytes"`
	PeakRSS      uint64     `json:"peak_rss_bytes"`
	Existing     bool       `json:"existing"` // the file was there already
	*solved                 // of a space with goals
}

// tellLayers adds what a file tells, or would tell, of the layers.
func (r *runResult) tellLayers(m *layers.Meta) {
	r.States, r.Layers = m.States, cli.LayersOf(m)
	r.Orbits = r.Layers.Orbits()
}

// solved tells of the nearest goals.
type solved struct {
	Length    *int     `json:"solution_length"` // null if no goal can be reached
	Solutions *big.Int `json:"solutions"`       // shortest ones
}

// tellGoal adds to a result what a file says of goals.
func (r *runResult) tellGoal(sp statespace.Space, goal *layers.Goal) {
	if rev, ok := sp.(statespace.Reversible); !ok || !rev.HasGoal() {
		return
	}
	r.solved = &solved{Solutions: new(big.Int)}
	if goal != nil {
		r.solved = &solved{&goal.Distance, goal.Solutions}
	}
}

func (o *runOptions) run(cmd *cobra.Command, name string) (*runResult, error) {
	begin := time.Now()
	ctx, stderr := cmd.Context(), cmd.ErrOrStderr()
	if err := cli.CheckThreads(*o.threads); err != nil {
		return nil, err
	}
	if o.noFile && (o.output != "" || o.force) {
		return nil, cli.Usagef("--no-file writes no file: -o and --force do not go with it")
	}
	if o.output == "-" {
		return nil, cli.Usagef("-o - is refused: a file of states is binary and is put in place as a whole; name a file, or use --no-file")
	}
	sp, err := catalog.Lookup(name, cmd.InOrStdin(), catalog.Sliding{Metric: o.metric, ToGoal: o.goal, Memory: o.mem.Limit()})
	if err != nil {
		return nil, cli.UsageError(err)
	}
	if _, ok := sp.(statespace.Reversible); ok && o.checkpoint != "" {
		return nil, cli.Usagef("%s has no checkpoints: leave --checkpoint out", sp.Name())
	}
	store, err := o.store.find(sp)
	if err != nil {
		return nil, err
	}
	if o.noFile && (cmd.Flags().Changed("store") || cmd.Flags().Changed("numbering")) {
		return nil, cli.Usagef("--no-file writes no file: --store and --numbering do not go with it")
	}
	if o.engine == "" {
		o.engine = statespace.Engines(sp)[0]
	}
	if err := statespace.CheckEngine(sp, o.engine); err != nil {
		return nil, cli.UsageError(err)
	}
	kernel, err := useKernel(sp, o.engine, o.kernel)
	if err != nil {
		return nil, err
	}
	if _, ok := sp.(statespace.Reversible); o.engine == statespace.PlainEngine && !ok {
		*o.threads = 1
	}

	result := &runResult{Space: sp.Name(), Threads: *o.threads, Engine: o.engine, Kernel: kernel, Store: store.Name}
	if !o.noFile {
		result.File = o.output
		if result.File == "" {
			result.File = fileName(sp.Name())
			if o.goal {
				result.File = strings.TrimSuffix(result.File, layers.Ending) + "-goal" + layers.Ending
			}
			if ending := store.Ending(); ending != layers.Ending {
				result.File = strings.TrimSuffix(result.File, layers.Ending) + ending
			}
		}
	}
	j := &job{sp: sp, engine: o.engine, store: store, output: result.File, overwrite: o.force, mem: o.mem, threads: *o.threads, quiet: o.quiet, every: o.every}
	if err := j.placeCheckpoint(o.checkpoint); err != nil {
		return nil, err
	}
	err = j.do(ctx, stderr, result)
	result.TotalSeconds = time.Since(begin).Seconds()
	result.PeakRSS = mapped.PeakRSS()
	return result, err
}

// describe makes what a file says of a set.
func describe(sp statespace.Space, counts []statespace.Layer) *layers.Meta {
	meta := &layers.Meta{Space: sp.Definition(), Store: layers.SetStore, Size: sp.Size(), Layers: layers.LayerCounts(counts)}
	if l, ok := sp.(statespace.Layered); ok {
		meta.Layer = l.LayerName()
	}
	for _, c := range counts {
		meta.States += c.States
	}
	return meta
}

// metricFlag adds the flag --metric of a space.
func metricFlag(cmd *cobra.Command, metric *string) {
	cmd.Flags().StringVar(metric, "metric", "", "of sliding blocks: what counts as a move; reach solve --help tells (default moves)")
	completeMetrics(cmd)
}

// describeDistances makes what a file says of distances.
func describeDistances(sp statespace.Reversible, found *statespace.Reached) *layers.Meta {
	meta := &layers.Meta{Space: sp.Definition(), Store: layers.Mod3Store, Size: sp.Size(), States: found.States(), Layer: "depth"}
	for i, n := range found.Layers {
		meta.Layers = append(meta.Layers, layers.LayerCount{Layer: i, States: n})
	}
	if n := len(found.Goals); n > 0 {
		meta.Goal = &layers.Goal{Distance: found.Length, Solutions: found.Solutions, Count: uint64(n), Nearest: found.Goals[:min(n, layers.MaxNearest)]}
	}
	return meta
}

// fileName makes a file name of a space's.
func fileName(space string) string {
	return strings.ReplaceAll(filepath.ToSlash(space), "/", "-") + ".reach"
}

func (r *runResult) write(w io.Writer, asJSON bool) error {
	if asJSON {
		return cli.WriteJSON(w, r)
	}
	if err := r.Layers.Write(w); err != nil {
		return err
	}
	var err error
	if r.solved != nil && r.Length == nil {
		_, err = fmt.Fprintln(w, "\nno goal can be reached")
	} else if r.solved != nil {
		_, err = fmt.Fprintf(w, "\nthe nearest goal is at distance %d; the number of shortest solutions is %v\n", *r.Length, r.Solutions)
	}
	if err != nil {
		return err
	}
	if r.Existing {
		_, err = fmt.Fprintf(w, "\n%s already holds this, finished: %s bytes, checked.\n", r.File, cli.Comma(r.FileBytes))
		return err
	}
	threads := "1 thread"
	if r.Threads > 1 {
		threads = fmt.Sprintf("%d threads", r.Threads)
	}
	engine := r.Engine
	if r.Kernel != "" {
		engine += " by " + r.Kernel
	}
	_, err = fmt.Fprintf(w, "\n%s: %.2f s to enumerate (%s, %s), %.2f s in all, %s of memory at most.\n",
		r.Space, r.Seconds, engine, threads, r.TotalSeconds, humanize.IBytes(r.PeakRSS))
	if err == nil && r.File != "" {
		_, err = fmt.Fprintf(w, "%s: %s bytes.\n", r.File, cli.Comma(r.FileBytes))
	}
	return err
}
