// Package lists has what package slices lacks.
package lists

import "slices"

// Map returns what a function makes of each element of a list, in their order; nil of an empty list.
func Map[T, U any](all []T, of func(T) U) (made []U) {
	made = slices.Grow(made, len(all))
	for _, one := range all {
		made = append(made, of(one))
	}
	return made
}

// A number can be added up.
type number interface {
	~int | ~int64 | ~uint64 | ~float64
}

// Sum returns the sum of a list.
func Sum[N number](all []N) (sum N) {
	for _, n := range all {
		sum += n
	}
	return sum
}

// SumOf returns the sum of what a function makes of each element of a list.
func SumOf[T any, N number](all []T, of func(T) N) (sum N) {
	for _, one := range all {
		sum += of(one)
	}
	return sum
}
