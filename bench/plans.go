package main

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"

	"github.com/dustin/go-humanize"

	"pagoda/internal/amount"
)

// A plan is what reach explain --json tells, as far as the tables need it.
type plan struct {
	Memory  exact   `json:"memory_bytes"`
	File    exact   `json:"file_bytes"`
	Kept    uint64  `json:"kept_blocks"` // 0 if it is not made as a stream
	Window  uint64  `json:"window_blocks"`
	Block   uint64  `json:"block_bytes"`
	Seconds float64 `json:"seconds"`
	Details struct {
		Dimension int `json:"class_dimension"`
		Sweep     *struct {
			Symmetries int `json:"symmetries"`
		} `json:"sweep"`
	} `json:"details"`
}

// An exact whole number is a string in JSON if it has more than 53 bits.
type exact uint64

// UnmarshalJSON implements json.Unmarshaler.
func (e *exact) UnmarshalJSON(data []byte) error {
	n, err := strconv.ParseUint(strings.Trim(string(data), `"`), 10, 64)
	*e = exact(n)
	return err
}

func explain(reach, space string, threads int) (p plan, err error) {
	// With this memory, no blocks are packed.
	err = read(exec.Command(reach, "explain", "--json", "--mem", "1EiB", "--threads", fmt.Sprint(threads), space), &p)
	return p, err
}

// blocks describes how many blocks are made, and how many of them are in memory at a time.
func (p *plan) blocks() string {
	return fmt.Sprintf("%s of %s | %.0f %%", amount.Comma(p.Kept), humanize.IBytes(p.Block), 100*float64(p.Window)/float64(p.Kept))
}

// comparePlans prints what reach explain tells beside what runs take. Files up to a size are
// written, too, in runs of their own.
func comparePlans(reach, dir string, spaces []string, largest uint64) error {
	fmt.Printf("%s/%s, %d processors, %s; processor seconds are those of the program itself, not of the system\n\n", runtime.GOOS, runtime.GOARCH, runtime.NumCPU(), runtime.Version())
	fmt.Println("| space | positions | up to symmetry | representatives, bytes of each | in the ring | memory, MiB: predicted, peak | file, bytes: predicted, written | processor seconds: predicted, measured | predicted / measured | seconds on 2 threads |")
	fmt.Println("|---|---:|---:|---:|---:|---:|---:|---:|---:|---:|")
	for _, space := range spaces {
		told, err := explain(reach, space, 1)
		if err != nil {
			return err
		}
		if told.Kept == 0 {
			return fmt.Errorf("%s is not made as a stream of blocks: there is nothing to compare", space)
		}
		cmd := exec.Command(reach, "run", space, "--no-file", "--json", "--quiet", "--threads", "2")
		var r result
		if err := read(cmd, &r); err != nil {
			return err
		}
		processor := cmd.ProcessState.UserTime().Seconds() // getting the memory is not told
		written := "-"
		if uint64(told.File) <= largest {
			file := filepath.Join(dir, "file.reach")
			if err := read(exec.Command(reach, "run", space, "-o", file, "--json", "--quiet", "--force"), new(result)); err != nil {
				return err
			}
			info, err := os.Stat(file)
			if err != nil {
				return err
			}
			written = amount.Comma(uint64(info.Size()))
			if err := os.Remove(file); err != nil {
				return err
			}
		}
		fmt.Printf("| %s | %s | %s | %s | %s, %s | %s, %s | %.3g, %.3g | %.2f | %.3g |\n",
			space, amount.Comma(r.States), amount.Comma(r.Orbits), told.blocks(),
			amount.Comma(uint64(told.Memory)>>20), amount.Comma(r.PeakRSS>>20), amount.Comma(uint64(told.File)), written, told.Seconds, processor, told.Seconds/processor, r.Total)
	}
	return nil
}

// printPlans prints what reach explain predicts for boards that are too large to run here.
func printPlans(reach string, spaces []string) error {
	fmt.Println("| space | numbers | symmetries | representatives | in the ring | memory | file | 2 threads | 64 threads | a machine with |")
	fmt.Println("|---|---:|---:|---:|---:|---:|---:|---:|---:|---|")
	for _, space := range spaces {
		few, err := explain(reach, space, 2)
		if err != nil {
			return err
		}
		many, err := explain(reach, space, 64)
		if err != nil {
			return err
		}
		symmetries, blocks, times := "-", "not folded | -", "- | -"
		if few.Details.Sweep != nil {
			symmetries = fmt.Sprint(few.Details.Sweep.Symmetries)
		}
		if few.Kept > 0 {
			blocks, times = few.blocks(), amount.Roughly(few.Seconds)+" | "+amount.Roughly(many.Seconds)
		}
		file := humanize.IBytes(uint64(few.File))
		if few.Kept > 0 && few.File == 0 {
			file = "none"
		}
		fmt.Printf("| %s | 2^%d | %s | %s | %s | %s | %s | %s |\n", space, few.Details.Dimension, symmetries, blocks,
			humanize.IBytes(uint64(few.Memory)), file, times, server(uint64(few.Memory)))
	}
	return nil
}

// server returns the memory of the smallest usual machine whose memory, 7/8 of it, is enough.
func server(memory uint64) string {
	for _, gib := range []uint64{24, 64, 256, 512, 1024, 2048, 4096} {
		if memory <= gib<<30/8*7 {
			return humanize.IBytes(gib << 30)
		}
	}
	return "more than 4 TiB"
}
