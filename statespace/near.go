package statespace

import (
	"cmp"
	"errors"
	"fmt"
	"math"
	"strconv"
	"strings"
)

// Nearest, as the distance within which members are asked for, asks for those that no
// other is nearer than.
const Nearest = ^uint64(0)

// MaxMatches bounds the matches of a query.
const MaxMatches = 1 << 22

// ErrMatches says that a query without a limit has more than MaxMatches matches.
var ErrMatches = errors.New("there are too many matches")

// A Match is a member near to a target.
type Match struct {
	State    Index
	Distance uint64
	Target   int // the first of the targets from which it has this distance
}

// Compare orders by distance, then by number, then by target.
func (m Match) Compare(n Match) int {
	return cmp.Or(cmp.Compare(m.Distance, n.Distance), cmp.Compare(m.State, n.State), m.Target-n.Target)
}

// MaxDistance bounds distances that are sums of weights, so that they do not overflow.
const MaxDistance = 1<<56 - 1

// Weights are what the cells of a board cost, in units of 10^-Decimals.
type Weights struct {
	Cells    []uint64
	Decimals int
}

// Bounds of the numbers in a grid of weights.
const (
	maxCellWeight = 1e9
	maxDecimals   = 6
)

// ParseWeights reads a weight for each cell of a board or tray, whose rows have so many
// cells: numbers from 0 to 10^9 with at most 6
// digits behind the point, separated by spaces, tabs or commas, in the rows of the
// board. In a row, # may stand for a place off the board. Empty lines do not count.
// A fault is a *SyntaxError.
func ParseWeights(text string, rows []int) (*Weights, error) {
	w := new(Weights)
	var numbers []string
	var at []int // the line of each
	lines := strings.Split(strings.TrimPrefix(text, "\ufeff"), "\n")
	row := -1
	fault := func(line int, format string, args ...any) error {
		return &SyntaxError{line + 1, 1, fmt.Sprintf(format, args...)}
	}
	for i, line := range lines {
		fields := strings.FieldsFunc(line, func(ch rune) bool { return strings.ContainsRune(" \t,\r#", ch) })
		if len(fields) == 0 {
			continue
		}
		want := 0
		for row++; row < len(rows); row++ {
			if want = rows[row]; want > 0 {
				break
			}
		}
		if row >= len(rows) {
			return nil, fault(i, "more rows of weights than the board has")
		}
		if len(fields) != want {
			return nil, fault(i, "row %d of the board has %d cells, here are %d weights", row, want, len(fields))
		}
		for _, f := range fields {
			whole, fraction, _ := strings.Cut(f, ".")
			if len(fraction) > maxDecimals || strings.Trim(whole+fraction, "0123456789") != "" || whole+fraction == "" {
				return nil, fault(i, "the weight %.40q is not a number from 0 to 10^9 with at most %d digits behind the point", f, maxDecimals)
			}
			w.Decimals = max(w.Decimals, len(fraction))
			numbers, at = append(numbers, f), append(at, i)
		}
	}
	cells := 0
	for _, n := range rows {
		cells += n
	}
	if len(numbers) != cells {
		return nil, fault(len(lines)-1, "the board has %d cells, there are %d weights", cells, len(numbers))
	}
	for i, text := range numbers {
		x, err := w.Parse(text)
		if err != nil || float64(x) > maxCellWeight*math.Pow10(w.Decimals) {
			return nil, fault(at[i], "the weight %.40q is larger than 10^9", text)
		}
		w.Cells = append(w.Cells, x)
	}
	return w, nil
}

// Parse reads a number in the units of the weights; digits that are finer are cut
// off.
func (w *Weights) Parse(text string) (uint64, error) {
	whole, fraction, _ := strings.Cut(text, ".")
	if whole == "" && fraction != "" {
		whole = "0"
	} else if whole == "" {
		whole = "-" // no number
	}
	fraction += strings.Repeat("0", maxDecimals)
	x, err := strconv.ParseUint(whole+fraction[:w.Decimals], 10, 64)
	if err != nil || x > MaxDistance || strings.Trim(fraction, "0123456789") != "" {
		return 0, fmt.Errorf("%.40q is not a distance: expected a number such as 2 or 2.5", text)
	}
	return x, nil
}

// Format writes a distance.
func (w *Weights) Format(distance uint64) string {
	text := fmt.Sprintf("%0*d", w.Decimals+1, distance)
	if w.Decimals == 0 {
		return text
	}
	text = text[:len(text)-w.Decimals] + "." + text[len(text)-w.Decimals:]
	return strings.TrimRight(strings.TrimRight(text, "0"), ".")
}
