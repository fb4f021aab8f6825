package regret

import (
	"fmt"
	"io"
	"math"
	"strconv"
	"strings"
	"text/tabwriter"

	"github.com/dustin/go-humanize"

	"pagoda/statespace/chance"
)

// A Value is what a state or a move is worth.
type Value struct {
	Value float64 `json:"value"`
	// Complement is the chance of the opposite, for chances above one half.
	Complement *float64 `json:"complement,omitempty"`
}

// value returns a value of the column that counts.
func (s *Solution) value(v float64) Value {
	if s.term().Kind != chance.Reach {
		return Value{Value: v}
	}
	c := chance.Chance(v)
	x := Value{Value: c.P()}
	if q := c.Q(); math.Signbit(v) {
		x.Complement = &q
	}
	return x
}

// less returns the value of the start less a regret.
func (s *Solution) less(regret float64) Value {
	if s.term().Kind != chance.Reach {
		return Value{Value: s.Start - regret}
	}
	c := chance.Chance(s.Start)
	x := Value{Value: max(0, c.P()-regret)}
	if q := c.Q() + regret; q < 0.5 {
		x.Complement = &q
	}
	return x
}

// String writes a value with six digits.
func (v Value) String() string {
	switch {
	case v.Complement == nil || *v.Complement >= 1e-4:
		return number(v.Value)
	case *v.Complement == 0:
		return "certain"
	}
	return "1 - " + number(*v.Complement)
}

func number(v float64) string { return strconv.FormatFloat(v, 'g', 6, 64) }
func short(v float64) string  { return strconv.FormatFloat(v, 'g', 4, 64) }

// A Report is what a player loses against the best play. Intervals are of 95 %, by the normal distribution.
type Report struct {
	Objective string `json:"objective"`
	Exact     Value  `json:"exact"` // what the best play has in the mean
	Games     int    `json:"games"`
	Moves     int    `json:"moves"`
	Best      int    `json:"best_moves"` // of the moves: those that are best
	// Regret is the mean sum of the regrets of a game.
	Regret     float64 `json:"regret"`
	RegretLow  float64 `json:"regret_low"`
	RegretHigh float64 `json:"regret_high"`
	PerMove    float64 `json:"regret_per_move"`
	// Player is what the player has in the mean: Exact less Regret.
	Player    Value     `json:"player"`
	Low       Value     `json:"player_low"`
	High      Value     `json:"player_high"`
	LayerName string    `json:"layer_name"`
	Layers    []Band    `json:"by_layer"`
	Empty     []Band    `json:"by_empty_cells"` // before the move
	Worst     []Mistake `json:"worst"`
}

// A Band is the moves of some layers, or with some empty cells.
type Band struct {
	From    int     `json:"from"`
	To      int     `json:"to"`
	Moves   int     `json:"moves"`
	Best    int     `json:"best_moves"`
	Regret  float64 `json:"regret"` // in the mean of all games
	PerMove float64 `json:"regret_per_move"`
}

// append appends the band of a tally, unless there are no moves.
func (t tally) append(dst []Band, from, to, games int) []Band {
	if t.moves == 0 {
		return dst
	}
	return append(dst, Band{from, to, t.moves, t.best, t.regret / float64(games), t.regret / float64(t.moves)})
}

// A Mistake is a move that is not the best. The state is one of its images, and moves are those of this image.
type Mistake struct {
	State     string   `json:"state"`
	Layer     int      `json:"layer"`
	Move      string   `json:"move"`
	Value     Value    `json:"value"`
	BestMoves []string `json:"best"`
	Best      Value    `json:"best_value"`
	Regret    float64  `json:"regret"`
}

// WriteText writes a report for people. Who is the player, path is the file of the solution.
func (r *Report) WriteText(to io.Writer, who, path string) error {
	var s strings.Builder
	fmt.Fprintf(&s, "\nagainst %s, %s: the best play has %v\n", path, r.Objective, r.Exact)
	if r.Moves > 0 {
		fmt.Fprintf(&s, "regret %s a game (%s to %s), %s a move; %.2f %% of the moves are best\n", number(r.Regret), number(r.RegretLow), number(r.RegretHigh), number(r.PerMove), percent(r.Best, r.Moves))
		fmt.Fprintf(&s, "worth of %s, the best play less the regret: %v (%v to %v)\n", who, r.Player, r.Low, r.High)
		r.writeBands(&s, r.LayerName, r.Layers)
		r.writeBands(&s, "empty cells", r.Empty)
	}
	if len(r.Worst) > 0 {
		s.WriteString("\nthe worst mistakes\n")
		w := tabwriter.NewWriter(&s, 0, 0, 2, ' ', 0)
		fmt.Fprintln(w, "regret\tstate\tmove\tworth\tbest\tworth")
		for _, m := range r.Worst {
			fmt.Fprintf(w, "%s\t%s\t%s\t%v\t%s\t%v\n", number(m.Regret), m.State, m.Move, m.Value, strings.Join(m.BestMoves, " or "), m.Best)
		}
		w.Flush()
	}
	_, err := io.WriteString(to, s.String())
	return err
}

func percent(part, all int) float64 { return 100 * float64(part) / float64(all) }

// writeBands writes a table of bands.
func (r *Report) writeBands(s *strings.Builder, name string, bands []Band) {
	s.WriteByte('\n')
	w := tabwriter.NewWriter(s, 0, 0, 2, ' ', tabwriter.AlignRight)
	fmt.Fprintf(w, "%s\tmoves\tbest %%\tregret a game\ta move\t\n", name)
	for _, b := range bands {
		label := strconv.Itoa(b.From)
		if b.To > b.From {
			label += fmt.Sprintf(" to %d", b.To)
		}
		fmt.Fprintf(w, "%s\t%s\t%.1f\t%s\t%s\t\n", label, humanize.Comma(int64(b.Moves)), percent(b.Best, b.Moves), short(b.Regret), short(b.PerMove))
	}
	w.Flush()
}
