package twenty48

import (
	"fmt"
	"math/bits"

	"pagoda/puzzle/tiles/glide"
)

// Rule slides a line: tiles go to its first cell, and two equal ones that meet become one of twice the
// value, which does not merge again in the same slide. The gain is the sum of the tiles made. Two tiles
// of 32768, the greatest, do not merge.
func Rule(line []uint8) (gain int32) {
	to, last := 0, uint8(0) // last is the tile that the next one may merge with
	for i, tile := range line {
		if tile == 0 {
			continue
		}
		line[i] = 0
		if tile == last && tile < 15 {
			line[to-1]++
			gain += 1 << (tile + 1)
			last = 0
			continue
		}
		line[to] = tile
		to++
		last = tile
	}
	return gain
}

// Names are the numbers of tiles: tile k shows 2^k.
var Names = glide.Naming{
	Number: func(tile uint8) uint64 { return 1 << tile },
	Tile: func(number uint64) (uint8, error) {
		if number < 2 || number > 1<<15 || number&(number-1) != 0 {
			return 0, fmt.Errorf("expected a tile, which is a power of two from 2 to 32768, found %d", number)
		}
		return uint8(bits.TrailingZeros64(number)), nil
	},
}

// Sum returns the sum of the tiles of a board.
func Sum(b glide.Board) (sum int) {
	for ; b != 0; b >>= 4 {
		sum += 1 << (b & 15) &^ 1
	}
	return sum
}
