package main

import (
	"fmt"

	"github.com/spf13/cobra"

	"pagoda/internal/answer"
	"pagoda/internal/cli"
)

func infoCommand() *cobra.Command {
	var asJSON bool
	cmd := &cobra.Command{
		Use:   "info FILE",
		Short: "Tell what a file holds",
		Long:  `info tells what a file says of itself. It reads the header, not the states: see check.`,
		Args:  cli.Args(1, 1, "one file"),
		RunE: func(cmd *cobra.Command, args []string) error {
			f, _, err := cli.OpenAny(args[0])
			if err != nil {
				return err
			}
			defer f.Close()
			info := answer.NewInfo(f)
			w := cmd.OutOrStdout()
			if asJSON {
				return cli.WriteJSON(w, info)
			}
			if c := info.Checkpoint; c != nil {
				_, err = fmt.Fprintf(w, "file    %s, %s bytes, format %d\nspace   %s\nstart   %s\nstore   %s of a run by %s: %d stages are done; reach resume goes on\n",
					info.File, cli.Comma(info.FileBytes), info.FormatVersion, info.Space, info.Start, info.Store, c.Engine, c.Done)
				return err
			}
			_, err = fmt.Fprintf(w, `file    %s, %s bytes, format %d
space   %s
start   %s
store   %s: %s
states  %s, %.2f %% of %s numbers; %.4g bytes each

`, info.File, cli.Comma(info.FileBytes), info.FormatVersion, info.Space, info.Start, info.Store, answer.AboutStore(f.Meta()),
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
