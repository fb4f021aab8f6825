package render

import (
	"cmp"
	"fmt"
	"image/color"
	"slices"
	"time"

	"pagoda/internal/amount"
	"pagoda/internal/lists"
)

// A Film is a path that is drawn: its moves, and one more state.
type Film struct {
	// Draw draws the state after i moves. A share from 0 to 1 also shows the next move: 0 as an arrow, for example, and
	// otherwise with that share of it made. A share below 0 leaves the move out.
	Draw func(i int, share float64) Drawing
	// Captions has the captions of all states and moves.
	Captions Captions
	// Lengths has how many cells the pieces go in each move; nil if Draw does not show moves under way.
	Lengths []int
	// Panels, if not nil, is a film strip of its own, which need not have a panel for each state.
	Panels []Panel
}

// Captions are those of a film.
type Captions struct {
	Strip  []string // of the states in a film strip, which shows the next moves
	States []string // of the states in an animation
	Flight []string // of the moves under way
}

// CaptionMoves returns captions that name the move that comes next in a film strip; in an animation, the move under
// way or else the one before. The end is the caption of the last state.
func CaptionMoves(moves []string, end string) Captions {
	states := append([]string{"start"}, moves...)
	states[len(moves)] = end
	return Captions{Strip: append(slices.Clone(moves), end), States: states, Flight: moves}
}

// MaxMoves bounds the moves of a film.
const MaxMoves = MaxPanels - 1

// Still returns a film of one state, without moves.
func Still(p Panel) Film {
	caption := []string{p.Caption}
	return Film{
		Draw:     func(int, float64) Drawing { return p.Drawing },
		Captions: Captions{Strip: caption, States: caption},
	}
}

// Moves returns the number of moves.
func (f Film) Moves() int { return len(f.Captions.States) - 1 }

// Frame returns the state after i moves as a part of an animation, with a share of the next move made.
func (f Film) Frame(i int, share float64) Panel {
	if share > 0 {
		return Panel{Drawing: f.Draw(i, share), Caption: f.Captions.Flight[i]}
	}
	return Panel{Drawing: f.Draw(i, -1), Caption: f.Captions.States[i]}
}

// Strip returns a film strip: each state with the move that is made in it, and the last one; or the Panels.
func (f Film) Strip() []Panel {
	if f.Panels != nil {
		return f.Panels
	}
	var panels []Panel
	for i, caption := range f.Captions.Strip {
		share := 0.0
		if i == f.Moves() {
			share = -1
		}
		panels = append(panels, Panel{Drawing: f.Draw(i, share), Caption: caption})
	}
	return panels
}

// Nothing is a Drawing that leaves a place of a sheet free.
type Nothing struct{}

// Check implements Drawing.
func (Nothing) Check() error { return nil }

// Size implements Drawing.
func (Nothing) Size(int) (width, height int) { return 0, 0 }

// Draw implements Drawing.
func (Nothing) Draw(*Picture, Point, Style) {}

// Rows implements Drawing.
func (Nothing) Rows() []string { return nil }

// Blends implements Drawing.
func (Nothing) Blends(Theme) [][2]color.RGBA { return nil }

// Title implements Drawing.
func (Nothing) Title() string { return "" }

// Ends returns the last state of each film.
func Ends(films ...Film) []Panel {
	return lists.Map(films, func(f Film) Panel { return f.Frame(f.Moves(), 0) })
}

// EndCaption returns a caption for the last state of a film, such as "end, 81 moves".
func EndCaption(moves int) string {
	if moves == 0 {
		return "start"
	}
	return "end, " + amount.Of(moves, "move")
}

// The time of a move by one cell in an animation. DefaultHold is how long the first and the last state are shown.
const (
	MinTime     = 100 * time.Millisecond
	MaxTime     = 10 * time.Second
	DefaultMove = 700 * time.Millisecond
	DefaultHold = 2 * time.Second
)

// moveTime returns the time of a move by a number of cells, if one cell takes step.
func moveTime(step time.Duration, cells int) time.Duration {
	return (step + step*time.Duration(max(0, min(cells, 7)-1))/3).Truncate(tick)
}

// flight returns how many frames show a move under way, at most a limit, and the time of each:
// three fifths of the time of the whole move in all. The rest of the time is for the state after it.
func flight(whole time.Duration, cells, limit int) (frames int, each, rest time.Duration) {
	if cells <= 0 || limit <= 0 {
		return 0, 0, whole
	}
	fly := whole * 3 / 5
	frames = min(limit, max(1, min(8*cells, int(fly/(50*time.Millisecond)))))
	each = (fly / time.Duration(frames)).Truncate(tick)
	return frames, each, whole - time.Duration(frames)*each
}

// Play returns an animation of films that are played at the same time, each in a panel of its
// own. All end together: those with fewer moves begin later. Step is the time of a move by one cell,
// MinTime to MaxTime, or 0 for DefaultMove, rounded down to hundredths of a second; a longer move takes up to
// three times as long.
func Play(step time.Duration, films ...Film) ([]Scene, error) {
	step = cmp.Or(step, DefaultMove)
	if step < MinTime || step > MaxTime {
		return nil, fmt.Errorf("the time of a move is %v, expected %v to %v", step, MinTime, MaxTime)
	}
	step = step.Truncate(tick)
	most := 0
	for _, f := range films {
		most = max(most, f.Moves())
	}
	// made returns how many moves a film has made after k moves of the longest: below 0 if it
	// has not begun.
	made := func(f Film, k int) int { return k - (most - f.Moves()) }
	scene := func(k int, share float64, delay time.Duration) Scene {
		s := Scene{Delay: delay}
		for _, f := range films {
			if i := made(f, k); i < 0 {
				s.Panels = append(s.Panels, f.Frame(0, 0))
			} else {
				s.Panels = append(s.Panels, f.Frame(i, share))
			}
		}
		return s
	}
	scenes := []Scene{scene(0, 0, DefaultHold)}
	limit := MaxMoves/max(1, most) - 1 // all frames together are at most MaxPanels
	for k := range most {
		cells := 0
		for _, f := range films {
			if i := made(f, k); i >= 0 && f.Lengths != nil {
				cells = max(cells, f.Lengths[i])
			}
		}
		frames, each, rest := flight(moveTime(step, cells), cells, limit)
		for n := range frames {
			scenes = append(scenes, scene(k, float64(n+1)/float64(frames+1), each))
		}
		if k == most-1 {
			rest = DefaultHold
		}
		scenes = append(scenes, scene(k+1, 0, rest))
	}
	return scenes, nil
}
