package bounds

import (
	"slices"

	"pagoda/statespace"
)

// Plain returns walks through a graph of codes, one state at a time. Of returns a lower bound of a state; nil is 0.
func Plain(g statespace.CodeGraph, of func(code []uint64) int) *statespace.Walks {
	if of == nil {
		of = func([]uint64) int { return 0 }
	}
	return &statespace.Walks{Close: func() {}, Kept: new(statespace.Kept), New: func() statespace.Walk {
		return &plainWalk{expander: g.NewExpander(), words: g.Words, of: of}
	}}
}

// A plainWalk keeps the states on its path, and where moves lead from each.
type plainWalk struct {
	expander statespace.CodeExpander
	words    int
	of       func(code []uint64) int
	path     [][]uint64
	next     [][]uint64 // by the length of the path
}

// Start implements statespace.Walk.
func (w *plainWalk) Start(code []uint64) { w.path = append(w.path[:0], code) }

func (w *plainWalk) state() []uint64 { return w.path[len(w.path)-1] }

// Bound implements statespace.Walk.
func (w *plainWalk) Bound() int {
	if w.Goal() {
		return 0
	}
	return w.of(w.state())
}

// Goal implements statespace.Walk.
func (w *plainWalk) Goal() bool { return w.expander.Goal(w.state()) }

// Moves implements statespace.Walk. A move back to a state on the path is left out.
func (w *plainWalk) Moves(dst []uint16) []uint16 {
	depth := len(w.path) - 1
	for len(w.next) <= depth {
		w.next = append(w.next, nil)
	}
	w.next[depth] = w.expander.Expand(w.next[depth][:0], w.state())
	for i := range len(w.next[depth]) / w.words {
		code := w.code(depth, i)
		if !slices.ContainsFunc(w.path, func(on []uint64) bool { return slices.Equal(on, code) }) {
			dst = append(dst, uint16(i))
		}
	}
	return dst
}

// code returns the code to which a move leads.
func (w *plainWalk) code(depth, move int) []uint64 { return w.next[depth][move*w.words:][:w.words] }

// Do implements statespace.Walk.
func (w *plainWalk) Do(move uint16) int {
	depth := len(w.path) - 1
	w.path = append(w.path, w.code(depth, int(move)))
	return w.Bound()
}

// Undo implements statespace.Walk.
func (w *plainWalk) Undo() { w.path = w.path[:len(w.path)-1] }

// Code implements statespace.Walk.
func (w *plainWalk) Code(dst []uint64) []uint64 { return append(dst, w.state()...) }
