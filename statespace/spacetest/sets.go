package spacetest

import (
	"context"
	"fmt"
	"strings"

	"pagoda/bitset"
	"pagoda/internal/mapped"
	"pagoda/statespace"
	"pagoda/statespace/sweep"
)

// FindEngine returns the engine of a space that has a name.
func FindEngine(sp statespace.Space, name string) (statespace.SweepEngine, error) {
	var names []string
	for _, e := range sweep.Engines(sp) {
		if e.Name == name {
			return e, nil
		}
		names = append(names, e.Name)
	}
	if len(names) == 0 {
		names = append(names, "none")
	}
	return statespace.SweepEngine{}, fmt.Errorf("%s has no engine %q: it has %s", sp.Name(), name, strings.Join(names, ", "))
}

// FoldSet removes all members but the least ones from a set: see sweep.Fold. When ctx ends, FoldSet
// stops soon and returns the cause. The set must not be used then.
func FoldSet(ctx context.Context, sp statespace.Space, set *bitset.Set, threads int) error {
	if err := statespace.CheckLen(sp, set); err != nil {
		return err
	}
	symmetries, words := sweep.Symmetries(sp), set.Words()
	return mapped.Parts(ctx, threads, uint64(len(words)), 1<<12, func(first, end uint64) error {
		for i := first; i < end; i++ {
			words[i] = sweep.Fold(symmetries, i, words[i])
		}
		return nil
	})
}
