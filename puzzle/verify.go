package puzzle

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"strings"

	"pagoda/layers"
	"pagoda/run"
	"pagoda/statespace"
)

// Verify is run.Verify, and checks the name of the space: a name of the family must be that of a
// space with the same start and the same first moves, or of the same game against chance. It must not be one that
// another family knows. Names that no family knows are not checked, as those of text files and of other versions.
func (s *Set) Verify(ctx context.Context, f *layers.File, o run.Options) error {
	if err := run.Verify(ctx, f, o); err != nil {
		return err
	}
	return f.Read(func() error {
		sp := f.Space()
		name := sp.Definition().Name
		wrong := func(is string) error {
			return &layers.FileError{Path: f.Path(), Err: layers.ErrDamaged, Advice: "make it again",
				Detail: fmt.Sprintf("its space has the name %s, and is another one: %s", name, is)}
		}
		own := s.Of(sp)
		for _, other := range s.All() {
			if other != own && strings.HasPrefix(name, other.Name+"/") {
				if _, err := other.Lookup(ctx, name, Choice{Memory: f.Memory()}); !errors.Is(err, statespace.ErrUnknown) {
					return wrong("it is not of the family " + other.Name)
				}
			}
		}
		if own == nil || !strings.HasPrefix(name, own.Name+"/") {
			return nil
		}
		known, err := own.Lookup(ctx, name, Choice{Memory: f.Memory()})
		if errors.Is(err, statespace.ErrUnknown) {
			return nil
		}
		if err != nil {
			return fmt.Errorf("cannot make %s, as the file names its space: %w", name, err)
		}
		same, is := false, "it starts with "+sp.Format(sp.Roots()[0])
		switch roots := known.Roots(); {
		case own.Exact || known.Parts().Chance != nil: // the name says all of it
			same, is = known.Definition().SamePuzzle(sp.Definition()), string(sp.Definition().Puzzle)
		case len(roots) == 0 && own.Start != nil:
			a, err1 := own.Start(known.Definition())
			b, err2 := own.Start(sp.Definition())
			same = err1 == nil && err2 == nil && a == b
		default:
			same = len(roots) == 0 || maps.Equal(opening(sp), opening(known))
		}
		if same {
			return nil
		}
		return wrong(is)
	})
}

// opening returns the texts of the roots and of the states that one move makes of them.
func opening(sp statespace.Space) map[string]bool {
	texts := make(map[string]bool)
	for _, x := range sp.Roots() {
		texts["root "+sp.Format(x)] = true
		for _, e := range sp.Successors(nil, x) {
			texts[sp.Format(e.To)] = true
		}
	}
	return texts
}
