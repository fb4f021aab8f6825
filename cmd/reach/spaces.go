package main

import (
	"fmt"
	"strings"

	"github.com/dustin/go-humanize"
	"github.com/spf13/cobra"

	"pagoda/bitset"
	"pagoda/internal/cli"
	"pagoda/statespace"
	"pagoda/statespace/catalog"
	"pagoda/statespace/slide"
)

// spaceRow is a line of what spaces prints.
type spaceRow struct {
	Name      string `json:"name"`
	Cells     int    `json:"cells"`
	Dimension int    `json:"class_dimension"`
	SetBytes  uint64 `json:"set_bytes"`
	FileBytes uint64 `json:"file_bytes"`
	Engine    string `json:"engine"`
	About     string `json:"about"`
}

func spacesCommand() *cobra.Command {
	var asJSON bool
	cmd := &cobra.Command{
		Use:   "spaces",
		Short: "List the spaces known by name",
		Long: `spaces lists the boards of the catalogue: the number of cells, the dimension d of
the position class, which has 2^d numbers, and the bytes of a set of them at one
bit each. Any rectangle is peg/WxH, W wide and H tall; @row,column behind a name
vacates that hole instead of the usual one. Below stand the sliding-block puzzles of
the library; the JSON array has the boards only.`,
		Args: cli.Args(0, 0, "no arguments"),
		RunE: func(cmd *cobra.Command, args []string) error {
			var rows []spaceRow
			for _, e := range catalog.Entries() {
				sp, err := catalog.Lookup(e.Name, nil, catalog.Sliding{})
				if err != nil {
					return err
				}
				row := spaceRow{Name: e.Name, SetBytes: 8 * bitset.Words(sp.Size()), FileBytes: setFileSize(sp),
					Engine: statespace.Engines(sp)[0], About: e.About}
				if d, ok := sp.(interface{ Dimensions() (cells, class int) }); ok {
					row.Cells, row.Dimension = d.Dimensions()
				}
				rows = append(rows, row)
			}
			if asJSON {
				return cli.WriteJSON(cmd.OutOrStdout(), rows)
			}
			var s strings.Builder
			fmt.Fprintf(&s, "%-16s %5s %5s %9s  %-7s %s\n", "space", "cells", "class", "set", "engine", "")
			for _, r := range rows {
				fmt.Fprintf(&s, "%-16s %5d  2^%-2d %9s  %-7s %s\n", r.Name, r.Cells, r.Dimension,
					humanize.IBytes(r.SetBytes), r.Engine, r.About)
			}
			fmt.Fprintf(&s, "\nsliding blocks, for reach solve and run: %s, and n-puzzles such as slide/n3x4\n", strings.Join(slide.Library(), ", "))
			_, err := cmd.OutOrStdout().Write([]byte(s.String()))
			return err
		},
	}
	cmd.Flags().BoolVar(&asJSON, "json", false, "print one JSON array")
	return cmd
}

// completeSpaces offers the names of the catalogue, and files.
func completeSpaces(_ *cobra.Command, args []string, _ string) ([]string, cobra.ShellCompDirective) {
	if len(args) > 0 {
		return nil, cobra.ShellCompDirectiveNoFileComp
	}
	var names []string
	for _, e := range catalog.Entries() {
		names = append(names, e.Name)
	}
	return names, cobra.ShellCompDirectiveDefault
}
