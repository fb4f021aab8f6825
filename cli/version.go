package cli

import (
	"cmp"
	"fmt"
	"io"

	"github.com/spf13/cobra"

	"pagoda/internal/console"
	"pagoda/puzzle"
	"pagoda/run"
)

// A buildResult is what version prints as JSON.
type buildResult struct {
	console.Build
	Kernel string `json:"kernel"` // empty if no engine has any
}

func (p *Program) version() *cobra.Command {
	cmd := &cobra.Command{
		Use:   "version",
		Short: "Print the version of the program",
		Long: `version prints the version of the program, the commit that it was built from, and the version
of Go. It also prints the system, and the kernel: the instructions of the processor that
the engine sweep uses on this machine.`,
		Example: "  reach version",
		Args:    console.Args(0, 0, "no arguments"),
		RunE: func(cmd *cobra.Command, _ []string) error {
			b := buildResult{console.ReadBuild(), p.kernel(cmd)}
			commit := cmp.Or(b.Commit, "not known")
			if b.Changed {
				commit += ", with changes"
			}
			return console.Answer(cmd, b, func(w io.Writer) error {
				_, err := fmt.Fprintf(w, "version  %s\ncommit   %s\ngo       %s\nsystem   %s/%s\nkernel   %s\n",
					b.Version, commit, b.Go, b.OS, b.Arch, cmp.Or(b.Kernel, "none"))
				return err
			})
		},
	}
	console.JSON(cmd, "one JSON object")
	return cmd
}

// kernel returns the kernel that this processor gets, by the first space that has any.
func (p *Program) kernel(cmd *cobra.Command) string {
	for _, e := range p.Families.Entries() {
		sp, err := p.Families.Lookup(cmd.Context(), e.Name, nil, puzzle.Choice{})
		if err != nil {
			continue
		}
		if kernel := run.Kernel(sp); kernel != "" {
			return kernel
		}
	}
	return ""
}
