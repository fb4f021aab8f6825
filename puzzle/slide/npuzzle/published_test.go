package npuzzle

import (
	"fmt"
	"slices"
	"strconv"
	"testing"

	"pagoda/internal/csvtest"
	"pagoda/internal/long"
	"pagoda/puzzle/slide/library"
	"pagoda/puzzle/slide/tray"
	"pagoda/statespace/bfs"
)

// published has the number of positions at each distance from the tiles in order with the empty cell in a corner, as the
// Online Encyclopedia of Integer Sequences has them, of some the beginning.
var published = map[string][]uint64{
	"A090035": {1, 2, 3, 6, 10, 14, 19, 28, 42, 61, 85, 119, 161, 215, 293, 396, 506, 632, 788, 985, 1194, 1414, 1664, 1884, 1999, 1958, 1770, 1463, 1076, 667,
		361, 190, 88, 39, 19, 7, 1},
	"A089473": {1, 2, 4, 8, 16, 20, 39, 62, 116, 152, 286, 396, 748, 1024, 1893, 2512, 4485, 5638, 9529, 10878, 16993, 17110, 23952, 20224, 24047, 15578, 14560,
		6274, 3910, 760, 221, 2},
	"A090036": {1, 2, 3, 6, 11, 19, 30, 44, 68, 112, 176, 271, 411, 602, 851, 1232, 1783, 2530, 3567, 4996, 6838, 9279, 12463, 16597, 21848, 28227, 35682, 44464,
		54597, 65966, 78433, 91725, 104896, 116966, 126335, 131998, 133107, 128720, 119332, 106335, 91545, 75742, 60119, 45840, 33422, 23223, 15140, 9094, 5073, 2605,
		1224, 528, 225, 75, 20, 2},
	"A090166": {1, 2, 4, 9, 20, 37, 63, 122, 232, 431, 781, 1392, 2494, 4442, 7854, 13899, 24215, 41802, 71167, 119888, 198363, 323206, 515778, 811000, 1248011,
		1885279, 2782396, 4009722, 5621354, 7647872, 10065800, 12760413, 15570786, 18171606, 20299876, 21587248, 21841159, 20906905, 18899357, 16058335, 12772603,
		9515217, 6583181, 4242753, 2503873, 1350268, 643245, 270303, 92311, 27116, 5390, 1115, 86, 18},
	"A090167": {1, 2, 3, 6, 11, 20, 36, 60, 95, 155, 258, 426, 688, 1106, 1723, 2615, 3901, 5885, 8851, 13205, 19508, 28593, 41179, 58899, 83582, 118109, 165136,
		228596, 312542, 423797, 568233, 755727, 994641, 1296097, 1667002, 2119476, 2660415, 3300586, 4038877},
	"A346736": {1, 2, 3, 6, 11, 20, 37, 67, 117, 198, 329, 557, 942, 1575, 2597, 4241, 6724, 10535, 16396, 25515, 39362, 60532, 92089, 138969, 207274, 307725,
		453000, 664240, 964874, 1392975, 1992353, 2832063, 3988528, 5586275, 7756511, 10698721, 14621717, 19840724, 26676629},
	"A346737": {1, 2, 4, 9, 21, 42, 89, 164, 349, 644, 1349, 2473, 5109, 9110, 18489, 32321, 64962, 112445, 223153, 378761, 740095, 1231589, 2364342, 3847629,
		7246578, 11506172, 21233764, 32854049, 59293970, 89146163, 157015152, 228894783, 392648931, 553489877, 922382155},
	"A355560": {1, 2, 3, 6, 11, 20, 37, 68, 125, 227, 394, 672, 1151, 1983, 3373, 5703, 9508, 15640, 25293, 40732, 65032, 103390, 162830, 255543, 397013, 613104,
		938477, 1431068, 2162964, 3255845, 4860428, 7223861, 10649867, 15628073, 22747718, 32963838, 47397514, 67825949, 96317070},
}

// sequences names those of boards. The greatest distance is that of A151944.
var sequences = []struct {
	rows, cols, greatest int
	name                 string
}{
	{2, 4, 36, "A090035"}, {3, 3, 31, "A089473"}, {2, 5, 55, "A090036"}, {3, 4, 53, "A090166"}, {2, 6, 80, "A090167"},
	{2, 7, 108, "A346736"}, {3, 5, 84, "A346737"}, {2, 8, 140, "A355560"},
}

// Whole searches of small boards, the first levels of large ones and docs/data/n-puzzles.csv have the published numbers.
func TestPublished(t *testing.T) {
	rows := csvtest.Rows(t, "../../../docs/data/n-puzzles.csv")
	ours := make(map[string][]uint64)
	for _, row := range rows[1:] {
		x, err := strconv.ParseUint(row[2], 10, 64)
		if err != nil || row[1] != strconv.Itoa(len(ours[row[0]])) {
			t.Fatalf("%v after %d distances: %v", row, len(ours[row[0]]), err)
		}
		ours[row[0]] = append(ours[row[0]], x)
	}
	for _, c := range sequences {
		board, want := fmt.Sprintf("%dx%d", c.rows, c.cols), published[c.name]
		p, err := library.NPuzzle(c.rows, c.cols)
		if err != nil {
			t.Fatal(err)
		}
		n, err := newNumbering(p, planTiles)
		if err != nil {
			t.Fatal(err)
		}
		start, _ := n.Rank(p.Start())
		if levels := ours[board]; levels != nil {
			var halves [2]uint64 // an even number of moves leads to half of the positions, an odd one to the others
			for d, x := range levels {
				halves[d&1] += x
			}
			if len(levels) != c.greatest+1 || !slices.Equal(levels[:len(want)], want) {
				t.Errorf("%s: %v, want %v of %s up to distance %d", board, levels, want, c.name, c.greatest)
			}
			if c.rows*c.cols%2 == 0 && halves != [2]uint64{n.Size() / 2, n.Size() / 2} || halves[0]+halves[1] != n.Size() {
				t.Errorf("%s: %v positions at even and odd distances, want %d in all", board, halves, n.Size())
			}
			if small := n.Size() < 1e7; small || long.Tests && n.Size() < 1e9 {
				if found := levelsFrom(t, n, start); !slices.Equal(found, levels) {
					t.Errorf("%s: found %v, want %v", board, found, levels)
				}
				continue
			}
		}
		last, before := []uint64{start}, []uint64(nil)
		for d, x := range want {
			if uint64(len(last)) != x {
				t.Errorf("%s: %d positions at distance %d, want %d", board, len(last), d, x)
			}
			if x > 2e4 && !long.Tests || x > 1e6 {
				break
			}
			last, before = listAfter(n, last, before), last
		}
	}
}

// levelsFrom searches from a position, and returns the number of positions at each distance.
func levelsFrom(t *testing.T, n *Numbering, start uint64) []uint64 {
	t.Helper()
	g := n.Graph(tray.Steps)
	g.Roots = slices.Values([]uint64{start})
	s, err := bfs.New(t.Context(), g, bfs.Options{Threads: 2})
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	if err := s.Run(t.Context(), nil, nil); err != nil {
		t.Fatal(err)
	}
	return s.Layers
}
