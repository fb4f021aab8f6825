package web

import (
	"fmt"
	"net"

	"github.com/spf13/cobra"

	"pagoda/family"
	"pagoda/internal/cli"
	"pagoda/internal/command"
)

// Command returns the command serve.
func Command(families *family.Set) *cobra.Command {
	var addr string
	cmd := &cobra.Command{
		Use:   "serve FILE",
		Short: "Show a file in a browser: play words, puzzles and patterns",
		Long: `serve shows a file on a page of its own, until Ctrl-C: look at the layers, and where the
page can draw the puzzle, draw a pattern and see the nearest ones that can be reached, play
with hints, and type a word and watch its letters being played. The page loads nothing from
other sites.

serve listens on localhost only; --addr exposes the page to other machines. Under the page
is a JSON API: docs/api.md.

Hints take the memory of two sets of all numbers.`,
		Args: cli.Args(1, 1, "one file"),
	}
	cmd.Flags().StringVar(&addr, "addr", "127.0.0.1:8377", "address and port to listen at; port 0 takes a free one")
	job := command.NewJob(cmd, cli.OfFile)
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		if err := cli.NotEmpty(cmd, "addr"); err != nil {
			return err
		}
		o, err := job.Options()
		if err != nil {
			return err
		}
		o.Meter = nil // it would show on the terminal what pages ask for
		defer cli.HoldProgress(cmd.Context())()
		f, err := command.Open(cmd, families, args[0])
		if err != nil {
			return err
		}
		defer f.Close()
		l, err := net.Listen("tcp", addr)
		if err != nil {
			return cli.Usagef("--addr %.100s: %w; expected an address of this machine and a free port, such as 127.0.0.1:8377", addr, err)
		}
		defer l.Close()
		at := l.Addr().(*net.TCPAddr)
		log := func(format string, args ...any) { fmt.Fprintf(cmd.ErrOrStderr(), format+"\n", args...) }
		server, err := New(f, families, Options{Job: o, Loopback: at.IP.IsLoopback(), Log: log})
		if err != nil {
			return err
		}
		defer server.Close()
		if _, err := fmt.Fprintf(cmd.OutOrStdout(), "http://%s/\n", at); err != nil {
			return err
		}
		if at.IP.IsLoopback() {
			log("%s: Ctrl-C ends it", f.Space().Name())
		} else {
			log("%s, for everyone who can reach this address; Ctrl-C stops it", f.Space().Name())
		}
		return server.Serve(cmd.Context(), l)
	}
	return cmd
}
