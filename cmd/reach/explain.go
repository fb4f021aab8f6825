package main

import (
	"fmt"

	"github.com/dustin/go-humanize"
	"github.com/spf13/cobra"

	"pagoda/internal/cli"
	"pagoda/internal/mapped"
	"pagoda/layers"
	"pagoda/statespace"
	"pagoda/statespace/catalog"
)

// plan is what explain prints.
type plan struct {
	Space     string       `json:"space"`
	Engine    string       `json:"engine"`
	Kernel    string       `json:"kernel"` // empty if the engine has none
	Size      uint64       `json:"size"`
	SetBytes  uint64       `json:"set_bytes"` // of the set or the distances
	Memory    uint64       `json:"memory_bytes"`
	Machine   uint64       `json:"machine_bytes"` // 0 where it is not known
	FileBytes uint64       `json:"file_bytes"`
	Details   fmt.Stringer `json:"details"`
}

func explainCommand() *cobra.Command {
	var asJSON bool
	var metric string
	cmd := &cobra.Command{
		Use:               "explain SPACE",
		ValidArgsFunction: completeSpaces,
		Short:             "Tell what a run would do, before it does it",
		Long: `explain shows how the states of a space are numbered, which engine would enumerate
them and in which order, and how much memory and disk that takes. It enumerates
nothing, so it answers for spaces far too large to run.`,
		Args: cli.Args(1, 1, "one space"),
		RunE: func(cmd *cobra.Command, args []string) error {
			sp, err := catalog.Lookup(args[0], cmd.InOrStdin(), catalog.Sliding{Metric: metric})
			if err != nil {
				return cli.UsageError(err)
			}
			store, err := layers.FindStore(bestStore(sp))
			if err != nil {
				return err
			}
			p := plan{Space: sp.Name(), Engine: statespace.Engines(sp)[0], Size: sp.Size(), SetBytes: cli.StateBytes(sp),
				Machine: mapped.PhysicalMemory(), FileBytes: store.FileSize(sp)}
			p.Memory = cli.MemoryOf(sp, p.Engine)
			if p.Kernel, err = useKernel(sp, p.Engine, autoKernel); err != nil {
				return err
			}
			if e, ok := sp.(statespace.Explainer); ok {
				p.Details = e.Explain()
			}
			w := cmd.OutOrStdout()
			if asJSON {
				return cli.WriteJSON(w, p)
			}
			fits := "more than 7/8 of this machine's " + humanize.IBytes(p.Machine)
			if p.Machine == 0 {
				fits = "this machine's is not known"
			} else if p.Memory <= p.Machine/8*7 {
				fits = "this machine has " + humanize.IBytes(p.Machine)
			}
			fmt.Fprintln(w, p.Space)
			if p.Details != nil {
				fmt.Fprint(w, p.Details)
			}
			engine := p.Engine
			if p.Kernel != "" {
				engine += " by " + p.Kernel
			}
			_, err = fmt.Fprintf(w, `engine      %s
memory      %s, of it %s for %s for each of %s numbers (%s)
file        %s bytes
`, engine, humanize.IBytes(p.Memory), humanize.IBytes(p.SetBytes), cli.StateBits(sp), cli.Comma(p.Size), fits, cli.Comma(p.FileBytes))
			return err
		},
	}
	cmd.Flags().BoolVar(&asJSON, "json", false, "print one JSON object")
	metricFlag(cmd, &metric)
	return cmd
}
