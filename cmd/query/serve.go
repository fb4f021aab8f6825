package main

import (
	"fmt"
	"net"

	"github.com/spf13/cobra"

	"pagoda/internal/cli"
	"pagoda/internal/web"
)

func serveCommand() *cobra.Command {
	var addr string
	var o web.Options
	var threads *int
	cmd := &cobra.Command{
		Use:   "serve FILE",
		Short: "Show a file in a browser: play words, puzzles and patterns",
		Long: `serve shows a file on a page of its own, until Ctrl-C: type a word and watch it being
played, play any letter as a puzzle with hints, draw a pattern and see the nearest ones
that can be reached, look at the layers. Words are for peg/5x7; other peg boards have the
rest, and sliding blocks their layers. The page takes nothing from elsewhere.

Only this machine can ask, unless --addr names an address that others reach. Under the
page is an API of JSON: docs/api.md.

Hints take the memory of two sets of all numbers, for peg/5x7 576 MiB at most.`,
		Example: `  query serve peg-5x7.reach
  query serve peg-5x7.reach --addr 127.0.0.1:0`,
		Args: cli.Args(1, 1, "one file"),
		RunE: func(cmd *cobra.Command, args []string) error {
			if err := cli.NotEmpty(cmd, "addr"); err != nil {
				return err
			}
			if err := cli.CheckThreads(*threads); err != nil {
				return err
			}
			f, sp, err := cli.OpenFile(args[0])
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
			o.Threads, o.Loopback = *threads, at.IP.IsLoopback()
			o.Log = func(format string, args ...any) { fmt.Fprintf(cmd.ErrOrStderr(), format+"\n", args...) }
			server, err := web.New(f, o)
			if err != nil {
				return err
			}
			if _, err := fmt.Fprintf(cmd.OutOrStdout(), "http://%s/\n", at); err != nil {
				return err
			}
			if o.Loopback {
				o.Log("%s: Ctrl-C ends it", sp.Name())
			} else {
				o.Log("%s, for all who reach this address: Ctrl-C ends it", sp.Name())
			}
			return server.Serve(cmd.Context(), l)
		},
	}
	cmd.Flags().StringVar(&addr, "addr", "127.0.0.1:8377", "address and port to listen at; port 0 is any that is free")
	o.Memory.Flag(cmd)
	threads = cli.Threads(cmd)
	return cmd
}
