package cluster

import (
	"errors"
	"fmt"
	"os"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"pagoda/cli"
	"pagoda/cluster/beamrun"
	planner "pagoda/cluster/plan"
	"pagoda/internal/console"
	"pagoda/internal/lists"
	"pagoda/internal/progress"
	"pagoda/layers"
	_ "pagoda/layers/all"
	"pagoda/puzzle"
	"pagoda/run"
)

// Main is the main function of a program that runs spaces of some families on a cluster. Its worker
// processes are the same program. It does not return.
func Main(name string, all ...*puzzle.Family) {
	families = puzzle.NewSet(all...)
	beamrun.Work()
	os.Exit(console.Main(Command(name, families), os.Args[1:], os.Stdin, os.Stdout, os.Stderr))
}

// Command returns the command of Main.
func Command(name string, set *puzzle.Set) *cobra.Command {
	families = set
	root := &cobra.Command{
		Use:   name,
		Short: "Enumerate everything that can happen in a puzzle, on a cluster",
		Long: name + ` enumerates the states of a puzzle on a cluster, by Apache Beam. reach and query take its
files: they are those of reach run, byte for byte.`,
	}
	const group = "Other commands"
	root.AddGroup(&cobra.Group{ID: group, Title: group + ":"})
	root.AddCommand(runCommand(set), planner.Command(set))
	console.AddOthers(root, group)
	return root
}

func runCommand(set *puzzle.Set) *cobra.Command {
	var o Options
	cmd := &cobra.Command{
		Use:   "run SPACE -o FILE",
		Short: "Enumerate a space on a cluster and keep its states in a file",
		Long: `run enumerates all states that can be reached from the start of a space, and writes the file
that reach run writes.

By layers, it makes one level of the search after the other. Workers expand the shards of a
level, which are ranges of numbers; the runner brings the successors of each shard together;
workers merge them, take away what earlier levels have, and write the shard.

By blocks, it makes one stage of the block sweep after the other. Workers make the blocks of a
group from their sources in earlier stages, which they read from the place, and write the
group. That is far cheaper, and the default, for spaces that have such blocks: those of peg
solitaire.

Without --runner, all of this happens on this machine, on prism, the runner that is part of
this program. --workers N starts N worker processes. With another runner, --endpoint is the
address of its job service, and --place a folder or a bucket that all its workers can use:
s3://BUCKET/PREFIX or gs://BUCKET/PREFIX.

A level or stage counts when its manifest is there, with the checksums of its objects. When
a worker fails, the runner or this program starts its work again. When this program is
stopped or killed, the same command goes on from the last whole one.

--pieces leaves the file in pieces beside the output, which is then a list of them: reach
and query open it as one file, and reach convert makes one file of it.`,
		Example: `  reach-beam run peg/english -o english.reach
  reach-beam run slide/klotski -o klotski.reach --workers 2
  reach-beam run peg/5x6 -o 5x6.reach --runner flink --endpoint localhost:8099 --place s3://puzzles/5x6`,
		Args: console.Args(1, 1, "one space"),
	}
	flags := cmd.Flags()
	flags.StringVarP(&o.Output, "output", "o", "", "the file to write")
	flags.BoolVar(&o.Overwrite, "force", false, "overwrite the file if there is one")
	stores := lists.Map(layers.Stores, func(s layers.Store) string { return s.Name })
	console.OneOf(cmd, &o.Store, "store", "", stores, "how the file keeps the states (default: as reach run)")
	console.OneOf(cmd, &o.By, "by", "", []string{ByLayers, ByBlocks}, "how to enumerate the space (default: as the run began; "+ByBlocks+" if the space has them)")
	flags.StringVar(&o.Place, "place", "", "where the levels or stages lie until the file is there: a folder, or a bucket as s3://BUCKET/PREFIX or gs://BUCKET/PREFIX (default: FILE"+placeSuffix+")")
	flags.BoolVar(&o.Keep, "keep", false, "keep the levels or stages when the file is there")
	flags.BoolVar(&o.Pieces, "pieces", false, "leave the file in pieces")
	flags.IntVar(&o.Shards, "shards", 0, "by layers: the most shards of a level (default: 32 for each thread, or more if these had more than 2^30 numbers)")
	flags.IntVar(&o.Blocks, "blocks", 0, "by blocks: the most blocks of a group (default: 64, or more if they are small, with some groups for each thread)")
	flags.IntVar(&o.Levels, "levels", 32, "how many levels or stages a job of the runner makes")
	flags.IntVar(&o.Attempts, "attempts", 4, "how often a job may fail in a row before the run ends")
	flags.IntVar(&o.Threads, "threads", 0, "threads of a worker process (default: the processors of this machine, divided among the workers)")
	gather := console.Memory(gatherBytes)
	flags.Var(&gather, "gather", "memory of a worker process, as a `SIZE`: by layers for the successors of a level, which are sorted if a bit for each number does not fit; by blocks for sources that were read")
	flags.StringVar(&o.Beam.Runner, "runner", beamrun.Prism, "the runner of Beam: "+strings.Join(beamrun.Runners, ", "))
	flags.StringVar(&o.Beam.Endpoint, "endpoint", "", "the address of the job service of the runner")
	flags.StringArrayVar(&o.Beam.Flags, "beam", nil, "a flag of Beam, such as --beam=environment_config=IMAGE; may be repeated")
	flags.IntVar(&o.Beam.Workers, "workers", 0, "how many worker processes prism starts; with 0 the work is done in this process")
	flags.BoolVar(&o.Beam.Verbose, "verbose", false, "show the log of Beam")
	console.JSON(cmd, "one JSON object")
	quiet := flags.Bool("quiet", false, "no progress on stderr")
	choice := cli.ChoiceFlags(cmd, set)
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		if o.Output == "" || o.Output == "-" {
			return console.Usagef("name the file to write with -o: it is binary and is put in place as a whole")
		}
		o.Memory = uint64(gather)
		for _, name := range []string{"levels", "attempts", "shards", "threads", "workers"} {
			if n, err := cmd.Flags().GetInt(name); err == nil && cmd.Flags().Changed(name) && (n < 1 && name != "workers" || n < 0 || n > 1<<20) {
				return console.Usagef("--%s is %d, expected a number from 1 on", name, n)
			}
		}
		if !slices.Contains(beamrun.Runners, o.Beam.Runner) {
			return console.Usagef("--runner is %q, expected one of %s", o.Beam.Runner, strings.Join(beamrun.Runners, ", "))
		}
		sp, err := cli.Lookup(cmd, set, args[0], choice(run.MemoryLimit(0)))
		if err != nil {
			return err
		}
		return console.WithProgress(cmd, func() error {
			o.Meter = progress.Of(cmd.Context())
			if !*quiet {
				o.Warn = cli.Warn(cmd)
			}
			r, err := Run(cmd.Context(), sp, o)
			if err != nil {
				return advise(err)
			}
			return cli.WriteResult(cmd, r)
		})
	}
	return cmd
}

// advise says of an error which flag helps.
func advise(err error) error {
	var stopped *StoppedError
	var place *inTheWay
	switch {
	case errors.As(err, &stopped):
		return &console.Resumable{Err: err} // by the same command
	case errors.As(err, &place) && !errors.Is(err, layers.ErrExists):
		return fmt.Errorf("%w with --place", err)
	case errors.Is(err, run.ErrInTheWay) && strings.HasSuffix(err.Error(), "name another"):
		return fmt.Errorf("%w with -o", err)
	case errors.Is(err, run.ErrInTheWay), errors.Is(err, layers.ErrExists):
		return fmt.Errorf("%w; --force overwrites it, -o names another file", err)
	case errors.Is(err, run.ErrOptions):
		return console.UsageError(err)
	}
	return err
}
