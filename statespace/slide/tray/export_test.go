package tray

// Movable is movable, for tests.
func (p *Puzzle) Movable(m Metric, pos Position) []uint64 { return p.movable(m, pos) }

// Stepped is stepped, for tests.
func (p *Puzzle) Stepped(pos Position, set uint64, d Direction) (Position, bool) {
	others := p.others(pos, set)
	return p.stepped(pos, set, d, &others)
}
