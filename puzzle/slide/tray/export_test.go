package tray

// Movable is movable, for tests.
func (p *Puzzle) Movable(m Metric, pos Position) []uint64 { return p.movable(m, pos) }

// Stepped is stepped, for tests.
func (p *Puzzle) Stepped(pos Position, set uint64, d Direction) (Position, bool) {
	others := p.others(pos, set)
	return p.stepped(pos, set, d, &others)
}

// Counts returns how many groups of kinds and turns there are, for tests.
func (o *Orbits) Counts() (groups, turns int) { return len(o.groups), len(o.turns) }
