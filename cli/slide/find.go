package slide

import (
	"cmp"
	"context"
	"errors"
	"sync"
	"sync/atomic"
	"time"

	"github.com/spf13/cobra"

	"pagoda/cli"
	"pagoda/internal/console"
	"pagoda/internal/progress"
	"pagoda/puzzle/slide"
	"pagoda/puzzle/slide/tray"
	"pagoda/statespace/cells"
	"pagoda/studies/hardest"
)

// unitRushHour asks for Rush Hour with cars of one cell.
const unitRushHour = "unit-rush-hour"

// The words of --from and --to, and where A goes in unitRushHour.
const (
	inCorner  = "corner"
	anywhere  = "anywhere"
	rightEdge = "right edge"
)

type findOptions struct {
	cli.Picture
	metric, from, to string
	strict           bool
	pieces           pieceRange
	walls            int // with rush-hour
	all              bool
	explain, drawn   bool // drawn: the puzzles are drawn, to a file or to stdout
	save, checkpoint string
	job              *cli.Job
}

// findCell is the distance of cells in pictures if nothing else is said.
const findCell = 24

func findCommand() *cobra.Command {
	o := findOptions{pieces: pieceRange{cells.AllLayers}}
	cmd := &cobra.Command{
		Use:   "find BOARD | find " + unitRushHour + " BOARD | find " + rushHour + " [SIZE]",
		Short: "Find the hardest sliding-block puzzles of a board",
		Long: `find searches all puzzles of a board at once. For each number of pieces it finds those whose
shortest solution is longest. The pieces have any shapes whose cells touch by edges.

A board is rows x columns, such as 4x4; floors x rows x columns, such as 2x2x3; a text file
that draws it, . for a cell and # for a wall; or - for such a text on stdin. The text can
have lines walls: and floors:, as that of a puzzle. A frame of walls does not count.

One piece, A, is the goal piece. It starts in the upper left corner of the board and goes to
the lower right corner: its bounding rectangle must be there, and it must cover the corner
cell unless --strict=false. With --from anywhere it may start at any place; with --to
anywhere it may have to go to any place. Pieces of one shape are interchangeable, except A.

Each puzzle is printed with its start and its goal, as reach solve reads it. starts counts the
hardest puzzles; those that are reflections or rotations of each other count once, if that keeps
the corners where A starts and ends. solutions is the number of shortest solutions. Of several
puzzles, one with the fewest is printed; --all prints all. Each has been solved again by the
engine of reach solve. -o draws them; a GIF plays the solutions, and a PDF has cards to print,
as those of deck. A placement counts as just solved if A is at the goal and can make a step.

Boards up to 3x4 take seconds, 4x4 minutes, 4x5 hours. With --checkpoint the same command
continues after Ctrl-C, kill -9 or a loss of power, with any --threads and --mem, and prints the
results again when all is searched. A strict search is part of one with --strict=false, so both
can use the same checkpoint. Ctrl-C prints the hardest puzzles so far, with exit code 130. The
exit code is 1 if no puzzle can be solved.

With unit-rush-hour all pieces are cars of one cell. Each moves along its row only, or along its
column only. A moves along any row, from anywhere to the right edge. The published puzzles have
one empty cell: as many --pieces as cells, less one.

` + aboutRushHour,
		Example: `  reach find 4x4 --pieces 9
  reach find 3x4 --metric steps --strict=false --save hardest -o hardest.svg
  printf '...\n.#.\n...\n' | reach find - --json
  reach find 4x5 --explain
  reach find 4x5 --checkpoint 4x5.find
  reach find unit-rush-hour 4x4 --pieces 15
  reach find rush-hour 5x5
  reach find rush-hour --pieces 1-9 -o hardest.svg`,
		Args:              console.Args(1, 2, "one board, "+unitRushHour+" and a board, or "+rushHour+" and a size"),
		ValidArgsFunction: console.CompleteFirst(nil),
		RunE: func(cmd *cobra.Command, args []string) error {
			switch {
			case args[0] == rushHour:
				return (&rushHourFind{findOptions: &o}).run(cmd, args[1:])
			case args[0] == unitRushHour && len(args) == 1:
				return console.Usagef("%s needs a board, such as 4x4", unitRushHour)
			case args[0] == unitRushHour:
				o.to = rightEdge
				return o.run(cmd, args[1])
			case len(args) > 1:
				return console.Usagef("unexpected %.40q: expected one board", args[1])
			}
			return o.run(cmd, args[0])
		},
	}
	flags := cmd.Flags()
	metricFlag(cmd, &o.metric, slide.MetricNames()[:tray.Supersteps]) // one piece moves at a time
	flags.BoolVar(&o.strict, "strict", true, "A must cover the corner cell at the end")
	ends := []string{inCorner, anywhere}
	console.OneOf(cmd, &o.from, "from", inCorner, ends, "where A starts: corner or anywhere")
	console.OneOf(cmd, &o.to, "to", inCorner, ends, "where A may have to go: corner or anywhere")
	flags.Var(&o.pieces, "pieces", "only puzzles with this many pieces, A included, such as 9 or 1-15")
	flags.IntVar(&o.walls, "walls", 0, "with "+rushHour+", search the boards in which this many cells are walls, 0 to 2, wherever they are")
	console.Between(cmd, 0, maxWalls, "walls")
	flags.BoolVar(&o.all, "all", false, "print and draw all of the hardest puzzles")
	flags.BoolVar(&o.explain, "explain", false, "predict the placements, the memory and the time from a few parts of the search, and find nothing")
	console.JSON(cmd, "one JSON object")
	flags.StringVar(&o.save, "save", "", "write all of the hardest puzzles into this `DIRECTORY`, a file each")
	flags.StringVar(&o.checkpoint, "checkpoint", "", "keep what was searched in this `FILE`, and continue from it")
	console.NotEmpty(cmd, "save", "checkpoint")
	console.CompleteFlag(cmd, "save", cobra.ShellCompDirectiveFilterDirs)
	console.CompleteFlag(cmd, "checkpoint", cobra.ShellCompDirectiveDefault)
	o.Flags(cmd, findCell, cli.Pages)
	o.Titled(cmd, "svg and pdf")
	o.job = cli.NewJob(cmd, console.OfMachine)
	return cmd
}

// A finding is a search for the hardest puzzles of a board.
type finding struct {
	*findOptions
	name    string
	problem *hardest.Problem
	resumed bool // some parts were in the checkpoint
}

func (o *findOptions) run(cmd *cobra.Command, board string) error {
	f, err := o.open(cmd, board)
	if err != nil {
		return err
	}
	ctx := cmd.Context()
	if o.explain {
		return f.predict(cmd)
	}
	begin := time.Now()
	results, stopped := f.search(ctx)
	if stopped != nil && (!errors.Is(stopped, console.ErrInterrupted) || results == nil) {
		return o.resumable(boardTooLarge(f.name, stopped))
	}
	if stopped != nil { // what was found is still to be solved again
		ctx = context.WithoutCancel(ctx)
		cmd.SetContext(ctx)
	}
	a, err := f.answer(ctx, results)
	if err != nil {
		return boardTooLarge(f.name, err)
	}
	a.Complete, a.Resumed, a.Seconds = stopped == nil, f.resumed, time.Since(begin).Seconds()
	if err := f.write(cmd, a); err != nil {
		return err
	}
	return console.NoIf(len(a.Results) == 0, o.resumable(stopped))
}

// resumable adds to an interruption that the same command continues, if there is a checkpoint.
func (o *findOptions) resumable(err error) error {
	if o.checkpoint != "" && errors.Is(err, console.ErrInterrupted) {
		return &console.Resumable{Err: err}
	}
	return err
}

// open checks the flags and reads the board.
func (o *findOptions) open(cmd *cobra.Command, board string) (*finding, error) {
	if err := cmp.Or(console.Refuse(cmd, true, "walls", "--%s is for "+rushHour+": draw the walls of another board in its text"),
		console.Refuse(cmd, o.to == rightEdge, "from to strict", "--%s is for boards with any pieces, and not for "+unitRushHour), o.check(cmd)); err != nil {
		return nil, err
	}
	b, name, err := openBoard(cmd, board)
	if err != nil {
		return nil, err
	}
	f := &finding{findOptions: o, name: name, problem: &hardest.Problem{Board: *b, Metric: metricOf(o.metric)}}
	if o.pieces.Range != cells.AllLayers {
		if o.pieces.Most > len(b.Cells) {
			return nil, console.Usagef("--pieces is %v, and %s has %s: expected at most as many pieces", o.pieces, name, cli.Count(uint64(len(b.Cells)), "cell"))
		}
		f.problem.MinPieces, f.problem.MaxPieces = o.pieces.Least, o.pieces.Most
	}
	if o.to == rightEdge {
		o.from, f.name = anywhere, unitRushHour+"-"+name
		f.problem.Shapes, f.problem.Goals = hardest.UnitRushHour(*b)
		return f, nil
	}
	if f.problem.Goals, err = hardest.Goals(*b, hardest.Journey{Strict: o.strict, FromAnywhere: o.from == anywhere, ToAnywhere: o.to == anywhere}, o.job.Memory()); err != nil {
		return nil, boardTooLarge(name, err)
	}
	return f, nil
}

// check refuses flags that make no sense.
func (o *findOptions) check(cmd *cobra.Command) error {
	if err := cmp.Or(
		console.Refuse(cmd, o.to == anywhere, "strict", "--%s is for goals in the corner, and --to is "+anywhere),
		console.Refuse(cmd, o.explain, "save checkpoint output format all", "--explain finds no puzzles: --%s does not go with it"),
		o.FindFormat(cmd),
	); err != nil {
		return err
	}
	o.drawn = cmd.Flags().Changed("output") || o.Format != "txt"
	if console.AsJSON(cmd) && o.drawn && o.Out == "" {
		return console.Usagef("--output and --format are for a picture, and --json prints to stdout: name a file for the picture with -o")
	}
	return o.CheckFlags(cmd)
}

// search searches the puzzles, and keeps what it finds in the checkpoint if there is one.
func (f *finding) search(ctx context.Context) (results []hardest.Result, err error) {
	var done, all atomic.Int64
	var once sync.Once
	stop := func() {}
	defer func() { stop() }()
	o := hardest.Options{Threads: f.job.Threads(), Memory: f.job.Memory(), PartLimit: hardest.DefaultPartLimit(f.job.Memory())}
	o.Progress = func(searched, total uint64) {
		once.Do(func() {
			all.Store(int64(total))
			stop = progress.Start(ctx, "searching "+f.name, total, "placements", func() (int64, int64) { return done.Load(), all.Load() })
		})
		for old := done.Load(); int64(searched) > old && !done.CompareAndSwap(old, int64(searched)); old = done.Load() {
		}
	}
	if f.checkpoint != "" {
		k, limit, err := openKeep(f.checkpoint, f.problem, f.header(o.PartLimit))
		if err != nil {
			return nil, err
		}
		defer func() { err = cmp.Or(err, k.close()) }()
		o.Known, o.Keep, o.PartLimit = k.result, k.keep, limit
		f.resumed = len(k.known) > 0
	}
	return hardest.Search(ctx, f.problem, o)
}

// header says what a checkpoint is of.
func (f *finding) header(limit uint64) findHeader {
	pieces := cmp.Or(f.pieces.String(), "all")
	return findHeader{Format: findFormat, Board: f.problem.Board.Format(), Metric: f.metric, From: f.from, To: f.to, Pieces: pieces, PartLimit: limit}
}

// answer solves the puzzles again that were found, and puts everything together.
func (f *finding) answer(ctx context.Context, results []hardest.Result) (*findAnswer, error) {
	justSolved, err := hardest.JustSolved(ctx, f.problem, f.job.Memory())
	if err != nil {
		return nil, err
	}
	a := &findAnswer{Board: f.name, Metric: f.metric, From: f.from, To: f.to, Strict: f.strict && f.to == inCorner, Results: []findResult{}}
	for _, n := range justSolved {
		a.Placements += n
	}
	var solved atomic.Int64
	total := 0
	for _, r := range results {
		a.Searched += r.Placements
		total += len(r.Starts)
	}
	defer progress.Start(ctx, "solving the puzzles again", uint64(total), "puzzles", func() (int64, int64) { return solved.Load(), int64(total) })()
	for _, r := range results {
		if len(r.Starts) == 0 {
			continue
		}
		var all []found
		for _, st := range r.Starts {
			z, text, err := f.problem.Puzzle(st)
			if err != nil {
				return nil, err
			}
			all = append(all, found{puzzle: z, text: text, length: r.Length})
		}
		if err := solveAgain(ctx, all, f.problem.Metric, slide.Options{Memory: f.job.Memory(), Threads: f.job.Threads()}); err != nil {
			return nil, err
		}
		solved.Add(int64(len(all)))
		a.add(r, all, f.all)
	}
	return a, nil
}
