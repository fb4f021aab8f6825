package twist

import (
	"fmt"
	"math/rand/v2"
	"slices"

	"pagoda/puzzle/twist/definition"
	"pagoda/statespace"
)

// mostTried bounds the moves that are tried as images of others. Puzzles with more have too many symmetries to be used.
const mostTried = 1 << 14

// A symmetry takes the piece at each place to a place, as some piece. So it takes every move to a move, and the solved
// state to itself. Rotations of a puzzle do this, and mirrors, which turn pieces the other way round.
type symmetry struct {
	*Space
	to    []int     // by place; -1 if the piece there is always the same
	codes [][]uint8 // by place and code of the full view: the code at the place to which it goes
}

// Map implements statespace.Symmetry.
func (y *symmetry) Map(x statespace.Index) statespace.Index {
	state := y.unrank(x)
	image := make([]uint8, len(state))
	for i, place := range y.full.places {
		image[y.full.at[y.to[place]]] = y.codes[place][state[i]]
	}
	mapped, _ := y.rank(image)
	return mapped
}

// symmetries finds all symmetries: it tries all moves as the image of each written one. Those of a puzzle with illegal
// states are not looked for.
func (s *Space) symmetries() (all []statespace.Symmetry) {
	var own, images []action
	for _, w := range s.written {
		own = append(own, w.action)
	}
	known, tried := map[string]bool{s.symmetry(own).key(): true}, len(s.Illegal)*mostTried
	var try func()
	try = func() {
		y := s.symmetry(images)
		if y == nil {
			return
		}
		if len(images) < len(own) {
			for i := 0; i < len(s.moves) && tried < mostTried; i, tried = i+1, tried+1 {
				images = append(images, s.moves[i].action)
				try()
				images = images[:len(images)-1]
			}
		} else if key := y.key(); !known[key] {
			known[key], all = true, append(all, y)
		}
	}
	if try(); tried >= mostTried {
		return nil
	}
	return all
}

// key has the images of random states: of pieces that look alike, several maps may do the same.
func (y *symmetry) key() string {
	rng := rand.New(rand.NewPCG(5, 6))
	images := make([]statespace.Index, 1<<10)
	for i := range images {
		images[i] = y.Map(rng.Uint64N(y.Size()))
	}
	return fmt.Sprint(images)
}

// symmetry returns a map of pieces that takes the first written moves to their images, or nil if there is none. An orbit of
// places goes to the first one that will do: if others do as well, they also do for the orbits that are left.
func (s *Space) symmetry(images []action) *symmetry {
	y := &symmetry{s, slices.Repeat([]int{-1}, len(s.setOf)), make([][]uint8, len(s.setOf))}
	for _, place := range s.full.places {
		turns := s.turns(place)
		for k := 0; y.to[place] < 0; k++ {
			if k == 2*turns*len(s.full.places) {
				return nil
			}
			y.extend(place, [2]int{s.full.places[k/(2*turns)], k / 2 % turns}, []int{1, turns - 1}[k%2], images)
		}
	}
	return y
}

// extend maps the orbit of a place, if a piece can go from there to a place with a turn. A turn of a piece becomes sign turns.
func (y *symmetry) extend(place int, to [2]int, sign int, images []action) {
	turns, c := y.turns(place), chain{m: y.model}
	if slices.Contains(y.to, to[0]) || y.turns(to[0]) != turns {
		return
	}
	at, used, orbit := map[int][2]int{place: to}, map[int]bool{to[0]: true}, []int{place}
	for i := 0; i < len(orbit); i++ {
		for k, image := range images {
			next, is := c.goes(y.written[k].action, [2]int{orbit[i], 0}), c.goes(image, at[orbit[i]])
			is[1] = (is[1] + (turns-next[1])*sign) % turns
			if known, ok := at[next[0]]; ok && known != is || !ok && used[is[0]] {
				return
			} else if !ok {
				at[next[0]], used[is[0]], orbit = is, true, append(orbit, next[0])
			}
		}
	}
	// A kind becomes another one, and all of its pieces are turned by the same.
	solved := func(place int) definition.Piece { return y.Solved[y.setOf[place]][place-y.first[y.setOf[place]]] }
	as := make(map[int]definition.Piece)
	for _, place := range orbit {
		from, is := solved(place), solved(at[place][0])
		if (from.Turn == definition.Any) != (is.Turn == definition.Any) {
			return
		}
		if is.Turn != definition.Any {
			is.Turn = (is.Turn + (turns-from.Turn)*sign + turns - at[place][1]) % turns
		}
		if known, ok := as[from.Kind]; ok && known != is {
			return
		}
		as[from.Kind] = is
	}
	for _, place := range orbit {
		y.to[place] = at[place][0]
		for _, p := range y.full.sets[y.setOf[place]].pieces {
			is := as[p.Kind]
			if p.Turn != definition.Any {
				is.Turn = (p.Turn*sign + at[place][1] + is.Turn) % turns
			}
			y.codes[place] = append(y.codes[place], y.full.sets[y.setOf[y.to[place]]].code(is))
		}
	}
}
