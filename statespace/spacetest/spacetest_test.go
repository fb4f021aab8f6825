package spacetest

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync/atomic"
	"testing"

	"pagoda/internal/long"
	"pagoda/statespace"
	"pagoda/statespace/bfs"
	"pagoda/statespace/internal/toys"
)

// The toys keep all laws.
func TestToys(t *testing.T) {
	for _, sp := range []statespace.Space{
		toys.Countdown{Start: 0}, toys.Countdown{Start: 20}, toys.Countdown{Start: 100}, toys.Doubling{Countdown: toys.Countdown{Start: 70}},
		toys.Piles{N: 2}, toys.Piles{N: 7}, toys.Piles{N: 8}, toys.Piles{N: 10}, toys.Piles{N: 100},
		toys.Pairs{N: 2}, toys.Pairs{N: 3}, toys.Pairs{N: 8}, toys.Pairs{N: 9},
		toys.NewSwept(toys.Countdown{Start: 63}), toys.NewSwept(toys.Piles{N: 9}), toys.NewSwept(toys.Pairs{N: 8}),
		NewPlainStreamer(toys.Pairs{N: 2}), NewPlainStreamer(toys.Pairs{N: 3}), NewPlainStreamer(toys.Pairs{N: 9}),
		toys.Ring{N: 100, Add: 7, From: []index{3, 50}, Goals: []index{1, 99}},
		toys.Ring{N: 1001, Add: 10, From: []index{1}, Goals: []index{500, 6}, ToGoal: true},
		toys.Ring{N: 64, Add: 64, From: []index{1, 7, 30}},
		toys.Tolls{Ring: toys.Ring{N: 100, Add: 7, From: []index{3, 50}}}, toys.FastTolls{Tolls: toys.Tolls{Ring: toys.Ring{N: 3000, Add: 10, From: []index{1}}}},
		toys.Tolls{Ring: toys.Ring{N: 1001, Add: 10, From: []index{1}, Goals: []index{500, 6}, ToGoal: true}}, toys.Tolls{Ring: toys.Ring{N: 9, Add: 1}},
		toys.Circle{N: 200, Steps: []uint64{3, 10}}, toys.Circle{N: 99, Steps: []uint64{3, 6}},
		toys.HalfCircle{Circle: toys.Circle{N: 200, Steps: []uint64{2, 10}}}, toys.HalfCircle{Circle: toys.Circle{N: 99, Steps: []uint64{5, 6}}},
		toys.NewHanoi(1), toys.NewHanoi(5), toys.NewLights(1, 1, 1), toys.NewLights(3, 4, 0b111), toys.NewLights(2, 3, 0),
		toys.Line(300, true), toys.Line(300, false), toys.NewGraph(9, nil, true, nil, nil),
	} {
		if !long.Tests && sp.Size() > 1000 {
			continue
		}
		t.Run(sp.Name(), func(t *testing.T) { Test(t, sp, 50) })
	}
}

// The engines of a large space are not run, but its laws are checked.
func TestLargeSpace(t *testing.T) {
	hanoi := toys.NewHanoi(20)
	Test(t, hanoi, 50)
	Test(t, lights{toys.NewLights(5, 5, 1)}, 20)
	forget := expander(forgetful{next: func(dst []uint64, _ *[]uint64) []uint64 { return dst[:len(dst)-1] }})
	breach{"forgotten state", fast{hanoi, func(g *statespace.Graph) { forget(g) }}, lawGraph}.check(t, 20)
	breach{"goal not listed", largeLister{toys.NewLights(5, 5, 1)}, lawGoals}.check(t, 20)
}

// Beyond a bound no engine runs, as without -tags long.
func TestBound(t *testing.T) {
	calls := make(map[uint64]int)
	for _, most := range []uint64{1<<9 - 1, 1 << 9} {
		sp := counted{toys.NewLights(3, 3, 0), new(atomic.Int64)}
		if err := check(t.Context(), sp, 10, most); err != nil {
			t.Fatal(err)
		}
		calls[most] = int(sp.calls.Load())
	}
	if few, many := calls[1<<9-1], calls[1<<9]; few == 0 || few > 2*512 || many < 10*512 {
		t.Errorf("the moves of 512 states are made %d and %d times", few, many)
	}
}

// counted counts how often moves are made.
type counted struct {
	toys.Lights
	calls *atomic.Int64
}

func (c counted) Successors(dst []edge, x index) []edge {
	c.calls.Add(1)
	return c.Lights.Successors(dst, x)
}

// lights has a Graph that is plain.
type lights struct{ toys.Lights }

func (l lights) Parts() statespace.Parts {
	p := l.Lights.Parts()
	p.Graph = l.Graph
	return p
}

func (l lights) Graph() statespace.Graph { return bfs.Plain(l.Lights) }

// largeLister lists none of its goals.
type largeLister struct{ toys.Lights }

func (l largeLister) Parts() statespace.Parts {
	p := l.Lights.Parts()
	p.Goals = statespace.Goals{Is: func(x index) bool { return x%3 == 0 }, All: func() []index { return nil }}
	return p
}

// The end of a context is no broken law.
func TestCheckStops(t *testing.T) {
	stop := errors.New("stopped by the test")
	ctx, cancel := context.WithCancelCause(t.Context())
	cancel(stop)
	for _, sp := range []statespace.Space{toys.NewHanoi(8), toys.NewSwept(toys.Pairs{N: 8})} {
		var law *LawError
		if err := Check(ctx, sp, 5); !errors.Is(err, stop) || errors.As(err, &law) {
			t.Errorf("%s: %v", sp.Name(), err)
		}
	}
}

// recorder records what a test says.
type recorder struct {
	testing.TB
	said []string
}

func (r *recorder) Helper() {}
func (r *recorder) Errorf(format string, args ...any) {
	r.said = append(r.said, fmt.Sprintf(format, args...))
}
func (r *recorder) Fatal(args ...any) { r.said = append(r.said, fmt.Sprint(args...)) }

func TestMustFail(t *testing.T) {
	sp := toys.Countdown{Start: 5}
	for _, tt := range []struct {
		text    string
		outside bool
		want    string
	}{
		{"6", true, ""},
		{"six", false, ""},
		{"6", false, "outside the space should be false"},
		{"six", true, "outside the space should be true"},
		{"5", false, "was read without an error"},
	} {
		r := &recorder{TB: t}
		MustFail(r, sp, tt.text, tt.outside)
		if said := strings.Join(r.said, "\n"); (tt.want == "") != (said == "") || !strings.Contains(said, tt.want) {
			t.Errorf("%q: %q, want %q", tt.text, said, tt.want)
		}
	}
	r := &recorder{TB: t}
	if Test(r, space{Space: sp, roots: []index{9}}, 5); !slices.ContainsFunc(r.said, func(s string) bool { return strings.Contains(s, "breaks the law") }) {
		t.Errorf("a broken space passes: %q", r.said)
	}
}
