package main

import (
	"context"
	"errors"
	"fmt"

	"github.com/spf13/cobra"

	"pagoda/internal/answer"
	"pagoda/internal/cli"
	"pagoda/layers"
	"pagoda/statespace"
)

// shortest is the command path for a space whose moves can be taken back.
func (o *pathOptions) shortest(cmd *cobra.Command, f *layers.File, sp statespace.Reversible, args []string) error {
	for _, flag := range []string{"from", "via", "fewest-moves"} {
		if cmd.Flags().Changed(flag) {
			return cli.Usagef("--%s is for peg boards; this is %s", flag, sp.Name())
		}
	}
	if o.goal {
		s, err := o.toGoal(cmd, f, sp)
		if err != nil {
			return err
		}
		return s.tell(cmd, f, o.json)
	}
	all := true
	for pattern, err := range patterns(args, newStdin(cmd)) {
		if err != nil {
			return err
		}
		s, err := o.toPattern(cmd, f, sp, pattern)
		if err == nil {
			err = s.tell(cmd, f, o.json)
		}
		if errors.Is(err, cli.ErrNo) {
			all = false
		} else if err != nil {
			return err
		}
	}
	if !all {
		return cli.ErrNo
	}
	return nil
}

// tell writes a solution; it is ErrNo if there is none.
func (s *solution) tell(cmd *cobra.Command, f *layers.File, asJSON bool) error {
	if err := s.write(cmd.OutOrStdout(), asJSON); err != nil {
		return explainWay(f, err)
	}
	if !s.Reachable {
		return cli.ErrNo
	}
	return nil
}

// toGoal looks for ways to the nearest goals.
func (o *pathOptions) toGoal(cmd *cobra.Command, f *layers.File, sp statespace.Reversible) (*solution, error) {
	if !sp.HasGoal() {
		return nil, cli.Usagef("%s has no goal: give a pattern", sp.Name())
	}
	goal := f.Meta().Goal
	if goal == nil {
		detail := fmt.Sprintf("no goal is among the %s positions that can be reached", cli.Comma(f.Meta().States))
		return &solution{Reach: answer.Reach{Pattern: "goal", Reason: answer.Goal, Detail: detail}, space: sp}, nil
	}
	if goal.Count > uint64(len(goal.Nearest)) && (o.all || o.random) {
		return nil, cli.Usagef("%s lists %s of the %s nearest goals: --all and --random take a pattern there",
			f.Path(), cli.Comma(uint64(len(goal.Nearest))), cli.Comma(goal.Count))
	}
	for _, x := range goal.Nearest {
		if !sp.Goal(x) {
			return nil, notSo(f, fmt.Sprintf("%s is said to be a goal, and is none", sp.Format(x)))
		}
	}
	s := &solution{Reach: answer.Reach{Pattern: sp.Format(goal.Nearest[0]), Reachable: true}, space: sp}
	length, err := o.ways(cmd, f, sp, goal.Nearest, s)
	if err == nil && length != goal.Distance {
		err = notSo(f, fmt.Sprintf("the nearest goal is said to be at distance %d, and the way there has %d moves", goal.Distance, length))
	}
	return s, err
}

// toPattern looks for ways to a pattern.
func (o *pathOptions) toPattern(cmd *cobra.Command, f *layers.File, sp statespace.Reversible, pattern string) (*solution, error) {
	a, err := answer.Ask(f.Members(), sp, pattern)
	if err != nil {
		return nil, err
	}
	s := &solution{Reach: a, space: sp}
	if !a.Reachable {
		return s, s.offer(cmd.Context(), sp, f.Members())
	}
	_, err = o.ways(cmd, f, sp, []statespace.Index{a.State}, s)
	return s, err
}

// notSo says that what a file tells of goals is wrong.
func notSo(f *layers.File, detail string) error {
	return &layers.FileError{Path: f.Path(), Err: layers.ErrDamaged, Detail: detail, Advice: "reach verify tells more"}
}

// ways finds what was asked for of the shortest ways to states, all equally far away, and
// returns how far that is.
func (o *pathOptions) ways(cmd *cobra.Command, f *layers.File, sp statespace.Reversible, to []statespace.Index, s *solution) (length int, err error) {
	distance := f.Distance()
	if distance == nil {
		return 0, cli.Usagef("%s keeps no distances, its store is %s: reach convert --store %s writes a file that does", f.Path(), f.Meta().Store, layers.Mod3Store)
	}
	way, err := statespace.ShortestPath(sp, distance, to[0], len(f.Meta().Layers)-1)
	if err != nil {
		return 0, explainWay(f, err)
	}
	length = len(way.Steps)
	if !o.all && !o.random {
		s.way = way
		s.Route, err = answer.NewRoute(sp, way)
		return length, err
	}
	all, err := statespace.FindShortest(cmd.Context(), sp, distance, to, length, o.run.left())
	if err != nil {
		return 0, explainWay(f, err)
	}
	listed := cmd.Flags().Changed("limit")
	switch {
	case o.all:
		s.Count = all.Total()
		if listed {
			s.list = func(yield func(statespace.Way, error) bool) {
				n := 0
				for way := range all.All() {
					if err := context.Cause(cmd.Context()); err != nil {
						yield(statespace.Way{}, err)
						return
					}
					if n++; !yield(way, nil) || n == *o.limit {
						return
					}
				}
			}
		}
	case listed:
		rng := newRand(cmd, o.seed)
		s.list = func(yield func(statespace.Way, error) bool) {
			for range *o.limit {
				if err := context.Cause(cmd.Context()); err != nil {
					yield(statespace.Way{}, err)
					return
				}
				if !yield(all.Random(rng), nil) {
					return
				}
			}
		}
	default:
		s.way = all.Random(newRand(cmd, o.seed))
		s.Route, err = answer.NewRoute(sp, s.way)
	}
	return length, err
}
