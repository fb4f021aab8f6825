package main

import (
	"errors"
	"fmt"
	"io"
	"strings"

	"github.com/spf13/cobra"

	"pagoda/internal/cli"
	"pagoda/layers"
	"pagoda/statespace"
)

// A solution is the answer of path.
type solution struct {
	answer
	Moves     []fmt.Stringer `json:"moves,omitzero"`     // from the start on
	Positions []string       `json:"positions,omitzero"` // before the first move, and after each
}

func pathCommand() *cobra.Command {
	var asJSON bool
	cmd := &cobra.Command{
		Use:   "path FILE PATTERN",
		Short: "Show moves that lead from the start to a pattern",
		Long: `path shows moves that lead from the start to a pattern, with the position after each.
It exits with 1 and tells why when the pattern cannot be reached.`,
		Args: cli.Args(2, 2, "a file and a pattern"),
		RunE: func(cmd *cobra.Command, args []string) error {
			f, sp, err := cli.OpenFile(cli.Pattern(args[0]))
			if err != nil {
				return err
			}
			defer f.Close()
			all := true
			for pattern, err := range patterns(args[1:], newStdin(cmd)) {
				if err != nil {
					return err
				}
				s, err := solve(f, sp, pattern)
				if err != nil {
					return err
				}
				all = all && s.Reachable
				if err := s.write(cmd.OutOrStdout(), asJSON); err != nil {
					return err
				}
			}
			if !all {
				return cli.ErrNo
			}
			return nil
		},
	}
	cmd.Flags().BoolVar(&asJSON, "json", false, "print one JSON object")
	return cmd
}

func solve(f *layers.File, sp statespace.Space, pattern string) (*solution, error) {
	a, err := ask(f, sp, pattern)
	s := &solution{answer: a}
	if err != nil || !a.Reachable {
		return s, err
	}
	layered, ok := sp.(statespace.Layered)
	if !ok {
		return nil, cli.Usagef("%s has no layers to follow back to the start", sp.Name())
	}
	root, steps, err := statespace.Path(layered, f.Has, a.state)
	if errors.Is(err, statespace.ErrNoPath) {
		return nil, &layers.FileError{Path: f.Path(), Err: layers.ErrDamaged, Detail: err.Error(), Advice: "reach verify tells more"}
	}
	if err != nil {
		return nil, err
	}
	s.Moves = []fmt.Stringer{}
	s.Positions = []string{sp.Format(root)}
	for _, step := range steps {
		s.Moves = append(s.Moves, sp.Describe(step.Move))
		s.Positions = append(s.Positions, sp.Format(step.State))
	}
	return s, nil
}

func (s *solution) write(w io.Writer, asJSON bool) error {
	if !s.Reachable || asJSON {
		if asJSON {
			return cli.WriteJSON(w, s)
		}
		return s.answer.write(w, false)
	}
	width := 0
	for _, m := range s.Moves {
		width = max(width, len(m.String()))
	}
	var text strings.Builder
	for i, p := range s.Positions {
		move := "start"
		if i > 0 {
			move = s.Moves[i-1].String()
		}
		fmt.Fprintf(&text, "%3d  %-*s  %s\n", i, width, move, p)
	}
	_, err := io.WriteString(w, text.String())
	return err
}
