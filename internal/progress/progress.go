// Package progress carries through a context who shows the progress of a computation, so that
// any part of it that lasts can say how far it is.
package progress

import "context"

// A Show begins to show the progress of a part of the work until stop is called: what it is, and its
// size in some unit. Read returns how much is done of a total, in any unit; the total is 0 if it is not known. If the
// size is 0, it returns how much is done of what was found so far.
type Show func(what string, size uint64, unit string, read func() (done, total int64)) (stop func())

type key struct{}

// With returns a context whose computations are shown by a function; nil shows nothing.
func With(ctx context.Context, show Show) context.Context {
	return context.WithValue(ctx, key{}, show)
}

// Start begins to show a part of the work, if the context has a Show. Read may be nil if nothing is
// known but what the work is.
func Start(ctx context.Context, what string, size uint64, unit string, read func() (done, total int64)) (stop func()) {
	show, _ := ctx.Value(key{}).(Show)
	if show == nil {
		return func() {}
	}
	if read == nil {
		read = func() (int64, int64) { return 0, 0 }
	}
	return show(what, size, unit, read)
}

// Of returns the function Start of a context.
func Of(ctx context.Context) func(what string, size uint64, unit string, read func() (done, total int64)) (stop func()) {
	return func(what string, size uint64, unit string, read func() (done, total int64)) func() {
		return Start(ctx, what, size, unit, read)
	}
}
