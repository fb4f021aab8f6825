package ask_test

import (
	"testing"

	"pagoda/ask"
	"pagoda/puzzle/peg"
	"pagoda/statespace/spacetest"
)

// A space without the moves over a layer has all parts but those that make moves in another way.
func TestNotOverKeepsParts(t *testing.T) {
	board, err := peg.Lookup("peg/3x4")
	if err != nil {
		t.Fatal(err)
	}
	all := spacetest.Everything(board)
	const moves = "it has the other moves"
	spacetest.Keeps(t, all, ask.NotOver(all, board, 9), map[string]string{
		"StartAt": moves, "Graph": moves, "Chance": moves, "Codes.Graph": moves, "Codes.Numbered": moves,
		"Values.Value": moves, "Values.Best": moves, "Values.DistanceName": moves, "Values.Columns": moves, "Values.Figures": moves, "Values.NewValuer": moves,
		"Symmetry.Fixed": "they need not keep the layer", "Symmetry.Words": "likewise", "Symmetry.Mirrors": "likewise", "Symmetry.Quotient": "likewise",
	})
	spacetest.Test(t, ask.NotOver(board, board, 9), 20)
}
