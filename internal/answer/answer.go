// Package answer holds the answers to questions about a file of states in the form in
// which commands print them as JSON, and the API of query serve gives them.
package answer

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strings"

	"pagoda/bitset"
	"pagoda/internal/cli"
	"pagoda/layers"
	"pagoda/statespace"
)

// A Reach tells whether a pattern can be reached, and why not.
type Reach struct {
	Pattern   string `json:"pattern"`
	Reachable bool   `json:"reachable"`
	// Reason is one of those below when it cannot.
	Reason string `json:"reason,omitempty"`

	State  statespace.Index `json:"-"`
	Detail string           `json:"-"` // the reason for people
}

// Why a pattern cannot be reached.
const (
	Class     = "class"     // the pattern lies in another class than the start
	Outside   = "outside"   // of sliding blocks: a piece is where it cannot come
	Unreached = "unreached" // has a number, but is never reached
	Via       = "via"       // the position that path was to go through cannot be reached
	Goal      = "goal"      // of sliding blocks: no goal can be reached
)

// Ask looks a pattern up. A text that is no pattern of the board is a usage error.
func Ask(members bitset.Reader, sp statespace.Space, pattern string) (Reach, error) {
	a := Reach{Pattern: pattern}
	x, err := sp.Parse(pattern)
	if errors.Is(err, statespace.ErrOutside) {
		a.Reason, a.Detail = Class, err.Error()
		if _, ok := sp.(statespace.Reversible); ok && !errors.Is(err, statespace.ErrClass) {
			a.Reason = Outside
		}
		return a, nil
	}
	if err != nil {
		return a, BadPattern(pattern, err)
	}
	a.State = x
	if a.Reachable, err = bitset.Has(members, x); !a.Reachable {
		a.Reason, a.Detail = Unreached, "of the class of the start, but not reached from it"
		if r, ok := sp.(statespace.Reversible); ok {
			a.Detail = "not reached from the start"
			if r.ToGoal() {
				a.Detail = "not reached from the start before the nearest goal"
			}
		}
	}
	return a, err
}

// WriteText writes the answer for people.
func (a *Reach) WriteText(w io.Writer) error {
	pattern := strings.NewReplacer("\r\n", "/", "\n", "/").Replace(a.Pattern)
	var err error
	if a.Reachable {
		_, err = fmt.Fprintf(w, "yes  %s\n", pattern)
	} else {
		_, err = fmt.Fprintf(w, "no   %s  (%s)\n", pattern, a.Detail)
	}
	return err
}

// BadPattern is the usage error of a text that is no pattern.
func BadPattern(pattern string, err error) error {
	return cli.Usagef("pattern %s: %w", Shorten(pattern), err)
}

// Shorten quotes a pattern for a message.
func Shorten(pattern string) string {
	const most = 100
	if len(pattern) > most {
		return fmt.Sprintf("%q... (%d bytes)", pattern[:most], len(pattern))
	}
	return fmt.Sprintf("%q", pattern)
}

// A Match is a member near to a wish.
type Match struct {
	Pattern  string      `json:"pattern"`
	Distance json.Number `json:"distance"`
	Pegs     *int        `json:"pegs,omitempty"` // of peg boards
	Target   int         `json:"target"`         // of the patterns, from 0
}

// A Near is the members near to a wish.
type Near struct {
	Matches  []Match `json:"matches"`
	Complete bool    `json:"complete"` // nothing else is within what was asked
}

// NewNear tells matches whose distances are in the units of the weights.
func NewNear(sp statespace.Space, weights *statespace.Weights, found []statespace.Match, complete bool) *Near {
	n := &Near{Matches: make([]Match, len(found)), Complete: complete}
	for i, m := range found {
		n.Matches[i] = Match{sp.Format(m.State), json.Number(weights.Format(m.Distance)), nil, m.Target}
		if l, ok := sp.(statespace.Layered); ok {
			pegs := l.Layer(m.State)
			n.Matches[i].Pegs = &pegs
		}
	}
	return n
}

// A Route is a way with the positions that it goes through.
type Route struct {
	Moves     []fmt.Stringer `json:"moves"`     // from the start on
	Positions []string       `json:"positions"` // before the first move, and after each
}

// NewRoute tells a way.
func NewRoute(sp statespace.Space, way statespace.Way) (*Route, error) {
	moves, positions, err := sp.Tell(way)
	if moves == nil {
		moves = []fmt.Stringer{}
	}
	return &Route{moves, positions}, err
}

// WriteText writes the route for people.
func (r *Route) WriteText(w io.Writer) (err error) {
	width := 0
	for _, m := range r.Moves {
		width = max(width, len(m.String()))
	}
	for i, p := range r.Positions {
		move := "start"
		if i > 0 {
			move = r.Moves[i-1].String()
		}
		_, err = fmt.Fprintf(w, "%3d  %-*s  %s\n", i, width, move, p)
	}
	return err
}

// Path returns a way from the start to a member of a file: that of its pointers, if it
// has any.
func Path(f *layers.File, sp statespace.Layered, to statespace.Index) (statespace.Way, error) {
	if pointed, ok := sp.(statespace.Pointed); ok && f.Pointer() != nil {
		return statespace.FollowPath(pointed, f.Pointer(), to)
	}
	member := func(x statespace.Index) (bool, error) { return bitset.Has(f.Members(), x) }
	return statespace.Path(sp, member, to)
}

// ExplainWay says what an error about ways in a file means.
func ExplainWay(f *layers.File, err error) error {
	if errors.Is(err, statespace.ErrNoPath) {
		return &layers.FileError{Path: f.Path(), Err: layers.ErrDamaged, Detail: err.Error(), Advice: "reach verify tells more"}
	}
	return err
}
