package pegsolitaire

import (
	"math/big"

	"pagoda/family"
	"pagoda/statespace"
)

// fields are the numbers that are known of large boards. Those of small ones take a second to count.
var fields = []family.Field{
	{Name: "states", About: "the positions that can be reached"},
	{Name: "orbits", About: "the positions that can be reached, up to the symmetries of the start"},
}

// known are the counts of boards that take long. docs/large-boards.md says how they were found and proved.
var known = map[string]struct {
	states, orbits uint64
	// by the number of pegs, from the start down to one
	layers, layerOrbits []uint64
}{
	"peg/5x8":       {states: 41586778280, orbits: 20794266543},
	"peg/diamond41": {states: 25210747608, orbits: 3151786344},
	"peg/6x7": {states: 161963122035, orbits: 80982549337,
		layers: []uint64{1, 4, 20, 109, 589, 3071, 15544, 74385, 335012, 1412039, 5527563, 19975357, 66241199, 200343871, 549351474,
			1357102301, 2999991687, 5893296615, 10215783965, 15516496809, 20519131282, 23522665269, 23355591796, 20159038670,
			15252617468, 10224322667, 6126044950, 3296167139, 1593786738, 691001180, 267519543, 91967772, 27865312, 7373652,
			1687776, 328684, 52804, 6924, 736, 52, 6},
		layerOrbits: []uint64{1, 3, 11, 55, 297, 1544, 7794, 37244, 167632, 706298, 2764355, 9988828, 33122811, 100176011, 274683027,
			678563639, 1500016288, 2946679929, 5107938115, 7758311343, 10259646335, 11761428643, 11677902398, 10079627899,
			7626411166, 5112250074, 3063093651, 1648136505, 796930085, 345524493, 133774365, 45992206, 13937112, 3689022, 844896,
			164766, 26560, 3518, 384, 30, 4}},
	"peg/wiegleb": {states: 429611778370, orbits: 53703105045,
		layers: []uint64{1, 4, 16, 80, 452, 2330, 11264, 51796, 225059, 918460, 3503560, 12443509, 41032181, 125310486, 353307886,
			916473557, 2179281406, 4731507062, 9338213336, 16672959701, 26792738620, 38560002910, 49503067902,
			56553184273, 57468252652, 52019603214, 42047227814, 30421142138, 19735620146, 11491658064, 6005583816,
			2813956550, 1179821599, 441272562, 146543774, 42911709, 10978066, 2429590, 459068, 71702, 9090, 910, 50, 5},
		layerOrbits: []uint64{1, 1, 3, 11, 60, 297, 1428, 6518, 28242, 115029, 438445, 1556366, 5130962, 15667221, 44169812, 114569765,
			272428030, 591465927, 1167318949, 2084179869, 3349174787, 4820106422, 6188012569, 7069297036, 7183690874,
			6502613972, 5256056087, 3802781531, 2467065710, 1436547952, 750762797, 351790226, 147506369, 55176835,
			18327794, 5369248, 1374764, 304817, 57835, 9143, 1198, 130, 11, 2}},
}

// facts returns a function that returns what is known about a large board; it is nil for others.
func facts(name string) func() family.Facts {
	k, ok := known[name]
	if !ok {
		return nil
	}
	return func() family.Facts {
		f := family.Facts{Numbers: map[string]*big.Int{"states": new(big.Int).SetUint64(k.states), "orbits": new(big.Int).SetUint64(k.orbits)}}
		for i, states := range k.layers {
			f.Layers = append(f.Layers, statespace.Layer{Layer: len(k.layers) - i, States: states, Orbits: k.layerOrbits[i]})
		}
		return f
	}
}
