package peg

import (
	"fmt"
	"io"
	"math"

	"github.com/spf13/cobra"

	"pagoda/ask"
	"pagoda/cli"
	"pagoda/internal/console"
	"pagoda/layers"
	"pagoda/puzzle"
	"pagoda/puzzle/peg"
	"pagoda/puzzle/peg/board"
	"pagoda/run"
	"pagoda/statespace"
	"pagoda/statespace/cells"
)

// commands returns the commands of query that only peg solitaire has.
func commands(families *puzzle.Set) []*cobra.Command {
	return []*cobra.Command{solveCommand(families), wordCommand(families), scoreCommand(families)}
}

// open opens a file of states of a peg board.
func open(cmd *cobra.Command, families *puzzle.Set, arg string) (*ask.File, *peg.Space, error) {
	f, err := cli.Open(cmd, families, arg)
	if err != nil {
		return nil, nil, err
	}
	sp, err := peg.SpaceOf(f)
	if err != nil {
		f.Close()
		return nil, nil, console.Usagef("%s is for peg boards; %s holds %s", cmd.CommandPath(), f.Path(), f.Space().Name())
	}
	return f, sp, nil
}

// A solver is the flags of solve, and the file.
type solver struct {
	to, listing string
	cells       func() cells.Notation
	byLayer     bool
	orbits      bool
	each        bool // --vacancies
	limit       *int // of the list
	pegs        *cells.Range
	job         *cli.Job

	options run.Options
	file    *ask.File
	space   *peg.Space
	free    func() // the set of the endgame
}

// What solve lists.
const (
	listWinning = "winning"
	listDead    = "dead-ends"
)

func solveCommand(families *puzzle.Set) *cobra.Command {
	var s solver
	cmd := &cobra.Command{
		Use:   "solve FILE [PATTERN]",
		Short: "Show from where a single peg can be reached, and how",
		Long: `solve counts the members of a file that are winning positions, from which a single peg can be
reached, anywhere or with --to in one cell, and those that are dead ends, in which no jump is
possible. --list lists one or the other.

With a pattern, any position of the board, it shows jumps that lead from there to a single peg.
With --vacancies it solves the board of the file from each vacancy: at the start all cells but
one have a peg, and at the end only this cell has one. It prints a solution with the fewest
moves, where consecutive jumps of one peg are one move, or that there is none. Of vacancies
that symmetries of the board map to each other it takes the first. The exit code is 1 if there
is no solution. A file of the store sparse is only for a pattern and --vacancies.`,
		Example: `  query solve peg-english.reach --to 3,3
  query solve peg-english.reach --to d4 --cells d4
  query solve peg-english.reach --vacancies
  query solve peg-english.reach --list winning --pegs 4 --limit 10
  query solve peg-english.reach ..o/ooo/..o..../..o..../......./.../...`,
		Args: console.Args(1, 2, "a file and perhaps a pattern"),
		RunE: func(cmd *cobra.Command, args []string) error { return s.run(cmd, families, args) },
	}
	flags := cmd.Flags()
	flags.StringVar(&s.to, "to", "", "the `CELL` of the single peg, 3,3 or d4")
	console.OneOf(cmd, &s.listing, "list", "", []string{listWinning, listDead}, "list "+listWinning+" positions or "+listDead+" instead of counting them")
	console.NotEmpty(cmd, "to")
	console.JSON(cmd, "one JSON object, or with --list one for each position")
	flags.BoolVar(&s.byLayer, "by-layer", false, "also count by number of pegs")
	flags.BoolVar(&s.orbits, "up-to-symmetry", false, "also count up to symmetry, by the symmetries that keep the start, and with --to for winning positions this cell, too")
	flags.BoolVar(&s.each, "vacancies", false, "solve the board from each vacancy to a single peg there")
	s.cells = cli.Cells(cmd)
	s.limit = cli.LimitFlag(cmd, 0, math.MaxInt, "of the list")
	s.pegs = cli.LayerFlag(cmd, families)
	s.job = cli.NewJob(cmd, console.OfFile+"; with --vacancies "+console.OfMachine)
	return cmd
}

func (s *solver) check(cmd *cobra.Command, args []string) error {
	if flag := console.Given(cmd, "to", "list", "by-layer", "up-to-symmetry", "limit", "pegs", "layer"); s.each && flag != "" {
		return console.Usagef("--vacancies is for the board of the file; it does not go with --%s", flag)
	}
	switch {
	case s.each && len(args) > 1:
		return console.Usagef("--vacancies is for the board of the file; it does not go with a pattern")
	case s.listing == listDead && s.to != "":
		return console.Usagef("--to says where winning positions lead; it does not go with --list %s", listDead)
	case s.listing == "" && console.Given(cmd, "limit", "pegs", "layer") != "":
		return console.Usagef("--limit and --pegs are for --list")
	case (s.byLayer || s.orbits) && (s.listing != "" || len(args) > 1):
		return console.Usagef("--by-layer and --up-to-symmetry are for counts; they go neither with --list nor with a pattern")
	case s.listing != "" && len(args) > 1:
		return console.Usagef("--list lists members of the file; a pattern does not go with it")
	}
	return nil
}

func (s *solver) run(cmd *cobra.Command, families *puzzle.Set, args []string) error {
	err := s.check(cmd, args)
	if err != nil {
		return err
	}
	if s.file, s.space, err = open(cmd, families, args[0]); err != nil {
		return err
	}
	defer s.file.Close()
	if s.each {
		return s.vacancies(cmd)
	}
	s.options = s.job.Options()
	s.options.Memory = s.file.Memory()
	s.free = func() {}
	defer func() { s.free() }()
	if len(args) > 1 {
		return s.one(cmd, args[1])
	}
	if s.file.Space() != statespace.Space(s.space) {
		return console.Usagef("%s lists its states (store %s), and %s counts and lists members by the numbers of the board: it needs a file of the store %s or folded, which reach run makes if the numbers fit into memory; with a pattern, %s takes this file",
			s.file.Path(), s.file.Meta().Store, cmd.CommandPath(), layers.SetStore, cmd.CommandPath())
	}
	var e *peg.Endgame
	if s.listing == listDead { // they do not depend on goals
		e, err = s.space.NewEndgame(nil)
	} else {
		e, err = s.endgame(cmd, s.space)
	}
	if err != nil {
		return err
	}
	if s.listing != "" {
		return s.list(cmd, e)
	}
	return s.count(cmd, e)
}

// endgame enumerates the endgame of a space, with the goals that were asked for.
func (s *solver) endgame(cmd *cobra.Command, sp *peg.Space) (*peg.Endgame, error) {
	goals := sp.Singles()
	if s.to != "" {
		cell, err := peg.ParseCell(sp.Board(), s.to)
		if err != nil {
			return nil, console.Usagef("--to: %w", err)
		}
		goals = nil
		if _, ok := sp.Class().Number(1 << cell); ok {
			goals = []board.Position{1 << cell}
		}
	}
	e, err := sp.NewEndgame(goals)
	if err != nil || len(goals) == 0 {
		return e, err
	}
	set, free, err := ask.NewSet(cmd.Context(), sp, 0, s.options)
	if err != nil {
		return nil, err
	}
	s.free = free
	progress, stop := s.options.Meter.Start(sp.Name(), sp.Size(), "numbers")
	defer stop()
	return e, e.Enumerate(cmd.Context(), set, s.options.Threads, progress)
}

// list writes the winning positions or the dead ends.
func (s *solver) list(cmd *cobra.Command, e *peg.Endgame) error {
	describe := func(x statespace.Index) (ask.Member, error) { return ask.NewMember(s.space, x), nil }
	return cli.WriteMembers(cmd, describe, *s.limit, ask.Numbers(func(take func(first, members uint64) bool) error {
		return s.file.Visit(cmd.Context(), ask.Pick{Layers: s.pegs}, func(first, members uint64) bool {
			if s.listing == listWinning {
				return take(first, members&e.Won(first))
			}
			return take(first, e.Stuck(first, members))
		})
	}))
}

// A verdict is the answer of solve for a position.
type verdict struct {
	Pattern string `json:"pattern"`
	Winning bool   `json:"winning"`
	// Reason is "class" or "unreached" when it is not.
	Reason string `json:"reason,omitempty"`
	*ask.Route

	detail string
}

// one solves a position.
func (s *solver) one(cmd *cobra.Command, text string) error {
	p, err := s.space.Board().ParsePosition(text)
	if err != nil {
		return console.Usagef("pattern %s: %w", ask.Shorten(text), err)
	}
	sp, err := s.space.From(p)
	if err != nil {
		return err
	}
	e, err := s.endgame(cmd, sp)
	if err != nil {
		return err
	}
	v := verdict{Pattern: sp.Board().FormatPosition(p)}
	path, ok, err := e.Path(sp.Roots()[0])
	if err != nil {
		return err
	}
	if v.Winning = ok; ok {
		if v.Route, err = ask.NewRoute(sp, path); err != nil {
			return err
		}
		v.Route.Cells = s.cells()
	} else if len(e.Goals()) == 0 {
		v.Reason, v.detail = ask.Class, "no single peg is in its class, or not in the cell of --to: no jumps lead there"
	} else {
		v.Reason, v.detail = ask.Unreached, "no jumps lead to a single peg"
	}
	return console.NoIf(!v.Winning, console.Answer(cmd, v, func(w io.Writer) error {
		if v.Winning {
			return v.Route.WriteText(w)
		}
		_, err := fmt.Fprintf(w, "no   %s  (%s)\n", v.Pattern, v.detail)
		return err
	}))
}
