package command

import (
	"fmt"
	"io"

	"github.com/spf13/cobra"

	"pagoda/ask"
	"pagoda/internal/cli"
	"pagoda/render"
)

func (p *program) layers() *cobra.Command {
	var asJSON, orbits bool
	var h histogram
	var job *Job
	cmd := &cobra.Command{
		Use:   "layers FILE",
		Short: "Show how many states there are in each layer",
		Long: `layers shows how many states there are in each layer. With --plot it also draws them as
bars, into a file whose name ends in .svg or .png.

With --up-to-symmetry it also counts states up to symmetry: those that symmetries of the
start map to each other count once. Files of the store folded have these numbers; for other
files all states are visited.`,
		Args: cli.Args(1, 1, "one file"),
	}
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		if err := h.check(cmd); err != nil {
			return err
		}
		f, err := p.open(cmd, args[0])
		if err != nil {
			return err
		}
		defer f.Close()
		name, counts := f.Space().Name(), f.Layers()
		if orbits {
			o, err := job.Options()
			if err != nil {
				return err
			}
			if counts, err = f.LayersUpToSymmetry(cmd.Context(), o); err != nil {
				return err
			}
		}
		if h.out != "" {
			if err := h.write(cmd, name, counts); err != nil {
				return err
			}
		}
		if asJSON {
			return cli.WriteJSON(cmd.OutOrStdout(), struct {
				Space  string     `json:"space"`
				States uint64     `json:"states"`
				Layers ask.Layers `json:"layers"`
			}{name, f.Meta().States, counts})
		}
		fmt.Fprintln(cmd.OutOrStdout(), name)
		return counts.WriteText(cmd.OutOrStdout())
	}
	cmd.Flags().BoolVar(&asJSON, "json", false, "print one JSON object")
	cmd.Flags().BoolVar(&orbits, "up-to-symmetry", false, "also count states up to symmetry")
	cmd.Flags().StringVar(&h.out, "plot", "", "also draw a histogram into this file, whose name ends in .svg or .png")
	completeFile(cmd, "plot", "svg", "png")
	cmd.Flags().BoolVar(&h.log, "log", false, "of the histogram: a logarithmic scale")
	themeFlag(cmd, &h.theme, "colours of the histogram")
	job = NewJob(cmd, cli.OfFile)
	return cmd
}

// A histogram is what --plot was asked for.
type histogram struct {
	out, theme string
	log        bool
}

func (h *histogram) check(cmd *cobra.Command) error {
	if given(cmd, "plot") == "" {
		if flag := given(cmd, "log", "theme"); flag != "" {
			return cli.Usagef("--%s is for a histogram: name its file with --plot", flag)
		}
		return nil
	}
	if e := ending(h.out); e != "svg" && e != "png" {
		return cli.Usagef("--plot is %q, expected the name of a file that ends in .svg or .png", h.out)
	}
	return nil
}

func (h *histogram) write(cmd *cobra.Command, space string, counts ask.Layers) error {
	theme, err := render.ThemeByName(h.theme)
	if err != nil {
		return err
	}
	plot := render.Plot{Space: space, Name: counts.Name, Log: h.log, Theme: theme, Layers: counts.Counts}
	return writeDrawn(cmd, h.out, cmd.OutOrStdout(), func(w io.Writer) error {
		p, err := plot.Picture()
		if err != nil {
			return err
		}
		return writePicture(w, p, ending(h.out))
	})
}
