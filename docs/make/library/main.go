// Command library computes the facts of the puzzles of the library, and writes them to
// puzzle/slide/library/facts.csv and docs/studies/library.md. After adding a puzzle, a text file, run it in
// the root of the module:
//
//	go run ./docs/make/library           # puzzles without facts
//	go run ./docs/make/library klotski   # this one again, after its text has changed
//	go run ./docs/make/library --check   # compute all facts again and compare: minutes, and up to 8 GiB of memory
//
// What takes longer than --time, or more memory than --mem, stays empty, and so do diameters with
// --diameter=false.
package main

import (
	"bytes"
	"context"
	_ "embed" // pageText
	"errors"
	"flag"
	"fmt"
	"maps"
	"os"
	"os/signal"
	"reflect"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/dustin/go-humanize"

	"pagoda/docs/make/library/measure"
	"pagoda/internal/lists"
	_ "pagoda/layers/all"
	"pagoda/puzzle/slide/library"
	"pagoda/puzzle/slide/tray"
	_ "pagoda/run/all"
)

// Where the program writes, from the root of the module.
const (
	factsFile = "puzzle/slide/library/facts.csv"
	pageFile  = "docs/studies/library.md"
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	check := flag.Bool("check", false, "compute the known facts again, and compare")
	o := measure.All
	flag.DurationVar(&o.Time, "time", 5*time.Minute, "the most time for a number")
	mem := flag.Uint64("mem", 8, "the most memory, in GiB")
	flag.BoolVar(&o.Diameter, "diameter", true, "compute diameters, which take longest")
	flag.Parse()
	o.Memory, o.Threads = *mem<<30, runtime.GOMAXPROCS(0)
	var err error
	if *check {
		err = compare(ctx, o, flag.Args())
	} else {
		err = fill(ctx, o, flag.Args())
	}
	if err != nil {
		fmt.Fprintf(os.Stderr, "library: %v\n", err)
		os.Exit(1)
	}
}

// named returns the full names of puzzles, or those that choose picks if there are none.
func named(args []string, choose func(name string) bool) (names []string, err error) {
	for _, name := range args {
		name = library.Prefix + strings.TrimPrefix(name, library.Prefix)
		if !slices.Contains(library.Known(), name) {
			return nil, fmt.Errorf("%s is not in the library", name)
		}
		names = append(names, name)
	}
	if len(args) > 0 {
		return names, nil
	}
	for _, name := range library.Known() {
		if choose(name) {
			names = append(names, name)
		}
	}
	return names, nil
}

// fill computes the facts of puzzles and writes them, after each puzzle.
func fill(ctx context.Context, o measure.Options, args []string) error {
	t := maps.Clone(library.Computed())
	maps.DeleteFunc(t, func(name string, _ *[tray.Metrics]library.Facts) bool { return !slices.Contains(library.Known(), name) })
	names, err := named(args, func(name string) bool { return t[name] == nil })
	if err != nil {
		return err
	}
	for _, name := range names {
		begin := time.Now()
		facts, err := find(ctx, name, func(tray.Metric) measure.Options { return o }, o)
		if err != nil {
			return err
		}
		t[name] = facts
		fmt.Printf("%-28s %6.1f s\n", name, time.Since(begin).Seconds())
		if err := write(t); err != nil {
			return err
		}
	}
	return write(t)
}

// find computes facts of a puzzle in all metrics.
func find(ctx context.Context, name string, parts func(m tray.Metric) measure.Options, bounds measure.Options) (*[tray.Metrics]library.Facts, error) {
	p, err := library.Lookup(name)
	if err != nil {
		return nil, err
	}
	facts := new([tray.Metrics]library.Facts)
	for m := range tray.Metric(tray.Metrics) {
		o := parts(m)
		o.Time, o.Memory, o.Threads = bounds.Time, bounds.Memory, bounds.Threads
		if facts[m], err = measure.Find(ctx, p, m, o); err != nil {
			return nil, fmt.Errorf("%s: %w", name, err)
		}
		if known := p.Lengths[m]; known > 0 && facts[m].Length > 0 && known != facts[m].Length {
			return nil, fmt.Errorf("%s: the text says %d %v, found %d", name, known, m, facts[m].Length)
		}
	}
	return facts, nil
}

// write writes the facts and the page.
func write(t library.Table) error {
	var facts bytes.Buffer
	if err := t.Write(&facts); err != nil {
		return err
	}
	if err := os.WriteFile(factsFile, facts.Bytes(), 0o644); err != nil {
		return err
	}
	text, err := page(t)
	if err != nil {
		return err
	}
	return os.WriteFile(pageFile, []byte(text), 0o644)
}

// compare computes the known facts again, without a bound of time.
func compare(ctx context.Context, o measure.Options, args []string) error {
	o.Time = 0
	t := library.Computed()
	names, err := named(args, func(string) bool { return true })
	if err != nil {
		return err
	}
	wrong := 0
	for _, name := range names {
		if t[name] == nil {
			return fmt.Errorf("%s has no facts: run without --check", name)
		}
		begin := time.Now()
		facts, err := find(ctx, name, func(m tray.Metric) measure.Options { return measure.Known(t[name][m]) }, o)
		if err != nil {
			return err
		}
		said := "same"
		for m, f := range facts {
			if !reflect.DeepEqual(f, t[name][m]) {
				said = "DIFFERENT"
				fmt.Printf("%s, %v: found %+v, the file has %+v\n", name, tray.Metric(m), f, t[name][m])
			}
		}
		if said != "same" {
			wrong++
		}
		fmt.Printf("%-28s %6.1f s  %s\n", name, time.Since(begin).Seconds(), said)
	}
	if wrong > 0 {
		return errors.New("facts differ: run it without --check, with the names of these puzzles")
	}
	return nil
}

// famous are the puzzles of the page.
var famous = []string{"dads", "klotski", "century", "century-and-a-half", "simplicity", "record4x4", "rushhour40", "rushhour"}

// pageText is the page, in which {{puzzles}} and {{rows}} stand for what the facts say.
//
//go:embed page.tmpl
var pageText string

// page writes docs/studies/library.md.
func page(t library.Table) (string, error) {
	var rows strings.Builder
	for _, name := range famous {
		name = library.Prefix + name
		p, err := library.Lookup(name)
		if err != nil {
			return "", err
		}
		f := t[name]
		moves := f[tray.Moves]
		fmt.Fprintf(&rows, "| %s | `%s` | %s | %s | %s | %s | %s |\n", p.Title, name, humanize.Comma(int64(moves.States)), lengths(f[:tray.Supersteps]),
			humanize.BigComma(moves.Solutions), known(moves.Diameter), known(moves.Hardest))
	}
	return strings.NewReplacer("{{puzzles}}", strconv.Itoa(len(library.Known())), "{{rows}}\n", rows.String()).Replace(pageText), nil
}

// lengths writes the lengths in some metrics.
func lengths(facts []library.Facts) string {
	all := lists.Map(facts, func(f library.Facts) string { return strconv.Itoa(f.Length) })
	return strings.Join(all, ", ")
}

// known writes a number, or nothing if it is not known.
func known(n int) string {
	if n == 0 {
		return ""
	}
	return strconv.Itoa(n)
}
