package cells

import (
	"fmt"
	"math"
	"strconv"
	"strings"
)

// MaxDistance is the greatest distance. Sums of distances below it do not overflow.
const MaxDistance = 1<<56 - 1

// Weights are the weights of the cells, in units of 10^-Decimals.
type Weights struct {
	Cells    []uint64
	Decimals int
}

// Bounds of the weights.
const (
	maxCellWeight = 1e9
	maxDecimals   = 6
)

// ParseWeights reads a weight for each cell, row by row. Weights are numbers from 0 to 10^9 with
// at most 6 digits behind the point, separated by spaces, tabs or commas. A place without a cell
// can be marked by #. Empty lines do not count. The error is a *SyntaxError.
func ParseWeights(text string, cells []Cell) (*Weights, error) {
	var rows []int // how many cells each row has
	for _, c := range cells {
		for len(rows) <= c.Row {
			rows = append(rows, 0)
		}
		rows[c.Row]++
	}
	w := new(Weights)
	var numbers []string
	var at []int // the line of each
	lines := strings.Split(strings.TrimPrefix(text, "\ufeff"), "\n")
	row := -1
	fault := func(line int, format string, args ...any) error {
		return &SyntaxError{Line: line + 1, Col: 1, Reason: fmt.Sprintf(format, args...)}
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
	if len(numbers) != len(cells) {
		return nil, fault(len(lines)-1, "the board has %d cells, there are %d weights", len(cells), len(numbers))
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

// Parse reads a distance and returns it in the units of the weights. It cuts off finer digits.
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
