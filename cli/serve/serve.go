// Package serve has the command serve, which shows a file on a page in the browser.
package serve

import (
	"fmt"
	"io"
	"net"

	"github.com/cli/browser"
	"github.com/spf13/cobra"

	"pagoda/cli"
	"pagoda/internal/console"
	"pagoda/internal/printable"
	"pagoda/puzzle"
	"pagoda/web"
)

// Command returns the command serve.
func Command(families *puzzle.Set) *cobra.Command {
	var addr string
	var hosts []string
	var open bool
	cmd := &cobra.Command{
		Use:   "serve FILE",
		Short: "Show a file in a browser: play words, puzzles and patterns",
		Long: `serve shows a file on a page in the browser, until Ctrl-C; stdout has the address. The page
shows the layers. If it can draw the puzzle, you can also draw a pattern and see the nearest
ones that can be reached, play with hints, and type a word and watch its letters play. The page
loads nothing from other sites. Under it is a JSON API: docs/reference/api.md.

With --addr beyond localhost, everybody who reaches the address can see the page and query the
file; stderr says so. The server answers to localhost, to the address at which a request
arrives, and to the name of the machine, alone or with .local.

Hints take the memory of two sets of all numbers; if --mem does not allow that, there are none.`,
		Args: console.Args(1, 1, "one file"),
	}
	cmd.Flags().StringVar(&addr, "addr", "127.0.0.1:8377", "`HOST:PORT` to listen at; port 0 takes a free one")
	cmd.Flags().StringArrayVar(&hosts, "host", nil, "answer to this `NAME` or address, too, such as that of a proxy; it can be given several times")
	cmd.Flags().BoolVar(&open, "open", false, "open the page in the browser, if there is one")
	console.NotEmpty(cmd, "addr")
	job := cli.NewJob(cmd, console.OfFile)
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		o := job.Options()
		o.Meter = nil // it would show on the terminal what pages ask for
		defer console.HoldProgress(cmd.Context())()
		f, err := cli.Open(cmd, families, args[0])
		if err != nil {
			return err
		}
		defer f.Close()
		o.Memory = f.Memory()
		l, err := net.Listen("tcp", addr)
		if err != nil {
			return console.Usagef("--addr %.100s: %w; expected an address of this machine and a free port, such as 127.0.0.1:8377", addr, err)
		}
		defer l.Close()
		at := l.Addr().(*net.TCPAddr)
		log := func(format string, args ...any) {
			fmt.Fprintln(cmd.ErrOrStderr(), printable.Clip(fmt.Sprintf(format, args...)))
		}
		names, err := web.NewHosts(at, hosts)
		if err != nil {
			return console.UsageError(err)
		}
		server, err := web.New(f, families, web.Options{Job: o, Hosts: names, Log: log})
		if err != nil {
			return err
		}
		defer server.Close()
		url := "http://" + reachable(at) + "/"
		if _, err := fmt.Fprintln(cmd.OutOrStdout(), url); err != nil {
			return err
		}
		log("%s: Ctrl-C ends it", f.Space().Name())
		if names.Exposed {
			log("%s", names.Exposure(at))
		}
		if open {
			go openBrowser(url, log)
		}
		return server.Serve(cmd.Context(), l)
	}
	return cmd
}

// reachable returns host and port of an address; localhost stands for all addresses of this machine.
func reachable(at *net.TCPAddr) string {
	if at.IP.IsUnspecified() {
		return fmt.Sprintf("localhost:%d", at.Port)
	}
	return at.String()
}

// openBrowser shows the page in the browser of this machine, or logs why it cannot.
func openBrowser(url string, log func(format string, args ...any)) {
	browser.Stdout, browser.Stderr = io.Discard, io.Discard // of the program that starts it
	if err := browser.OpenURL(url); err != nil {
		log("--open finds no browser (%v): open %s yourself", err, url)
	}
}
