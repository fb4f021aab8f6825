package sparse

import (
	"context"
	"errors"

	"pagoda/statespace"
)

// DearBytes is how many bytes make a search through all numbers dear. Then a list of the states is better
// if these are few, and Few looks whether they are.
const DearBytes = 1 << 30

const (
	fewStates = 1 << 20
	fewLevels = 1 << 12 // a deep search takes long
)

// errDeep ends a search that has many levels.
var errDeep = errors.New("the search has many levels")

// Few is a search that ends at once if there are more than about a million states, or thousands of
// levels, or if they need more memory than the options allow. That takes about a second. It returns the
// search, which must be closed, or nil if there are more. There are many if the levels still double then: a list of all
// states would grow beyond any memory.
func Few(ctx context.Context, g statespace.CodeGraph, o Options, progress *statespace.Progress) (s *Search, many bool, err error) {
	o.MaxStates = fewStates
	s, err = New(g, o)
	if err == nil {
		levels := 1
		err = s.Run(ctx, func() error {
			if levels++; levels > fewLevels {
				return errDeep
			}
			return nil
		}, progress)
		if err == nil {
			return s, false, nil
		}
		if levels := s.Result().Levels; len(levels) > 1 {
			many = levels[len(levels)-1] >= 2*levels[len(levels)-2]
		}
		s.Close()
	}
	if errors.Is(err, ErrStates) || errors.Is(err, statespace.ErrMemory) || errors.Is(err, errDeep) {
		err = nil
	}
	return nil, many, err
}
