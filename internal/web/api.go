package web

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math/bits"
	"net/http"
	"net/url"
	"path/filepath"
	"slices"
	"strconv"
	"unicode/utf8"

	"pagoda/bitset"
	"pagoda/font"
	"pagoda/internal/answer"
	"pagoda/internal/cli"
	"pagoda/internal/mapped"
	"pagoda/statespace"
	"pagoda/statespace/peg"
)

// prepare finds out what the page can offer of a peg board.
func (s *Server) prepare() error {
	var err error
	if s.keeper, err = newKeeper(s.peg, s.options.Threads, s.options.Memory); err != nil {
		s.noHints = err.Error()
	}
	return mapped.Guard(func() error {
		for _, p := range s.peg.Singles() {
			x, _ := s.peg.Class().Number(p)
			has, err := bitset.Has(s.file.Members(), x)
			if err != nil {
				return err
			}
			if has {
				s.goals = append(s.goals, s.peg.Format(x))
			}
		}
		return nil
	})
}

// A boardInfo tells a page how to draw a peg board and play on it.
type boardInfo struct {
	Lattice string   `json:"lattice"`
	Cells   [][2]int `json:"cells"` // row and column, in the order of a pattern
	Jumps   [][3]int `json:"jumps"` // from, over, to: numbers of cells
	// Goals are the single pegs that can be reached.
	Goals []string `json:"goals"`
	// NoHints tells why there are no hints, if there are none.
	NoHints string  `json:"no_hints,omitempty"`
	Font    []glyph `json:"font"` // the letters that can be reached, if the board is theirs
}

// A glyph is a letter of the font.
type glyph struct {
	Letter   string `json:"letter"`
	Pattern  string `json:"pattern"`
	Wish     string `json:"wish"`
	Distance int    `json:"distance"` // of pattern and wish
}

func (s *Server) space(r *http.Request) (any, error) {
	if err := query(r); err != nil {
		return nil, err
	}
	v := struct {
		answer.Info
		About string     `json:"store_about"`
		Layer string     `json:"layer"` // what the layers count
		Board *boardInfo `json:"board"` // of a peg board
	}{answer.NewInfo(s.file), answer.AboutStore(s.file.Meta()), s.file.Meta().Layer, nil}
	v.File = filepath.Base(v.File)
	if s.peg == nil {
		return v, nil
	}
	b := s.peg.Board()
	v.Board = &boardInfo{Lattice: b.Lattice().String(), Goals: s.goals, NoHints: s.noHints}
	for _, c := range b.Cells() {
		v.Board.Cells = append(v.Board.Cells, [2]int{c.Row, c.Col})
	}
	for k := range b.Jumps() {
		j := b.Jump(k)
		v.Board.Jumps = append(v.Board.Jumps, [3]int{j.From, j.Over, j.To})
	}
	if answer.HasFont(s.peg) {
		for _, g := range font.Glyphs() {
			v.Board.Font = append(v.Board.Font, glyph{string(g.Rune), g.Pattern, g.Wish, g.Distance})
		}
	}
	return v, nil
}

func (s *Server) layers(r *http.Request) (any, error) {
	if err := query(r); err != nil {
		return nil, err
	}
	m := s.file.Meta()
	return struct {
		Space  string     `json:"space"`
		States uint64     `json:"states"`
		Layers cli.Layers `json:"layers"`
	}{s.file.Space().Name(), m.States, cli.LayersOf(m)}, nil
}

func (s *Server) has(r *http.Request) (any, error) {
	var q struct {
		Pattern string `json:"pattern"`
	}
	if err := body(r, &q); err != nil {
		return nil, err
	}
	return s.ask(q.Pattern)
}

func (s *Server) ask(pattern string) (answer.Reach, error) {
	if err := checkPattern(pattern); err != nil {
		return answer.Reach{}, err
	}
	return answer.Ask(s.file.Members(), s.file.Space(), pattern)
}

func (s *Server) near(r *http.Request) (any, error) {
	q := struct {
		Patterns []string     `json:"patterns"`
		Sum      bool         `json:"sum"`
		Weights  string       `json:"weights"`
		Within   *json.Number `json:"within"`
		Limit    int          `json:"limit"`
		Pegs     string       `json:"pegs"`
	}{Limit: 20}
	if err := body(r, &q); err != nil {
		return nil, err
	}
	b, err := s.board()
	if err != nil {
		return nil, err
	}
	if n := len(q.Patterns); n < 1 || n > maxPatterns {
		return nil, badRequest("there are %d patterns, expected 1 to %d", n, maxPatterns)
	}
	if q.Limit < 1 || q.Limit > maxMatches {
		return nil, badRequest("limit is %d, expected 1 to %d", q.Limit, maxMatches)
	}
	near := peg.NearQuery{Within: statespace.Nearest, Limit: q.Limit, Pegs: peg.AnyPegs}
	weights := new(statespace.Weights)
	if q.Weights != "" {
		if weights, err = b.ParseWeights(q.Weights); err != nil {
			return nil, badRequest("weights: %v", err)
		}
	}
	if q.Pegs != "" {
		if near.Pegs, err = peg.ParsePegRange(q.Pegs); err != nil {
			return nil, badRequest("pegs is %.40q, %v", q.Pegs, err)
		}
	}
	var patterns []peg.Pattern
	for _, text := range q.Patterns {
		if err := checkPattern(text); err != nil {
			return nil, err
		}
		p, err := b.ParsePattern(text)
		if err != nil {
			return nil, answer.BadPattern(text, err)
		}
		patterns = append(patterns, p)
	}
	alternatives := [][]peg.Pattern{patterns}
	if !q.Sum {
		alternatives = slices.Collect(slices.Chunk(patterns, 1))
	}
	farthest := uint64(0)
	for _, alternative := range alternatives {
		t, err := b.NewTarget(weights.Cells, alternative...)
		if err != nil {
			return nil, badRequest("%v", err)
		}
		near.Targets = append(near.Targets, t)
		closed, err := b.NewTarget(weights.Cells, make([]peg.Pattern, len(alternative))...) // however many cells are left open
		if err != nil {
			return nil, badRequest("%v", err)
		}
		farthest = closed.Farthest()
	}
	if q.Within != nil {
		if near.Within, err = weights.Parse(q.Within.String()); err != nil {
			return nil, badRequest("within: %v", err)
		}
		if near.Within > farthest {
			return nil, badRequest("within is %.40s, but no position can be farther away than %s", *q.Within, weights.Format(farthest))
		}
	}
	found, complete, err := s.peg.Near(r.Context(), s.file.Members(), near)
	if err != nil {
		return nil, err
	}
	return answer.NewNear(s.peg, weights, found, complete), nil
}

func (s *Server) path(r *http.Request) (any, error) {
	var q struct {
		Pattern string `json:"pattern"`
	}
	if err := body(r, &q); err != nil {
		return nil, err
	}
	b, err := s.board()
	if err != nil {
		return nil, err
	}
	v := struct {
		answer.Reach
		*answer.Route
		Nearest []answer.Match `json:"nearest,omitempty"`
	}{}
	if v.Reach, err = s.ask(q.Pattern); err != nil {
		return nil, err
	}
	if v.Reachable {
		v.Route, err = s.route(v.State)
		return v, err
	}
	p, err := b.ParsePattern(q.Pattern)
	if err != nil {
		return nil, answer.BadPattern(q.Pattern, err)
	}
	target, err := b.NewTarget(nil, p)
	if err != nil {
		return nil, err
	}
	found, complete, err := s.peg.Near(r.Context(), s.file.Members(),
		peg.NearQuery{Targets: []*peg.Target{target}, Within: statespace.Nearest, Limit: 5, Pegs: peg.AnyPegs})
	if err != nil {
		return nil, err
	}
	v.Nearest = answer.NewNear(s.peg, new(statespace.Weights), found, complete).Matches
	return v, nil
}

// route returns jumps that lead from the start to a member.
func (s *Server) route(to statespace.Index) (*answer.Route, error) {
	way, err := answer.Path(s.file, s.peg, to)
	if err != nil {
		return nil, answer.ExplainWay(s.file, err)
	}
	return answer.NewRoute(s.peg, way)
}

// A choice is a jump that can be made.
type choice struct {
	peg.JumpText
	Keeps bool `json:"keeps"` // the target can be reached after it
}

func (s *Server) hint(r *http.Request) (any, error) {
	var q struct {
		Pattern string `json:"pattern"`
		Target  string `json:"target"`
	}
	if err := body(r, &q); err != nil {
		return nil, err
	}
	b, err := s.board()
	if err != nil {
		return nil, err
	}
	if s.keeper == nil {
		return nil, &requestError{http.StatusNotImplemented, "there are no hints here: " + s.noHints}
	}
	var at, to peg.Position
	for _, p := range []struct {
		text string
		at   *peg.Position
	}{{q.Pattern, &at}, {q.Target, &to}} {
		if err := checkPattern(p.text); err != nil {
			return nil, err
		}
		if *p.at, err = b.ParsePosition(p.text); err != nil {
			return nil, answer.BadPattern(p.text, err)
		}
	}
	v := struct {
		Pattern   string   `json:"pattern"`
		Target    string   `json:"target"`
		Reachable bool     `json:"reachable"`
		Reason    string   `json:"reason,omitempty"`
		Jumps     []choice `json:"jumps"`
		*answer.Route
	}{Pattern: b.FormatPosition(at), Target: b.FormatPosition(to), Jumps: []choice{}}
	sp, err := s.peg.From(at)
	if err != nil {
		return nil, err
	}
	from := sp.Roots()[0]
	goal, inClass := sp.Class().Number(to)
	edges := sp.Successors(nil, from)
	reaches := make([]bool, len(edges))
	way := statespace.Way{From: from}
	switch {
	case !inClass:
		v.Reason = answer.Class
	case at == to:
		v.Reachable = true
	case bits.OnesCount64(at) <= bits.OnesCount64(to): // each jump takes a peg
		v.Reason = answer.Unreached
	default:
		err := s.keeper.ask(r.Context(), to, func(reach func(x statespace.Index) bool) {
			for i, e := range edges {
				reaches[i] = reach(e.To)
			}
			if v.Reachable = reach(from); v.Reachable {
				way = walk(sp, from, goal, reach)
			}
		})
		if err != nil {
			return nil, err
		}
		if !v.Reachable {
			v.Reason = answer.Unreached
		}
	}
	for i, e := range edges {
		told, _, err := sp.Tell(statespace.Way{From: from, Steps: []statespace.Step{{Move: e.Move, State: e.To}}})
		if err != nil {
			return nil, err
		}
		v.Jumps = append(v.Jumps, choice{told[0].(peg.JumpText), reaches[i]})
	}
	if v.Reachable {
		v.Route, err = answer.NewRoute(sp, way)
	}
	return v, err
}

// walk returns a way between two numbers, of which the first reaches the second: of what
// reaches a state that it is not, something leads on to it.
func walk(sp *peg.Space, from, to statespace.Index, reaches func(x statespace.Index) bool) statespace.Way {
	way := statespace.Way{From: from}
	var edges []statespace.Edge
	for x := from; x != to; {
		edges = sp.Successors(edges[:0], x)
		i := slices.IndexFunc(edges, func(e statespace.Edge) bool { return reaches(e.To) })
		if i < 0 {
			break
		}
		x = edges[i].To
		way.Steps = append(way.Steps, statespace.Step{Move: edges[i].Move, State: x})
	}
	return way
}

func (s *Server) word(r *http.Request) (any, error) {
	if err := query(r, "text"); err != nil {
		return nil, err
	}
	text := r.URL.Query().Get("text")
	letters, err := s.spell(text)
	return struct {
		Text    string           `json:"text"`
		Letters []*answer.Letter `json:"letters"`
	}{text, letters}, err
}

// spell returns the letters of a text, if the file has positions for them.
func (s *Server) spell(text string) ([]*answer.Letter, error) {
	if _, err := s.board(); err != nil {
		return nil, err
	}
	if !answer.HasFont(s.peg) {
		return nil, badRequest("words are positions of %s, this is %s", font.Space, s.peg.Name())
	}
	if !utf8.ValidString(text) {
		return nil, badRequest("the text is not UTF-8")
	}
	if n := utf8.RuneCountInString(text); n > answer.MaxLetters {
		return nil, badRequest("the text has %d characters, expected at most %d", n, answer.MaxLetters)
	}
	return answer.Spell(s.file, s.peg, []rune(text))
}

// board returns the board of pegs, or an error if it is another puzzle.
func (s *Server) board() (*peg.Board, error) {
	if s.peg == nil {
		return nil, badRequest("this is about the cells of a peg board; the file holds %s", s.file.Space().Name())
	}
	return s.peg.Board(), nil
}

func checkPattern(text string) error {
	if len(text) > maxPattern {
		return badRequest("a pattern has %d bytes, expected at most %d", len(text), maxPattern)
	}
	return nil
}

// body reads the JSON object of a request.
func body(r *http.Request, v any) error {
	if err := query(r); err != nil {
		return err
	}
	d := json.NewDecoder(r.Body)
	d.DisallowUnknownFields()
	err := d.Decode(v)
	if err == nil {
		if _, more := d.Token(); more != io.EOF {
			err = errors.New("there is more behind the object")
		}
	}
	var large *http.MaxBytesError
	switch {
	case errors.As(err, &large):
		return &requestError{http.StatusRequestEntityTooLarge, fmt.Sprintf("the body is larger than %d bytes", large.Limit)}
	case errors.Is(err, io.EOF):
		return badRequest("the body is empty, expected a JSON object")
	case err != nil:
		return badRequest("the body is not the JSON that was expected: %v", err)
	}
	return nil
}

// query makes sure that the query string has only these names, each once at most.
func query(r *http.Request, names ...string) error {
	values, err := url.ParseQuery(r.URL.RawQuery)
	if err != nil {
		return badRequest("the query string cannot be read: %v", err)
	}
	for name, list := range values {
		if !slices.Contains(names, name) {
			return badRequest("%s does not take %.40q", r.URL.Path, name)
		}
		if len(list) > 1 {
			return badRequest("%s is given %d times", name, len(list))
		}
	}
	return nil
}

// number reads a number of the query string.
func number(r *http.Request, name string, value, least, most int) (int, error) {
	text := r.URL.Query().Get(name)
	if text == "" {
		return value, nil
	}
	n, err := strconv.Atoi(text)
	if err != nil || n < least || n > most {
		return 0, badRequest("%s is %.40q, expected %d to %d", name, text, least, most)
	}
	return n, nil
}
