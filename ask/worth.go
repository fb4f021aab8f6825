package ask

import (
	"errors"
	"fmt"
	"io"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"unicode"

	"pagoda/internal/exactjson"
	"pagoda/internal/lists"
	"pagoda/internal/suggest"
	"pagoda/statespace"
	"pagoda/statespace/chance"
)

// A Worth is what a state of a game against chance is worth, and each of its moves.
type Worth struct {
	Reach
	// As is the state as the file has it: an image of the pattern under the symmetries of the game. The
	// Moves are those of the pattern.
	As         string
	Layer      int
	LayerName  string
	Game       statespace.Game
	Objectives []chance.Objective
	Values     []float64 // by column, as chance.Columns counts them
	Moves      []chance.Choice
	// Rounding is the relative difference that values may have from the exact ones.
	Rounding float64
}

// Value says what a state and its moves are worth. If the state cannot be reached, the answer has the
// Reach only. It is an ErrQuestion if the text is no state, or the file has no values.
func (f *File) Value(pattern string) (w Worth, err error) {
	s, err := f.Solved()
	if err != nil {
		return w, err
	}
	err = f.Read(func() error {
		if w.Reach, err = reach(f.Members(), f.Space(), pattern); err != nil || !w.Reachable {
			return err
		}
		g := s.Game
		layer, state, err := g.Parse(pattern)
		var image uint64
		if err == nil {
			image, err = g.Image(pattern)
		}
		if err != nil {
			return BadPattern(pattern, err)
		}
		w.As, w.Layer, w.LayerName = g.Format(layer, state), layer, g.LayerName()
		w.Game, w.Objectives, w.Rounding = g, s.Objectives, s.Rounding
		w.Values = make([]float64, chance.Columns(s.Objectives))
		if err := s.Lookup(w.Values, layer, state); err != nil {
			return err
		}
		w.Moves, err = s.Choices(layer, image)
		return err
	})
	return w, err
}

// Solved returns the solved game of the file. Its Lookup has an error if the file lacks the state. It is an
// ErrQuestion if the file has no values.
func (f *File) Solved() (*chance.Solution, error) {
	values, ok := f.File.Worth()
	if !ok || len(values.Objectives) == 0 {
		if f.Space().Parts().Chance != nil {
			return nil, Questionf("%s lists states without what they are worth; reach run with --objective makes a file that has it", f.Path())
		}
		return nil, Questionf("%s is of %s, whose states have no values: expected a game against chance", f.Path(), f.Space().Name())
	}
	s := &chance.Solution{Game: values.Game, Objectives: values.Objectives, Lookup: func(dst []float64, layer int, state uint64) error {
		return f.Read(func() error {
			found, err := values.State(dst, layer, state)
			if err == nil && !found {
				err = f.Damaged("it lacks the state " + values.Game.Format(layer, state))
			}
			return err
		})
	}}
	s.Rounding = values.Rounding()
	return s, nil
}

// Aim returns the number of an objective of a solution by its name; empty stands for the first. It is an
// ErrQuestion if there is none of that name.
func (f *File) Aim(s *chance.Solution, objective string) (int, error) {
	names := lists.Map(s.Objectives, func(o chance.Objective) string { return o.Name })
	aim := slices.Index(names, objective)
	if objective == "" {
		aim = 0
	}
	if aim < 0 {
		return 0, Questionf("%s has no values for the objective %.60q: expected %s%s", f.Path(), objective, suggest.Either(names), suggest.Question(objective, names))
	}
	return aim, nil
}

// worthFields returns the fields of what states are worth: one for each objective of a file that has them. Of a
// chance there is a second one, that of the opposite, which has all digits where the chance is nearly 1.
func (f *File) worthFields() (all []Field) {
	values, ok := f.File.Worth()
	if !ok {
		return nil
	}
	add := func(name, about string, of func(values []float64) float64) {
		for k, base := 2, name; slices.ContainsFunc(all, func(f Field) bool { return f.Name == name }); k++ {
			name = fmt.Sprintf("%s_%d", base, k)
		}
		all = append(all, Field{Name: name, About: about, Fraction: true, members: true, of: func() value {
			room := make([]float64, values.Columns())
			return func(x statespace.Index) (int64, error) {
				err := values.Get(room, x)
				return int64(math.Float64bits(of(room))), err
			}
		}})
	}
	column := 0
	for _, o := range values.Objectives {
		c, name := column, fieldName(o.Name)
		column += len(o.Terms)
		if o.Terms[0].Kind != chance.Reach {
			add(name, "what it is worth for the objective "+o.Name, func(values []float64) float64 { return values[c] })
			continue
		}
		add(name, "the chance of "+o.Name, func(values []float64) float64 { return chance.Chance(values[c]).P() })
		add("no_"+name, "the chance that "+o.Name+" is missed", func(values []float64) float64 { return chance.Chance(values[c]).Q() })
	}
	return all
}

// fieldName returns the name of an objective as that of a field: tile_512 of tile:512.
func fieldName(objective string) string {
	return strings.Join(strings.FieldsFunc(objective, func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) }), "_")
}

// A GameQuestion says which game against chance is played.
type GameQuestion struct {
	// From, if not empty, is the state in which it begins instead of the start.
	From string
	// Objective is that of the file for which the moves are best; empty stands for the first.
	Objective string
	// Seed is that of the random numbers: the same seed plays the same game.
	Seed uint64
}

// A Playout is a game against chance that was played with the best moves.
type Playout struct {
	chance.Playout
	Game      statespace.Game
	Objective string
	Seed      uint64
}

// Play plays a game of the file with the best moves. It is an ErrQuestion if the file has no values, not those of
// the objective, or not the state in which the game begins.
func (f *File) Play(q GameQuestion) (*Playout, error) {
	s, err := f.Solved()
	if err != nil {
		return nil, err
	}
	aim, err := f.Aim(s, q.Objective)
	if err != nil {
		return nil, err
	}
	p := &Playout{Game: s.Game, Objective: s.Objectives[aim].Name, Seed: q.Seed}
	err = f.Read(func() error {
		var from *statespace.GameDraw
		var image uint64
		if q.From != "" {
			if from, image, err = f.startOf(p.Game, q.From); err != nil {
				return &PartError{"from", Shorten(q.From), err}
			}
		}
		p.Playout, err = s.Play(aim, from, image, rand.New(rand.NewPCG(q.Seed, 0)))
		return err
	})
	return p, err
}

// startOf returns a state of the file in which a game begins, and its image as it is written.
func (f *File) startOf(g statespace.Game, text string) (start *statespace.GameDraw, image uint64, err error) {
	r, err := reach(f.Members(), f.Space(), text)
	if err == nil && !r.Reachable {
		err = errors.New("it cannot be reached, so its best moves are not known")
	}
	if err != nil {
		return nil, 0, err
	}
	layer, state, err := g.Parse(text)
	if err == nil {
		image, err = g.Image(text)
	}
	return &statespace.GameDraw{To: state, Step: layer, Chance: 1}, image, err
}

// states returns the texts of the states: one more than moves, unless the last move wins.
func (p *Playout) states() []string {
	all := []string{}
	for _, t := range p.Turns {
		all = append(all, p.Game.Format(t.Layer, t.Image))
	}
	if !p.Won {
		all = append(all, p.Game.Format(p.Layer, p.Image))
	}
	return all
}

// GamePath returns the states of a game as a path. A last move that wins leads to no state, and is left
// out.
func (f *File) GamePath(p *Playout) (path statespace.Path, err error) {
	err = f.Read(func() error {
		for i, text := range p.states() {
			x, err := f.Space().Parse(text)
			if err != nil {
				return err
			}
			if i == 0 {
				path.From = x
			} else {
				path.Steps = append(path.Steps, statespace.Step{Move: statespace.AnyMove, State: x})
			}
		}
		return nil
	})
	return path, err
}

// step describes a turn in a few words.
func (p *Playout) step(t chance.Turn) string {
	if t.Move.Won {
		return p.Game.FormatChoice(t.Move) + ", which wins"
	}
	return p.Game.FormatMove(t.Layer, t.Image, t.Move, t.Draw)
}

// MarshalJSON writes an object with the states, one more than moves unless the last move wins.
func (p *Playout) MarshalJSON() ([]byte, error) {
	moves := []string{}
	for _, t := range p.Turns {
		moves = append(moves, p.step(t))
	}
	return exactjson.Marshal(struct {
		Space     string   `json:"space"`
		Objective string   `json:"objective"`
		Seed      uint64   `json:"seed"`
		Score     float64  `json:"score"`
		Won       bool     `json:"won"`
		States    []string `json:"states"`
		Moves     []string `json:"moves"`
	}{p.Game.Name(), p.Objective, p.Seed, p.Score, p.Won, p.states(), moves})
}

// WriteText writes a line for each move, and the score.
func (p *Playout) WriteText(w io.Writer) error {
	var s strings.Builder
	what := "start"
	for i, t := range p.Turns {
		fmt.Fprintf(&s, "%3d  %-16s  %s\n", i, what, p.Game.Format(t.Layer, t.Image))
		what = p.step(t)
	}
	last := p.Game.Format(p.Layer, p.Image)
	if p.Won {
		last = ""
	}
	fmt.Fprintf(&s, "%s\n", strings.TrimRight(fmt.Sprintf("%3d  %-16s  %s", len(p.Turns), what, last), " "))
	fmt.Fprintf(&s, "score %v, seed %d\n", p.Score, p.Seed)
	_, err := io.WriteString(w, s.String())
	return err
}
