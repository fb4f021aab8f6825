package main

import (
	"github.com/spf13/cobra"

	"pagoda/bitset"
	"pagoda/internal/cli"
	"pagoda/statespace"
)

// An inMemory is how a command enumerates what no file holds.
type inMemory struct {
	mem     cli.Memory
	threads *int
	quiet   bool
	used    uint64 // bytes of sets
}

func (o *inMemory) flags(cmd *cobra.Command) {
	o.mem.Flag(cmd)
	o.threads = cli.Threads(cmd)
	cmd.Flags().BoolVar(&o.quiet, "quiet", false, "no progress on stderr")
}

func (o *inMemory) check() error { return cli.CheckThreads(*o.threads) }

// enumerate returns the set of what can be reached in a space. The ground frees it.
func (o *inMemory) enumerate(cmd *cobra.Command, sp statespace.Space, g *ground) (*bitset.Set, error) {
	engine := statespace.Engines(sp)[0]
	return o.fill(cmd, sp, g, func(set *bitset.Set, progress *statespace.Progress) error {
		return statespace.Enumerate(cmd.Context(), sp, engine, set, *o.threads, progress)
	})
}

// fill returns a set of numbers of a space after work was done on it. The ground
// frees it.
func (o *inMemory) fill(cmd *cobra.Command, sp statespace.Space, g *ground, work func(*bitset.Set, *statespace.Progress) error) (*bitset.Set, error) {
	if err := o.mem.Check(sp, statespace.Engines(sp)[0], o.used); err != nil {
		return nil, err
	}
	set, free, err := cli.NewSet(cmd.Context(), sp.Size(), *o.threads)
	if err != nil {
		return nil, err
	}
	bytes := 8 * bitset.Words(sp.Size())
	o.used += bytes
	g.frees = append(g.frees, func() {
		o.used -= bytes
		free()
	})
	progress, stop := o.progress(cmd, sp.Name(), sp.Size(), "numbers")
	defer stop()
	return set, work(set, progress)
}

// left returns how many bytes may be taken besides the sets.
func (o *inMemory) left() uint64 { return o.mem.Limit() - min(o.used, o.mem.Limit()) }

// progress shows how far a computation is until stop is called.
func (o *inMemory) progress(cmd *cobra.Command, what string, size uint64, unit string) (p *statespace.Progress, stop func()) {
	p = new(statespace.Progress)
	if o.quiet {
		return p, func() {}
	}
	return p, cli.Progress(cmd.ErrOrStderr(), what, size, unit, p.Read)
}
