package ask

import (
	"pagoda/run"
	"pagoda/statespace"
	"pagoda/statespace/bfs"
)

// measure takes the distances from the file, or finds them anew.
func (p *Paths) measure() error {
	if p.file != nil {
		if d, ok := p.file.Distances(); ok {
			p.distances, p.most = d, len(p.file.Meta().Layers)-1
			if q := p.file.Space().Parts().Symmetry.Quotient; q != nil {
				p.distances = inQuotient(q, p.file.Meta().Size, d)
			}
			return nil
		}
		if _, ok, _ := p.file.PointerPath(p.space.Roots()[0]); ok && !p.All && !p.Random {
			return nil
		}
	}
	o := run.Options{Memory: p.left(), Threads: p.Options.Threads, Meter: p.Options.Meter}
	if p.file != nil {
		o.Engine = run.NumbersEngine // those of the file
	}
	found, err := run.Find(p.ctx, p.space, o)
	if err != nil {
		return err
	}
	p.frees = append(p.frees, found.Close)
	all, err := found.All(p.ctx)
	if err != nil {
		return err
	}
	p.distances, p.most = all.Distances, len(found.Layers)-1
	if p.file == nil {
		p.space, p.members, p.found, p.goals = all.Space, all.Members, found, all.Goals
	}
	return nil
}

// shortest finds shortest paths in a space without layers.
func (p *Paths) shortest(s *Solution, to []statespace.Index) (err error) {
	if g := p.valued(); g != nil {
		return p.best(s, g, to[0])
	}
	if p.distances.At == nil {
		s.Path, _, err = p.file.PointerPath(to[0])
		s.length = len(s.Path.Steps)
		return err
	}
	if s.Path, err = bfs.ShortestPath(p.space, p.distances, to[0], p.most); err != nil {
		return err
	}
	s.length = len(s.Path.Steps)
	if !p.All && !p.Random {
		return nil
	}
	all, err := bfs.FindShortest(p.ctx, p.space, p.distances, to, s.length, p.left())
	if err != nil {
		return err
	}
	return p.answer(s, enumeration{all.Total, NoErrors(all.All()), func() (statespace.Path, error) { return all.Random(p.Rand), nil }})
}
