package slide

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"slices"
	"strconv"
	"time"

	"github.com/spf13/cobra"

	"pagoda/cli"
	"pagoda/internal/console"
	"pagoda/internal/disk"
	"pagoda/internal/journal"
	"pagoda/internal/lazy"
	"pagoda/layers"
	"pagoda/puzzle/slide"
	"pagoda/puzzle/slide/tray"
	"pagoda/statespace/cells"
	"pagoda/studies/rushhour"
	"pagoda/studies/rushhour/census"
)

// aboutRushHour says what find does with Rush Hour.
const aboutRushHour = `With rush-hour it searches all boards of Rush Hour of a size: rows x columns, 3x3 to 6x7. The
default is 6x6, which takes ten minutes on two threads. 6x7 has eighty times as many boards:
give it --pieces. Cars of two cells and trucks of three are anywhere, any number of them, but
only the goal car lies along its row, the upper one of the middle rows. It goes to the right
edge. The metrics are moves, lines, which is the same, and steps. A board is minimal if no
vehicle can be left out without making it easier; the hardest minimal ones are printed, too, if
others are harder. Texts are of 36 characters, a smaller board with walls; those with 7 columns
are of 49. --walls 1 searches the boards in which one cell is a wall, wherever it is; those of
6x6 take about ten times as long.`

// A rushHourFind is find with rush-hour.
type rushHourFind struct {
	*findOptions
	census.Options
	sizes   []census.Size   // with each set of walls, which are searched one after the other
	states  []*census.State // of sizes, as far as the checkpoint has them
	release func()          // of the checkpoint
}

// run finds the hardest boards and prints them.
func (o *rushHourFind) run(cmd *cobra.Command, size []string) error {
	err := o.open(cmd, append(size, "6x6")[0])
	if o.release != nil {
		defer o.release()
	}
	if err != nil {
		return err
	}
	ctx := cmd.Context()
	began := time.Now()
	tallies, stopped := o.search(ctx)
	switch {
	case errors.Is(stopped, census.ErrOther):
		return console.Usagef("%s: %w; name another file with --checkpoint, or remove this one", o.checkpoint, stopped)
	case errors.Is(stopped, census.ErrCheckpoint):
		return fmt.Errorf("%s: %w; remove it, or name another file with --checkpoint", o.checkpoint, stopped)
	case stopped != nil && (!errors.Is(stopped, console.ErrInterrupted) || tallies == nil):
		return stopped
	case stopped != nil: // what was found is still to be solved again
		ctx = context.WithoutCancel(ctx)
		cmd.SetContext(ctx)
	}
	a, err := o.answer(ctx, tallies)
	if err != nil {
		return err
	}
	a.Complete, a.Seconds = stopped == nil, time.Since(began).Seconds()
	if err := o.write(cmd, a); err != nil {
		return err
	}
	return console.NoIf(a.Solvable == 0, o.resumable(stopped))
}

// search searches all sizes, and returns a tally of each. If it is stopped, the tallies are what it has found so far.
func (o *rushHourFind) search(ctx context.Context) (tallies []*census.Tally, err error) {
	for i, size := range o.sizes {
		o.Size, o.Resume = size, nil
		if i < len(o.states) {
			o.Resume = o.states[i]
		}
		if o.checkpoint != "" {
			o.Save = func(s *census.State) error {
				o.states = append(o.states[:i], s)
				// The context may have ended: that is why the states are kept.
				return console.WriteFile(context.Background(), o.checkpoint, func(w io.Writer) (err error) {
					for _, s := range o.states {
						err = cmp.Or(err, journal.Write(w, rushHourCheckpoint{rushHourFormat, s}))
					}
					return err
				})
			}
		}
		tally, err := census.Run(ctx, o.Options)
		if tally != nil {
			tallies = append(tallies, tally)
		}
		if err != nil {
			return tallies, err
		}
	}
	return tallies, nil
}

// maxWalls bounds the walls: a checkpoint has a record for each set of them.
const maxWalls = 2

var sizeName = lazy.Regexp(`^([0-9])x([0-9])$`)

// open checks the flags and reads the checkpoint.
func (o *rushHourFind) open(cmd *cobra.Command, size string) (err error) {
	if err := cmp.Or(console.Refuse(cmd, true, "from to strict explain", "--%s is for boards with any pieces, and not for "+rushHour), o.check(cmd)); err != nil {
		return err
	}
	m := sizeName().FindStringSubmatch(size)
	if m == nil {
		return console.Usagef("the size is %.40q, expected rows and columns, such as 5x5", size)
	}
	o.Rows, _ = strconv.Atoi(m[1]) // one digit
	o.Cols, _ = strconv.Atoi(m[2])
	o.Exit, o.Steps = (o.Rows-1)/2, metricOf(o.metric) == tray.Steps
	if err := o.Size.Check(); err != nil {
		return console.UsageError(err)
	}
	o.sizes = o.WithWalls(o.walls)
	o.Least, o.Most = 1, o.MostVehicles()
	if o.pieces.Range != cells.AllLayers {
		if o.pieces.Most > o.Most {
			return console.Usagef("--pieces is %v, expected at most %d, as %s has %d cells", o.pieces, o.Most, size, o.Rows*o.Cols)
		}
		o.Least, o.Most = o.pieces.Least, o.pieces.Most
	}
	o.Threads, o.Memory = o.job.Threads(), o.job.Memory()
	if o.checkpoint == "" {
		return nil
	}
	if o.release, err = layers.Claim(o.checkpoint + ".lock"); err != nil {
		return fmt.Errorf("cannot use the checkpoint %s: %w", o.checkpoint, err)
	}
	o.states, err = readStates(cmd.Context(), o.checkpoint)
	return err
}

// A rushHourCheckpoint is a record of a checkpoint: there is one for each size that the search has begun.
type rushHourCheckpoint struct {
	Format string        `json:"format"`
	State  *census.State `json:"state"`
}

// rushHourFormat is the format of a checkpoint.
const rushHourFormat = "pagoda find rush-hour 1"

// readStates reads a checkpoint; nil if there is none.
func readStates(ctx context.Context, path string) (states []*census.State, err error) {
	file, err := disk.OpenInput(ctx, path)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	defer file.Close()
	_, err = journal.Read(file, func(record json.RawMessage) error {
		d := json.NewDecoder(bytes.NewReader(record))
		d.DisallowUnknownFields()
		var c rushHourCheckpoint
		if err := d.Decode(&c); err != nil {
			return err
		}
		states = append(states, c.State)
		if c.Format != rushHourFormat {
			return fmt.Errorf("its format is %.40q, expected %q", c.Format, rushHourFormat)
		}
		return nil
	})
	if err == nil && (states == nil || slices.Contains(states, nil)) {
		err = fmt.Errorf("%w: it has no whole line, or one without a state", journal.ErrDamaged)
	}
	if err != nil {
		return nil, fmt.Errorf("%s is no checkpoint of find %s: %w; remove it, or name another file with --checkpoint", path, rushHour, err)
	}
	return states, nil
}

// A rushHourAnswer is what find prints of Rush Hour.
type rushHourAnswer struct {
	Board      string           `json:"board"`
	Exit       int              `json:"exit"` // the row of the goal car, from 0
	Metric     string           `json:"metric"`
	Walls      int              `json:"walls,omitempty"`
	Complete   bool             `json:"complete"`
	Placements uint64           `json:"placements"` // all boards
	Solvable   uint64           `json:"solvable"`
	Seconds    float64          `json:"seconds"`
	Results    []rushHourResult `json:"results"`
}

// A rushHourResult is the boards with some number of pieces.
type rushHourResult struct {
	Pieces     int      `json:"pieces"`
	Placements uint64   `json:"placements"`
	Solvable   uint64   `json:"solvable"`
	Length     *int     `json:"length"`    // null if no board can be solved
	Starts     uint64   `json:"starts"`    // boards of this length
	ByLength   []uint64 `json:"by_length"` // boards of each length, from 0
	Puzzles    []record `json:"puzzles"`
	// MinimalLength is that of the hardest minimal boards, null if there are none.
	MinimalLength *int     `json:"minimal_length"`
	Minimal       []record `json:"minimal"`
}

// answer solves the hardest boards again, and puts everything together.
func (o *rushHourFind) answer(ctx context.Context, tallies []*census.Tally) (*rushHourAnswer, error) {
	a := &rushHourAnswer{Board: fmt.Sprintf("%s %dx%d", rushHour, o.Rows, o.Cols), Exit: o.Exit, Metric: o.metric, Walls: o.walls}
	if o.walls > 0 {
		a.Board += " with " + cli.Count(uint64(o.walls), "wall")
	}
	placements := make([]uint64, o.MostVehicles()+1)
	for _, size := range o.sizes {
		for k, n := range size.Placements() {
			placements[k] += n
		}
	}
	for k, placements := range placements {
		if k < o.Least || k > o.Most || placements == 0 {
			continue
		}
		r := rushHourResult{Pieces: k, Placements: placements, ByLength: []uint64{}}
		for _, t := range tallies {
			r.Solvable += t.Solvable(k)
			for n, boards := range t.ByMoves[k] {
				if n == len(r.ByLength) {
					r.ByLength = append(r.ByLength, 0)
				}
				r.ByLength[n] += boards
			}
		}
		var err error
		if r.Length, r.Puzzles, err = o.records(ctx, tallies, func(t *census.Tally) *census.Record { return &t.Hardest[k] }); err != nil {
			return nil, err
		}
		if r.Length != nil {
			r.Starts = r.ByLength[*r.Length]
		}
		if r.MinimalLength, r.Minimal, err = o.records(ctx, tallies, func(t *census.Tally) *census.Record { return &t.Minimal[k] }); err != nil {
			return nil, err
		}
		a.Placements += placements
		a.Solvable += r.Solvable
		a.Results = append(a.Results, r)
	}
	return a, nil
}

// records returns the greatest length of the records of tallies, nil if there is none, and boards of it: one of each
// component up to reflection, and without --all only those of the first one.
func (o *rushHourFind) records(ctx context.Context, tallies []*census.Tally, of func(*census.Tally) *census.Record) (*int, []record, error) {
	most := of(slices.MaxFunc(tallies, func(t, u *census.Tally) int { return cmp.Compare(of(t).Moves, of(u).Moves) })).Moves
	if most < 0 {
		return nil, []record{}, nil
	}
	var all []found
	seen := make(map[string]bool)
	s := rushhour.Searcher{Steps: o.Steps}
	for i, t := range tallies {
		if of(t).Moves < most || len(all) > 0 && !o.all {
			continue
		}
		for _, key := range of(t).Keys {
			b, err := o.sizes[i].Board(key)
			if err != nil {
				return nil, nil, err
			}
			component, err := o.Component(&s, b)
			if err != nil {
				return nil, nil, err
			}
			if seen[component] {
				continue
			}
			seen[component] = true
			p, err := b.Puzzle()
			if err != nil {
				return nil, nil, err
			}
			if all = append(all, found{puzzle: p, text: b.String(), length: most}); !o.all {
				break
			}
		}
	}
	if err := solveAgain(ctx, all, metricOf(o.metric), slide.Options{Memory: o.Memory, Threads: o.Threads}); err != nil {
		return nil, nil, err
	}
	return &most, recordsOf(all), nil
}
