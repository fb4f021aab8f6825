package slide

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"maps"

	"github.com/dustin/go-humanize"

	"pagoda/puzzle/slide/packing"
	"pagoda/puzzle/slide/tray"
	"pagoda/statespace"
)

// FamilyName is the family in the definitions of sliding-block spaces.
const FamilyName = "slide"

// keysName is the name in definitions of spaces whose positions have keys and no numbers.
const keysName = "keys"

// puzzleDefinition is the puzzle of a definition.
type puzzleDefinition struct {
	Text   string `json:"text"`
	Metric string `json:"metric"`
	ToGoal bool   `json:"to_goal,omitempty"`
	// Pattern is the tiles of a Pattern.
	Pattern string `json:"pattern,omitempty"`
}

// definitionOf returns the definition of a space of a puzzle, which def lacks, with a numbering. It has no year: earlier
// versions knew none, and the file of a space keeps its bytes.
func definitionOf(name string, p *tray.Puzzle, def puzzleDefinition, numbering string) statespace.Definition {
	q := *p
	q.Year = 0
	def.Text = q.Format()
	return statespace.Definition{Family: FamilyName, Name: name, Puzzle: statespace.Encode(def), Numbering: json.RawMessage(`{"` + numbering + `":1}`)}
}

// Definition implements statespace.Space.
func (s *Space) Definition() statespace.Definition {
	return definitionOf(s.name, s.puzzle, puzzleDefinition{Metric: s.metric.String(), ToGoal: s.toGoal}, s.numbers.Name())
}

// Define returns the space of a definition, with the same numbers. It is a *Space, an *Unnumbered or a *Pattern. Memory bounds the bytes of the tables of the numbers; 0 is no bound. When ctx ends,
// Define stops soon and returns the cause.
func Define(ctx context.Context, d statespace.Definition, memory uint64) (statespace.Space, error) {
	var numbering map[string]int
	def, p, err := readPuzzle(d)
	if err == nil {
		err = json.Unmarshal(d.Numbering, &numbering)
	}
	var m tray.Metric
	if err == nil {
		m, err = tray.ParseMetric(def.Metric)
	}
	if err != nil {
		return nil, fmt.Errorf("definition of %s: %w", d.Name, err)
	}
	if maps.Equal(numbering, map[string]int{patternName: 1}) {
		name, _ := cutPattern(d.Name)
		return asSpace(NewPattern(name, p, def.Pattern))
	}
	if maps.Equal(numbering, map[string]int{keysName: 1}) {
		return asSpace(NewUnnumbered(d.Name, p, m, def.ToGoal))
	}
	s, err := NewSpace(ctx, d.Name, p, m, def.ToGoal, memory)
	if limit, ok := errors.AsType[*packing.LimitError](err); ok && limit.Memory >= 1<<30 { // no file of such a tray is short
		err = fmt.Errorf("%s is numbered by %s, whose tables take more than %s: expected the numbering %s, or more memory", d.Name, d.Numbering, humanize.IBytes(limit.Memory), keysName)
	}
	if err == nil && !maps.Equal(numbering, map[string]int{s.numbers.Name(): 1}) {
		err = fmt.Errorf("%w: %s is numbered by %s, expected %s", statespace.ErrUnknown, d.Name, d.Numbering, s.Definition().Numbering)
	}
	return asSpace(s, err)
}

// readPuzzle reads the puzzle of a definition.
func readPuzzle(d statespace.Definition) (def puzzleDefinition, p *tray.Puzzle, err error) {
	if err = json.Unmarshal(d.Puzzle, &def); err == nil {
		p, err = tray.Parse(def.Text)
	}
	return def, p, err
}

// StartOf returns the start of the space of a definition, as Format writes it. It numbers nothing.
func StartOf(d statespace.Definition) (string, error) {
	def, p, err := readPuzzle(d)
	if err != nil {
		return "", fmt.Errorf("definition of %s: %w", d.Name, err)
	}
	if def.Pattern != "" {
		s, err := NewPattern(d.Name, p, def.Pattern)
		if err != nil {
			return "", err
		}
		return s.Format(s.Roots()[0]), nil
	}
	return p.FormatPosition(p.Start()), nil
}

// asSpace returns a space as an interface, nil with an error.
func asSpace[S statespace.Space](sp S, err error) (statespace.Space, error) {
	if err != nil {
		return nil, err
	}
	return sp, nil
}
