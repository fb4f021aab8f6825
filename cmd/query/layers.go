package main

import (
	"fmt"

	"github.com/spf13/cobra"

	"pagoda/internal/cli"
)

func layersCommand() *cobra.Command {
	var asJSON bool
	cmd := &cobra.Command{
		Use:   "layers FILE",
		Short: "Tell how many states there are in each layer",
		Args:  cli.Args(1, 1, "one file"),
		RunE: func(cmd *cobra.Command, args []string) error {
			f, sp, err := cli.OpenFile(args[0])
			if err != nil {
				return err
			}
			defer f.Close()
			m := f.Meta()
			if asJSON {
				return cli.WriteJSON(cmd.OutOrStdout(), struct {
					Space  string     `json:"space"`
					States uint64     `json:"states"`
					Layers cli.Layers `json:"layers"`
				}{sp.Name(), m.States, cli.LayersOf(m)})
			}
			fmt.Fprintln(cmd.OutOrStdout(), sp.Name())
			return cli.LayersOf(m).Write(cmd.OutOrStdout())
		},
	}
	cmd.Flags().BoolVar(&asJSON, "json", false, "print one JSON object")
	return cmd
}
