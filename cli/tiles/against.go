package tiles

import (
	"pagoda/ask"
	"pagoda/puzzle/tiles/player"
	"pagoda/puzzle/tiles/threes"
	"pagoda/puzzle/tiles/twenty48"
	"pagoda/statespace"
	"pagoda/statespace/chance"
	"pagoda/studies/regret"
)

// mistakes is how many of the worst mistakes play shows.
const mistakes = 5

// against is a comparison with a file, as JSON.
type against struct {
	File string `json:"file"`
	*regret.Report
}

// solves reports whether a file of an exact game has the game that was chosen.
func (c *chosenGame) solves(g statespace.Game) bool {
	switch g := g.(type) {
	case *twenty48.Game:
		return c.kind == twenty48.Family && g.Options == c.two
	case *threes.Game:
		return c.kind == threes.Family && g.Options == c.three
	}
	return false
}

// judge returns a judge of games by a file.
func (p *plays) judge(f *ask.File, g player.Game, fail func(error)) (*regret.Judge, error) {
	exact := f.Space().Parts().Chance
	if !p.solves(exact) {
		return nil, ask.Questionf("%s is of %s: expected a file of the game that is played, which `reach run %s` makes", f.Path(), f.Space().Name(), g.Name())
	}
	solution, err := f.Solved()
	if err != nil {
		return nil, err
	}
	s := &regret.Solution{Solution: solution}
	if s.Aim, err = f.Aim(solution, p.objective); err != nil {
		return nil, err
	}
	values, _ := f.Worth()
	err = f.Read(func() error {
		start, err := values.Start()
		if err == nil {
			s.Start = start[chance.Columns(s.Objectives[:s.Aim])]
		}
		return err
	})
	if err != nil {
		return nil, err
	}
	j, err := regret.NewJudge(s, g, mistakes, fail)
	if err != nil {
		return nil, ask.Questionf("%w", err)
	}
	return j, nil
}
