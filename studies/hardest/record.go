package hardest

import (
	"encoding/json"
	"fmt"
	"slices"

	"pagoda/internal/lists"
	"pagoda/puzzle/slide/tray"
)

// A Record is the result of a part of a search as text, for Options.Keep and Options.Known.
type Record struct {
	Part       string       `json:"part"`
	Pieces     int          `json:"pieces"`
	Placements uint64       `json:"placements"`
	Reached    uint64       `json:"reached"`
	Length     int          `json:"length"`
	Starts     []startCells `json:"starts"`
}

// startCells is a start: the goal, the cells of each piece by their numbers in Board.Cells, and its axis by its number,
// unless all are free.
type startCells struct {
	Goal   int     `json:"goal"`
	Pieces [][]int `json:"pieces"`
	Axes   []int   `json:"axes,omitempty"`
}

// Record returns the record of a part.
func (p *Problem) Record(part string, r Result) Record {
	number := make(map[tray.Cell]int)
	for i, c := range p.Board.Cells {
		number[c] = i
	}
	record := Record{part, r.Pieces, r.Placements, r.Reached, r.Length, []startCells{}}
	for _, st := range r.Starts {
		one := startCells{Goal: st.Goal}
		for _, piece := range st.Pieces {
			one.Pieces = append(one.Pieces, lists.Map(piece.Cells, func(c tray.Cell) int { return number[c] }))
			one.Axes = append(one.Axes, int(piece.Axis))
		}
		if slices.Max(one.Axes) == int(tray.Free) {
			one.Axes = nil
		}
		record.Starts = append(record.Starts, one)
	}
	return record
}

// ParseRecord reads a record. The text may come from anyone: the error says what is wrong with it.
func (p *Problem) ParseRecord(text []byte) (part string, r Result, err error) {
	var record Record
	if err := json.Unmarshal(text, &record); err != nil {
		return "", r, err
	}
	cells := len(p.Board.Cells)
	r = Result{Pieces: record.Pieces, Placements: record.Placements, Reached: record.Reached, Length: record.Length}
	if r.Pieces < 1 || r.Pieces > cells || r.Length < 0 || r.Reached > r.Placements {
		return "", r, fmt.Errorf("a part with %d pieces, length %d, %d of %d placements", r.Pieces, r.Length, r.Reached, r.Placements)
	}
	for _, one := range record.Starts {
		st := Start{Goal: one.Goal}
		if st.Goal < 0 || len(one.Pieces) != r.Pieces {
			return "", r, fmt.Errorf("a start with goal %d and %d pieces: expected a goal from 0 on and %d pieces", st.Goal, len(one.Pieces), r.Pieces)
		}
		if one.Axes == nil {
			one.Axes = make([]int, len(one.Pieces))
		}
		if len(one.Axes) != len(one.Pieces) || slices.Min(one.Axes) < 0 || slices.Max(one.Axes) >= tray.Axes {
			return "", r, fmt.Errorf("the axes %v of %d pieces: expected as many numbers below %d", one.Axes, len(one.Pieces), tray.Axes)
		}
		for k, piece := range one.Pieces {
			if len(piece) == 0 || !slices.IsSorted(piece) || piece[0] < 0 || piece[len(piece)-1] >= cells {
				return "", r, fmt.Errorf("a piece with the cells %v: expected numbers below %d in increasing order", piece, cells)
			}
			at := lists.Map(piece, func(i int) tray.Cell { return p.Board.Cells[i] })
			st.Pieces = append(st.Pieces, Shape{at, tray.Axis(one.Axes[k])})
		}
		r.Starts = append(r.Starts, st)
	}
	return record.Part, r, nil
}
