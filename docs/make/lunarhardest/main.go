// Command lunarhardest finds the problems of Lunar Lockout with the most moves and with the most steps, in
// groups of small and middle size on four boards. It writes them into docs/data/lunar-hardest.csv, and draws a
// sheet for each board, docs/pictures/lunar-hardest-5x5.svg and so on:
//
//	go run ./docs/make/lunarhardest docs
//
// It takes minutes, and half a gigabyte of memory. The files of reach run have the same answers:
//
//	query list lunar-5x5-2-4.reach --where 'letters == 2' --sort=-moves,-steps,-significant,solutions --limit 1
package main

import (
	"bytes"
	"cmp"
	"context"
	"fmt"
	"math/bits"
	"os"
	"os/signal"
	"path/filepath"
	"runtime"

	"pagoda/internal/amount"
	"pagoda/puzzle/lunar"
	"pagoda/puzzle/lunar/board"
	lunarview "pagoda/puzzle/lunar/draw"
	"pagoda/render"
	"pagoda/studies/lunardeck"
)

// boards are the boards and, by number of letters from 1, the greatest number of number pieces.
var boards = []struct {
	name    string
	numbers []int
}{{"5x5", []int{8, 6, 5}}, {"cross", []int{6, 5, 4}}, {"octagon", []int{5}}, {"7x7", []int{5, 4}}}

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	if len(os.Args) != 2 {
		fmt.Fprintln(os.Stderr, "lunarhardest takes the directory of the documents: go run ./docs/make/lunarhardest docs")
		os.Exit(2)
	}
	if err := write(ctx, os.Args[1]); err != nil {
		fmt.Fprintln(os.Stderr, "lunarhardest:", err)
		os.Exit(1)
	}
}

// write writes the table and the sheets.
func write(ctx context.Context, docs string) error {
	table := bytes.NewBufferString("board,group,moves,steps,solutions,problem\n")
	for _, of := range boards {
		b, ok := board.Named(of.name)
		if !ok {
			return fmt.Errorf("there is no board %s", of.name)
		}
		hardest := make(map[[2]int][2]problem)
		for numbers := 1; numbers <= of.numbers[0]; numbers++ {
			letters := 1
			for letters < len(of.numbers) && numbers <= of.numbers[letters] {
				letters++
			}
			if err := find(ctx, b, of.name, letters, numbers, hardest); err != nil {
				return err
			}
		}
		var panels []render.Panel
		for i, most := range of.numbers {
			for numbers := 1; numbers <= most; numbers++ {
				group := fmt.Sprintf("%d-%d", i+1, numbers)
				both := hardest[[2]int{i + 1, numbers}]
				for k, p := range both {
					if p.moves == 0 || k > 0 && p.moves == both[0].moves && p.steps == both[0].steps {
						continue
					}
					d, err := b.NewDrawing(p.position)
					if err != nil {
						return err
					}
					fmt.Fprintf(table, "%s,%s,%d,%d,%d,%s\n", of.name, group, p.moves, p.steps, p.solutions, b.Format(d))
					panels = append(panels, render.Panel{Drawing: lunarview.Position{Board: b, Pieces: d}, Caption: fmt.Sprintf("%s: %s, %s", group, amount.Of(p.moves, "move"), amount.Of(p.steps, "step"))})
				}
			}
		}
		if err := draw(filepath.Join(docs, "pictures", "lunar-hardest-"+of.name+".svg"), of.name, panels); err != nil {
			return err
		}
	}
	return os.WriteFile(filepath.Join(docs, "data", "lunar-hardest.csv"), table.Bytes(), 0o666)
}

// draw draws a sheet.
func draw(path, name string, panels []render.Panel) error {
	p, err := render.Sheet(panels, 5, render.Style{Cell: 24})
	if err != nil {
		return err
	}
	p.SetTitle("The hardest problems on the board " + name)
	return os.WriteFile(path, p.SVG(), 0o666)
}

// A problem is one that may be the hardest.
type problem struct {
	position     board.Position
	moves, steps int
	significant  int
	solutions    uint64
}

// harder compares problems: by moves or by steps, and then by what else makes them hard.
func harder(a, b problem, bySteps bool) int {
	first, second := cmp.Compare(a.moves, b.moves), cmp.Compare(a.steps, b.steps)
	if bySteps {
		first, second = second, first
	}
	return cmp.Or(first, second, cmp.Compare(a.significant, b.significant), cmp.Compare(b.solutions, a.solutions))
}

// find finds the hardest problems of a group, which has those with fewer letters too: by moves, and by
// steps.
func find(ctx context.Context, b *board.Board, name string, letters, numbers int, hardest map[[2]int][2]problem) error {
	g, err := lunar.New(ctx, fmt.Sprintf("lunar/%s:%d-%d", name, letters, numbers), b, letters, numbers, 0)
	if err != nil {
		return err
	}
	fmt.Fprintln(os.Stderr, g.Name())
	v, err := lunardeck.Solve(ctx, g, lunardeck.Options{Threads: runtime.GOMAXPROCS(0)})
	if err != nil {
		return err
	}
	defer v.Free()
	values := make([]uint64, lunar.Columns)
	for x := range g.Size() {
		moves := int(v.Entry(x)) - 1
		if moves < 1 {
			continue
		}
		v.Get(values, x)
		p, _ := g.Position(x)
		one := problem{p, moves, int(values[lunar.StepsColumn]), bits.OnesCount64(values[lunar.AlwaysColumn]), values[lunar.SolutionsColumn]}
		group := [2]int{bits.OnesCount64(p.Letters), numbers}
		both := hardest[group]
		for k := range both {
			if harder(one, both[k], k == 1) > 0 {
				both[k] = one
			}
		}
		hardest[group] = both
	}
	return nil
}
