package threes

import "pagoda/puzzle/tiles/glide"

// The tiles are 1: 1, 2: 2, 3: 3, 4: 6, 5: 12, ... 15: 12,288; 0 is an empty cell.
const (
	three = 3 // the tile 3
	// Six is the tile 6, the first bonus tile. Bonus tiles come from the tile 48 on, BonusFrom.
	Six       = 4
	BonusFrom = 7
	most      = 14 // the tile 6144, the largest on boards of up to MostCells cells
)

// Value returns the value of a tile from 0 to 15.
func Value(tile uint8) int { return int(Tiles.Numbers[tile&15]) }

// Score returns what a tile is worth at the end of a game: 3^(k+1) for 3 x 2^k, and 0 for 1 and 2.
func Score(tile uint8) int { return scores[tile&15] }

var scores = func() (list [16]int) {
	for tile, score := three, 3; tile < len(list); tile++ {
		list[tile] = score
		score *= 3
	}
	return list
}()

// Rule moves a line by one step towards index 0, as far as it can: the first tile that has an empty
// cell before it, or a tile to join, moves, and all behind it follow. It is a glide.Rule. The gain is
// 0, as only the end of a game scores. Two tiles of 12,288, the greatest, do not join.
func Rule(line []uint8) (gain int32) {
	move(line, 15)
	return 0
}

// exact is the Rule of exact games, where two tiles of 6144 do not join: 15 means something else there.
// Only boards drawn by hand have room for two.
func exact(line []uint8) (gain int32) {
	move(line, most)
	return 0
}

// move moves a line. Two tiles from last on do not join.
func move(line []uint8, last uint8) {
	for i := 1; i < len(line); i++ {
		tile, ok := join(line[i-1], line[i], last)
		if !ok {
			continue
		}
		line[i-1] = tile
		copy(line[i:], line[i+1:])
		line[len(line)-1] = 0
		return
	}
}

// join returns the tile that a tile makes where it moves onto another one, or onto an empty cell.
func join(on, tile, last uint8) (joined uint8, ok bool) {
	switch {
	case tile == 0:
		return 0, false
	case on == 0:
		return tile, true
	case on+tile == three: // 1 and 2
		return three, true
	case on == tile && tile >= three && tile < last:
		return tile + 1, true
	}
	return 0, false
}

// Tiles are those of the game, with their values.
var Tiles = glide.Tiles{
	Rule:    Rule,
	Numbers: [16]uint64{0, 1, 2, 3, 6, 12, 24, 48, 96, 192, 384, 768, 1536, 3072, 6144, 12288},
	About:   "1, 2, 3, 6, 12, 24 and so on up to 12288",
}
