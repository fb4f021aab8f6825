package peg

import (
	_ "embed"
	"math/big"
	"strconv"
	"strings"
	"sync"

	"pagoda/puzzle"
	"pagoda/statespace"
)

// fields are the numbers that are known of large boards. Those of small ones take a second to count.
var fields = []puzzle.Field{
	{Name: "states", About: "the positions that can be reached"},
	{Name: "orbits", About: "the positions that can be reached, up to the symmetries of the start"},
}

//go:embed known.txt
var knownText string

// known is what known.txt says, by board.
var known = sync.OnceValue(func() map[string]*puzzle.Facts {
	all := make(map[string]*puzzle.Facts)
	for line := range strings.Lines(knownText) {
		if strings.HasPrefix(line, "#") {
			continue
		}
		field := strings.Fields(line)
		board, layer := field[0], field[1]
		states, err := strconv.ParseUint(field[2], 10, 64)
		if err != nil {
			panic(err) // it is part of the program
		}
		orbits, err := strconv.ParseUint(field[3], 10, 64)
		if err != nil {
			panic(err)
		}
		if layer == "all" {
			number := func(n uint64) *big.Int { return new(big.Int).SetUint64(n) }
			all[board] = &puzzle.Facts{Numbers: map[string]*big.Int{"states": number(states), "orbits": number(orbits)}}
			continue
		}
		pegs, err := strconv.Atoi(layer)
		if err != nil {
			panic(err)
		}
		all[board].Layers = append(all[board].Layers, statespace.Layer{Layer: pegs, States: states, Orbits: orbits})
	}
	return all
})

// facts returns a function that returns what is known about a large board; it is nil for others.
func facts(name string) func() puzzle.Facts {
	k := known()[name]
	if k == nil {
		return nil
	}
	return func() puzzle.Facts { return *k }
}
