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
	"strconv"
	"time"

	"github.com/spf13/cobra"

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
const aboutRushHour = `With rush-hour it searches all boards of Rush Hour of a size: rows x columns, 3x3 to 6x6, the
default, which takes half an hour. Cars of two cells and trucks of three are anywhere, any
number of them, but only the goal car lies along its row, the upper one of the middle rows. It
goes to the right edge. The metrics are moves, lines, which is the same, and steps. A board is
minimal if no vehicle can be left out without making it easier; the hardest minimal ones are
printed, too, if others are harder. Texts are of 36 characters, a smaller board with walls.`

// A rushHourFind is find with rush-hour.
type rushHourFind struct {
	*findOptions
	census.Options
	release func() // of the checkpoint
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
	tally, stopped := census.Run(ctx, o.Options)
	switch {
	case errors.Is(stopped, census.ErrOther):
		return console.Usagef("%s: %w; name another file with --checkpoint, or remove this one", o.checkpoint, stopped)
	case errors.Is(stopped, census.ErrCheckpoint):
		return fmt.Errorf("%s: %w; remove it, or name another file with --checkpoint", o.checkpoint, stopped)
	case stopped != nil && (!errors.Is(stopped, console.ErrInterrupted) || tally == nil):
		return stopped
	case stopped != nil: // what was found is still to be solved again
		ctx = context.WithoutCancel(ctx)
		cmd.SetContext(ctx)
	}
	a, err := o.answer(ctx, tally)
	if err != nil {
		return err
	}
	a.Complete, a.Seconds = stopped == nil, time.Since(began).Seconds()
	if err := o.write(cmd, a); err != nil {
		return err
	}
	return console.NoIf(a.Solvable == 0, o.resumable(stopped))
}

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
	o.Save = func(s *census.State) error {
		// The context may have ended: that is why the state is kept.
		return console.WriteFile(context.Background(), o.checkpoint, func(w io.Writer) error {
			return journal.Write(w, rushHourCheckpoint{rushHourFormat, s})
		})
	}
	if o.release, err = layers.Claim(o.checkpoint + ".lock"); err != nil {
		return fmt.Errorf("cannot use the checkpoint %s: %w", o.checkpoint, err)
	}
	o.Resume, err = readState(cmd.Context(), o.checkpoint)
	return err
}

// A rushHourCheckpoint is the only record of a checkpoint.
type rushHourCheckpoint struct {
	Format string        `json:"format"`
	State  *census.State `json:"state"`
}

// rushHourFormat is the format of a checkpoint.
const rushHourFormat = "pagoda find rush-hour 1"

// readState reads a checkpoint; nil if there is none.
func readState(ctx context.Context, path string) (*census.State, error) {
	file, err := disk.OpenInput(ctx, path)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	defer file.Close()
	var c rushHourCheckpoint
	_, err = journal.Read(file, func(record json.RawMessage) error {
		d := json.NewDecoder(bytes.NewReader(record))
		d.DisallowUnknownFields()
		if err := d.Decode(&c); err != nil {
			return err
		}
		if c.Format != rushHourFormat {
			return fmt.Errorf("its format is %.40q, expected %q", c.Format, rushHourFormat)
		}
		return nil
	})
	if err == nil && c.State == nil {
		err = fmt.Errorf("%w: it has no whole line", journal.ErrDamaged)
	}
	if err != nil {
		return nil, fmt.Errorf("%s is no checkpoint of find %s: %w; remove it, or name another file with --checkpoint", path, rushHour, err)
	}
	return c.State, nil
}

// A rushHourAnswer is what find prints of Rush Hour.
type rushHourAnswer struct {
	Board      string           `json:"board"`
	Exit       int              `json:"exit"` // the row of the goal car, from 0
	Metric     string           `json:"metric"`
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
func (o *rushHourFind) answer(ctx context.Context, t *census.Tally) (*rushHourAnswer, error) {
	a := &rushHourAnswer{Board: fmt.Sprintf("%s %dx%d", rushHour, o.Rows, o.Cols), Exit: o.Exit, Metric: o.metric}
	for k, placements := range o.Placements() {
		if k < o.Least || k > o.Most || placements == 0 {
			continue
		}
		r := rushHourResult{Pieces: k, Placements: placements, Solvable: t.Solvable(k), ByLength: t.ByMoves[k], Puzzles: []record{}, Minimal: []record{}}
		if r.ByLength == nil {
			r.ByLength = []uint64{}
		}
		var err error
		if hardest := &t.Hardest[k]; hardest.Moves >= 0 {
			r.Length, r.Starts = &hardest.Moves, r.ByLength[hardest.Moves]
			if r.Puzzles, err = o.records(ctx, hardest); err != nil {
				return nil, err
			}
		}
		if minimal := &t.Minimal[k]; minimal.Moves >= 0 {
			r.MinimalLength = &minimal.Moves
			if r.Minimal, err = o.records(ctx, minimal); err != nil {
				return nil, err
			}
		}
		a.Placements += placements
		a.Solvable += r.Solvable
		a.Results = append(a.Results, r)
	}
	return a, nil
}

// records returns boards of a record: one of each component up to reflection, and without --all only those
// of the first one.
func (o *rushHourFind) records(ctx context.Context, r *census.Record) ([]record, error) {
	var all []found
	seen := make(map[string]bool)
	s := rushhour.Searcher{Steps: o.Steps}
	for _, key := range r.Keys {
		b, err := o.Board(key)
		if err != nil {
			return nil, err
		}
		component, err := o.Component(&s, b)
		if err != nil {
			return nil, err
		}
		if seen[component] {
			continue
		}
		seen[component] = true
		p, err := b.Puzzle()
		if err != nil {
			return nil, err
		}
		if all = append(all, found{puzzle: p, text: b.String(), length: r.Moves}); !o.all {
			break
		}
	}
	if err := solveAgain(ctx, all, metricOf(o.metric), slide.Options{Memory: o.Memory, Threads: o.Threads}); err != nil {
		return nil, err
	}
	return recordsOf(all), nil
}
