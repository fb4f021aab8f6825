package main

import (
	"fmt"
	"math"
	"math/bits"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"pagoda/bitset"
	"pagoda/internal/answer"
	"pagoda/internal/cli"
	"pagoda/statespace"
	"pagoda/statespace/peg"
)

type solveOptions struct {
	to, list string
	json     bool
	limit    *int
	pegs     *pegRange
	run      inMemory
}

// What solve lists.
const (
	listWinning = "winning"
	listDead    = "dead-ends"
)

func solveCommand() *cobra.Command {
	var o solveOptions
	cmd := &cobra.Command{
		Use:   "solve FILE [PATTERN]",
		Short: "Tell from where a single peg can be reached, and how",
		Long: `solve tells how many members of a file are winning positions, from which a single
peg can be reached, and how many are dead ends, in which no jump can be made. --list
lists either, of all numbers of pegs or of those of --pegs.

With a pattern it shows jumps that lead from there to a single peg. The pattern may be
any position of the board. When there are no such jumps, it exits with 1.

The single peg may be anywhere, or with --to in one cell.`,
		Example: `  query solve peg-english.reach --to 3,3
  query solve peg-english.reach --list winning --pegs 4 --limit 10
  query solve peg-english.reach ..o/ooo/..o..../..o..../......./.../...`,
		Args: cli.Args(1, 2, "a file and perhaps a pattern"),
		RunE: func(cmd *cobra.Command, args []string) error { return o.solve(cmd, args) },
	}
	flags := cmd.Flags()
	flags.StringVar(&o.to, "to", "", "where the single peg is to be: row,column, counted from 0")
	flags.StringVar(&o.list, "list", "", "list "+listWinning+" positions or "+listDead+" instead of counting them")
	flags.BoolVar(&o.json, "json", false, "print one JSON object, or with --list one for each position")
	o.limit = newLimit(cmd, 0, "of the list")
	o.pegs = newPegRange(cmd)
	o.run.flags(cmd)
	return cmd
}

func (o *solveOptions) check(cmd *cobra.Command, args []string) error {
	if err := o.run.check(); err != nil {
		return err
	}
	if err := cli.NotEmpty(cmd, "to", "list"); err != nil {
		return err
	}
	if err := checkLimit(*o.limit, math.MaxInt); err != nil {
		return err
	}
	if o.list != "" && o.list != listWinning && o.list != listDead {
		return cli.Usagef("--list is %.40q, expected %s or %s", o.list, listWinning, listDead)
	}
	if o.list == listDead && o.to != "" {
		return cli.Usagef("--to says where winning positions lead; it does not go with --list %s", listDead)
	}
	given := cmd.Flags().Changed
	if o.list == "" && (given("limit") || given("pegs")) {
		return cli.Usagef("--limit and --pegs are for --list")
	}
	if o.list != "" && len(args) > 1 {
		return cli.Usagef("--list lists members of the file; a pattern does not go with it")
	}
	return nil
}

func (o *solveOptions) solve(cmd *cobra.Command, args []string) error {
	if err := o.check(cmd, args); err != nil {
		return err
	}
	f, sp, err := openPeg(cmd, args[0])
	if err != nil {
		return err
	}
	defer f.Close()
	g, err := newGround(f, sp)
	if err != nil {
		return err
	}
	defer g.free()
	if len(args) > 1 {
		return o.one(cmd, g, sp, cli.Pattern(args[1]))
	}
	var e *peg.Endgame
	if o.list == listDead { // they do not depend on goals
		e, err = sp.NewEndgame(nil)
	} else {
		e, err = o.endgame(cmd, g, sp)
	}
	if err != nil {
		return err
	}
	if o.list != "" {
		return o.write(cmd, g, sp, e)
	}
	counts, err := e.Count(cmd.Context(), f.Members(), *o.run.threads)
	if err != nil {
		return err
	}
	w := cmd.OutOrStdout()
	if o.json {
		return cli.WriteJSON(w, struct {
			Space    string   `json:"space"`
			Goals    [][2]int `json:"goals"`
			States   uint64   `json:"states"`
			Winning  uint64   `json:"winning"`
			DeadEnds uint64   `json:"dead_ends"`
			Single   uint64   `json:"single_pegs"`
		}{sp.Name(), goalsOf(sp, e), f.Meta().States, counts.Won, counts.DeadEnds, counts.Single})
	}
	winning := "no single peg is in the class of the start"
	if o.to != "" {
		winning = "a single peg there is not in the class of the start"
	}
	if goals := goalsOf(sp, e); len(goals) > 0 {
		winning = "can be played to a single peg at"
		for _, g := range goals {
			winning += fmt.Sprintf(" (%d,%d)", g[0], g[1])
		}
	}
	_, err = fmt.Fprintf(w, "%s: %s positions\nwinning    %13s  %s\ndead ends  %13s  allow no jump; of these %s have a single peg\n",
		sp.Name(), cli.Comma(f.Meta().States), cli.Comma(counts.Won), winning, cli.Comma(counts.DeadEnds), cli.Comma(counts.Single))
	return err
}

// endgame enumerates the endgame of a space, with the goals that were asked for.
func (o *solveOptions) endgame(cmd *cobra.Command, g *ground, sp *peg.Space) (*peg.Endgame, error) {
	goals := sp.Singles()
	if o.to != "" {
		cell, err := parseCell(sp.Board(), o.to)
		if err != nil {
			return nil, err
		}
		if _, ok := sp.Class().Number(1 << cell); ok {
			goals = []peg.Position{1 << cell}
		} else {
			goals = nil
		}
	}
	e, err := sp.NewEndgame(goals)
	if err != nil {
		return nil, err
	}
	if len(goals) == 0 {
		return e, nil
	}
	_, err = o.run.fill(cmd, sp, g, func(set *bitset.Set, progress *statespace.Progress) error {
		return e.Enumerate(cmd.Context(), set, *o.run.threads, progress)
	})
	return e, err
}

// parseCell reads row,column.
func parseCell(b *peg.Board, text string) (int, error) {
	r, c, _ := strings.Cut(text, ",")
	row, err1 := strconv.Atoi(r)
	col, err2 := strconv.Atoi(c)
	if err1 != nil || err2 != nil {
		return 0, cli.Usagef("--to is %.40q, expected row,column such as 3,3", text)
	}
	cell, ok := b.Number(peg.Cell{Row: row, Col: col})
	if !ok {
		return 0, cli.Usagef("--to: the board has no cell in row %d, column %d (counted from 0)", row, col)
	}
	return cell, nil
}

func goalsOf(sp *peg.Space, e *peg.Endgame) [][2]int {
	cells := [][2]int{}
	for _, g := range e.Goals() {
		c := sp.Board().Cells()[bits.TrailingZeros64(g)]
		cells = append(cells, [2]int{c.Row, c.Col})
	}
	return cells
}

// write writes the list.
func (o *solveOptions) write(cmd *cobra.Command, g *ground, sp *peg.Space, e *peg.Endgame) error {
	all := peg.Pattern{Any: sp.Board().Full()}
	return writeMembers(cmd.OutOrStdout(), pegCells{sp, o.pegs.PegRange}, *o.limit, o.json, func(take func(first, members uint64) bool) error {
		return sp.Visit(cmd.Context(), g.members, all, o.pegs.PegRange, func(first, members uint64) bool {
			if o.list == listWinning {
				return take(first, members&e.Won(first))
			}
			return take(first, e.Stuck(first, members))
		})
	})
}

// A verdict is the answer of solve for a position.
type verdict struct {
	Pattern string `json:"pattern"`
	Winning bool   `json:"winning"`
	// Reason is "class" or "unreached" when it is not.
	Reason string `json:"reason,omitempty"`
	*answer.Route

	detail string
}

// one solves a position.
func (o *solveOptions) one(cmd *cobra.Command, g *ground, sp *peg.Space, text string) error {
	p, err := sp.Board().ParsePosition(text)
	if err != nil {
		return answer.BadPattern(text, err)
	}
	if sp, err = sp.From(p); err != nil {
		return err
	}
	e, err := o.endgame(cmd, g, sp)
	if err != nil {
		return err
	}
	v := verdict{Pattern: sp.Board().FormatPosition(p)}
	moves, ok, err := e.Way(sp.Roots()[0])
	if err != nil {
		return err
	}
	if v.Winning = ok; ok {
		way := statespace.Way{From: sp.Roots()[0]}
		for _, m := range moves {
			j := sp.Board().Jump(m)
			p ^= 1<<j.From | 1<<j.Over | 1<<j.To
			x, _ := sp.Class().Number(p)
			way.Steps = append(way.Steps, statespace.Step{Move: m, State: x})
		}
		if v.Route, err = answer.NewRoute(sp, way); err != nil {
			return err
		}
	} else if len(e.Goals()) == 0 {
		v.Reason, v.detail = answer.Class, "no single peg is in its class, or none where it was asked for: no jumps lead there"
	} else {
		v.Reason, v.detail = answer.Unreached, "no jumps lead to a single peg"
	}
	w := cmd.OutOrStdout()
	switch {
	case o.json:
		err = cli.WriteJSON(w, v)
	case v.Winning:
		err = v.Route.WriteText(w)
	default:
		_, err = fmt.Fprintf(w, "no   %s  (%s)\n", v.Pattern, v.detail)
	}
	if err == nil && !v.Winning {
		err = cli.ErrNo
	}
	return err
}
