package cli

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"iter"
	"math/rand/v2"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"pagoda/ask"
	"pagoda/internal/amount"
	"pagoda/internal/console"
	"pagoda/internal/progress"
	"pagoda/internal/suggest"
	"pagoda/internal/table"
	"pagoda/puzzle"
	"pagoda/run"
	"pagoda/statespace"
	"pagoda/statespace/boardtext"
	"pagoda/statespace/cells"
)

// A Job is the flags of commands that compute: --threads, --mem and --quiet.
type Job struct {
	cmd     *cobra.Command
	mem     console.Memory
	threads *int
	quiet   bool
}

// NewJob adds the flags to a command. Memory is what it may take without --mem: console.OfMachine, or
// console.OfFile if it opens a file.
func NewJob(cmd *cobra.Command, memory string) *Job {
	j := &Job{cmd: cmd}
	j.mem.Flag(cmd, memory)
	j.threads = console.Threads(cmd)
	cmd.Flags().BoolVar(&j.quiet, quietFlag, false, quietUsage)
	return j
}

// All commands have this flag.
const quietFlag, quietUsage = "quiet", "no progress on stderr"

// OpenFlags adds the flags that Open reads to a command that has no Job.
func OpenFlags(cmd *cobra.Command) { new(console.Memory).Flag(cmd, console.OfFile) }

// Open opens the file of states that an argument of a command names, within --mem.
func Open(cmd *cobra.Command, families *puzzle.Set, arg string) (*ask.File, error) {
	f, err := ask.Open(cmd.Context(), arg, families.Define, console.MemoryOf(cmd))
	return f, notSpace(cmd, families, arg, err)
}

// asking returns what runs a command that asks the file of its first argument. Do gets the other arguments.
func (p *Program) asking(do func(cmd *cobra.Command, f *ask.File, args []string) error) func(*cobra.Command, []string) error {
	return func(cmd *cobra.Command, args []string) error {
		f, err := p.open(cmd, args[0])
		if err != nil {
			return err
		}
		defer f.Close()
		return do(cmd, f, args[1:])
	}
}

// notSpace returns the error of a file that cannot be opened, or a better one if there is none, and
// its name is that of a space.
func notSpace(cmd *cobra.Command, families *puzzle.Set, arg string, err error) error {
	if !errors.Is(err, fs.ErrNotExist) || arg == "-" {
		return err
	}
	sp, unknown := families.Lookup(cmd.Context(), arg, nil, puzzle.Choice{Memory: run.MemoryLimit(0)})
	if unknown != nil {
		return err
	}
	name, unknown := run.OutputName(sp, run.Options{})
	if unknown != nil {
		return err
	}
	return console.Usagef("%s is a space, expected a file of states: `%s run %s` makes %s", arg, reachName(cmd.Root()), arg, name)
}

// Options returns what the flags say.
func (j *Job) Options() run.Options {
	o := run.Options{Memory: uint64(j.mem), Threads: *j.threads, Meter: progress.Of(j.cmd.Context())}
	if !j.quiet {
		o.Warn = Warn(j.cmd)
	}
	return o
}

// Threads returns the number of threads.
func (j *Job) Threads() int { return *j.threads }

// Memory returns how many bytes a job may take that opens no file.
func (j *Job) Memory() uint64 { return run.MemoryLimit(uint64(j.mem)) }

// Warn returns a run.Options.Warn that writes to stderr of a command.
func Warn(cmd *cobra.Command) func(error) {
	return func(err error) {
		defer console.HoldProgress(cmd.Context())()
		console.PrintError(cmd.ErrOrStderr(), cmd.Root().Name(), err)
	}
}

// ChoiceFlags adds the options of all families to a command, and returns a function that
// returns what was chosen. Those with values take more of them.
func ChoiceFlags(cmd *cobra.Command, families *puzzle.Set, more ...string) (choice func(memory uint64) puzzle.Choice) {
	var names []string
	for _, f := range families.All() {
		for _, o := range f.Options {
			about, usage := "of "+f.About, ": "+strings.Replace(o.Usage, o.Form, "`"+o.Form+"`", min(1, len(o.Form)))
			if flag := cmd.Flags().Lookup(o.Name); flag != nil { // several families have it, with the same meaning or other values
				if same := strings.Replace(flag.Usage, usage, " and "+f.About+usage, 1); same != flag.Usage {
					flag.Usage = same
				} else {
					flag.Usage += "; " + about + usage
				}
				continue
			}
			usage = about + usage
			names = append(names, o.Name)
			if o.Form != "" {
				cmd.Flags().String(o.Name, "", usage)
				continue
			}
			if o.Values == nil {
				cmd.Flags().Bool(o.Name, false, usage)
				continue
			}
			values := slices.Clone(o.Values)
			for _, g := range families.All() {
				for _, same := range g.Options {
					if same.Name == o.Name {
						values = append(values, slices.DeleteFunc(slices.Clone(same.Values), func(v string) bool { return slices.Contains(values, v) })...)
					}
				}
			}
			console.OneOf(cmd, new(string), o.Name, "", append(values, more...), usage)
		}
	}
	return func(memory uint64) puzzle.Choice {
		c := puzzle.Choice{Options: make(map[string]string), Memory: memory}
		for _, name := range names {
			if flag := cmd.Flags().Lookup(name); flag.Changed && flag.Value.String() != "false" {
				c.Options[name] = flag.Value.String()
			}
		}
		return c
	}
}

// Lookup returns the space that an argument names.
func Lookup(cmd *cobra.Command, families *puzzle.Set, name string, c puzzle.Choice) (statespace.Space, error) {
	c.Told = func(name, as string, chosen bool) { Told(cmd, name)(as, chosen) }
	sp, err := families.Lookup(cmd.Context(), name, cmd.InOrStdin(), c)
	if err == nil {
		Told(cmd, name)(families.ReadAs(name, sp.Name()))
	}
	if errors.Is(err, statespace.ErrUnknown) {
		err = console.Advised(err, "`"+reachName(cmd.Root())+" spaces` lists all")
	}
	return sp, console.UsageError(err)
}

// autoKernel asks for the best kernel that the processor has.
const autoKernel = "auto"

// kernelFlag adds the flag --kernel. The function returns the kernel as run.Options has it.
func kernelFlag(cmd *cobra.Command) func() string {
	kernel := cmd.Flags().String("kernel", autoKernel, "the instructions that a sweep uses: avx512 (AVX512F, AVX2, POPCNT; faster with AVX512BITALG and AVX512BW, or AVX512VPOPCNTDQ), avx2 (AVX2, POPCNT), generic (all processors and boards), or auto, the first that works; the result is the same")
	console.CompleteFlag(cmd, "kernel", cobra.ShellCompDirectiveNoFileComp, autoKernel, "avx512", "avx2", "generic")
	return func() string {
		if *kernel == autoKernel {
			return ""
		}
		return *kernel
	}
}

// engineFlag adds the flag --engine.
func engineFlag(cmd *cobra.Command) *string {
	names := run.EngineNames()
	engine := cmd.Flags().String("engine", "", "how to enumerate: "+suggest.Either(names)+"; reach run --help says more (default: the first that the space has and memory allows)")
	console.CompleteFlag(cmd, "engine", cobra.ShellCompDirectiveNoFileComp, names...)
	return engine
}

// aboutEngines lists the engines, for the help.
func aboutEngines() string {
	return table.List(run.AllEngines(), func(e run.Engine) (name, about string) { return e.Name, e.About })
}

// everyFlag adds the flag --checkpoint-every. The function returns its value as run.Options
// has it.
func everyFlag(cmd *cobra.Command) func() time.Duration {
	every := new(time.Duration)
	console.Time(cmd, every, "checkpoint-every", time.Minute, "", "write a checkpoint this often; 0 writes one whenever possible")
	return func() time.Duration {
		switch {
		case !cmd.Flags().Changed("checkpoint-every"):
			return 0
		case *every == 0:
			return -1
		}
		return *every
	}
}

// RangeFlag adds a flag that takes a number, N, or a range, N-M.
func RangeFlag(cmd *cobra.Command, r *cells.Range, name, usage string) {
	*r = cells.AllLayers
	cmd.Flags().Var((*rangeValue)(r), name, usage)
}

// A rangeValue is the value of a RangeFlag.
type rangeValue cells.Range

// String implements pflag.Value.
func (r *rangeValue) String() string { return cells.Range(*r).String() }

// Set implements pflag.Value.
func (r *rangeValue) Set(text string) error {
	found, err := cells.ParseRange(text)
	*r = rangeValue(found)
	return err
}

// Type implements pflag.Value.
func (r *rangeValue) Type() string { return "N|N-M" }

// LayerFlag adds the flag --layer to a command whose first argument is a file, under the name of the
// layers of each family, too.
func LayerFlag(cmd *cobra.Command, families *puzzle.Set) *cells.Range {
	r := new(cells.Range)
	names := []string{"layer"}
	RangeFlag(cmd, r, "layer", "only members of these layers, such as 17 or 12-17; distances are layers if the file keeps whole ones")
	for _, f := range families.All() {
		if f.Layers != "" && cmd.Flags().Lookup(f.Layers) == nil {
			RangeFlag(cmd, r, f.Layers, "the same as --layer, of "+f.About)
			names = append(names, f.Layers)
		}
	}
	for _, name := range names {
		console.Check(cmd, name, func(string) string {
			if other := console.Given(cmd, names...); other != "" && other != name {
				return "means the same as --" + other + ": give one of them"
			}
			return ""
		})
		if err := cmd.RegisterFlagCompletionFunc(name, completeLayers(families)); err != nil {
			panic(err) // there is no such flag
		}
	}
	return r
}

// LimitFlag adds the flag --limit, which bounds the results; 0 is no bound.
func LimitFlag(cmd *cobra.Command, value, most int, what string) *int {
	limit := cmd.Flags().Int("limit", value, "print at most this many "+what+"; 0 prints all")
	console.Within(cmd, "limit", 0, most, fmt.Sprintf("0 (all) to %d", most))
	return limit
}

// seedFlag adds the flag --seed, which makes random choices repeatable.
func seedFlag(cmd *cobra.Command) func() *rand.Rand {
	seed := cmd.Flags().Uint64("seed", 0, "seed of the random numbers: the same one gives the same result (default: a new one each time)")
	return func() *rand.Rand {
		if !cmd.Flags().Changed("seed") {
			*seed = rand.Uint64()
		}
		return rand.New(rand.NewPCG(*seed, 0))
	}
}

// patterns yields the patterns of arguments; - stands for the lines of stdin, where empty
// ones are passed over. It is an error if there are arguments, but no pattern.
func patterns(args []string, stdin *stdin) iter.Seq2[string, error] {
	return func(yield func(string, error) bool) {
		n := 0
		counted := func(pattern string, err error) bool {
			n++
			return yield(pattern, err)
		}
		for _, arg := range args {
			if arg == "-" && !stdin.each(counted) || arg != "-" && !counted(arg, nil) {
				return
			}
		}
		if n == 0 && len(args) > 0 {
			yield("", console.Usagef("there is no pattern: stdin is empty"))
		}
	}
}

// A stdin has lines of patterns. It has no buffer before the first of them is read.
type stdin struct {
	from   io.Reader
	buffer *bufio.Reader
}

func newStdin(cmd *cobra.Command) *stdin { return &stdin{from: cmd.InOrStdin()} }

// each yields the lines that are not empty. It reports whether to go on.
func (s *stdin) each(yield func(string, error) bool) bool {
	if s.buffer == nil {
		s.buffer = bufio.NewReaderSize(s.from, 1<<20)
	}
	for line, err := range boardtext.EachLine(s.buffer) {
		switch {
		case err == bufio.ErrBufferFull:
			err = console.Usagef("a line of stdin is longer than %d bytes, the longest that a pattern can be", s.buffer.Size())
		case err != nil:
			err = fmt.Errorf("reading patterns from stdin: %w", err)
		case line.Trim().Text == "":
			continue
		}
		if !yield(line.Text, err) || err != nil {
			return false
		}
	}
	return true
}

// waits reports whether the next line may have to be waited for.
func (s *stdin) waits() bool { return s.buffer == nil || s.buffer.Buffered() == 0 }

// Count writes a number of things: "1 pair", "2,000 pairs".
func Count(n uint64, thing string) string { return amount.Commas(n, thing) }

// Cells adds the flag --cells to a command that writes cells, and returns a function that says how
// it shall write them.
func Cells(cmd *cobra.Command) func() cells.Notation {
	text := new(string)
	console.OneOf(cmd, text, "cells", cells.Notations[cells.RowColumn], cells.Notations,
		"how cells are written: row,column from 0, or d4, the letter of the column and the number of the row from 1; moves of several jumps as d4")
	return func() cells.Notation { return cells.Notation(slices.Index(cells.Notations, *text)) }
}

// BookCells returns the notation of a command that writes moves of several jumps: that of --cells, or
// if the flag is not given that of the books on peg solitaire.
func BookCells(cmd *cobra.Command, given func() cells.Notation) cells.Notation {
	if cmd.Flags().Changed("cells") {
		return given()
	}
	return cells.LetterNumber
}
