// Package lists has what package slices lacks.
package lists

// Map returns what a function makes of each element of a list, in their order; nil of an empty list.
func Map[T, U any](all []T, of func(T) U) (made []U) {
	for _, one := range all {
		made = append(made, of(one))
	}
	return made
}
