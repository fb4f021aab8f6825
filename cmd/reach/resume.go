package main

import (
	"cmp"
	"fmt"
	"os"
	"path/filepath"
	"time"

	"github.com/spf13/cobra"

	"pagoda/internal/cli"
	"pagoda/internal/mapped"
	"pagoda/layers"
	"pagoda/statespace"
)

func resumeCommand() *cobra.Command {
	var asJSON, quiet bool
	var kernel string
	var every time.Duration
	var mem cli.Memory
	cmd := &cobra.Command{
		Use:   "resume CHECKPOINT",
		Short: "Go on with a run that was stopped or killed",
		Long: `resume goes on from a checkpoint of reach run, as if the run had not been stopped: the
file that it makes has the same bytes. The threads and the kernel may be others. For a
directory it takes the only checkpoint in it.`,
		Example: "  reach resume peg-5x8.reach.checkpoint --threads 4",
		Args:    cli.Args(1, 1, "one checkpoint"),
	}
	flags := cmd.Flags()
	flags.BoolVar(&asJSON, "json", false, "print one JSON object")
	flags.BoolVar(&quiet, "quiet", false, "no progress on stderr")
	kernelFlag(cmd, &kernel)
	checkpointEvery(cmd, &every)
	mem.Flag(cmd)
	threads := cli.Threads(cmd)
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		begin := time.Now()
		if err := cli.CheckThreads(*threads); err != nil {
			return err
		}
		if every < 0 {
			return cli.Usagef("--checkpoint-every is %v, expected a time such as 30s or 10m", every)
		}
		path, err := findCheckpoint(args[0])
		if err != nil {
			return err
		}
		f, sp, err := cli.OpenCheckpoint(path)
		if err != nil {
			return err
		}
		defer f.Close()
		if err := cli.CheckFile(cmd.Context(), f, *threads, quiet, cmd.ErrOrStderr()); err != nil {
			return (&job{from: f}).stopped(err)
		}
		c := f.Meta().Checkpoint
		if statespace.CheckEngine(sp, c.Engine) != nil { // the numbers may be those of an older program
			return otherPlan(f)
		}
		if c.Engine == statespace.PlainEngine {
			*threads = 1
		}
		used, err := useKernel(sp, c.Engine, kernel)
		if err != nil {
			return err
		}
		store, err := layers.FindStore(cmp.Or(c.Store, layers.SetStore))
		if err == nil {
			err = store.Fits(sp)
		}
		if err != nil {
			return fmt.Errorf("%s: %w", path, err)
		}
		result := &runResult{Space: sp.Name(), Threads: *threads, Engine: c.Engine, Kernel: used, Store: store.Name, File: c.Output}
		j := &job{sp: sp, engine: c.Engine, store: store, output: c.Output, overwrite: c.Overwrite, mem: mem, threads: *threads, quiet: quiet,
			checkpoint: path, every: every, from: f}
		if err := j.do(cmd.Context(), cmd.ErrOrStderr(), result); err != nil {
			return err
		}
		result.TotalSeconds = time.Since(begin).Seconds()
		result.PeakRSS = mapped.PeakRSS()
		return result.write(cmd.OutOrStdout(), asJSON)
	}
	return cmd
}

// findCheckpoint returns the path of a checkpoint, or of the only one in a directory.
func findCheckpoint(path string) (string, error) {
	info, err := os.Stat(path)
	if err != nil || !info.IsDir() {
		return path, err
	}
	found, err := filepath.Glob(filepath.Join(path, "*"+checkpointSuffix))
	if err != nil {
		return "", err
	}
	if len(found) != 1 {
		return "", cli.Usagef("there are %d checkpoints in %s: name one", len(found), path)
	}
	return found[0], nil
}
