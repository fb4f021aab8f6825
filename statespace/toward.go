package statespace

// Toward returns a space with the same numbers and moves whose only goal is a state; searches end there.
func Toward(sp Space, goal Index) Space { return toward{sp, goal} }

// toward is a space with another goal.
type toward struct {
	Space
	goal Index
}

// Parts implements Space. What knows the other goals falls away.
func (t toward) Parts() Parts {
	p := t.Space.Parts()
	p.Goals = Goals{Is: func(x Index) bool { return x == t.goal }, All: func() []Index { return []Index{t.goal} }, Ends: true}
	p.Codes.Graph, p.Codes.Numbered, p.Bounds = nil, nil, Bounds{}
	if p.Undirected {
		p.Bounds.Goals = func() [][]uint64 { return [][]uint64{{t.goal}} }
	}
	if graph := p.Graph; graph != nil {
		p.Graph = func() Graph { return t.graph(graph()) }
	}
	if proof := p.Proof; proof != nil {
		p.Proof = func() Proof {
			made := proof()
			made.NewExpander, made.NewLeveler = t.expander(made.NewExpander), nil // a Leveler finds the other goals only
			return made
		}
	}
	return p
}

// expander returns expanders that find the other goal, or nil if there are none.
func (t toward) expander(of func() Expander) func() Expander {
	if of == nil {
		return nil
	}
	return func() Expander { return towardExpander{of(), t.goal} }
}

// graph returns a graph with the other goal.
func (t toward) graph(g Graph) Graph {
	g.HasGoals = true
	g.NewExpander = t.expander(g.NewExpander)
	if blocks := g.NewBlockExpander; blocks != nil {
		g.NewBlockExpander = func() BlockExpander { return towardBlocks{blocks(), t.goal} }
	}
	if stepper := g.NewStepper; stepper != nil {
		g.NewStepper = func(marks []uint64, threads int) Stepper { return towardStepper{stepper(marks, threads), t.goal} }
	}
	return g
}

// goalIn appends a goal to dst if it is among the states of a word.
func goalIn(dst []uint64, goal, first, word uint64) []uint64 {
	if i := goal - first; i < 64 && word>>i&1 != 0 {
		return append(dst, goal)
	}
	return dst
}

// A towardExpander finds the other goal.
type towardExpander struct {
	Expander
	goal uint64
}

// Expand implements Expander.
func (e towardExpander) Expand(dst []uint64, first, word uint64, goals *[]uint64) []uint64 {
	if goals != nil {
		*goals = goalIn(*goals, e.goal, first, word)
	}
	return e.Expander.Expand(dst, first, word, nil)
}

// towardBlocks finds the other goal.
type towardBlocks struct {
	BlockExpander
	goal uint64
}

// Expand implements Expander.
func (b towardBlocks) Expand(dst []uint64, first, word uint64, goals *[]uint64) []uint64 {
	return towardExpander{b.BlockExpander, b.goal}.Expand(dst, first, word, goals)
}

// Goal implements BlockExpander.
func (b towardBlocks) Goal(x uint64) bool { return x == b.goal }

// A towardStepper finds the other goal.
type towardStepper struct {
	Stepper
	goal uint64
}

// Goals implements Stepper.
func (s towardStepper) Goals(level int) []uint64 {
	first := s.goal &^ 63
	var open [1]uint64
	s.Open(level, 0, nil) // in order: a Stepper may sort its states first
	s.Open(level, first, open[:])
	return goalIn(nil, s.goal, first, open[0])
}
