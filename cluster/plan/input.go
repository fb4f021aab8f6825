package plan

import (
	"bytes"
	"cmp"
	"encoding/json"
	"fmt"
	"strconv"

	"pagoda/internal/lists"
)

// An Input is what there is to do: levels, stages of blocks, or parts.
type Input struct {
	Space  string  // its name, or ""
	Size   float64 // numbers of the space; 0 if it is not known
	Levels []float64
	Stages []Stage
	Parts  []float64 // placements of each

	BlockBytes float64
}

// Rounds makes the rounds of a run with some number of workers.
func (c *Constants) Rounds(workers int, in *Input) []Round {
	switch {
	case in.Stages != nil:
		return c.Blocks(workers, in.Stages, in.BlockBytes)
	case in.Parts != nil:
		return c.Parts(in.Parts)
	}
	return c.Layers(workers, in.Levels, cmp.Or(in.Size, lists.Sum(in.Levels)))
}

// ReadInput reads what reach info --json prints, what reach find --explain --json prints, or numbers, which
// are the states of the levels in the order of the search.
func ReadInput(data []byte) (*Input, error) {
	if data = bytes.TrimSpace(data); len(data) == 0 || data[0] != '{' {
		return readNumbers(data)
	}
	var file struct {
		Board   string
		Space   string
		Size    json.Number
		Layers  []struct{ States, Orbits json.Number }
		Pieces  []struct{ Searched json.Number }
		Parts   int
		Largest float64 `json:"largest_part"`
	}
	if err := json.Unmarshal(data, &file); err != nil {
		return nil, err
	}
	switch {
	case len(file.Layers) > 0:
		in := &Input{Space: file.Space}
		in.Size, _ = file.Size.Float64()
		for _, l := range file.Layers {
			n, err := l.Orbits.Float64()
			if err != nil {
				if n, err = l.States.Float64(); err != nil {
					return nil, fmt.Errorf("a layer has the states %q, which should be a number", l.States)
				}
			}
			in.Levels = append(in.Levels, n)
		}
		return in, nil
	case len(file.Pieces) > 0:
		in := &Input{Space: file.Board}
		total := 0.0
		for _, p := range file.Pieces {
			n, err := p.Searched.Float64()
			if err != nil {
				return nil, fmt.Errorf("the placements %q should be a number", p.Searched)
			}
			total += n
		}
		in.Parts = parts(total, file.Largest, file.Parts)
		return in, nil
	}
	return nil, fmt.Errorf("the object has neither layers nor pieces: expected what reach info --json or reach find --explain --json prints")
}

func readNumbers(data []byte) (*Input, error) {
	in := new(Input)
	for _, word := range bytes.FieldsFunc(data, func(r rune) bool { return r <= ' ' || r == ',' }) {
		n, err := strconv.ParseFloat(string(word), 64)
		if err != nil || !(n >= 0 && n < 1e30) {
			return nil, fmt.Errorf("%.40q is not a number of states", word)
		}
		in.Levels = append(in.Levels, n)
	}
	if len(in.Levels) == 0 {
		return nil, fmt.Errorf("the file is empty: expected the numbers of states of the levels, or what reach info --json prints")
	}
	return in, nil
}
