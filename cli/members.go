package cli

import (
	"bufio"
	"cmp"
	"context"
	"fmt"
	"io"
	"iter"
	"math"
	"strconv"

	"github.com/spf13/cobra"

	"pagoda/ask"
	"pagoda/internal/console"
	"pagoda/statespace"
	"pagoda/statespace/cells"
)

func (p *Program) count() *cobra.Command {
	var asJSON bool
	cmd := &cobra.Command{
		Use:   "count FILE [PATTERN]",
		Short: "Count the members that agree with a pattern",
		Long:  "count counts the members of a file.\n\n" + picking,
		Args:  console.Args(1, 2, "a file and perhaps a pattern"),
	}
	picked := p.newPicker(cmd)
	cmd.Flags().BoolVar(&asJSON, "json", false, "print one JSON object")
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		f, c, err := picked.open(cmd, args)
		if err != nil {
			return err
		}
		defer f.Close()
		n, err := f.Count(cmd.Context(), c)
		if err != nil {
			return err
		}
		if asJSON {
			return console.WriteJSON(cmd.OutOrStdout(), struct {
				Count uint64 `json:"count"`
			}{n})
		}
		_, err = fmt.Fprintln(cmd.OutOrStdout(), n)
		return err
	}
	return cmd
}

func (p *Program) list() *cobra.Command {
	var asJSON bool
	cmd := &cobra.Command{
		Use:   "list FILE [PATTERN]",
		Short: "List the members that agree with a pattern",
		Long: `list writes the members of a file, one per line, in the order of their numbers, or in that
of --sort.

` + picking + "\n\n" + showing,
		Args: console.Args(1, 2, "a file and perhaps a pattern"),
	}
	limit, picked := NewLimitFlag(cmd, 0, "members"), p.newPicker(cmd)
	shown := newShowFlags(cmd)
	cmd.Flags().BoolVar(&asJSON, "json", false, "print a JSON object for each member")
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		n, err := limit.Get(math.MaxInt)
		if err != nil {
			return err
		}
		f, c, err := picked.open(cmd, args)
		if err != nil {
			return err
		}
		defer f.Close()
		c.Limit = uint64(n)
		describe, err := shown.choose(cmd, f, &c)
		if err != nil {
			return err
		}
		return f.Read(func() error {
			return WriteMembers(cmd.Context(), cmd.OutOrStdout(), describe, 0, asJSON, f.List(cmd.Context(), c))
		})
	}
	return cmd
}

// A Describe describes a state as a member.
type Describe func(x statespace.Index) (ask.Member, error)

// WriteMembers writes members, the first ones up to a limit; 0 is none. When ctx ends, it stops at
// once and returns the cause: what yields the members may look at ctx only after many.
func WriteMembers(ctx context.Context, to io.Writer, describe Describe, limit int, asJSON bool, members iter.Seq2[statespace.Index, error]) error {
	w := bufio.NewWriterSize(to, 1<<16)
	n := 0
	for x, err := range members {
		if err == nil {
			err = writeMember(w, describe, x, asJSON)
		}
		if err = cmp.Or(err, context.Cause(ctx)); err != nil {
			return cmp.Or(err, w.Flush())
		}
		if n++; n == limit {
			break
		}
	}
	return w.Flush()
}

func writeMember(w *bufio.Writer, describe Describe, x statespace.Index, asJSON bool) error {
	m, err := describe(x)
	switch {
	case err != nil:
		return err
	case asJSON:
		return console.WriteJSON(w, m)
	}
	w.WriteString(m.String())
	return w.WriteByte('\n')
}

func (p *Program) sample() *cobra.Command {
	var asJSON bool
	var n int
	cmd := &cobra.Command{
		Use:   "sample FILE [PATTERN] -n N",
		Short: "Draw members at random",
		Long: `sample draws N different members of a file, or all if there are fewer; each set of N is
as likely as any other, and so is each order. The same seed draws the same members of the
same file. With --sort they come in that order.

` + picking + "\n\n" + showing,
		Args: console.Args(1, 2, "a file and perhaps a pattern"),
	}
	cmd.Flags().IntVarP(&n, "number", "n", 1, "how many to draw")
	cmd.Flags().BoolVar(&asJSON, "json", false, "print a JSON object for each member")
	picked, seed := p.newPicker(cmd), seedFlag(cmd)
	shown := newShowFlags(cmd)
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		if n < 1 || n > cells.MaxMatches {
			return console.Usagef("-n is %d, expected 1 to %d", n, cells.MaxMatches)
		}
		f, c, err := picked.open(cmd, args)
		if err != nil {
			return err
		}
		defer f.Close()
		describe, err := shown.choose(cmd, f, &c)
		if err != nil {
			return err
		}
		drawn, err := f.Sample(cmd.Context(), c, n, seed())
		if err != nil {
			return err
		}
		w := bufio.NewWriter(cmd.OutOrStdout())
		err = f.Read(func() error {
			for _, x := range drawn {
				if err := writeMember(w, describe, x, asJSON); err != nil {
					return err
				}
			}
			return nil
		})
		if err != nil {
			return err
		}
		if len(drawn) == 0 && !asJSON {
			fmt.Fprintln(w, f.None(c))
		}
		return no(len(drawn) == 0, w.Flush())
	}
	return cmd
}

// A ranked is a member with its place among all.
type ranked struct {
	N       uint64 `json:"n"`
	Pattern string `json:"pattern"`
}

func (p *Program) nth() *cobra.Command {
	var asJSON bool
	cmd := &cobra.Command{
		Use:   "nth FILE I",
		Short: "Print the member of a rank, from 0",
		Long: `nth prints the member of a file that has I members before it, in the order of their
numbers, which is the order of list. rank prints the I of a member.`,
		Args: console.Args(2, 2, "a file and a number"),
		RunE: func(cmd *cobra.Command, args []string) error {
			f, err := p.open(cmd, args[0])
			if err != nil {
				return err
			}
			defer f.Close()
			i, err := strconv.ParseUint(args[1], 10, 64)
			if err != nil {
				return console.Usagef("%s has %d members, counted from 0: I is %.40q, expected 0 to %d", f.Path(), f.Meta().States, args[1], f.Meta().States-1)
			}
			x, err := f.Nth(cmd.Context(), i)
			if err != nil {
				return err
			}
			return writeRanked(cmd, f, i, x, asJSON, f.Space().Format(x))
		},
	}
	OpenFlags(cmd)
	cmd.Flags().BoolVar(&asJSON, "json", false, "print one JSON object")
	return cmd
}

// writeRanked writes a member and its place, as JSON, or else a text.
func writeRanked(cmd *cobra.Command, f *ask.File, i uint64, x statespace.Index, asJSON bool, text string) error {
	if asJSON {
		return console.WriteJSON(cmd.OutOrStdout(), ranked{i, f.Space().Format(x)})
	}
	_, err := fmt.Fprintln(cmd.OutOrStdout(), text)
	return err
}

func (p *Program) rank() *cobra.Command {
	var asJSON bool
	cmd := &cobra.Command{
		Use:   "rank FILE PATTERN",
		Short: "Print a member's rank, from 0",
		Long: `rank prints the number of members of a file that come before a pattern: the I with which
nth prints it. If the pattern cannot be reached, it says why and exits with 1.`,
		Args: console.Args(2, 2, "a file and a pattern"),
		RunE: func(cmd *cobra.Command, args []string) error {
			f, err := p.open(cmd, args[0])
			if err != nil {
				return err
			}
			defer f.Close()
			r, err := f.Has(args[1])
			if err != nil {
				return err
			}
			if !r.Reachable {
				return no(true, writeReach(cmd.OutOrStdout(), r, asJSON))
			}
			i, err := f.Rank(cmd.Context(), r.State)
			if err != nil {
				return err
			}
			return writeRanked(cmd, f, i, r.State, asJSON, strconv.FormatUint(i, 10))
		},
	}
	OpenFlags(cmd)
	cmd.Flags().BoolVar(&asJSON, "json", false, "print one JSON object")
	return cmd
}
