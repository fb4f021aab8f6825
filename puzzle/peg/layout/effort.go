package layout

// An effort bounds a part of the search for a layout. It is counted in steps of about a
// nanosecond, and not in time, so that every machine finds the same layout.
type effort struct{ left int }

// spend takes steps away.
func (e *effort) spend(steps int) {
	if e != nil {
		e.left -= steps
	}
}

// done reports whether nothing is left.
func (e *effort) done() bool { return e != nil && e.left <= 0 }

// A work is the effort that New puts into its parts.
type work struct {
	trying    effort // to list candidates
	weighing  effort // to find weights for their groups
	ordering  effort // to try orders of cells
	narrowing effort // to find weights with a small window
}

// newWork returns the effort that New makes. Boards of usual shapes take a part of it. An odd one
// can have a hundred thousand candidates; New then looks at the first of them.
func newWork() *work {
	return &work{trying: effort{400e6}, weighing: effort{200e6}, ordering: effort{200e6}, narrowing: effort{400e6}}
}
