package command

import (
	"fmt"
	"math"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"pagoda/ask"
	"pagoda/internal/cli"
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
}

// options returns the flags as run.Options has them.
func (f *worthFlags) options() (objectives string, bytes int, err error) {
	if f.bytes != 0 && f.bytes != 4 && f.bytes != 8 {
		return "", 0, cli.Usagef("--value-bytes should be 4 or 8, found %d", f.bytes)
	}
	return f.objective, f.bytes, nil
}

// worth is what a state of a game against chance is worth, as JSON.
type worth struct {
	// Values are by objective. The chances of marks are together in one object: {"score":66.9,"tile":{"16":0.96}}.
	Values map[string]any `json:"values"`
	// Complements are the chances of the opposite, for chances above one half.
	Complements map[string]any `json:"complements,omitempty"`

	all []worthOf
}

// worthOf is the value of one objective. Second are those of the terms that break ties.
type worthOf struct {
	name   string
	chance bool
	value  float64
	second []float64
}

// newWorth returns the values of objectives, or nil if there are none.
func newWorth(g chance.Game, objectives []chance.Objective, values []float64) *worth {
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
		of := worthOf{name: o.Name, value: values[c], chance: o.Terms[0].Kind == chance.Reach}
		for i := 1; i < len(o.Terms); i++ {
			v := values[c+i]
			if o.Terms[i].Kind == chance.Reach {
				v = chance.Chance(v).P()
			}
			of.second = append(of.second, v)
		}
		c += len(o.Terms)
		w.all = append(w.all, of)
		if !of.chance {
			put(w.Values, o.Name, of.value)
		} else {
			put(w.Values, o.Name, chance.Chance(of.value).P())
			if math.Signbit(of.value) {
				put(w.Complements, o.Name, chance.Chance(of.value).Q())
			}
		}
		for i, v := range of.second {
			put(w.Values, fmt.Sprintf("%s#%d", o.Name, i+2), v)
		}
	}
	return w
}

// writeText writes a line for each objective.
func (w *worth) writeText(s *strings.Builder) {
	if w == nil {
		return
	}
	width := 0
	for _, of := range w.all {
		width = max(width, len(of.name))
	}
	s.WriteByte('\n')
	for _, of := range w.all {
		fmt.Fprintf(s, "%*s  %s\n", max(width, 15), of.name, of.whole())
	}
}

// whole writes the value, and those of the terms that break ties.
func (of worthOf) whole() string {
	s := of.text()
	for _, v := range of.second {
		s += ", then " + ask.FormatFraction(v)
	}
	return s
}

// text writes the value. A chance that is nearly 1 is written as 1 less what is lacking.
func (of worthOf) text() string {
	if !of.chance {
		return ask.FormatFraction(of.value)
	}
	c := chance.Chance(of.value)
	switch q := c.Q(); {
	case math.Signbit(of.value) && q == 0:
		return "certain"
	case math.Signbit(of.value) && q < 1e-4:
		return "1 - " + strconv.FormatFloat(q, 'g', 12, 64)
	}
	return ask.FormatFraction(c.P())
}
