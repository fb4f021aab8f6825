// Package cli builds the command lines reach and query for families of puzzles. It knows spaces, files
// and questions. What only one family brings is in a folder of its own below this one, as Commands; a
// Program has both. Package builtin lists those of this module, and package program is a main function
// for puzzles of your own.
package cli

import (
	"cmp"
	"errors"
	"fmt"
	"os"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"pagoda/ask"
	"pagoda/internal/console"
	"pagoda/internal/memory"
	"pagoda/layers"
	"pagoda/puzzle"
	"pagoda/run"
	"pagoda/statespace"
	"pagoda/statespace/cells"
)

// A Program is what a command line knows.
type Program struct {
	Families *puzzle.Set
	// Commands are what some of the families bring.
	Commands []Commands
	// More makes more commands of query. The page has one, which is not linked into programs without it.
	More []func(families *puzzle.Set) *cobra.Command
}

// of returns what a family brings.
func (p *Program) of(f *puzzle.Family) Commands {
	for _, c := range p.Commands {
		if c.Family == f.Name {
			return c
		}
	}
	return Commands{}
}

// Reach returns the command that enumerates spaces and looks after their files.
func (p *Program) Reach() *cobra.Command {
	root := &cobra.Command{
		Use:   "reach",
		Short: "Enumerate everything that can happen in a puzzle",
		Long: `reach enumerates all states of a puzzle that can be reached from its start. It keeps
them in a file and checks such files. query answers questions from them.

` + aboutSpaces(p.Families) + "\n" + aboutResults,
	}
	p.AddReach(root)
	root.Example = p.firstExamples(root, "run", "explain")
	root.RunE = elsewhere("query", p.AddQuery)
	return root
}

// firstExamples returns the first example of some commands, of each family.
func (p *Program) firstExamples(root *cobra.Command, names ...string) string {
	var lines []string
	for _, name := range names {
		for _, f := range p.Families.All() {
			if e := f.Examples[name]; len(e) > 0 {
				lines = append(lines, fmt.Sprintf("  %s %s %s", root.Name(), name, e[0]))
			}
		}
	}
	return strings.Join(lines, "\n")
}

// elsewhere returns what a root does with an unknown command: if another program has it, the error
// says so.
func elsewhere(program string, add func(root *cobra.Command)) func(*cobra.Command, []string) error {
	return func(_ *cobra.Command, args []string) error {
		other := &cobra.Command{Use: program}
		add(other)
		if cmd, _, err := other.Find(args); err == nil && cmd != other {
			return console.Usagef("unknown command %q: it is one of %s; %s --help says more", args[0], program, cmd.CommandPath())
		}
		return nil
	}
}

// AddReach adds the commands of reach to another command.
func (p *Program) AddReach(root *cobra.Command) {
	p.add(root, "Enumerate", "", p.run(), p.resume(), p.explain(), p.graph(), p.spaces())
	p.add(root, "Enumerate", "", append([]*cobra.Command{p.solve()}, p.deck()...)...)
	p.add(root, "Look after files", "", p.info(), p.check(), p.verify(), p.convert(), p.pack(), p.unpack())
	p.others(root, func(c Commands) func(*puzzle.Set) []*cobra.Command { return c.Reach })
}

// Query returns the command that answers questions from files.
func (p *Program) Query() *cobra.Command {
	root := &cobra.Command{
		Use:   "query",
		Short: "Query what can happen in a puzzle",
		Long: `query answers questions from a file of states that reach run has made.

` + aboutPatterns(p.Families) + `
For has, near, path and render, the pattern - reads patterns from stdin, one per line.

` + aboutResults,
	}
	p.AddQuery(root)
	root.Example = p.firstExamples(root, "has", "near", "path")
	root.RunE = elsewhere("reach", p.AddReach)
	return root
}

// AddQuery adds the commands of query to another command.
func (p *Program) AddQuery(root *cobra.Command) {
	p.add(root, "Patterns", "", p.has(), p.near(), p.path(), p.value())
	p.add(root, "Members", "", p.count(), p.list(), p.export(), p.sample(), p.nth(), p.rank(), p.fields(), p.layers(), p.ways())
	p.add(root, "Pictures", "", p.render())
	for _, command := range p.More {
		p.add(root, "Pictures", "", command(p.Families))
	}
	p.others(root, func(c Commands) func(*puzzle.Set) []*cobra.Command { return c.Query })
}

// All returns one command with all commands of reach and of query.
func (p *Program) All(name string) *cobra.Command {
	root := &cobra.Command{
		Use:   name,
		Short: "Enumerate everything that can happen in a puzzle, and query it",
		Long: fmt.Sprintf(`%s enumerates all states of a puzzle that can be reached from its start, keeps them in
a file, and answers questions from the file.

%s
%s
%s`, name, aboutSpaces(p.Families), aboutPatterns(p.Families), aboutResults),
	}
	p.AddReach(root)
	p.AddQuery(root)
	return root
}

// aboutResults says where results go, and what exit codes mean.
const aboutResults = `Results go to stdout, errors and progress to stderr. Ctrl-C stops a command at a safe point,
and a second one stops it at once. Results do not depend on the number of threads, unless the
help of a command says so.

The exit codes:

  0    done, or the answer is yes
  1    the answer is no
  2    the command is wrong, or needs more memory than it may take
  3    a file is damaged, unfinished, or of another space or version, or cannot be read or
       written
  130  stopped by Ctrl-C, SIGTERM or SIGHUP
  141  nobody reads stdout any more, as in query list FILE | head`

// others adds the commands of families, and those that every program has.
func (p *Program) others(root *cobra.Command, of func(Commands) func(*puzzle.Set) []*cobra.Command) {
	for _, f := range p.Families.All() {
		if own := of(p.of(f)); own != nil {
			p.add(root, title(f.About), f.Name, own(p.Families)...)
		}
	}
	const group = "Other commands"
	if !root.ContainsGroup(group) {
		p.add(root, group, "", p.version())
		console.AddOthers(root, group)
	}
}

// title begins with a capital letter.
func title(text string) string {
	if text == "" {
		return ""
	}
	return strings.ToUpper(text[:1]) + text[1:]
}

// add adds commands to a group: with the examples of the families, with completion of their
// arguments, and with errors that say which flag helps. A command of a family whose name is taken
// gets that of the family before its own.
func (p *Program) add(root *cobra.Command, group, family string, commands ...*cobra.Command) {
	if !root.ContainsGroup(group) {
		root.AddGroup(&cobra.Group{ID: group, Title: group + ":"})
	}
	for _, cmd := range commands {
		cmd.GroupID = group
		written := []string{"reach " + cmd.Name(), "query " + cmd.Name()}
		if slices.ContainsFunc(root.Commands(), func(c *cobra.Command) bool { return c.Name() == cmd.Name() }) {
			cmd.Use = family + "-" + cmd.Use
		}
		for _, w := range written { // as the command is in the examples that it brings along
			cmd.Example = strings.ReplaceAll(cmd.Example, w, root.Name()+" "+cmd.Name())
		}
		for _, f := range p.Families.All() {
			for _, line := range f.Examples[cmd.Name()] {
				cmd.Example += fmt.Sprintf("\n  %s %s %s", root.Name(), cmd.Name(), line)
			}
		}
		cmd.Example = strings.Trim(cmd.Example, "\n")
		if cmd.ValidArgsFunction == nil {
			cmd.ValidArgsFunction = p.completion(cmd)
		}
		if cmd.Flags().Lookup(quietFlag) == nil {
			cmd.Flags().Bool(quietFlag, false, quietUsage)
		}
		console.Once(cmd)
		do := cmd.RunE
		cmd.RunE = func(cmd *cobra.Command, args []string) error {
			for i := range args {
				args[i] = console.Pattern(args[i])
			}
			if mem := cmd.Flags().Lookup("mem"); mem != nil {
				cmd.SetContext(memory.With(cmd.Context(), run.MemoryLimit(console.MemoryOf(cmd))))
			}
			return advise(root, cmd, console.WithProgress(cmd, func() error { return do(cmd, args) }))
		}
		root.AddCommand(cmd)
	}
}

// advise says of an error whether it lies in how the command was given, and which flag
// helps.
func advise(root, cmd *cobra.Command, err error) error {
	var stopped *run.StoppedError
	var part *ask.PartError
	var file *layers.FileError
	var left *run.CheckpointError
	var output *run.OutputError
	var space *layers.SpaceError
	switch {
	case err == nil || console.IsUsage(err):
		return err
	case errors.As(err, &stopped) && errors.Is(stopped.Err, statespace.ErrMemory):
		return console.Usagef("%w; --mem sets the limit; to continue: %s", stopped.Err, resumeCommand(root, stopped.Checkpoint, stopped.Output, stopped.Overwrite))
	case errors.As(err, &stopped):
		return &console.Resumable{Err: stopped.Err, Command: resumeCommand(root, stopped.Checkpoint, stopped.Output, stopped.Overwrite)}
	case errors.As(err, &left):
		return console.Usagef("%s is the checkpoint of a run that was stopped: %s continues it, -o names another file", left.Checkpoint, resumeCommand(root, left.Checkpoint, "", false))
	case errors.Is(err, layers.ErrKept):
		return console.Usagef("%w with -o", err)
	case errors.As(err, &output) && output.Output != "":
		return console.Usagef("%w; to continue: %s", err, resumeCommand(root, output.Checkpoint, output.Output, false))
	case errors.As(err, &output):
		return console.Usagef("%w with -o", err)
	case errors.Is(err, statespace.ErrMemory):
		return console.Usagef("%w; --mem sets the limit", err)
	case errors.As(err, &space):
		return console.Usagef("%w: %s", err, moreSpace(cmd))
	case errors.Is(err, statespace.ErrSuccessors):
		return console.UsageError(err)
	case errors.Is(err, cells.ErrMatches):
		return console.Usagef("%w; --limit bounds them, and list writes them one after the other", err)
	case errors.As(err, &part) && cmd.Flags().Lookup(part.Part) != nil:
		return console.Usagef("--%s %s: %w", part.Part, cmp.Or(part.Value, ask.Shorten(cmd.Flags().Lookup(part.Part).Value.String())), part.Err)
	case errors.Is(err, layers.ErrExists), errors.Is(err, run.ErrInTheWay):
		return inTheWay(cmd, err)
	case errors.Is(err, layers.ErrUnfinished):
		return fmt.Errorf("%w: %s resume continues it", err, reachName(root))
	case errors.As(err, &file) && strings.HasSuffix(file.Advice, "make it again"):
		return fmt.Errorf("%w with %s run", err, reachName(root))
	case errors.Is(err, ask.ErrQuestion), errors.Is(err, run.ErrOptions):
		return console.UsageError(err)
	}
	return err
}

// moreSpace says what to do when the disk is too small for a file.
func moreSpace(cmd *cobra.Command) string {
	advice := "-o names a place on another disk"
	if cmd.Flags().Lookup("no-file") != nil {
		advice = "--no-file counts only, " + advice
	}
	return advice
}

// resumeCommand is the command that continues a run, as it is typed.
func resumeCommand(root *cobra.Command, checkpoint, output string, force bool) string {
	args := []string{"resume", checkpoint}
	if output != "" {
		args = append(args, "-o", output)
	}
	if force {
		args = append(args, "--force")
	}
	return console.CommandLine(reachName(root), args)
}

// inTheWay says which flag helps where something is in the way.
func inTheWay(cmd *cobra.Command, err error) error {
	switch text := err.Error(); {
	case strings.HasSuffix(text, "move it"): // a checkpoint, which no flag replaces
		return err
	case strings.HasSuffix(text, "name another"):
		return fmt.Errorf("%w with -o", err)
	case !replaceable(cmd):
		return fmt.Errorf("%w; -o names another", err)
	}
	overwrite := fmt.Errorf("%w; --force overwrites it, -o names another file", err)
	if errors.Is(err, run.ErrOptions) {
		return console.UsageError(overwrite)
	}
	return overwrite
}

// replaceable reports whether --force helps where the output should be: there is a regular file.
func replaceable(cmd *cobra.Command) bool {
	output := cmd.Flags().Lookup("output")
	if output == nil || output.Value.String() == "" {
		return true
	}
	info, err := os.Stat(output.Value.String())
	return err != nil || info.Mode().IsRegular()
}

// reachName names the program that has the commands run and resume.
func reachName(root *cobra.Command) string {
	if cmd, _, err := root.Find([]string{"resume"}); err == nil && cmd != root {
		return root.Name()
	}
	return "reach"
}

// open is Open.
func (p *Program) open(cmd *cobra.Command, arg string) (*ask.File, error) {
	return Open(cmd, p.Families, arg)
}

// aboutSpaces says how spaces are named and drawn.
func aboutSpaces(families *puzzle.Set) string {
	text := "A space is a name:\n\n"
	if slices.ContainsFunc(families.All(), func(f *puzzle.Family) bool { return f.Read != nil }) {
		text = "A space is a name, or a text file that draws the puzzle, or - for such a text on stdin:\n\n"
	}
	return text + aboutFamilies(families, func(f *puzzle.Family) string { return f.Naming }) + "\nThe part of a name before the slash may be left out if no file and no other space has the\nshort name. The whole name is always the space, ./NAME always a file.\n"
}

// aboutPatterns says how states and patterns are written.
func aboutPatterns(families *puzzle.Set) string {
	return "A pattern is a state, in which ? may stand for a cell with anything in it:\n\n" +
		aboutFamilies(families, func(f *puzzle.Family) string { return f.Writing })
}

// aboutFamilies lists the families, with more about each below its description.
func aboutFamilies(families *puzzle.Set, more func(f *puzzle.Family) string) (text string) {
	width := 0
	for _, f := range families.All() {
		width = max(width, len(f.Name))
	}
	for _, f := range families.All() {
		text += fmt.Sprintf("  %-*s %s\n", width, f.Name, f.About)
		for line := range strings.Lines(more(f)) {
			text += strings.Repeat(" ", width+3) + strings.TrimRight(line, "\n") + "\n"
		}
	}
	return text
}
