package slide

import (
	"fmt"
	"strings"
)

// A Metric says what counts as one move. The six are those of D. E. Knuth's program
// SLIDING.
type Metric uint8

// The metrics. In the first three a move is of one piece, in the others of any set of
// pieces that keep their distances all along: a step, a straight line, or any path.
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

func (m Metric) String() string {
	if m < Metrics {
		return metricNames[m]
	}
	return fmt.Sprintf("Metric(%d)", uint8(m))
}

// Super reports whether several pieces may move together.
func (m Metric) Super() bool { return m >= Supersteps }

// reach returns the metric of one piece with the same paths.
func (m Metric) reach() Metric { return m % Supersteps }

// ParseMetric returns the metric of a name, such as moves.
func ParseMetric(name string) (Metric, error) {
	for m, s := range metricNames {
		if s == name {
			return Metric(m), nil
		}
	}
	return 0, fmt.Errorf("unknown metric %.40q: expected %s", name, strings.Join(metricNames[:], ", "))
}
