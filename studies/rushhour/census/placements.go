package census

import "pagoda/studies/rushhour"

// A poly counts boards by number of vehicles.
type poly [rushhour.MaxVehicles + 1]uint64

// plus adds another poly, with more vehicles and several times.
func (p *poly) plus(q *poly, vehicles int, times uint64) {
	for k := range len(p) - vehicles {
		p[k+vehicles] += times * q[k]
	}
}

// Placements returns how many boards of a size there are, solvable or not, by number of vehicles. It goes
// row by row, and knows of each column how many cells a vertical vehicle above reaches down into the row.
// No vehicle takes a wall.
func (z Size) Placements() []uint64 {
	// fits has the number of words of a row by the cells that are taken and by vehicles.
	fits := func(row int) (all [1 << MaxSide][mostInWord + 1]uint64) {
		for taken := range 1 << z.Cols {
			for _, w := range words(z.Cols) {
				isCar := w.vehicles == 1 && w.lengths[0] == 2
				if int(w.cells)&taken == 0 && (row != z.Exit || isCar) {
					all[taken][w.vehicles]++
				}
			}
		}
		return all
	}
	now := map[[MaxSide]uint8]*poly{{}: {1}}
	for row := range z.Rows {
		across := fits(row)
		next := make(map[[MaxSide]uint8]*poly)
		for reach, before := range now {
			var after [MaxSide]uint8
			var column func(col, taken, vehicles int)
			column = func(col, taken, vehicles int) {
				if col == z.Cols {
					if next[after] == nil {
						next[after] = new(poly)
					}
					for n, times := range across[taken] {
						next[after].plus(before, vehicles+n, times)
					}
					return
				}
				if z.wall(row, col) {
					if after[col] = 0; reach[col] == 0 {
						column(col+1, taken|1<<col, vehicles)
					}
					return
				}
				if reach[col] > 0 {
					after[col] = reach[col] - 1
					column(col+1, taken|1<<col, vehicles)
					return
				}
				after[col] = 0
				column(col+1, taken, vehicles)
				for length := 2; length <= 3 && row+length <= z.Rows; length++ {
					after[col] = uint8(length - 1)
					column(col+1, taken|1<<col, vehicles+1)
				}
			}
			column(0, 0, 0)
		}
		now = next
	}
	all := now[[MaxSide]uint8{}]
	return all[:z.MostVehicles()+1]
}
