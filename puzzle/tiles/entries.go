package tiles

import (
	"math/big"

	"pagoda/puzzle"
)

// An entry is a space that people should know, with what a run of it has found.
type entry struct {
	name, about string
	cells       int64
	states      int64
}

var twenty48Entries = []entry{
	{"2048/2x2", "2048 on 2 by 2 cells, to the end", 4, 110},
	{"2048/2x3", "2048 on 2 by 3 cells, to the end", 6, 21752},
	{"2048/2x4:128", "2048 on 2 by 4 cells, up to the tile 128", 8, 631834},
	{"2048/2x4:256", "2048 on 2 by 4 cells, up to the tile 256", 8, 1484919},
	{"2048/3x3:64", "2048 on 3 by 3 cells, up to the tile 64", 9, 609981},
	{"2048/3x3:128", "2048 on 3 by 3 cells, up to the tile 128", 9, 2172172},
	{"2048/3x3", "2048 on 3 by 3 cells, to the end: 48.7 million boards", 9, 48713519},
	{"2048/3x4:64", "2048 on 3 by 4 cells, up to the tile 64", 12, 158719987},
	{"2048/4x4:16", "2048 on 4 by 4 cells, up to the tile 16", 16, 23483970},
}

var threesEntries = []entry{
	{"threes/2x2", "Threes on 2 by 2 cells", 4, 575},
	{"threes/2x3", "Threes on 2 by 3 cells", 6, 120606},
	{"threes/3x3:48", "Threes on 3 by 3 cells, up to the tile 48", 9, 8860507},
}

// entries returns the entries of a family.
func entries(list []entry) func() []puzzle.Entry {
	return func() (all []puzzle.Entry) {
		for _, e := range list {
			all = append(all, puzzle.Entry{Name: e.name, About: e.about, Facts: func() puzzle.Facts {
				return puzzle.Facts{Numbers: map[string]*big.Int{"cells": big.NewInt(e.cells), "states": big.NewInt(e.states)}}
			}})
		}
		return all
	}
}

// fields are the numbers that are known about entries.
var fields = []puzzle.Field{
	{Name: "cells", About: "the cells of the board"},
	{Name: "states", About: "the states that can be reached; of number tiles, up to symmetry"},
}
