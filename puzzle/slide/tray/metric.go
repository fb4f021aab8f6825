package tray

import (
	"fmt"
	"slices"
	"strings"
)

// A Metric says what counts as one move. The six metrics are those of D. E. Knuth's program
// SLIDING.
type Metric uint8

// The metrics. In the first three, a move is of one piece. In the others it is of any set of
// pieces that keep their distances on the path.
const (
	Steps      Metric = iota // one piece by one cell
	Lines                    // one piece by any number of cells in one direction
	Moves                    // one piece along any path
	Supersteps               // several pieces together by one cell
	Superlines               // several pieces together by any number of cells in one direction
	Supermoves               // several pieces together along any path
)

// Metrics is the number of metrics.
const Metrics = 6

var metricNames = [Metrics]string{"steps", "lines", "moves", "supersteps", "superlines", "supermoves"}

// String returns the name of the metric.
func (m Metric) String() string {
	if m < Metrics {
		return metricNames[m]
	}
	return fmt.Sprintf("Metric(%d)", uint8(m))
}

// Super reports whether several pieces can move together.
func (m Metric) Super() bool { return m >= Supersteps }

// Single returns the metric of one piece that has the same paths: Steps, Lines or Moves.
func (m Metric) Single() Metric { return m % Supersteps }

// Counts says what counts as one move.
func (m Metric) Counts() string { return metricCounts[m] }

var metricCounts = [Metrics]string{
	Steps:      "one piece by one cell",
	Lines:      "one piece by any number of cells in one direction",
	Moves:      "one piece along any path",
	Supersteps: "one or several pieces together by one cell",
	Superlines: "one or several pieces together by any number of cells in one direction",
	Supermoves: "one or several pieces together along any path",
}

// ParseMetric returns the metric of a name.
func ParseMetric(name string) (Metric, error) {
	if m := slices.Index(metricNames[:], name); m >= 0 {
		return Metric(m), nil
	}
	return 0, fmt.Errorf("unknown metric %.40q: expected %s", name, strings.Join(metricNames[:], ", "))
}
