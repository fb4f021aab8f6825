package twenty48_test

import (
	"fmt"
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"pagoda/internal/long"
	"pagoda/puzzle/tiles/glide"
	"pagoda/puzzle/tiles/twenty48"
	"pagoda/statespace"
	"pagoda/statespace/chance"
	"pagoda/statespace/chance/chancetest"
)

// A twin plays 2048 by the words of the rules. A board is the numbers of its cells, row by row. There are no
// tables, no symmetries, no layers and no afterstates.
type twin struct {
	rows, columns int
	p4            float64
}

type cells [6]int

// An end is a cell that a line begins with, at the wall, and the step to the next one.
type end struct{ first, step, length int }

// lines returns the lines of a slide.
func (p twin) lines(direction string) (all []end) {
	for r := range p.rows {
		switch direction {
		case "left":
			all = append(all, end{r * p.columns, 1, p.columns})
		case "right":
			all = append(all, end{r*p.columns + p.columns - 1, -1, p.columns})
		}
	}
	for c := range p.columns {
		switch direction {
		case "up":
			all = append(all, end{c, p.columns, p.rows})
		case "down":
			all = append(all, end{(p.rows-1)*p.columns + c, -p.columns, p.rows})
		}
	}
	return all
}

var directions = []string{"up", "down", "left", "right"}

// slide moves tile after tile, those at the wall first: as far as it can, and into an equal tile that has not merged.
func (p twin) slide(b cells, direction string) (after cells, gain int) {
	for _, l := range p.lines(direction) {
		merged := make([]bool, l.length)
		for i := 1; i < l.length; i++ {
			at := func(i int) *int { return &b[l.first+i*l.step] }
			for j := i; j > 0 && *at(j) > 0; j-- {
				if *at(j - 1) == 0 {
					*at(j - 1), *at(j) = *at(j), 0
					continue
				}
				if *at(j - 1) == *at(j) && !merged[j-1] {
					*at(j - 1), *at(j), merged[j-1] = 2**at(j), 0, true
					gain += *at(j - 1)
				}
				break
			}
		}
	}
	return b, gain
}

// A drawn board comes with a chance.
type drawn struct {
	cells
	chance float64
}

// draws returns the boards that follow when a tile appears.
func (p twin) draws(b cells) (all []drawn) {
	empty := 0
	for c := range p.rows * p.columns {
		if b[c] == 0 {
			empty++
		}
	}
	for c := range p.rows * p.columns {
		if b[c] == 0 {
			for tile, chance := range map[int]float64{2: 1 - p.p4, 4: p.p4} {
				to := b
				to[c] = tile
				all = append(all, drawn{to, chance / float64(empty)})
			}
		}
	}
	return all
}

// starts returns the boards with two tiles.
func (p twin) starts() (all []drawn) {
	for _, one := range p.draws(cells{}) {
		for _, two := range p.draws(one.cells) {
			all = append(all, drawn{two.cells, one.chance * two.chance})
		}
	}
	return all
}

// format writes a board as queries take it.
func (p twin) format(b cells) string {
	var s strings.Builder
	for c := range p.rows * p.columns {
		switch {
		case c == 0:
		case c%p.columns == 0:
			s.WriteByte('/')
		default:
			s.WriteByte(',')
		}
		fmt.Fprint(&s, b[c])
	}
	return s.String()
}

// has reports whether a board has a tile of at least a number.
func has(b cells, tile int) bool {
	for _, x := range b {
		if x >= tile {
			return true
		}
	}
	return false
}

// best returns the best value of a board: the score to come, or the chance of a tile.
func (p twin) best(known map[cells]float64, b cells, tile int) float64 {
	if v, ok := known[b]; ok {
		return v
	}
	v := 0.0
	for _, d := range directions {
		after, gain := p.slide(b, d)
		if after == b {
			continue
		}
		mean := 0.0
		for _, to := range p.draws(after) {
			mean += to.chance * p.best(known, to.cells, tile)
		}
		if tile == 0 {
			mean += float64(gain)
		}
		v = max(v, mean)
	}
	if tile > 0 && has(b, tile) {
		v = 1
	}
	known[b] = v
	return v
}

// The solver finds the boards and the values of the twin. The policy that its values tell, a first best slide in
// each board, is worth as much in the twin, by a mean over all that chance can do and by many games.
func TestTwin(t *testing.T) {
	for _, c := range []struct {
		rows, columns, tile, raw int
		games                    int
	}{{2, 2, 32, 662, 1_000_000}, {2, 3, 64, 85844, 40_000}, {1, 5, 16, 0, 100_000}} {
		if !long.Tests {
			if c.games /= 50; c.raw > 1000 {
				continue
			}
		}
		p := twin{c.rows, c.columns, 0.1}
		g, err := twenty48.NewGame("test", twenty48.Options{Rows: c.rows, Columns: c.columns, P4: p.p4})
		if err != nil {
			t.Fatal(err)
		}
		solution, result := chancetest.Solve(t, g, fmt.Sprintf("score,tile:%d", c.tile))
		for aim, tile := range []int{0, c.tile} {
			exact := result.Values[aim]
			if aim == 1 {
				exact = chance.Chance(exact).P()
			}
			known := make(map[cells]float64)
			want := 0.0
			for _, start := range p.starts() {
				want += start.chance * p.best(known, start.cells, tile)
			}
			if math.Abs(exact-want) > 1e-12*math.Max(1, want) || uint64(len(known)) != result.Raw || c.raw > 0 && len(known) != c.raw {
				t.Errorf("%dx%d: the value is %v with %d boards, the twin finds %v and %d", c.rows, c.columns, exact, result.Raw, want, len(known))
			}

			policy := make(map[cells]string)
			for b := range known {
				layer, state, err := g.Parse(p.format(b))
				if err != nil {
					t.Fatal(err)
				}
				choices, err := solution.Choices(layer, state)
				if err != nil {
					t.Fatal(err)
				}
				for _, choice := range choices {
					if !choice.Best[aim] || policy[b] != "" {
						continue
					}
					for _, d := range directions { // the slide of the board whose image this is
						after, _ := p.slide(b, d)
						_, image, err := g.Parse(p.format(after))
						if err == nil && after != b && image == choice.After {
							policy[b] = d
						}
					}
				}
				if (policy[b] == "") != (len(choices) == 0) {
					t.Fatalf("%v has %d choices, and the slide %q", b, len(choices), policy[b])
				}
			}
			if got := p.evaluate(policy, tile); math.Abs(got-exact) > 1e-12*math.Max(1, exact) {
				t.Errorf("%dx%d: the policy is worth %v, the value is %v", c.rows, c.columns, got, exact)
			}
			mean, half := p.simulate(policy, tile, c.games)
			if math.Abs(mean-exact) > half {
				t.Errorf("%dx%d: %d games have the mean %v, the value is %v, expected within %v", c.rows, c.columns, c.games, mean, exact, half)
			}
		}
	}
}

// The boards of a game that is played with the best moves follow one another by the slides that are named, and each is
// an image of its state.
func TestFollow(t *testing.T) {
	p := twin{2, 3, 0.1}
	g, err := twenty48.NewGame("test", twenty48.Options{Rows: 2, Columns: 3, P4: 0.1, Target: 64})
	if err != nil {
		t.Fatal(err)
	}
	solution, _ := chancetest.Solve(t, g, "score,target")
	board := func(image uint64) (b cells) {
		for c := range b {
			if tile := glide.Board(image).At(c); tile > 0 {
				b[c] = 1 << tile
			}
		}
		return b
	}
	wins := 0
	for seed := range uint64(60) {
		layer, state, err := g.Parse("2,.,4/.,2,8")
		if err != nil {
			t.Fatal(err)
		}
		image, err := g.Image("8,2,./4,.,2")
		if err != nil {
			t.Fatal(err)
		}
		game, err := solution.Play(int(seed%2), &statespace.GameDraw{To: state, Step: layer}, image, rand.New(rand.NewPCG(seed, 1)))
		if err != nil {
			t.Fatal(err)
		}
		if board(game.Turns[0].Image) != (cells{8, 2, 0, 4, 0, 2}) {
			t.Fatalf("the game begins with %v", board(game.Turns[0].Image))
		}
		for i, turn := range game.Turns {
			if g.Canonical(glide.Board(turn.Image)) != glide.Board(turn.State) {
				t.Fatalf("%x is no image of %x", turn.Image, turn.State)
			}
			slid, gain := p.slide(board(turn.Image), directions[turn.Move.Number])
			if float64(gain) != turn.Move.Gain || slid == board(turn.Image) {
				t.Fatalf("%v %s gains %d, expected %v", board(turn.Image), directions[turn.Move.Number], gain, turn.Move.Gain)
			}
			if turn.Move.Won {
				wins++
				continue
			}
			next, found := board(game.Image), false
			if i+1 < len(game.Turns) {
				next = board(game.Turns[i+1].Image)
			}
			for _, to := range p.draws(slid) {
				found = found || to.cells == next
			}
			if !found {
				t.Fatalf("%v %s does not lead to %v", board(turn.Image), directions[turn.Move.Number], next)
			}
		}
	}
	if wins < 10 {
		t.Errorf("%d games of 60 are won", wins)
	}
}

// evaluate returns what a policy is worth.
func (p twin) evaluate(policy map[cells]string, tile int) (mean float64) {
	known := make(map[cells]float64)
	var worth func(b cells) float64
	worth = func(b cells) float64 {
		v, ok := known[b]
		if ok {
			return v
		}
		switch d := policy[b]; {
		case tile > 0 && has(b, tile):
			v = 1
		case d != "":
			after, gain := p.slide(b, d)
			for _, to := range p.draws(after) {
				v += to.chance * worth(to.cells)
			}
			if tile == 0 {
				v += float64(gain)
			}
		}
		known[b] = v
		return v
	}
	for _, start := range p.starts() {
		mean += start.chance * worth(start.cells)
	}
	return mean
}

// simulate returns the mean of games, and what it may differ from the value: five deviations.
func (p twin) simulate(policy map[cells]string, tile, games int) (mean, half float64) {
	r := rand.New(rand.NewPCG(uint64(p.columns), uint64(tile)))
	type slid struct {
		after cells
		gain  int
	}
	slides := make(map[cells]slid)
	for b, d := range policy {
		if d != "" {
			after, gain := p.slide(b, d)
			slides[b] = slid{after, gain}
		}
	}
	spawn := func(b cells) cells {
		n := 0
		at := 0
		for c := range p.rows * p.columns {
			if b[c] == 0 {
				if n++; r.IntN(n) == 0 {
					at = c
				}
			}
		}
		b[at] = 2
		if r.Float64() < p.p4 {
			b[at] = 4
		}
		return b
	}
	sum, squares := 0.0, 0.0
	for range games {
		b, x := spawn(spawn(cells{})), 0.0
		for {
			s, ok := slides[b]
			if !ok || tile > 0 && has(b, tile) {
				break
			}
			x += float64(s.gain)
			b = spawn(s.after)
		}
		if tile > 0 {
			x = map[bool]float64{true: 1}[has(b, tile)]
		}
		sum, squares = sum+x, squares+x*x
	}
	mean = sum / float64(games)
	return mean, 5 * math.Sqrt((squares/float64(games)-mean*mean)/float64(games))
}

// The slides of boards on the grid are those of the twin, also on lines that are too long for tables.
func TestTwinSlides(t *testing.T) {
	r := rand.New(rand.NewPCG(4, 2))
	for _, p := range []twin{{2, 3, 0}, {3, 2, 0}, {1, 6, 0}, {6, 1, 0}} {
		grid, err := glide.New(p.rows, p.columns, twenty48.Tiles)
		if err != nil {
			t.Fatal(err)
		}
		for range 2000 {
			var b cells
			for c := range b {
				b[c] = []int{0, 2, 2, 4, 8, 16384}[r.IntN(6)]
			}
			board, err := grid.Parse(p.format(b))
			if err != nil {
				t.Fatal(err)
			}
			for d, name := range directions {
				want, gain := p.slide(b, name)
				after, got := grid.Slide(board, glide.Direction(d))
				if to, err := grid.Parse(p.format(want)); err != nil || after != to || int(got) != gain {
					t.Fatalf("%v slid %s is %s with %d, expected %v with %d: %v", b, name, grid.Format(after), got, want, gain, err)
				}
			}
		}
	}
}
