package main

import (
	"context"
	"errors"
	"fmt"
	"strconv"

	"github.com/spf13/cobra"

	"pagoda/bitset"
	"pagoda/internal/answer"
	"pagoda/internal/cli"
	"pagoda/layers"
)

// A ranked is a member with its place among all.
type ranked struct {
	N       uint64 `json:"n"`
	Pattern string `json:"pattern"`
}

func nthCommand() *cobra.Command {
	var asJSON bool
	cmd := &cobra.Command{
		Use:   "nth FILE I",
		Short: "Give the member that comes I-th, counted from 0",
		Long: `nth gives the member of a file that has I members before it in the order of their
numbers, in which query list writes them. query rank tells the I of a member.`,
		Args: cli.Args(2, 2, "a file and a number"),
		RunE: func(cmd *cobra.Command, args []string) error {
			f, sp, err := cli.OpenFile(args[0])
			if err != nil {
				return err
			}
			defer f.Close()
			number := cli.Pattern(args[1]) // -1 looks like a pattern
			i, err := strconv.ParseUint(number, 10, 64)
			if err != nil || i >= f.Meta().States {
				return cli.Usagef("%s has %d members, counted from 0: I is %.40q, expected 0 to %d", f.Path(), f.Meta().States, number, f.Meta().States-1)
			}
			x, err := bitset.Select(stop(cmd.Context(), f.Members()), i)
			if errors.Is(err, bitset.ErrRank) {
				err = &layers.FileError{Path: f.Path(), Err: layers.ErrDamaged, Detail: err.Error(), Advice: "reach verify tells more"}
			}
			if err != nil {
				return err
			}
			if asJSON {
				return cli.WriteJSON(cmd.OutOrStdout(), ranked{i, sp.Format(x)})
			}
			_, err = fmt.Fprintln(cmd.OutOrStdout(), sp.Format(x))
			return err
		},
	}
	cmd.Flags().BoolVar(&asJSON, "json", false, "print one JSON object")
	return cmd
}

func rankCommand() *cobra.Command {
	var asJSON bool
	cmd := &cobra.Command{
		Use:   "rank FILE PATTERN",
		Short: "Tell which in the order a member is",
		Long: `rank tells how many members of a file come before a pattern: the I with which query
nth gives it. It exits with 1 and tells why when the pattern cannot be reached.`,
		Args: cli.Args(2, 2, "a file and a pattern"),
		RunE: func(cmd *cobra.Command, args []string) error {
			f, sp, err := cli.OpenFile(cli.Pattern(args[0]))
			if err != nil {
				return err
			}
			defer f.Close()
			a, err := answer.Ask(f.Members(), sp, cli.Pattern(args[1]))
			if err != nil {
				return err
			}
			if !a.Reachable {
				if err := writeReach(cmd.OutOrStdout(), a, asJSON); err != nil {
					return err
				}
				return cli.ErrNo
			}
			i, err := bitset.Rank(stop(cmd.Context(), f.Members()), a.State)
			if err != nil {
				return err
			}
			if asJSON {
				return cli.WriteJSON(cmd.OutOrStdout(), ranked{i, sp.Format(a.State)})
			}
			_, err = fmt.Fprintln(cmd.OutOrStdout(), i)
			return err
		},
	}
	cmd.Flags().BoolVar(&asJSON, "json", false, "print one JSON object")
	return cmd
}

// stop returns a set that cannot be read any more when ctx has ended, unless it tells
// ranks at once.
func stop(ctx context.Context, r bitset.Reader) bitset.Reader {
	if _, ok := r.(bitset.Ranker); ok {
		return r
	}
	return stoppable{r, ctx}
}

type stoppable struct {
	bitset.Reader
	ctx context.Context
}

// Block implements bitset.Reader.
func (s stoppable) Block(i uint64) ([]uint64, error) {
	if s.ctx.Err() != nil {
		return nil, context.Cause(s.ctx)
	}
	return s.Reader.Block(i)
}
