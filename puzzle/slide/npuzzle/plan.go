package npuzzle

import (
	"context"
	"fmt"
	"math/rand/v2"
	"strings"
	"time"

	"github.com/dustin/go-humanize"

	"pagoda/internal/amount"
	"pagoda/internal/lists"
	"pagoda/internal/mapped"
	"pagoda/puzzle/slide/tray"
)

// A Plan says what it takes to search all positions of an n-puzzle by words. The times are for full
// levels, so they are bounds: the first levels and the last ones are small.
type Plan struct {
	Positions uint64 `json:"positions"`
	// Levels is how many there are, from a corner. They were published: R. E. Korf, Linear-time
	// disk-based implicit graph search (2008); OEIS A151944. It is 0 if they are not known.
	Levels int `json:"levels,omitempty"`
	// Corner says that the empty cell starts in a corner. Otherwise Levels is about right.
	Corner bool `json:"corner"`
	// LevelBytes is the size of two levels, which is what a run without a file needs: 8 bytes for
	// 60 positions. MarkBytes is what a file keeps: 2 bits for each position.
	LevelBytes uint64 `json:"level_bytes"`
	MarkBytes  uint64 `json:"mark_bytes"`
	// WordSeconds is the time to make a word of the next level on one thread. It was measured on
	// words with random contents.
	WordSeconds float64 `json:"word_seconds"`
	// ProcessorSeconds is the time of all levels on one thread. Half of the words are made for each.
	ProcessorSeconds float64 `json:"processor_seconds"`
	Threads          int     `json:"threads"`
	// Seconds is ProcessorSeconds divided by the number of threads.
	Seconds float64 `json:"seconds"`
}

// planTiles is the greatest number of tiles for a Plan.
const planTiles = 15

// levelsFromCorner has what was published for puzzles whose searches are long: see Plan.Levels.
var levelsFromCorner = map[[2]int]int{{2, 7}: 109, {3, 5}: 85, {2, 8}: 141, {4, 4}: 81}

// NewPlan plans the search of an n-puzzle of 9 to 16 cells on the given number of threads. It measures for about a tenth of a second. For other puzzles the error is ErrNotNPuzzle.
func NewPlan(ctx context.Context, p *tray.Puzzle, threads int) (*Plan, error) {
	n, err := newNumbering(p, planTiles)
	if err != nil {
		return nil, err
	}
	if n.tiles < minWordTiles {
		return nil, ErrNotNPuzzle
	}
	_, blank := n.sequence(p.Start())
	plan := &Plan{Positions: n.Size(), Levels: levelsFromCorner[[2]int{n.rows, n.cols}], Threads: max(1, threads),
		Corner:     blank == 0 || blank == n.cols-1 || blank == n.tiles || blank == n.tiles+1-n.cols,
		LevelBytes: LevelBytes(n.tiles + 1), MarkBytes: (n.Size() + 31) / 32 * 8}
	if plan.WordSeconds, err = newSample(n).measure(ctx); err != nil {
		return nil, err
	}
	words := float64(plan.LevelBytes / 8)
	plan.ProcessorSeconds = float64(plan.Levels) * words / 2 * plan.WordSeconds
	plan.Seconds = plan.ProcessorSeconds / float64(plan.Threads)
	return plan, nil
}

// LevelBytes returns the size of two levels of an n-puzzle in words. It is 0 for a number
// of cells that NewPlan does not plan.
func LevelBytes(cells int) uint64 {
	if cells-1 < minWordTiles || cells-1 > planTiles {
		return 0
	}
	bytes := uint64(8)
	for i := 6; i <= cells; i++ { // the low tiles and the parity take 120 of the arrangements
		bytes *= uint64(i)
	}
	return bytes
}

// A sample makes words of the next level from random ones.
type sample struct {
	step
	worker *worker
	chunks int // of a plane
}

// sampleWords is about how many words of a plane a sample has, at least a chunk.
const sampleWords = 1 << 19

// newSample makes words for an n-puzzle of any size. The planes are short, and all of the same colour
// share their words. Windows of high tiles go to blocks at random places.
func newSample(n *Numbering) *sample {
	rng := rand.New(rand.NewPCG(1, 2))
	s := &sample{}
	s.words = newTables(n, func(from int) *window {
		if high := n.tiles - lowTiles; from+n.cols > high {
			return newWindow(n, from)
		}
		return nil
	})
	s.chunks = max(1, sampleWords/s.chunk)
	words := s.chunks * s.chunk
	for from, w := range s.windows {
		if w == nil {
			w = &window{block: min(arrangements(lowTiles+1, n.tiles-lowTiles-from-n.cols), s.chunk)}
			for _, to := range rng.Perm(words / w.block) {
				w.down = append(w.down, uint32(to))
			}
			w.up = w.down
			s.windows[from] = w
		}
	}
	var shared [2][]uint64
	for colour := range shared {
		for range words {
			shared[colour] = append(shared[colour], rng.Uint64()>>(64-wordNumbers))
		}
	}
	for place := range n.tiles + 1 {
		s.planes = append(s.planes, shared[n.colour(place)])
	}
	s.worker = &worker{words: s.words, step: &s.step, next: make([]uint64, s.chunk)}
	return s
}

// leastSample is how long a sample is measured, unless the first round takes longer.
const leastSample = 150 * time.Millisecond

// measure returns the seconds for a word. It takes the fastest of several rounds for each place, as
// other programs slow some down.
func (s *sample) measure(ctx context.Context) (float64, error) {
	best := make([]time.Duration, len(s.planes))
	start := mapped.ProcessorTime()
	for round := 0; round == 0 || mapped.ProcessorTime()-start < leastSample; round++ {
		for place := range s.planes {
			if ctx.Err() != nil {
				return 0, context.Cause(ctx)
			}
			s.places = []int{place}
			begin := mapped.ProcessorTime()
			for i := range s.chunks {
				s.worker.make(i)
			}
			if took := mapped.ProcessorTime() - begin; round == 0 || took < best[place] {
				best[place] = took
			}
		}
	}
	return max(lists.Sum(best).Seconds(), 1e-9) / float64(len(s.planes)*s.chunks*s.chunk), nil
}

// String returns the plan in lines.
func (p *Plan) String() string {
	var s strings.Builder
	fmt.Fprintf(&s, "plan        two levels of words, without a file: %s; the 2 bits of a file: %s more\n", humanize.IBytes(p.LevelBytes), humanize.IBytes(p.MarkBytes))
	known := ""
	if p.Levels > 0 && !p.Corner {
		known = "about "
	}
	fmt.Fprintf(&s, "time        %.2g ns for each word of 60 positions on one thread, measured just now", 1e9*p.WordSeconds)
	if p.Levels == 0 {
		s.WriteString("; how many levels there are is not known\n")
		return s.String()
	}
	fmt.Fprintf(&s, ";\n            %s%s, as was published, each with half of the words: at most %s of one thread, %s on %s\n",
		known, amount.Of(p.Levels, "level"), span(p.ProcessorSeconds), span(p.Seconds), amount.Of(p.Threads, "thread"))
	return s.String()
}

// span writes a time with two digits or more.
func span(seconds float64) string {
	name, v := "seconds", seconds
	switch {
	case seconds >= 2*86400:
		name, v = "days", seconds/86400
	case seconds >= 2*3600:
		name, v = "hours", seconds/3600
	case seconds >= 2*60:
		name, v = "minutes", seconds/60
	}
	if v < 10 {
		return fmt.Sprintf("%.1f %s", v, name)
	}
	return fmt.Sprintf("%.0f %s", v, name)
}
