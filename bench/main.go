// Command bench prints one table of how long reach takes to enumerate boards, by
// each engine, and how much memory: the figures of the README.
//
//	go run ./bench                     the usual boards
//	go run ./bench peg/5x5 peg/5x6     these
//
// It builds reach and runs it as a process of its own each time, without a file.
//
// Two more tables are of what reach explain tells before a run:
//
//	go run ./bench -compare            beside what runs take
//	go run ./bench -plan               of boards that are too large to run here
package main

import (
	"cmp"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
)

func main() {
	runs := flag.Int("runs", 3, "runs of the sweep; the median counts")
	slow := flag.Float64("slow", 4e9, "leave out the plain search on classes of more positions")
	compare := flag.Bool("compare", false, "compare what reach explain tells with runs")
	files := flag.Uint64("files", 1<<30, "with -compare, also write files of at most this many bytes")
	plan := flag.Bool("plan", false, "print what reach explain predicts for large boards")
	flag.Parse()
	spaces := flag.Args()
	switch {
	case len(spaces) > 0:
	case *compare:
		spaces = []string{"peg/5x7", "peg/6x6", "peg/english", "peg/european", "peg/5x8", "peg/diamond41", "peg/6x7"}
	case *plan:
		spaces = []string{"peg/wiegleb", "peg/5x9", "peg/4x11", "peg/5x9@4,0", "peg/5x9@2,0", "peg/7x7", "peg/7x7@0,3", "peg/6x8", "peg/4x12", "peg/8x8"}
	default:
		spaces = []string{"peg/5x5", "peg/5x6", "peg/5x7", "peg/6x6", "peg/english", "peg/european"}
	}
	err := withReach(func(reach, dir string) error {
		switch {
		case *compare:
			return comparePlans(reach, dir, spaces, *files)
		case *plan:
			return printPlans(reach, spaces)
		}
		return table(reach, spaces, *runs, *slow)
	})
	if err != nil {
		fmt.Fprintln(os.Stderr, "bench:", err)
		os.Exit(1)
	}
}

// A result is what reach run --json tells, as far as the table needs it.
type result struct {
	Kernel  string  `json:"kernel"`
	States  uint64  `json:"states"`
	Orbits  uint64  `json:"orbits"`
	Seconds float64 `json:"seconds"`
	Total   float64 `json:"total_seconds"`
	PeakRSS uint64  `json:"peak_rss_bytes"`
}

// withReach builds reach in a directory that is removed afterwards.
func withReach(do func(reach, dir string) error) error {
	dir, err := os.MkdirTemp("", "pagoda-bench")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	reach := filepath.Join(dir, "reach")
	if out, err := exec.Command("go", "build", "-o", reach, "pagoda/cmd/reach").CombinedOutput(); err != nil {
		return fmt.Errorf("%w\n%s", err, out)
	}
	return do(reach, dir)
}

func table(reach string, spaces []string, runs int, slow float64) error {
	fmt.Printf("%s/%s, %d processors, %s; enumeration alone, the sweep: median of %d runs, the others: one\n\n",
		runtime.GOOS, runtime.GOARCH, runtime.NumCPU(), runtime.Version(), runs)
	fmt.Println("| space | positions | engine | threads | seconds | million/s | ns per number of the class | times the plain search | peak memory, MiB |")
	fmt.Println("|---|---:|---|---:|---:|---:|---:|---:|---:|")
	for _, space := range spaces {
		size, err := classSize(reach, space)
		if err != nil {
			return err
		}
		plain := 0.0
		states := uint64(0)
		for _, how := range []struct {
			engine, kernel string
			threads, runs  int
		}{{"plain", "auto", 1, 1}, {"layers", "auto", 1, 1}, {"layers", "auto", 2, 1},
			{"sweep", "generic", 1, runs}, {"sweep", "generic", 2, runs}, {"sweep", "auto", 1, runs}, {"sweep", "auto", 2, runs}} {
			if how.engine == "plain" && size > slow {
				continue
			}
			r, err := median(reach, space, how.engine, how.kernel, how.threads, how.runs)
			if err != nil {
				return err
			}
			if states != 0 && r.States != states {
				return fmt.Errorf("%s: %s finds %d states, the engine before %d", space, how.engine, r.States, states)
			}
			states = r.States
			ratio := "-"
			if how.engine == "plain" {
				plain = r.Seconds
			}
			if plain > 0 {
				ratio = fmt.Sprintf("%.3g", plain/r.Seconds)
			}
			engine := how.engine
			if r.Kernel != "" {
				engine += " by " + r.Kernel
			}
			fmt.Printf("| %s | %d | %s | %d | %.3g | %.4g | %.3g | %s | %d |\n", space, r.States, engine, how.threads,
				r.Seconds, float64(r.States)/r.Seconds/1e6, r.Seconds*1e9/size, ratio, r.PeakRSS>>20)
		}
	}
	return nil
}

// classSize asks reach for the number of positions in the class.
func classSize(reach, space string) (float64, error) {
	var plan struct {
		Size float64 `json:"size"`
	}
	err := read(exec.Command(reach, "explain", "--json", space), &plan)
	return plan.Size, err
}

// median runs reach and returns the run of median time.
func median(reach, space, engine, kernel string, threads, runs int) (result, error) {
	var all []result
	for range runs {
		var r result
		if err := read(exec.Command(reach, "run", space, "--no-file", "--json", "--quiet",
			"--engine", engine, "--kernel", kernel, "--threads", fmt.Sprint(threads)), &r); err != nil {
			return r, err
		}
		all = append(all, r)
	}
	slices.SortFunc(all, func(a, b result) int { return cmp.Compare(a.Seconds, b.Seconds) })
	return all[len(all)/2], nil
}

// read runs a command, and reads the JSON that it prints.
func read(cmd *exec.Cmd, v any) error {
	out, err := cmd.Output()
	if exit, ok := errors.AsType[*exec.ExitError](err); ok {
		return fmt.Errorf("%v: %w\n%s", cmd, err, exit.Stderr)
	}
	return cmp.Or(err, json.Unmarshal(out, v))
}
