package main

import (
	"fmt"

	"github.com/spf13/cobra"

	"pagoda/internal/cli"
	"pagoda/layers"
	"pagoda/statespace"
)

// fileInfo is what info prints.
type fileInfo struct {
	File          string                `json:"file"`
	FileBytes     uint64                `json:"file_bytes"`
	FormatVersion int                   `json:"format_version"`
	Space         string                `json:"space"`
	Definition    statespace.Definition `json:"definition"`
	Start         string                `json:"start"`
	Store         string                `json:"store"`
	Size          uint64                `json:"size"`
	States        uint64                `json:"states"`
	BytesPerState float64               `json:"bytes_per_state"`
	Layers        cli.Layers            `json:"layers"`
	Checkpoint    *layers.Checkpoint    `json:"checkpoint,omitempty"`
}

func infoCommand() *cobra.Command {
	var asJSON bool
	cmd := &cobra.Command{
		Use:   "info FILE",
		Short: "Tell what a file holds",
		Long:  `info tells what a file says of itself. It reads the header, not the states: see check.`,
		Args:  cli.Args(1, 1, "one file"),
		RunE: func(cmd *cobra.Command, args []string) error {
			f, sp, err := cli.OpenAny(args[0])
			if err != nil {
				return err
			}
			defer f.Close()
			m := f.Meta()
			info := fileInfo{f.Path(), f.Size(), layers.Version, sp.Name(), m.Space,
				sp.Format(sp.Roots()[0]), m.Store, m.Size, m.States, float64(f.Size()) / float64(max(1, m.States)), cli.LayersOf(m), m.Checkpoint}
			w := cmd.OutOrStdout()
			if asJSON {
				return cli.WriteJSON(w, info)
			}
			if c := m.Checkpoint; c != nil {
				_, err = fmt.Fprintf(w, "file    %s, %s bytes, format %d\nspace   %s\nstart   %s\nstore   %s of a run by %s: %d stages are done; reach resume goes on\n",
					info.File, cli.Comma(info.FileBytes), info.FormatVersion, info.Space, info.Start, info.Store, c.Engine, c.Done)
				return err
			}
			_, err = fmt.Fprintf(w, `file    %s, %s bytes, format %d
space   %s
start   %s
store   %s: %s
states  %s, %.2f %% of %s numbers; %.4g bytes each

`, info.File, cli.Comma(info.FileBytes), info.FormatVersion, info.Space, info.Start, info.Store, aboutStore(m),
				cli.Comma(info.States), 100*float64(info.States)/float64(info.Size), cli.Comma(info.Size), info.BytesPerState)
			if err != nil {
				return err
			}
			return info.Layers.Write(w)
		},
	}
	cmd.Flags().BoolVar(&asJSON, "json", false, "print one JSON object")
	return cmd
}

// aboutStore tells how a store keeps the states.
func aboutStore(m *layers.Meta) string {
	store, err := layers.FindStore(m.Store)
	if err != nil {
		return "unknown here"
	}
	about := store.About
	if m.PointerBits > 0 {
		about += fmt.Sprintf(", in %d bits", m.PointerBits)
	}
	if m.PatternBits > 0 {
		about += fmt.Sprintf(" for each of %s patterns", cli.Comma(1<<m.PatternBits))
	}
	if m.Symmetries > 1 {
		about += fmt.Sprintf(", by %d symmetries", m.Symmetries)
	}
	return about
}
