package mapped

import (
	"context"
	"errors"
)

// An Arena is pieces of zeroed memory that are given back together. Large ones lie outside the
// garbage-collected heap, which may grow to twice of what is in use before the collector runs.
type Arena struct{ maps []*Memory }

// Words returns n words, as Alloc does.
func (a *Arena) Words(ctx context.Context, n uint64, threads int) ([]uint64, error) {
	const least = 1 << 17 // a map may take 2 MiB
	if n < least {
		return make([]uint64, n), nil
	}
	m, err := Alloc(ctx, n, threads)
	if err != nil {
		return nil, err
	}
	a.maps = append(a.maps, m)
	return m.Words(), nil
}

// Free gives the memory back. It must not be used any more.
func (a *Arena) Free() (err error) {
	for _, m := range a.maps {
		err = errors.Join(err, m.Free())
	}
	a.maps = nil
	return err
}
