package main

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"iter"
	"math/big"

	"github.com/spf13/cobra"

	"pagoda/bitset"
	"pagoda/internal/answer"
	"pagoda/internal/cli"
	"pagoda/layers"
	"pagoda/statespace"
	"pagoda/statespace/peg"
)

type pathOptions struct {
	from, via                       string
	goal, all, random, fewest, json bool
	limit                           *int
	seed                            uint64
	run                             inMemory
}

func pathCommand() *cobra.Command {
	var o pathOptions
	cmd := &cobra.Command{
		Use:   "path FILE [PATTERN|--goal]",
		Short: "Show moves that lead from the start to a pattern",
		Long: `path shows moves that lead from the start to a pattern, with the position after each.
It exits with 1 and tells why when the pattern cannot be reached, and shows the
nearest ones that can.

With --all it counts all the ways there are, as sequences of jumps, and with --limit
lists so many of them. With --random it draws one; each is as likely as any other.
With --fewest-moves it finds one with the fewest moves, where jumps of one peg that
follow one another count as one move. These three keep all positions that lie on a
way in memory, within --mem.

With --via the way leads through a position, and with --from it begins in another
than the start. These enumerate what can be reached from there.

Of sliding blocks, ways are the shortest ones, and moves tell the pieces and where they
go, a letter for each cell; what --all counts and --random draws differs in a position
on the way. --goal takes the nearest goals instead of a pattern. All ways were replayed
move by move by a checker of its own. They need the file's distances, the store mod3.`,
		Example: `  query path peg-5x7.reach oooo./o...o/o...o/oo.o./o..../o..../o....
  query path peg-english.reach .../.../......./...o.../......./.../... --fewest-moves
  query path slide-klotski.reach --goal`,
		Args: cli.Args(1, 2, "a file and a pattern, or --goal"),
		RunE: func(cmd *cobra.Command, args []string) error {
			if err := o.check(cmd); err != nil {
				return err
			}
			if o.goal == (len(args) == 2) {
				return cli.Usagef("expected a pattern, or --goal instead of one")
			}
			f, sp, err := cli.OpenFile(cli.Pattern(args[0]))
			if err != nil {
				return err
			}
			defer f.Close()
			if r, ok := sp.(statespace.Reversible); ok {
				return o.shortest(cmd, f, r, args[1:])
			}
			if o.goal {
				return cli.Usagef("--goal is for sliding blocks; query solve finds ways to a single peg")
			}
			g, err := newGround(f, sp)
			if err != nil {
				return err
			}
			defer g.free()
			if err := o.prepare(cmd, g); err != nil {
				return err
			}
			all := true
			for pattern, err := range patterns(args[1:], newStdin(cmd)) {
				if err != nil {
					return err
				}
				s, err := o.solve(cmd, g, pattern)
				if err != nil {
					return err
				}
				all = all && s.Reachable
				err = s.write(cmd.OutOrStdout(), o.json)
				s.free()
				if err != nil {
					return g.explain(err)
				}
			}
			if !all {
				return cli.ErrNo
			}
			return nil
		},
	}
	flags := cmd.Flags()
	flags.StringVar(&o.from, "from", "", "begin in this position instead of the start")
	flags.StringVar(&o.via, "via", "", "go through this position")
	flags.BoolVar(&o.goal, "goal", false, "of sliding blocks: show moves that lead to the nearest goal")
	flags.BoolVar(&o.all, "all", false, "count all ways")
	flags.BoolVar(&o.random, "random", false, "draw a way at random")
	flags.BoolVar(&o.fewest, "fewest-moves", false, "find a way with the fewest moves")
	flags.Uint64Var(&o.seed, "seed", 0, "where the random numbers start (default: somewhere new each time)")
	o.limit = flags.Int("limit", 1, "with --all, list so many ways as well, 0 for all; with --random, draw so many")
	flags.BoolVar(&o.json, "json", false, "print one JSON object")
	o.run.flags(cmd)
	return cmd
}

func (o *pathOptions) check(cmd *cobra.Command) error {
	if err := o.run.check(); err != nil {
		return err
	}
	if err := cli.NotEmpty(cmd, "from", "via"); err != nil {
		return err
	}
	if o.all && o.random || o.all && o.fewest || o.random && o.fewest {
		return cli.Usagef("--all, --random and --fewest-moves do not go together: choose one")
	}
	given := cmd.Flags().Changed
	if given("seed") && !o.random {
		return cli.Usagef("--seed is for --random")
	}
	if !given("limit") {
		return nil
	}
	switch {
	case !o.all && !o.random:
		return cli.Usagef("--limit is for --all and --random")
	case *o.limit < 0 || *o.limit == 0 && o.random:
		return cli.Usagef("--limit is %d, expected 1 or more, or with --all 0 for all", *o.limit)
	}
	return nil
}

// A ground is where ways are looked for: a space and a set of states, each of which
// but the roots has one of them before it.
type ground struct {
	space   statespace.Layered
	members bitset.Reader
	member  statespace.Member
	file    *layers.File // nil: the members are not those of the file
	via     *leg         // nil: ways may lead anywhere
	blocked string       // if not empty, why there are no ways at all
	frees   []func()
}

// A leg is the part of a way up to a state, and what it goes through.
type leg struct {
	members bitset.Reader
	to      statespace.Index
}

// newGround returns the ground of a file.
func newGround(f *layers.File, sp statespace.Space) (*ground, error) {
	layered, ok := sp.(statespace.Layered)
	if !ok {
		return nil, cli.Usagef("%s has no layers to follow back to the start", sp.Name())
	}
	g := &ground{space: layered, members: f.Members(), file: f}
	g.member = func(x statespace.Index) (bool, error) { return bitset.Has(g.members, x) }
	return g, nil
}

func (g *ground) free() {
	for _, free := range g.frees {
		free()
	}
}

// peg returns the space of pegs of the ground.
func (g *ground) peg(flag string) (*peg.Space, error) {
	sp, ok := g.space.(*peg.Space)
	if !ok {
		return nil, cli.Usagef("--%s is for peg boards; this is %s", flag, g.space.Name())
	}
	return sp, nil
}

// prepare makes the ground that of --from and --via.
func (o *pathOptions) prepare(cmd *cobra.Command, g *ground) error {
	if o.from != "" {
		sp, p, err := position(g, "from", o.from)
		if err != nil {
			return err
		}
		if sp, err = sp.From(p); err != nil {
			return err
		}
		set, err := o.run.enumerate(cmd, sp, g)
		if err != nil {
			return err
		}
		g.space, g.members, g.file = sp, set, nil
	}
	if o.via == "" {
		return nil
	}
	sp, p, err := position(g, "via", o.via)
	if err != nil {
		return err
	}
	a, err := answer.Ask(g.members, sp, cli.Pattern(o.via))
	if err != nil {
		return err
	}
	if !a.Reachable {
		g.blocked = fmt.Sprintf("--via %s cannot be reached: %s", a.Pattern, a.Detail)
		return nil
	}
	beyond, err := sp.From(p)
	if err != nil {
		return err
	}
	set, err := o.run.enumerate(cmd, beyond, g)
	if err != nil {
		return err
	}
	// The two agree on numbers: they have the same free cells and the same class.
	before, layer := g.members, sp.Layer(a.State)
	g.members, g.file, g.via = set, nil, &leg{before, a.State}
	g.member = func(x statespace.Index) (bool, error) {
		if sp.Layer(x) > layer {
			return bitset.Has(before, x)
		}
		return bitset.Has(set, x)
	}
	return nil
}

// position reads the position of a flag.
func position(g *ground, flag, text string) (*peg.Space, peg.Position, error) {
	sp, err := g.peg(flag)
	if err != nil {
		return nil, 0, err
	}
	text = cli.Pattern(text)
	p, err := sp.Board().ParsePosition(text)
	if err != nil {
		return nil, 0, cli.Usagef("--%s %s: %w", flag, answer.Shorten(text), err)
	}
	return sp, p, nil
}

// A solution is the answer of path.
type solution struct {
	answer.Reach
	Count         *big.Int       `json:"count,omitempty"` // of all ways
	*answer.Route                // the only one
	Fewest        *int           `json:"fewest_moves,omitempty"`
	Nearest       []answer.Match `json:"nearest,omitempty"` // when it cannot be reached

	space statespace.Space
	way   statespace.Way // the Route
	// list, if not nil, yields ways that are written one after the other, which JSON
	// has as "solutions". They may be more than fit into memory.
	list iter.Seq2[statespace.Way, error]
	free func()
}

// solve looks for ways to a pattern.
func (o *pathOptions) solve(cmd *cobra.Command, g *ground, pattern string) (*solution, error) {
	a, err := answer.Ask(g.members, g.space, pattern)
	s := &solution{Reach: a, space: g.space, free: func() {}}
	if err != nil {
		return nil, err
	}
	if g.blocked != "" {
		s.Reachable, s.Reason, s.Detail = false, answer.Via, g.blocked
		return s, nil
	}
	if !a.Reachable {
		if a.Reason == answer.Unreached && g.file == nil {
			s.Detail = "of the class of the start, but not reached in this way"
		}
		return s, s.offer(cmd.Context(), g.space, g.members)
	}
	switch {
	case o.all:
		err = o.count(cmd, g, s)
	case o.random:
		err = o.draw(cmd, g, s)
	case o.fewest:
		err = o.fewestMoves(cmd, g, s)
	default:
		s.way, err = g.path(a.State)
	}
	if err != nil {
		return nil, g.explain(err)
	}
	if s.list == nil && s.Count == nil {
		s.Route, err = answer.NewRoute(g.space, s.way)
	}
	return s, err
}

// path returns a way: that of the file's pointers, if it has any.
func (g *ground) path(to statespace.Index) (statespace.Way, error) {
	if g.file != nil {
		return answer.Path(g.file, g.space, to)
	}
	return statespace.Path(g.space, g.member, to)
}

// countWays counts the ways to a state, in memory that free gives back.
func (o *pathOptions) countWays(cmd *cobra.Command, g *ground, to statespace.Index) (counted *statespace.Counted, free func(), err error) {
	between, free, err := o.between(cmd, g, to)
	if err != nil {
		return nil, nil, err
	}
	progress, stop := o.run.progress(cmd, "ways", between.Count(), "states")
	counted, err = statespace.CountWays(cmd.Context(), g.space, between, to, o.run.left(), *o.run.threads, progress)
	stop()
	if err != nil {
		free()
		return nil, nil, err
	}
	return counted, free, nil
}

// count counts all ways, and lists some.
func (o *pathOptions) count(cmd *cobra.Command, g *ground, s *solution) error {
	counted, free, err := o.countWays(cmd, g, s.State)
	if err != nil {
		return err
	}
	defer free()
	s.Count = counted.Total()
	if !cmd.Flags().Changed("limit") {
		return nil
	}
	s.list = func(yield func(statespace.Way, error) bool) {
		n := 0
		for way, err := range statespace.Ways(g.space, g.member, s.State) {
			if err == nil && cmd.Context().Err() != nil {
				err = context.Cause(cmd.Context())
			}
			if n++; !yield(way, err) || err != nil || n == *o.limit {
				return
			}
		}
	}
	return nil
}

// draw draws ways at random.
func (o *pathOptions) draw(cmd *cobra.Command, g *ground, s *solution) error {
	counted, free, err := o.countWays(cmd, g, s.State)
	if err != nil {
		return err
	}
	rng := newRand(cmd, o.seed)
	if !cmd.Flags().Changed("limit") {
		s.way = counted.Random(rng)
		free()
		return nil
	}
	s.free = free
	s.list = func(yield func(statespace.Way, error) bool) {
		for range *o.limit {
			if err := context.Cause(cmd.Context()); err != nil {
				yield(statespace.Way{}, err)
				return
			}
			if !yield(counted.Random(rng), nil) {
				return
			}
		}
	}
	return nil
}

func (o *pathOptions) fewestMoves(cmd *cobra.Command, g *ground, s *solution) error {
	mover, ok := g.space.(statespace.Mover)
	if !ok {
		return cli.Usagef("--fewest-moves is for puzzles whose moves take one piece; this is %s", g.space.Name())
	}
	between, free, err := o.between(cmd, g, s.State)
	if err != nil {
		return err
	}
	defer free()
	progress, stop := o.run.progress(cmd, "moves", between.Count(), "states")
	moves, way, err := statespace.FewestMoves(cmd.Context(), mover, between, s.State, o.run.left(), *o.run.threads, progress)
	stop()
	s.Fewest, s.way = &moves, way
	return err
}

// between returns the set of all states on ways to a state, in memory that free
// gives back.
func (o *pathOptions) between(cmd *cobra.Command, g *ground, to statespace.Index) (set *bitset.Set, free func(), err error) {
	var part ground
	free = part.free
	fill := func(l leg) (*bitset.Set, error) {
		return o.run.fill(cmd, g.space, &part, func(set *bitset.Set, progress *statespace.Progress) error {
			return statespace.Between(cmd.Context(), g.space, l.members, l.to, set, *o.run.threads, progress)
		})
	}
	if set, err = fill(leg{g.members, to}); err == nil && g.via != nil {
		var before *bitset.Set
		if before, err = fill(*g.via); err == nil {
			for i, w := range before.Words() {
				set.Words()[i] |= w
			}
		}
	}
	if err != nil {
		free()
	}
	return set, free, err
}

// explain says what an error about ways means here.
func (g *ground) explain(err error) error { return explainWay(g.file, err) }

// explainWay says what an error about ways means, in a file if there is one.
func explainWay(f *layers.File, err error) error {
	switch {
	case errors.Is(err, statespace.ErrMemory):
		return cli.Usagef("%w; --mem allows more, and a way without --all, --random and --fewest-moves needs no table", err)
	case f != nil:
		return answer.ExplainWay(f, err)
	}
	return err
}

// offer adds the nearest patterns that can be reached.
func (s *solution) offer(ctx context.Context, sp statespace.Space, members bitset.Reader) error {
	c := cellsOf(sp, peg.AnyPegs)
	if c == nil {
		return nil
	}
	q := &nearQuery{cells: c, wishes: c.wishes(), weights: new(statespace.Weights), within: statespace.Nearest, limit: 5}
	if err := q.wishes.add(nil, s.Pattern); err != nil {
		return err
	}
	near, err := q.find(ctx, members)
	if err != nil {
		return err
	}
	s.Nearest = near.Matches
	return nil
}

func (s *solution) write(to io.Writer, asJSON bool) error {
	w := bufio.NewWriterSize(to, 1<<16)
	var err error
	if asJSON {
		err = s.writeJSON(w)
	} else {
		err = s.writeText(w)
	}
	if flushed := w.Flush(); err == nil {
		err = flushed
	}
	return err
}

func (s *solution) writeJSON(w *bufio.Writer) error {
	if s.list == nil {
		return cli.WriteJSON(w, s)
	}
	var object bytes.Buffer
	if err := cli.WriteJSON(&object, s); err != nil {
		return err
	}
	w.Write(bytes.TrimSuffix(object.Bytes(), []byte("}\n")))
	separator := `,"solutions":[`
	for way, err := range s.list {
		if err != nil {
			return err
		}
		r, err := answer.NewRoute(s.space, way)
		if err != nil {
			return err
		}
		object.Reset()
		if err := cli.WriteJSON(&object, r); err != nil {
			return err
		}
		w.WriteString(separator)
		if _, err := w.Write(bytes.TrimRight(object.Bytes(), "\n")); err != nil {
			return err
		}
		separator = ","
	}
	_, err := w.WriteString("]}\n")
	return err
}

func (s *solution) writeText(w *bufio.Writer) error {
	switch {
	case !s.Reachable:
		if err := s.Reach.WriteText(w); err != nil {
			return err
		}
		if len(s.Nearest) > 0 {
			fmt.Fprintf(w, "the nearest that can be reached, at distance %s:\n", s.Nearest[0].Distance)
		}
		for _, m := range s.Nearest {
			fmt.Fprintf(w, "     %s\n", m.Pattern)
		}
		return nil
	case s.Route != nil:
		s.Route.WriteText(w)
		if s.Fewest != nil {
			fmt.Fprintf(w, "%d jumps in %d moves, which is the least\n", len(s.Moves), *s.Fewest)
		}
		return nil
	case s.Count != nil:
		fmt.Fprintln(w, s.Count)
	}
	if s.list == nil {
		return nil
	}
	between := s.Count != nil
	for way, err := range s.list {
		if err != nil {
			return err
		}
		if between {
			fmt.Fprintln(w)
		}
		between = true
		r, err := answer.NewRoute(s.space, way)
		if err != nil {
			return err
		}
		if err := r.WriteText(w); err != nil {
			return err
		}
	}
	return nil
}
