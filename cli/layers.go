package cli

import (
	"fmt"
	"io"

	"github.com/spf13/cobra"

	"pagoda/ask"
	"pagoda/internal/console"
	"pagoda/render"
)

func (p *Program) layers() *cobra.Command {
	var orbits bool
	var job *Job
	cmd := &cobra.Command{
		Use:   "layers FILE",
		Short: "Show how many states there are in each layer",
		Long: `layers shows how many states there are in each layer. With --plot it also draws them as bars.

With --up-to-symmetry it also counts states up to symmetry: those that turns and reflections
of the board that keep the start map to each other count once; pieces that move alike may be
exchanged. The bars then show these counts. A file of the store folded has these numbers; of
others, all states are visited.`,
		Args: console.Args(1, 1, "one file"),
	}
	plot := NewPlotFlags(cmd, "histogram")
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		if err := plot.Check(cmd); err != nil {
			return err
		}
		f, err := p.open(cmd, args[0])
		if err != nil {
			return err
		}
		defer f.Close()
		name, counts := f.Space().Name(), f.Layers()
		if orbits {
			if counts, err = f.LayersUpToSymmetry(cmd.Context(), job.Options()); err != nil {
				return err
			}
		}
		if err := plot.Write(cmd, func(t render.Theme) (*render.Picture, error) {
			return render.Plot{Space: name, Name: counts.Name, Log: plot.Log, Theme: t, Layers: counts.Counts, Orbits: orbits}.Picture()
		}); err != nil {
			return err
		}
		return console.Answer(cmd, struct {
			Space  string     `json:"space"`
			States uint64     `json:"states"`
			Layers ask.Layers `json:"layers"`
		}{name, f.Meta().States, counts}, func(w io.Writer) error {
			fmt.Fprintln(w, name)
			return counts.WriteText(w)
		})
	}
	console.JSON(cmd, "one JSON object")
	cmd.Flags().BoolVar(&orbits, "up-to-symmetry", false, "also count states up to symmetry")
	job = NewJob(cmd, console.OfFile)
	return cmd
}
