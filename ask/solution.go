package ask

import (
	"bufio"
	"bytes"
	"cmp"
	"context"
	"fmt"
	"io"
	"iter"
	"math/big"
	"strings"

	"pagoda/internal/amount"
	"pagoda/internal/exactjson"
	"pagoda/internal/lists"
	"pagoda/statespace"
	"pagoda/statespace/cells"
)

// A Route is a path with the positions that it goes through.
type Route struct {
	Moves     []fmt.Stringer `json:"moves"`     // from the start on
	Positions []string       `json:"positions"` // before the first move, and after each
	// Chains are the moves with those of the same piece in a row as one, for PathQuestion.Fewest:
	// the row and column of each cell that the piece comes to. Otherwise nil. WriteText writes them
	// instead of Moves.
	Chains [][]cells.Cell `json:"chains,omitempty"`
	// Cells says how WriteText writes the cells of moves.
	Cells cells.Notation `json:"-"`
}

// NewRoute describes a path: its moves, and its states as Parse reads them. It returns an error
// if a step is no move of the space.
func NewRoute(sp statespace.Space, path statespace.Path) (*Route, error) {
	moves, positions, err := statespace.Narrate(sp, path)
	if moves == nil {
		moves = []fmt.Stringer{}
	}
	return &Route{Moves: moves, Positions: positions}, err
}

// chain makes the Chains of a path, whose moves take a piece from a place to another.
func (r *Route) chain(path statespace.Path, all []cells.Cell, places func(move int) (from, to int)) {
	last := -1
	for _, step := range path.Steps {
		from, to := places(step.Move)
		if from != last {
			r.Chains = append(r.Chains, []cells.Cell{all[from]})
		}
		chain := &r.Chains[len(r.Chains)-1]
		*chain = append(*chain, all[to])
		last = to
	}
}

// Texts returns the moves as WriteText writes them, and the positions before the first and after each.
func (r *Route) Texts() (moves, positions []string) {
	if r.Chains == nil {
		for _, m := range r.Moves {
			moves = append(moves, r.Cells.Move(m))
		}
		return moves, r.Positions
	}
	jumps := 0
	positions = append(positions, r.Positions[0])
	for _, chain := range r.Chains {
		visited := lists.Map(chain, r.Cells.Cell)
		jumps += len(chain) - 1
		moves, positions = append(moves, strings.Join(visited, "-")), append(positions, r.Positions[jumps])
	}
	return moves, positions
}

// WriteText writes the route for people.
func (r *Route) WriteText(w io.Writer) (err error) {
	moves, positions := r.Texts()
	width := 0
	for _, m := range moves {
		width = max(width, len(m))
	}
	for i, p := range positions {
		move := "start"
		if i > 0 {
			move = moves[i-1]
		}
		_, err = fmt.Fprintf(w, "%3d  %-*s  %s\n", i, width, move, p)
	}
	return err
}

// A Solution is the answer to a question about the paths to a state. It must be closed after
// use. It writes itself once: WriteJSON, WriteText and All go through the same list of paths.
type Solution struct {
	Reach
	// Count is the number of all paths, for PathQuestion.All; otherwise nil.
	Count *big.Int `json:"count,omitempty"`
	// Route is the path, if only one was asked for; otherwise nil.
	*Route
	// Fewest is the number of moves of the Route, or of the paths that are counted, for
	// PathQuestion.Fewest; otherwise nil.
	Fewest *int `json:"fewest_moves,omitempty"`
	// Explanation explains the Route, if that was asked for; otherwise nil.
	Explanation Explanation `json:"explanation,omitempty"`
	// Nearest are the nearest members, if the state cannot be reached and the space has cells.
	Nearest []Match `json:"nearest,omitempty"`

	// Path is that of the Route.
	Path statespace.Path `json:"-"`

	paths  *Paths
	length int  // of shortest paths
	far    bool // the nearest members are not looked for: see offer
	// list, if not nil, yields paths that are written one after the other, which JSON has as
	// "solutions". They may be more than fit into memory.
	list iter.Seq2[statespace.Path, error]
	free func()
}

// route describes a path of the solution.
func (s *Solution) route(path statespace.Path) (*Route, error) {
	r, err := NewRoute(s.paths.space, path)
	if r.Cells = s.paths.Cells; s.Fewest != nil && err == nil {
		if of := s.paths.space.Parts().Cells; of != nil {
			r.chain(path, of.Cells(), places(s.paths.space))
		}
	}
	return r, err
}

// An Explanation says in the terms of a puzzle how a path solves it. As JSON it is an object.
type Explanation interface {
	// WriteText writes the explanation for people, with the positions of the path.
	WriteText(w io.Writer, n cells.Notation) error
}

// Explain gives the solution another path between the same states, and its explanation.
func (s *Solution) Explain(r *Route, e Explanation) {
	r.Cells = s.paths.Cells
	s.Route, s.Explanation = r, e
}

// Space returns the space of the paths: it has their states and moves. It can be another one than that
// of the file.
func (s *Solution) Space() statespace.Space { return s.paths.space }

// Close gives back the memory of the list of paths.
func (s *Solution) Close() { s.free() }

// All yields the paths that were asked for: those of the list, the one of the Route, or none.
// After an error it ends.
func (s *Solution) All() iter.Seq2[statespace.Path, error] {
	if s.list != nil {
		return s.list
	}
	return func(yield func(statespace.Path, error) bool) {
		if s.Route != nil {
			yield(s.Path, nil)
		}
	}
}

// mostOffered is how many numbers offer looks at, one by one, in a fraction of a second.
const mostOffered = 1 << 20

// offer adds the nearest patterns that can be reached, if the space has cells. Where every member has to be looked
// at, and they may be many, it leaves that to Near: the answer that the state cannot be reached must not wait.
func (s *Solution) offer(ctx context.Context) error {
	parts := s.paths.space.Parts()
	if parts.Cells == nil {
		return nil
	}
	if s.far = parts.Finder == nil && s.paths.space.Size() > mostOffered; s.far {
		return nil
	}
	n, err := near(ctx, s.paths.space, s.paths.members, NearQuestion{Patterns: []string{s.Pattern}, Limit: 5})
	if err == nil {
		s.Nearest = n.Matches
	}
	return err
}

// WriteJSON writes an object.
func (s *Solution) WriteJSON(to io.Writer) error {
	return s.write(to, func(w *bufio.Writer) error {
		object, err := exactjson.Marshal(s)
		if err != nil {
			return err
		}
		if s.list == nil {
			w.Write(object)
			return w.WriteByte('\n')
		}
		w.Write(bytes.TrimSuffix(object, []byte("}")))
		separator := `,"solutions":[`
		for path, err := range s.list {
			if err != nil {
				return err
			}
			route, err := s.route(path)
			if err != nil {
				return err
			}
			if object, err = exactjson.Marshal(route); err != nil {
				return err
			}
			w.WriteString(separator)
			if _, err := w.Write(object); err != nil {
				return err
			}
			separator = ","
		}
		_, err = w.WriteString("]}\n")
		return err
	})
}

func (s *Solution) write(to io.Writer, write func(w *bufio.Writer) error) error {
	w := bufio.NewWriterSize(to, 1<<16)
	err := write(w)
	return s.paths.explain(cmp.Or(err, w.Flush()))
}

// WriteText writes the answer for people.
func (s *Solution) WriteText(to io.Writer) error {
	return s.write(to, func(w *bufio.Writer) error {
		switch {
		case !s.Reachable:
			return s.writeUnreached(w)
		case s.Explanation != nil:
			return s.Explanation.WriteText(w, s.Route.Cells)
		case s.Route != nil:
			s.Route.WriteText(w)
			if s.Fewest != nil {
				fmt.Fprintf(w, "%s in %s, the fewest\n", amount.Of(len(s.Moves), "jump"), amount.Of(*s.Fewest, "move"))
			}
			return nil
		case s.Count != nil && s.Fewest != nil:
			fmt.Fprintf(w, "%s in %s, the fewest\n", s.Count, amount.Of(*s.Fewest, "move"))
		case s.Count != nil:
			fmt.Fprintln(w, s.Count)
		}
		if s.list == nil {
			return nil
		}
		between := s.Count != nil
		for path, err := range s.list {
			if err != nil {
				return err
			}
			if between {
				fmt.Fprintln(w)
			}
			between = true
			route, err := s.route(path)
			if err != nil {
				return err
			}
			if err := route.WriteText(w); err != nil {
				return err
			}
		}
		return nil
	})
}

func (s *Solution) writeUnreached(w *bufio.Writer) error {
	if err := s.Reach.WriteText(w); err != nil {
		return err
	}
	if s.far {
		fmt.Fprintln(w, "query near finds the nearest that can be reached")
	}
	if len(s.Nearest) > 0 {
		fmt.Fprintf(w, "the nearest that can be reached, at distance %s:\n", s.Nearest[0].Distance)
	}
	for _, m := range s.Nearest {
		fmt.Fprintf(w, "     %s\n", m.Pattern)
	}
	return nil
}
