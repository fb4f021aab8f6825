package cli

import (
	"fmt"
	"io"
	"math"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"pagoda/ask"
	"pagoda/internal/console"
	"pagoda/internal/table"
	"pagoda/run"
	"pagoda/statespace"
	"pagoda/statespace/chance"
)

// worthFlags are the flags --objective and --value-bytes, of games against chance.
type worthFlags struct {
	objective string
	bytes     int
}

func (f *worthFlags) add(cmd *cobra.Command) {
	cmd.Flags().StringVar(&f.objective, "objective", "", "of games against chance: what the player wants, as a list such as score,tile:512>score; none lists the states only (default: the score and the chance of each tile)")
	cmd.Flags().IntVar(&f.bytes, "value-bytes", 0, "of games against chance: the size of a value in the file, 4 or 8 (default 8)")
	console.Check(cmd, "value-bytes", func(value string) string {
		if f.bytes != 0 && f.bytes != 4 && f.bytes != 8 {
			return "should be 4 or 8, found " + value
		}
		return ""
	})
}

// options returns the flags as run.Options has them.
func (f *worthFlags) options() run.OwnOptions {
	return run.ChanceOptions{Objectives: f.objective, ValueBytes: f.bytes}
}

// worth is what a state of a game against chance is worth, as JSON.
type worth struct {
	// Values are by objective. The chances of marks are together in one object: {"score":66.9,"tile":{"16":0.96}}.
	Values map[string]any `json:"values"`
	// Complements are the chances of the opposite, for chances above one half.
	Complements map[string]any `json:"complements,omitempty"`

	all []worthOf
}

// worthOf is the value of one objective: those of its terms.
type worthOf struct {
	name   string
	terms  []chance.Term
	values []float64
	digits int
}

// The digits of values as text: those of 8 bytes, of 4 bytes, and of a table that should be narrow.
const (
	allDigits    = 14
	fewDigits    = 7
	narrowDigits = 6
)

// digitsOf returns the digits of values that may differ from the exact ones.
func digitsOf(rounding float64) int {
	if rounding > 0 {
		return fewDigits
	}
	return allDigits
}

// newWorth returns the values of objectives, or nil if there are none.
func newWorth(g statespace.Game, objectives []chance.Objective, values []float64, digits int) *worth {
	if g == nil || len(objectives) == 0 || len(values) == 0 {
		return nil
	}
	w := &worth{Values: make(map[string]any), Complements: make(map[string]any)}
	put := func(in map[string]any, name string, v float64) {
		var value any = v
		if math.IsInf(v, 0) {
			value = nil // JSON has no infinity
		}
		if mark, ok := strings.CutPrefix(name, g.MarkName()+":"); ok && !strings.Contains(mark, ">") {
			group, _ := in[g.MarkName()].(map[string]any)
			if group == nil {
				group = make(map[string]any)
				in[g.MarkName()] = group
			}
			group[mark] = value
			return
		}
		in[name] = value
	}
	c := 0
	for _, o := range objectives {
		of := worthOf{o.Name, o.Terms, values[c:][:len(o.Terms)], digits}
		c += len(o.Terms)
		w.all = append(w.all, of)
		for i, v := range of.values {
			name := o.Name
			if i > 0 {
				name += "#" + strconv.Itoa(i+1)
			}
			if o.Terms[i].Kind != chance.Reach {
				put(w.Values, name, v)
				continue
			}
			put(w.Values, name, chance.Chance(v).P())
			if math.Signbit(v) {
				put(w.Complements, name, chance.Chance(v).Q())
			}
		}
	}
	return w
}

// writeText writes a line for each objective.
func (w *worth) writeText(to io.Writer) {
	if w == nil {
		return
	}
	width := 0
	for _, of := range w.all {
		width = max(width, len(of.name))
	}
	fmt.Fprintln(to)
	for _, of := range w.all {
		fmt.Fprintf(to, "%*s  %s\n", max(width, 15), of.name, of)
	}
}

// String writes the value, and those of the terms that break ties.
func (of worthOf) String() string {
	var all []string
	for i, v := range of.values {
		all = append(all, of.text(&of.terms[i], v))
	}
	return strings.Join(all, ", then ")
}

// text writes the value of a term. A chance that is nearly 1 is written as 1 less what is lacking.
func (of worthOf) text(t *chance.Term, v float64) string {
	if t.Kind != chance.Reach {
		return ask.FormatFraction(v, of.digits)
	}
	c := chance.Chance(v)
	switch q := c.Q(); {
	case math.Signbit(v) && q == 0:
		return "certain"
	case math.Signbit(v) && q < 1e-4:
		return "1 - " + strconv.FormatFloat(q, 'g', min(of.digits, 12), 64)
	}
	return ask.FormatFraction(c.P(), of.digits)
}

// WriteHints writes a table of what moves are worth, with a few digits. A move may be nil; names has the name of each.
func WriteHints(w io.Writer, g statespace.Game, objectives []chance.Objective, moves []*chance.Choice, names []string) {
	writeChoices(w, g, objectives, moves, names, narrowDigits)
}

// writeChoices writes a table of what moves are worth: a column for each, a row for each objective. A star marks the
// best.
func writeChoices(w io.Writer, g statespace.Game, objectives []chance.Objective, moves []*chance.Choice, names []string, digits int) {
	rows := make([][]string, 1+len(objectives))
	for i, o := range objectives {
		rows[i+1] = []string{o.Name}
	}
	rows[0] = []string{""}
	for k, m := range moves {
		rows[0] = append(rows[0], names[k]+" ")
		if m == nil {
			for i := range objectives {
				rows[i+1] = append(rows[i+1], "- ")
			}
			continue
		}
		for i, of := range newWorth(g, objectives, m.Values, digits).all {
			star := " "
			if m.Best[i] {
				star = "*"
			}
			rows[i+1] = append(rows[i+1], of.String()+star)
		}
	}
	rows[0][0] = strings.Repeat(" ", 15) // the least width
	table.Write(w, rows)
}
