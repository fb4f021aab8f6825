package slide

import (
	"context"
	"errors"
	"fmt"
	"io"
	"math/big"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"pagoda/cli"
	"pagoda/internal/amount"
	"pagoda/internal/console"
	"pagoda/internal/suggest"
	"pagoda/puzzle/slide"
	"pagoda/puzzle/slide/draw"
	"pagoda/puzzle/slide/formats"
	"pagoda/puzzle/slide/replay"
	"pagoda/puzzle/slide/tray"
	"pagoda/render"
	"pagoda/run"
	"pagoda/statespace"
)

// allMetrics is the --metric of all six.
const allMetrics = "all"

// solveOptions are the flags of solve.
type solveOptions struct {
	metric, engine string
	goal           bool

	metrics []tray.Metric
	found   slide.Engine
}

// solving is what the family contributes to solve.
func solving() *cli.Solving {
	return &cli.Solving{
		About: `The number of shortest solutions is exact, and so is the number of positions that can be
reached. Two solutions differ if a position on the way differs; swapping interchangeable
pieces makes no difference. If the text of the puzzle says another length, a line says so. A
move is its pieces and a letter for each cell: U D L R, C to the floor above and S below.

What counts as a move is the metric:

  steps        one piece by one cell
  lines        one piece by any number of cells in one direction
  moves        one piece along any path
  supersteps   several pieces together by one cell
  superlines   several pieces together by any number of cells in one direction
  supermoves   several pieces together along any path
  all          all of these, in this order

A puzzle is a name of the library, or a text that draws the tray and the goal. See
reach puzzle --help. With --batch, --metric all prints six objects for a line.

All engines give the same answers. A search by numbers that needs more than --mem is refused
before it starts; the others stop when it is full.

  auto     numbers or sparse: the one that needs less memory
  numbers  three bits for each placement of the pieces, reached or not
  sparse   1 to 4 bytes for each position that is reached: for puzzles with far more
           placements, or more than 64 cells
  search   the plain search, about 250 bytes for each position, to compare with`,
		Example: `  reach solve slide/klotski
  reach solve my-puzzle.txt --metric all --json
  reach solve slide/klotski -o klotski.gif --speed 250
  echo 'AABB/AACC/12../DEFF/DEGG ..../..../..../AA/AA' | reach solve - --metric steps
  reach solve --batch rush.txt --metric lines > rush.jsonl`,
		Entries: slide.Entries,
		Flags: func(cmd *cobra.Command) cli.Solver {
			o := new(solveOptions)
			metricFlag(cmd, &o.metric, append(slide.MetricNames(), allMetrics))
			cmd.Flags().BoolVar(&o.goal, "goal", false, "stop at the distance of the goal, and count the positions up to it")
			cmd.Flags().StringVar(&o.engine, "engine", slide.AutoEngine.String(), "auto, numbers, sparse or search")
			console.CompleteFlag(cmd, "engine", cobra.ShellCompDirectiveNoFileComp, engineNames()...)
			return o
		},
	}
}

func engineNames() (names []string) {
	for e := range slide.Engine(slide.Engines) {
		names = append(names, e.String())
	}
	return names
}

// A solution is what solve prints of a metric.
type solution struct {
	Puzzle    string         `json:"puzzle"`
	Metric    string         `json:"metric"`
	Solved    bool           `json:"solved"`
	Length    *int           `json:"length"` // null if it cannot be solved
	Solutions *big.Int       `json:"solutions"`
	States    uint64         `json:"states"`
	Whole     bool           `json:"whole"`               // the states are all that can be reached
	Reason    string         `json:"reason,omitempty"`    // why it cannot be solved, if no search was needed
	Published int            `json:"published,omitempty"` // the length that the text of the puzzle says
	Seconds   float64        `json:"seconds"`
	Start     string         `json:"start"`
	Moves     []solutionMove `json:"moves"`
}

type solutionMove struct {
	tray.Move
	Position string `json:"position,omitempty"` // after it
}

// Check implements cli.Solver.
func (o *solveOptions) Check(drawn bool) (err error) {
	if drawn && o.metric == allMetrics {
		return console.Usagef("-o draws one solution: --metric all does not go with it; name one metric")
	}
	o.metrics = []tray.Metric{0, 1, 2, 3, 4, 5}
	if o.metric != allMetrics {
		o.metrics = []tray.Metric{metricOf(o.metric)}
	}
	if o.found, err = slide.ParseEngine(o.engine); err != nil {
		return console.Usagef("--engine: %w%s", err, suggest.Question(o.engine, engineNames()))
	}
	return nil
}

// Named implements cli.Solver.
func (o *solveOptions) Named(_ context.Context, name string) (cli.Solve, error) {
	p, err := slide.Named(name)
	if base, metric, given := strings.Cut(name, "@"); given && errors.Is(err, statespace.ErrUnknown) {
		if _, wrong := slide.Named(base); wrong == nil {
			return nil, console.Usagef("unknown space %.100q: give the metric with --metric %s", name, metric)
		}
	}
	if errors.Is(err, statespace.ErrUnknown) {
		return nil, unknownPuzzle(name)
	}
	return o.solving(p), err
}

// Text implements cli.Solver.
func (o *solveOptions) Text(_ context.Context, text string) (cli.Solve, error) {
	p, err := formats.Parse(text)
	return o.solving(p), err
}

// solving returns what solves a puzzle.
func (o *solveOptions) solving(p *tray.Puzzle) cli.Solve {
	return func(ctx context.Context, name string, job run.Options) (cli.Answer, error) {
		s := &solver{o, slide.Options{ToGoal: o.goal, Engine: o.found, Memory: job.Memory, Threads: job.Threads}}
		all, err := s.solve(ctx, p, name)
		return answer{p, all, o.metric == allMetrics}, err
	}
}

// A solver solves puzzles as the flags of the command say.
type solver struct {
	*solveOptions
	slide.Options
}

// solve solves a puzzle in all metrics. An error that is due to the puzzle is a usage error.
func (s *solver) solve(ctx context.Context, p *tray.Puzzle, name string) (all []*solution, err error) {
	if !p.HasGoal() {
		return nil, console.Usagef("%w: draw one below goal:", slide.ErrNoGoal)
	}
	if len(s.metrics) > 1 { // those that take most come last
		err = slide.Fits(ctx, p, s.metrics[len(s.metrics)-1], s.Options)
	}
	for _, m := range s.metrics {
		var one *solution
		if err == nil {
			one, err = s.solveIn(ctx, p, name, m)
		}
		all = append(all, one)
	}
	var size *slide.SizeError
	if errors.As(err, &size) {
		err = console.Usagef("%w%s", err, s.whatFits(s.Engine, size))
	}
	return all, err
}

// solveIn solves a puzzle in a metric.
func (s *solver) solveIn(ctx context.Context, p *tray.Puzzle, name string, m tray.Metric) (*solution, error) {
	begin := time.Now()
	o := s.Options
	if p.Barred() != "" { // the plain engine would search
		o.Engine = slide.AutoEngine
	}
	r, err := slide.Solve(ctx, p, m, o)
	if err != nil {
		return nil, err
	}
	one := &solution{Puzzle: name, Metric: m.String(), Solved: r.Solved, Reason: r.Reason, Published: p.Lengths[m], Solutions: r.Solutions, States: r.States, Whole: r.Whole,
		Seconds: time.Since(begin).Seconds(), Moves: []solutionMove{}, Start: p.FormatPosition(p.Start())}
	if !r.Solved {
		return one, nil
	}
	one.Length = &r.Length
	drawings, err := replay.Solution(p, m, r.Moves)
	if err != nil {
		return nil, fmt.Errorf("the solution that was found is wrong: %w", err)
	}
	for i, mv := range r.Moves {
		one.Moves = append(one.Moves, solutionMove{mv, drawings[i+1]})
	}
	return one, nil
}

// An answer is what was found in one metric, or in all.
type answer struct {
	puzzle  *tray.Puzzle
	metrics []*solution
	all     bool
}

// Solved implements cli.Answer.
func (a answer) Solved() bool {
	return slices.ContainsFunc(a.metrics, func(s *solution) bool { return s.Solved })
}

// Film implements cli.Answer.
func (a answer) Film() (render.Film, error) {
	var moves []tray.Move
	for _, m := range a.metrics[0].Moves {
		moves = append(moves, m.Move)
	}
	return draw.NewFilm(a.puzzle, nil, moves, nil)
}

// JSON implements cli.Answer.
func (a answer) JSON() any {
	if a.all {
		return a.metrics
	}
	return a.metrics[0]
}

// Lines implements cli.Answer.
func (a answer) Lines() (objects []any) {
	for _, s := range a.metrics {
		for i := range s.Moves {
			s.Moves[i].Position = ""
		}
		objects = append(objects, s)
	}
	return objects
}

// WriteText implements cli.Answer.
func (a answer) WriteText(w io.Writer) error {
	switch {
	case !a.Solved():
		writeUnsolvable(w, a.metrics[0].Puzzle, a.metrics[0].Reason, a.metrics[0].States)
	case a.all:
		writeMetrics(w, a.metrics)
	default:
		a.metrics[0].write(w)
	}
	for _, s := range a.metrics {
		if found := s.length(); s.Published > 0 && found != strconv.Itoa(s.Published) {
			fmt.Fprintf(w, "%s: published %d, found %s\n", s.Metric, s.Published, found)
		}
	}
	return nil
}

// length is the length of the shortest solutions, for people.
func (s *solution) length() string {
	if !s.Solved {
		return "none"
	}
	return strconv.Itoa(*s.Length)
}

// whatFits says what would do for a puzzle that was too large.
func (o *solveOptions) whatFits(engine slide.Engine, size *slide.SizeError) string {
	if errors.Is(size, statespace.ErrSuccessors) {
		return "" // it says what to do
	}
	var hints []string
	if errors.Is(size, statespace.ErrMemory) && size.Need == 0 && (size.Nodes > 0 || size.Found > 0 || size.Cause != nil) {
		hints = append(hints, "more --mem")
	}
	after := ""
	switch {
	case size.Tiles == 0 && (engine == slide.NumbersEngine || engine == slide.PlainEngine):
		hints = append(hints, "--engine sparse")
	case !o.goal:
		hints, after = append(hints, "--goal"), ", which stops at the goal"
	}
	if len(hints) == 0 {
		return memFor(size)
	}
	hints[0] += " may do"
	return memFor(size) + "; " + strings.Join(hints, ", or ") + after
}

// memFor says which --mem would do, where that is known.
func memFor(size *slide.SizeError) string {
	if size.Need == 0 || size.Memory == 0 {
		return ""
	}
	return fmt.Sprintf("; --mem %dMiB would do", (size.Need+1<<20-1)>>20)
}

// positions writes how many positions were found.
func (s *solution) positions() string {
	count := cli.Count(s.States, "position")
	if s.Whole {
		return count
	}
	return count + " up to the goal"
}

// write writes a solution, a line for each move.
func (s *solution) write(w io.Writer) {
	fmt.Fprintf(w, "%s: %s, %s, %s\n", s.Puzzle, amount.Of(*s.Length, strings.TrimSuffix(s.Metric, "s")), amount.Of(s.Solutions, "solution"), s.positions())
	width := len("start")
	for _, m := range s.Moves {
		width = max(width, len(m.String()))
	}
	fmt.Fprintf(w, "%4d  %-*s  %s\n", 0, width, "start", s.Start)
	for i, m := range s.Moves {
		fmt.Fprintf(w, "%4d  %-*s  %s\n", i+1, width, m.Move, m.Position)
	}
}

// writeMetrics writes a line for each metric.
func writeMetrics(w io.Writer, all []*solution) {
	// Pieces that move together can reach more positions.
	same := !slices.ContainsFunc(all, func(s *solution) bool { return s.States != all[0].States })
	switch {
	case !all[0].Whole:
		fmt.Fprintf(w, "%s\n%-10s %6s  solutions\n", all[0].Puzzle, "metric", "length")
	case same:
		fmt.Fprintf(w, "%s: %s positions\n%-10s %6s  solutions\n", all[0].Puzzle, amount.Comma(all[0].States), "metric", "length")
	default:
		fmt.Fprintf(w, "%s\n%-10s %6s  %-*s  solutions\n", all[0].Puzzle, "metric", "length", metricStates, "positions")
	}
	for _, s := range all {
		fmt.Fprintf(w, "%-10s %6s  ", s.Metric, s.length())
		if s.Whole && !same {
			fmt.Fprintf(w, "%*s  ", metricStates, amount.Comma(s.States))
		}
		fmt.Fprintln(w, s.Solutions)
	}
}

// metricStates is the width of the numbers of positions that writeMetrics writes.
const metricStates = 14

// completePuzzles offers the names of the library, and files.
func completePuzzles() cobra.CompletionFunc {
	return console.CompleteFirst(func(begun string) []string { return cli.CompleteNames(slide.Entries(), begun) })
}
