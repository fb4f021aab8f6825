package peg

import (
	"fmt"
	"math"
	"math/bits"
	"strconv"
	"strings"
)

// A Target tells how far a position is from what is wished for: in each cell a peg
// costs something, and a hole does. The distance is the sum over all cells.
type Target struct {
	pattern Pattern          // where a peg costs less, and where both cost the same
	extra   [MaxCells]uint64 // by cell: what the dearer of the two costs more
	base    uint64           // the distance of positions that agree with the pattern
}

// maxDistance bounds the distances from a target, so that sums do not overflow.
const maxDistance = 1<<56 - 1

// NewTarget returns the target from which the distance is the sum of the weighted
// Hamming distances to the patterns, one at least: in a cell where a position
// differs from a pattern it costs the weight of the cell. Without weights each cell
// weighs 1.
func (b *Board) NewTarget(weights []uint64, patterns ...Pattern) (*Target, error) {
	if weights != nil && len(weights) != len(b.cells) {
		return nil, fmt.Errorf("the board has %d cells, there are %d weights", len(b.cells), len(weights))
	}
	t := new(Target)
	sum := uint64(0)
	for cell := range b.cells {
		weight := uint64(1)
		if weights != nil {
			weight = weights[cell]
		}
		var peg, hole uint64 // how many patterns have them
		for _, p := range patterns {
			if p.Any>>cell&1 == 0 {
				peg, hole = peg+p.Pegs>>cell&1, hole+^p.Pegs>>cell&1
			}
		}
		over, all := bits.Mul64(weight, max(peg, hole))
		if sum += all; over > 0 || all > maxDistance || sum > maxDistance {
			return nil, fmt.Errorf("the weights are too large: distances are at most %d", uint64(maxDistance))
		}
		t.base += weight * min(peg, hole)
		t.extra[cell] = weight * (max(peg, hole) - min(peg, hole))
		if t.extra[cell] == 0 {
			t.pattern.Any |= 1 << cell
		} else if peg > hole {
			t.pattern.Pegs |= 1 << cell
		}
	}
	return t, nil
}

// Distance returns the distance of a position from the target.
func (t *Target) Distance(p Position) uint64 {
	d := t.base
	for cell := range setBits((p ^ t.pattern.Pegs) &^ t.pattern.Any) {
		d += t.extra[cell]
	}
	return d
}

// Farthest returns a distance that no position exceeds.
func (t *Target) Farthest() uint64 {
	d := t.base
	for _, extra := range t.extra {
		d += extra
	}
	return d
}

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

// ParseWeights reads a weight for each cell: numbers from 0 to 10^9 with at most 6
// digits behind the point, separated by spaces, tabs or commas, in the rows of the
// board. In a row, # may stand for a place off the board. Empty lines do not count.
// A fault is a *SyntaxError.
func (b *Board) ParseWeights(text string) (*Weights, error) {
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
		for row++; row < b.rows; row++ {
			if want = b.inRow(row); want > 0 {
				break
			}
		}
		if row >= b.rows {
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
	if len(numbers) != len(b.cells) {
		return nil, fault(len(lines)-1, "the board has %d cells, there are %d weights", len(b.cells), len(numbers))
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

// inRow returns the number of cells in a row.
func (b *Board) inRow(row int) (n int) {
	for _, c := range b.cells {
		if c.Row == row {
			n++
		}
	}
	return n
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
	if err != nil || x > maxDistance || strings.Trim(fraction, "0123456789") != "" {
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
