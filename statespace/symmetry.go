package statespace

import "slices"

// A Symmetric space has symmetries. They take the set of all states that can be reached to
// itself.
type Symmetric interface {
	Space
	// Symmetries returns symmetries that keep every root where it is, each once and without
	// the identity. Together with the identity they are a group.
	Symmetries() []Symmetry
}

// A Symmetry is a permutation of all numbers that takes moves to moves and keeps the layer of
// each state. Its methods may be called by several goroutines at once.
type Symmetry interface {
	// Map returns the image of a state.
	Map(x Index) Index
}

// Symmetries returns the symmetries of a Symmetric space. Other spaces have none.
func Symmetries(sp Space) []Symmetry {
	if s, ok := sp.(Symmetric); ok {
		return s.Symmetries()
	}
	return nil
}

// Orbit returns how many different states a state and its images are.
func Orbit(symmetries []Symmetry, x Index) int {
	images := []Index{x}
	for _, s := range symmetries {
		if y := s.Map(x); !slices.Contains(images, y) {
			images = append(images, y)
		}
	}
	return len(images)
}
